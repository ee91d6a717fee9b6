"""`identikit fit`: estimate the parameters of a model from measured files."""

from __future__ import annotations

import argparse
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING

from identikit.cli._arguments import positive_number
from identikit.cli._data_options import (
    add_columns,
    add_data,
    add_estimated,
    add_written,
    check_outputs,
    load_data,
    question,
    save,
)
from identikit.cli._output import STDOUT
from identikit.cli._progress import ProgressLine
from identikit.cli._terminal import one_line

if TYPE_CHECKING:
    from identikit.result import Result

NAME = "fit"
SUMMARY = "estimate the parameters of a model from measured time series"
NOT_TRUSTED = 3

_EXAMPLES = """examples:
  identikit fit swing.csv --model pendulum
  identikit fit swing.csv --model pendulum --free w0,mu,mu_c --start w0=10 --json fit.json --plot fit.png
  identikit fit run1.csv run2.csv --model my_model.toml --map x=position --unit position=mm --fix m=0.35
  identikit simulate duffing | identikit fit - --model duffing"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = _EXAMPLES
    add_data(parser)
    parser.add_argument(
        "--model",
        required=True,
        metavar="NAME|FILE.toml",
        help="a name from `identikit models`, or a model file",
    )
    parser.add_argument(
        "--method", default="auto", metavar="NAME", help="a name from `identikit methods` (default: auto)"
    )
    add_columns(parser)
    what = add_estimated(parser)
    what.add_argument(
        "--smooth-friction", type=positive_number, metavar="WIDTH", help="replace sign(v) by tanh(v/WIDTH)"
    )
    add_written(parser, "the fit")


def run(arguments: argparse.Namespace) -> int:
    """Fit, save, print; 3 if the fit is not to be trusted."""
    check_outputs(arguments)
    asked = question(arguments)
    from identikit._fit import find_model, fit

    model = find_model(arguments.model)
    if arguments.smooth_friction is not None:
        model = model.with_smooth_friction(arguments.smooth_friction)
    experiment = load_data(arguments)
    with ProgressLine(sys.stderr, arguments.quiet) as progress:
        result = fit(
            experiment,
            model,
            **asked,
            progress=progress,
        )
    saved = save(result, "plot_fit", arguments)
    _show(result, saved, arguments)
    return 0 if result.ok else NOT_TRUSTED


def _show(result: Result, saved: list[str], arguments: argparse.Namespace) -> None:
    if arguments.json == STDOUT:
        print(result.to_json())
    elif not arguments.quiet:
        from identikit.result import sentences, table

        words = sentences(result)
        if sys.stdout.isatty():
            words = textwrap.fill(words, min(shutil.get_terminal_size().columns, 110))
        print(f"{table(result)}\n\n{words}")
        if saved:
            print(f"Saved: {one_line(', '.join(saved))}")
        return
    if not result.ok:
        code = result.status.code.value.replace("_", " ")
        print(f"identikit: the fit is not to be trusted ({code}): {result.status.message}", file=sys.stderr)
