"""`identikit select`: which of several models describes a record?"""

from __future__ import annotations

import argparse
import sys

from identikit.cli._answer import filled, tell_distrust
from identikit.cli._arguments import Names
from identikit.cli._data_options import (
    add_columns,
    add_data,
    add_estimated,
    add_initial,
    add_written,
    asked,
    check_outputs,
    save,
)
from identikit.cli._output import STDOUT
from identikit.cli._progress import INTERRUPTED, ProgressLine
from identikit.cli._terminal import one_line

NOT_TRUSTED = 3  # exit code

_EXAMPLES = """examples:
  identikit select swing.csv --models viscous.toml,dry.toml
  identikit select spring.csv --models duffing,van_der_pol --fix m=0.35 --plot choice.png
  identikit select run1.csv run2.csv --models linear.toml,cubic.toml --json choice.json"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = _EXAMPLES
    add_data(parser)
    parser.add_argument(
        "--models",
        action=Names,
        required=True,
        metavar="A,B.toml",
        help="two or more: names from `identikit models`, or model files",
    )
    parser.add_argument("--method", metavar="NAME", help="a name from `identikit methods` (default: shooting)")
    add_columns(parser)
    add_initial(add_estimated(parser))
    add_written(parser, "weights and residuals of every model")


def run(arguments: argparse.Namespace) -> int:
    """Fit, compare, save, print; 3 if none of the models describes the record."""
    check_outputs(arguments)
    arguments.model = None
    question = asked(arguments)
    from dataclasses import fields

    from identikit._select import select
    from identikit.question import Question

    usual = Question()
    said = {item.name: getattr(question, item.name) for item in fields(Question) if item.name not in ("model", "data")}
    given = {name: value for name, value in said.items() if value != getattr(usual, name)}
    with ProgressLine(sys.stderr, arguments.quiet) as progress:
        report = select(question.data, arguments.models, progress=progress, **given)
    saved = save(report, arguments)
    if arguments.json == STDOUT:
        print(report.to_json())
    elif not arguments.quiet and report.models:
        table, *blocks = str(report).split("\n\n")
        print("\n\n".join([table, *map(filled, blocks)]))
        if saved:
            print(f"\nSaved: {one_line(', '.join(saved))}")
    if not report.ok:
        tell_distrust(report, "no model is chosen")
    if progress.interrupted:
        return INTERRUPTED
    return 0 if report.ok else NOT_TRUSTED
