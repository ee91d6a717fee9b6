"""`identikit compare`: every method on the same question, side by side."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from identikit.cli._answer import filled, tell_distrust
from identikit.cli._arguments import Names, add_pairs, numbers, positive_number
from identikit.cli._data_options import (
    add_columns,
    add_data,
    add_estimated,
    add_initial,
    add_written,
    asked,
    check_named,
    check_outputs,
    save,
)
from identikit.cli._output import STDOUT
from identikit.cli._progress import INTERRUPTED, ProgressLine
from identikit.cli._terminal import one_line
from identikit.errors import OptionError

if TYPE_CHECKING:
    from identikit.result import ComparisonReport

NOT_TRUSTED = 3  # exit code
ALL = "all"

_EXAMPLES = """examples:
  identikit compare swing.csv --model pendulum
  identikit compare swing.csv --model pendulum --methods shooting,galerkin,energy --plot forest.png
  identikit compare made.csv --model horizontal_pendulum --free zeta,k --truth zeta=0.05 k=20 --json compared.json
  identikit compare swing.csv --model pendulum --methods sindy,shooting --option sindy.degree=3
  identikit compare --again fit.json --report compared.html"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = _EXAMPLES
    add_data(parser, "*")
    parser.add_argument("--model", metavar="NAME|FILE.toml", help="a name from `identikit models`, or a model file")
    parser.add_argument("--again", metavar="FIT.json", help="the question of a saved fit, or a question (.toml)")
    parser.add_argument(
        "--methods", action=Names, metavar="A,B", help="names from `identikit methods`, or all (default: all)"
    )
    add_pairs(parser, "--truth", "NAME=VALUE", "true values, if known: errors are shown over the Cramer-Rao bound")
    parser.add_argument(
        "--time-limit", type=positive_number, metavar="S", help="seconds that one method may take (default: 300)"
    )
    parser.add_argument("--no-held-out", action="store_true", help="do not predict the last part from the rest")
    add_columns(parser)
    add_initial(add_estimated(parser))
    add_written(parser, "all estimates with their intervals")


def run(arguments: argparse.Namespace) -> int:
    """Compare, save, print; 3 if no estimate is to be trusted."""
    check_outputs(arguments)
    check_named(arguments)
    options = options_by_method(arguments.option)
    truth = numbers(arguments.truth, "--truth")
    arguments.method, arguments.option = None, {}
    question = asked(arguments)
    from identikit._compare import compare
    from identikit.comparison import COMPARISON

    with ProgressLine(sys.stderr, arguments.quiet) as progress:
        report = compare(
            question,
            methods=arguments.methods or ALL,
            truth=truth,
            method_options=options,
            held_out=not arguments.no_held_out,
            time_limit=arguments.time_limit or COMPARISON.time_limit,
            progress=progress,
        )
    saved = save(report, arguments)
    if arguments.json == STDOUT:
        print(report.to_json())
    elif not arguments.quiet:
        show_comparison(report)
        if saved:
            print(f"\nSaved: {one_line(', '.join(saved))}")
    if not report.ok:
        tell_distrust(report, "not all were asked" if progress.interrupted else "no estimate is to be trusted")
    if progress.interrupted:
        return INTERRUPTED
    return 0 if report.ok else NOT_TRUSTED


def show_comparison(report: ComparisonReport) -> None:
    """Print the tables as they are, and what follows as wide as the terminal."""
    for line in f"{report}\n".splitlines():
        print(line if line.startswith(("-", "method")) or "  " in line.strip() else filled(line))


def options_by_method(pairs: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """`sindy.degree=3` as {"sindy": {"degree": "3"}}."""
    found: dict[str, dict[str, str]] = {}
    for name, value in pairs.items():
        method, dot, option = name.partition(".")
        if not (method and dot and option):
            raise OptionError(f"--option {name}={value}: expected METHOD.KEY=VALUE, such as sindy.degree=3")
        found.setdefault(method, {})[option] = value
    return found
