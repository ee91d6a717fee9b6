"""`identikit damping`: viscous, dry, drag, or which mixture?"""

from __future__ import annotations

import argparse
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING

from identikit.cli._answer import tell_distrust
from identikit.cli._data_options import (
    add_columns,
    add_data,
    add_estimated,
    add_written,
    asked,
    check_outputs,
    save,
)
from identikit.cli._output import STDOUT
from identikit.cli._progress import INTERRUPTED, ProgressLine
from identikit.cli._terminal import one_line

if TYPE_CHECKING:
    from identikit.result import DampingReport

NOT_TRUSTED = 3  # exit code

_EXAMPLES = """examples:
  identikit damping ringdown.csv
  identikit damping ringdown.csv --map x=acceleration --trim 0.5:20 --plot decay.png
  identikit damping swing.csv --model pendulum --json damping.json
  identikit damping run1.csv run2.csv --model my_model.toml --fix m=0.35"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = _EXAMPLES
    add_data(parser)
    parser.add_argument(
        "--model",
        metavar="NAME|FILE.toml",
        help="a name from `identikit models`, or a model file, of one degree of freedom "
        "(default: an oscillator whose stiffness the record decides)",
    )
    parser.add_argument("--method", metavar="NAME", help="a name from `identikit methods` (default: auto)")
    add_columns(parser)
    add_estimated(parser)
    add_written(parser, "the decay with every law")


def run(arguments: argparse.Namespace) -> int:
    """Compare the laws, save, print; 3 if the record is no free decay or the comparison is not to be trusted."""
    check_outputs(arguments)
    question = asked(arguments)
    from identikit._damping import damping

    with ProgressLine(sys.stderr, arguments.quiet) as progress:
        report = damping(question, progress=progress)
    saved = save(report, arguments)
    _show(report, saved, arguments)
    if progress.interrupted:
        return INTERRUPTED
    return 0 if report.ok else NOT_TRUSTED


def _show(report: DampingReport, saved: list[str], arguments: argparse.Namespace) -> None:
    if arguments.json == STDOUT:
        print(report.to_json())
    elif not arguments.quiet and report.laws:
        print(_wrapped(str(report)))
        if saved:
            print(f"\nSaved: {one_line(', '.join(saved))}")
    if not report.ok:
        tell_distrust(report, "the comparison is not to be trusted" if report.laws else "no law of damping is named")


def _wrapped(text: str) -> str:
    """Sentences filled to the width of a terminal; tables and pipes as they are."""
    if not sys.stdout.isatty():
        return text
    width = min(shutil.get_terminal_size().columns, 110)
    return "\n".join(
        textwrap.fill(line, width, subsequent_indent=" " * (len(line) - len(line.lstrip()) + 2))
        if line.startswith("    ") or line.endswith(".")
        else line
        for line in text.splitlines()
    )
