"""What `fit` and its relatives have in common: data, what is estimated, what is written."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from identikit.cli._arguments import Names, add_pairs, numbers, open_range, ranges, seed_number
from identikit.cli._output import STDOUT, check_ending, check_files, model_file
from identikit.errors import DataError

if TYPE_CHECKING:
    from identikit.measurement import Experiment
    from identikit.result import DampingReport, Result

HOLDS = ("linear", "zero_order", "cubic")  # spelt out: importing them from simulate would cost seconds
PLOT_ENDINGS = (".png", ".pdf", ".svg")


def add_data(parser: argparse.ArgumentParser) -> None:
    """The files, first of all."""
    parser.add_argument(
        "data", nargs="+", metavar="DATA", help="measured files (.csv, .txt, .parquet, .mat); - is stdin"
    )


def add_columns(parser: argparse.ArgumentParser) -> None:
    """How the files are read."""
    data = parser.add_argument_group("which column is what")
    data.add_argument("--time", metavar="COL", help="the time column (default: the one named t or time)")
    add_pairs(data, "--map", "OUTPUT=COL", "the column of a model output (default: the one of that name)")
    add_pairs(
        data,
        "--input",
        "NAME=COL|EXPRESSION",
        "a model input: a column, or an expression such as '0.2*sin(3*t)'",
    )
    data.add_argument(
        "--hold", choices=HOLDS, help="how inputs go on between samples (default: as the model says, mostly linear)"
    )
    data.add_argument("--segments", metavar="COL", help="a column that numbers several runs in one file")
    add_pairs(data, "--unit", "COL=UNIT", "the unit of a column, such as theta=deg")
    data.add_argument(
        "--trim",
        metavar="START:END",
        help="use only these times, in the file's unit; either end may be left out",
    )


def add_estimated(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Which parameters, and how."""
    what = parser.add_argument_group("what is estimated")
    what.add_argument(
        "--free", action=Names, metavar="A,B", help="parameters to estimate (default: the model's usual ones)"
    )
    add_pairs(what, "--fix", "NAME=VALUE", "parameters that are known")
    add_pairs(what, "--start", "NAME=VALUE", "starting values; usually not needed")
    add_pairs(what, "--bounds", "NAME=LOW:HIGH", "bounds that replace the model's")
    add_pairs(what, "--option", "KEY=VALUE", "options of the method, see `identikit methods NAME`")
    what.add_argument("--seed", type=seed_number, default=0, metavar="N", help="for whatever is random (default: 0)")
    return what


def add_written(parser: argparse.ArgumentParser, picture: str) -> None:
    """Where results go; `picture` says what is drawn."""
    out = parser.add_argument_group("what is written")
    out.add_argument("--json", metavar="OUT", help="save the result; - prints it instead of the table")
    out.add_argument("--plot", metavar="OUT.png", help=f"save a picture of {picture} (.png, .pdf or .svg)")
    out.add_argument("--quiet", action="store_true", help="print nothing but errors")


def check_outputs(arguments: argparse.Namespace) -> None:
    """Refuse files that cannot be written before any work is done."""
    outputs = []
    if arguments.json is not None and arguments.json != STDOUT:
        outputs.append(("--json", arguments.json))
    if arguments.plot is not None:
        check_ending(arguments.plot, "--plot", PLOT_ENDINGS)
        outputs.append(("--plot", arguments.plot))
    check_files(outputs, [*arguments.data, model_file(arguments.model)])


def load_data(arguments: argparse.Namespace) -> Experiment:
    """Read the files as the options say."""
    from identikit.measurement import Experiment, load, trim

    begin, end = open_range(arguments.trim, f"--trim {arguments.trim}") if arguments.trim else (None, None)
    paths = ["/dev/stdin" if path == STDOUT else path for path in arguments.data]
    experiment = load(paths, time=arguments.time, segments=arguments.segments, units=arguments.unit)
    if begin is None and end is None:
        return experiment
    return Experiment(tuple(trim(record, begin, end) for record in experiment))


def question(arguments: argparse.Namespace) -> dict[str, Any]:
    """What is asked of a front door, by the names of its arguments."""
    return {
        "method": arguments.method,
        "free": arguments.free,
        "fix": numbers(arguments.fix, "--fix"),
        "start": numbers(arguments.start, "--start"),
        "bounds": ranges(arguments.bounds, "--bounds"),
        "outputs": arguments.map,
        "inputs": arguments.input,
        "hold": arguments.hold,
        "options": arguments.option,
        "seed": arguments.seed,
    }


def save(answer: Result | DampingReport, picture: str, arguments: argparse.Namespace) -> list[str]:
    """Write the files that were asked for and return their names; `picture` is the function of `plot` that draws."""
    saved = []
    if arguments.json is not None and arguments.json != STDOUT:
        answer.save(arguments.json)
        saved.append(arguments.json)
    if arguments.plot is not None:
        from identikit import plot

        try:
            getattr(plot, picture)(answer, arguments.plot)
        except OSError as error:
            raise DataError(f"--plot {arguments.plot}: cannot be written ({error.strerror})") from None
        saved.append(arguments.plot)
    return saved
