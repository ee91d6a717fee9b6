"""`identikit identifiability`: which parameters can be found, before anything is measured?"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from identikit.cli._answer import filled, tell_distrust
from identikit.cli._arguments import Names, add_pairs, numbers, positive_number
from identikit.cli._data_options import add_columns, add_data, add_estimated, add_written, asked, check_outputs, save
from identikit.cli._hints import hints
from identikit.cli._output import STDOUT
from identikit.cli._progress import INTERRUPTED, ProgressLine
from identikit.cli._terminal import one_line
from identikit.errors import OptionError

if TYPE_CHECKING:
    from identikit.result import IdentifiabilityReport

NOT_IDENTIFIABLE = 3  # exit code

_EXAMPLES = """Without DATA a record is planned; whatever is not said of it is that of the model's example experiment.

examples:
  identikit identifiability --model duffing --free m,c,k,k3
  identikit identifiability --model magnetic_pendulum --free mu,w0,a1,a2,a3 --initial theta=1.5
  identikit identifiability --model lotka_volterra --noise hare=1 --duration 20 --dt 0.5
  identikit identifiability --model my_model.toml --set k=20 c=0.1 --duration 10 --dt 0.01 --noise x=0.002 --known v
  identikit identifiability swing.csv --model pendulum --plot told.png"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = _EXAMPLES
    add_data(parser, "*")
    parser.add_argument("--model", metavar="NAME|FILE.toml", help="a name from `identikit models`, or a model file")
    parser.add_argument(
        "--data",
        action="append",
        dest="named_data",
        default=[],
        metavar="FILE",
        help="the same as DATA (default: a record is planned)",
    )
    parser.add_argument(
        "--method", metavar="NAME", help="the fit whose values a given record is judged at (default: auto)"
    )
    plan = parser.add_argument_group("the record", "with --dt, --noise and --input below")
    add_pairs(plan, "--set", "NAME=VALUE", "values that are expected (default: the model's own; with DATA, a fit's)")
    plan.add_argument("--duration", type=positive_number, metavar="TIME", help="of the planned record")
    add_pairs(plan, "--initial", "STATE=VALUE", "where the planned record begins; with DATA, states that are known")
    plan.add_argument(
        "--known", action=Names, metavar="STATE", help="states that will be known when the planned record begins"
    )
    add_columns(parser)
    add_estimated(parser)
    add_written(parser, "the expected standard errors")


def run(arguments: argparse.Namespace) -> int:
    """Judge, save, print; 3 if something cannot be identified."""
    arguments.data = [*arguments.data, *arguments.named_data]
    check_outputs(arguments)
    if arguments.model is None:
        raise OptionError("no model is given: add --model NAME or --model FILE.toml (see identikit models)")
    values = numbers(arguments.set, "--set")
    initial = numbers(arguments.initial, "--initial")
    question = asked(arguments).changed(initial=initial or None)
    from identikit._identifiability import identifiability

    with ProgressLine(sys.stderr, arguments.quiet) as progress:
        report = identifiability(
            question,
            parameters=values,
            duration=arguments.duration,
            known=tuple(arguments.known or ()),
            progress=progress,
        )
    saved = save(report, arguments)
    _show(report, saved, arguments)
    if progress.interrupted:
        return INTERRUPTED
    return 0 if report.ok else NOT_IDENTIFIABLE


def _show(report: IdentifiabilityReport, saved: list[str], arguments: argparse.Namespace) -> None:
    if arguments.json == STDOUT:
        print(report.to_json())
    elif not arguments.quiet:
        *blocks, last = f"{report}\n{hints(report.findings)}".rstrip().split("\n\n")
        print("\n\n".join([*blocks, "\n".join(map(filled, last.splitlines()))]))
        if saved:
            print(f"Saved: {one_line(', '.join(saved))}")
    elif not report.ok:
        tell_distrust(report, "not everything can be identified")
