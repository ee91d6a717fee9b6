"""`identikit look`: what is in this file? The first command to type."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from identikit.cli._data_options import add_columns, add_data, add_written, check_outputs, columns, data_of, save
from identikit.cli._output import STDOUT
from identikit.cli._terminal import one_line

if TYPE_CHECKING:
    from identikit.result import LookReport, Suggestion

_EXAMPLES = """Says rate, jitter and gaps; range, noise, resolution, outliers and frequencies of every column; what
kind of motion it is; and what to type next. With --map or --input only these columns are looked at.

examples:
  identikit look swing.csv
  identikit look swing.csv --plot look.png
  identikit look runs.csv --segments run --trim 2:30 --json look.json"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = _EXAMPLES
    add_data(parser)
    add_columns(parser)
    add_written(parser, "the columns, their spectra and their noise")


def run(arguments: argparse.Namespace) -> int:
    """Look, save, print."""
    check_outputs(arguments)
    reading = columns(arguments)
    from identikit._look import look

    report = _with_commands(look(data_of(arguments) or [], **reading), arguments)
    saved = save(report, arguments)
    if arguments.json == STDOUT:
        print(report.to_json())
    elif not arguments.quiet:
        print(report)
        _show_next(report)
        if saved:
            print(f"\nSaved: {one_line(', '.join(saved))}")
    return 0


def _with_commands(report: LookReport, arguments: argparse.Namespace) -> LookReport:
    """The report with what to type for every suggestion, so that its page can say it too."""
    told = (replace(item, command=command_line(item, arguments)) for item in report.suggestions)
    return replace(report, suggestions=tuple(told))


def _show_next(report: LookReport) -> None:
    if not report.suggestions:
        return
    print("\nNext:")
    for item in report.suggestions:
        print(f"  {one_line(item.command)}\n      {item.reason}")


def command_line(item: Suggestion, arguments: argparse.Namespace) -> str:
    """What to type for a suggestion, with the options that the files were read with."""
    words = ["identikit", item.door, *arguments.data]
    if item.door == "fit":
        words += ["--model", item.model or "MODEL.toml"]
    if arguments.time:
        words += ["--time", arguments.time]
    if arguments.segments or item.segments:
        words += ["--segments", arguments.segments or item.segments]
    if arguments.unit:
        words += ["--unit", *(f"{name}={unit}" for name, unit in arguments.unit.items())]
    words += _named("--map", "OUTPUT", item.outputs, item.model is None and item.door == "fit")
    words += _named("--input", "INPUT", item.inputs, item.model is None)
    if item.trim is not None:
        words += ["--trim", ":".join("" if end is None else f"{end:.5g}" for end in item.trim)]
    elif arguments.trim:
        words += ["--trim", arguments.trim]
    return shlex.join(words)


def _named(option: str, blank: str, columns: Mapping[str, str], own: bool) -> list[str]:
    """The option that says which column is what; of a model of one's `own` there is a name to fill in."""
    if own:
        several = len(columns) > 1
        pairs = [f"{blank}{k if several else ''}={column}" for k, column in enumerate(columns.values(), 1)]
    else:
        pairs = [f"{name}={column}" for name, column in columns.items() if name != column]
    return [option, *pairs] if pairs else []
