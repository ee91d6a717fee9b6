"""What `fit` and its relatives have in common: data, what is estimated, what is written."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from identikit.cli._arguments import (
    Names,
    add_pairs,
    column_names,
    normals,
    numbers,
    open_range,
    positive_number,
    ranges,
    seed_number,
)
from identikit.cli._output import STDOUT, check_ending, check_files
from identikit.errors import DataError, OptionError

if TYPE_CHECKING:
    from identikit.question import Question
    from identikit.result import Saved

DECIMALS = (".", ",")
HOLDS = ("linear", "zero_order", "cubic")  # these are spelt out: importing them from simulate would cost seconds
GAPS = ("hold", "linear")
PLOT_ENDINGS = (".png", ".pdf", ".svg")
REPORT_ENDINGS = (".html", ".htm", ".md", ".tex")


def add_data(parser: argparse.ArgumentParser, nargs: str = "+") -> None:
    """The files, first of all."""
    parser.add_argument(
        "data", nargs=nargs, metavar="DATA", help="measured files (.csv, .txt, .xlsx, .h5, .parquet, .mat); - is stdin"
    )


def add_columns(parser: argparse.ArgumentParser) -> None:
    """How the files are read."""
    data = parser.add_argument_group("which column is what")
    data.add_argument("--time", metavar="COL", help="the time column (default: the one named t or time)")
    data.add_argument("--rate", type=positive_number, metavar="HZ", help="samples per second, if no column is the time")
    data.add_argument(
        "--dt", type=positive_number, metavar="S", help="seconds between samples, if no column is the time"
    )
    data.add_argument(
        "--columns", type=column_names, metavar="A,B", help="names of the columns, in order, of a file without header"
    )
    add_pairs(
        data,
        "--map",
        "OUTPUT=COL|EXPRESSION",
        "the column of a model output (default: the one of that name), or an expression of columns, 'theta=pos1 - pi'",
    )
    add_pairs(
        data,
        "--input",
        "NAME=COL|EXPRESSION",
        "a model input: a column, or an expression of columns or time, 'F=35.15*u_V' or 'F=0.2*sin(3*t)'",
    )
    data.add_argument(
        "--hold",
        choices=HOLDS,
        help="how inputs go on between samples (default: as the model says, unless the record shows otherwise)",
    )
    add_pairs(data, "--before", "INPUT=VALUE", "an input before its first sample (default: the fit begins there)")
    data.add_argument(
        "--gaps",
        choices=GAPS,
        help="how inputs went on where samples are missing (default: unknown, the record is cut)",
    )
    data.add_argument("--segments", metavar="COL", help="a column that numbers several runs in one file")
    add_pairs(data, "--unit", "COL=UNIT", "the unit of a column, such as theta=deg")
    data.add_argument(
        "--trim",
        metavar="START:END",
        help="use only these times, in the file's unit (seconds from the start for dates); either end may be left out",
    )
    data.add_argument(
        "--sheet", action="append", metavar="NAME", help="sheet of a workbook or group of an HDF5 file; all = every one"
    )
    data.add_argument(
        "--long",
        type=column_names,
        metavar="NAME,VALUE",
        help="one row per time and quantity: the columns of the quantity's name and of its value",
    )
    data.add_argument(
        "--decimal", choices=DECIMALS, metavar="MARK", help="the decimal mark, . or , (default: as the numbers show)"
    )
    data.add_argument("--no-unwrap", action="store_true", help="leave angles that jump by a full turn as they are")


def add_estimated(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Which parameters, and how."""
    what = parser.add_argument_group("what is estimated")
    what.add_argument(
        "--free", action=Names, metavar="A,B", help="parameters to estimate (default: the model's usual ones)"
    )
    add_pairs(what, "--fix", "NAME=VALUE", "parameters that are known")
    add_pairs(what, "--start", "NAME=VALUE", "starting values; usually not needed")
    add_pairs(what, "--bounds", "NAME=LOW:HIGH", "bounds that replace the model's")
    add_pairs(what, "--prior", "NAME=MEAN:STD", "what is known of a parameter beforehand, as a normal distribution")
    what.add_argument(
        "--noise",
        nargs="+",
        action="extend",
        metavar="KIND|OUTPUT=KIND|STD|COL",
        help="the noise: auto, white, ar (coloured), student (outliers) or lognormal; for one output its kind, its "
        "known standard deviation, or a column of them (default: auto, from the residuals); process noise on the "
        "rate of a "
        'state x, for kalman, by "x\'=INTENSITY" or "x\'=auto"',
    )
    add_pairs(what, "--option", "KEY=VALUE", "options of the method, see `identikit methods NAME`")
    what.add_argument("--seed", type=seed_number, metavar="N", help="for whatever is random (default: 0)")
    return what


def add_initial(group: argparse._ArgumentGroup) -> None:
    """What is known of the state that a record begins in."""
    add_pairs(group, "--initial", "STATE=VALUE", "initial states that are known, as numbers or of parameters")
    add_pairs(group, "--initial-bounds", "STATE=LOW:HIGH", "bounds of initial states that are estimated")
    add_pairs(group, "--initial-prior", "STATE=MEAN:STD", "initial states that are known roughly")
    group.add_argument(
        "--known-initial", action="store_true", help="initial states are those of the model's example experiment"
    )


def add_written(parser: argparse.ArgumentParser, picture: str) -> None:
    """Where results go; `picture` says what is drawn."""
    out = parser.add_argument_group("what is written")
    out.add_argument("--json", metavar="OUT", help="save the result; - prints it instead of the table")
    out.add_argument("--plot", metavar="OUT.png", help=f"save a picture of {picture} (.png, .pdf or .svg)")
    out.add_argument("--report", metavar="OUT.html", help="save a report: one page to read, print or send")
    out.add_argument("--quiet", action="store_true", help="print nothing but errors")


def check_outputs(arguments: argparse.Namespace) -> None:
    """Refuse files that cannot be written before any work is done."""
    outputs = []
    if arguments.json is not None and arguments.json != STDOUT:
        outputs.append(("--json", arguments.json))
    if arguments.plot is not None:
        check_ending(arguments.plot, "--plot", PLOT_ENDINGS)
        outputs.append(("--plot", arguments.plot))
    if arguments.report is not None:
        check_ending(arguments.report, "--report", REPORT_ENDINGS)
        outputs.append(("--report", arguments.report))
    check_files(outputs, read_files(arguments))


def read_files(arguments: argparse.Namespace) -> list[str]:
    """Every file that is read, which no output may overwrite."""
    model, again = getattr(arguments, "model", None), getattr(arguments, "again", None)
    named = [model] if model and model.endswith(".toml") else []
    return [*arguments.data, *named, *([again] if again else []), *([arguments.fit] if "fit" in arguments else [])]


def columns(arguments: argparse.Namespace) -> dict[str, Any]:
    """How the data are read, by the names of a question; None = not said."""
    return {
        "time": arguments.time,
        "segments": arguments.segments,
        "units": arguments.unit or None,
        "columns": arguments.columns,
        "rate": arguments.rate,
        "dt": arguments.dt,
        "sheet": arguments.sheet,
        "decimal": arguments.decimal,
        "long": arguments.long,
        "trim": open_range(arguments.trim, f"--trim {arguments.trim}") if arguments.trim else None,
        "outputs": arguments.map or None,
        "inputs": arguments.input or None,
        "hold": arguments.hold,
        "unwrap": False if arguments.no_unwrap else None,
        "before": numbers(arguments.before, "--before") or None,
        "gaps": arguments.gaps,
    }


def data_of(arguments: argparse.Namespace) -> list[str] | None:
    """The files as paths; None = none are given."""
    return ["/dev/stdin" if path == STDOUT else path for path in arguments.data] or None


def check_named(arguments: argparse.Namespace) -> None:
    """Refuse a question without a model or data, unless a saved one has them."""
    if arguments.again is None and arguments.model is None:
        raise OptionError("no model is given: add --model NAME or --model FILE.toml (see identikit models)")
    if arguments.again is None and not arguments.data:
        raise OptionError("no DATA is given: name a measured file, or - for standard input")


def asked(arguments: argparse.Namespace) -> Question:
    """What is asked, from the options; with --again what a saved fit was asked, but for what the options say."""
    given: dict[str, Any] = {
        "model": arguments.model,
        "data": data_of(arguments),
        **columns(arguments),
        "free": arguments.free,
        "fix": numbers(arguments.fix, "--fix") or None,
        "start": numbers(arguments.start, "--start") or None,
        "bounds": ranges(arguments.bounds, "--bounds") or None,
        "priors": normals(arguments.prior, "--prior") or None,
        "noise": noise_of(arguments.noise),
        "initial": initial_of(arguments) if "known_initial" in arguments else None,
        "method": arguments.method,
        "options": arguments.option or None,
        "uncertainty": getattr(arguments, "uncertainty", None),
        "uncertainty_options": getattr(arguments, "uncertainty_option", None) or None,
        "seed": arguments.seed,
        "smooth_friction": getattr(arguments, "smooth_friction", None),
    }
    again = getattr(arguments, "again", None)
    from identikit.question import Question

    return Question.load(again).changed(**given) if again else Question.from_dict(given, "the question")


def initial_of(arguments: argparse.Namespace) -> Any:
    """Initial states, as a question names them; None = nothing is known."""
    rough = normals(arguments.initial_prior, "--initial-prior")
    said: dict[str, dict[str, Any]] = {
        "--initial": {name: _number_or_text(text) for name, text in arguments.initial.items()},
        "--initial-bounds": dict(ranges(arguments.initial_bounds, "--initial-bounds")),
        "--initial-prior": {name: {"value": mean, "std": std} for name, (mean, std) in rough.items()},
    }
    found: dict[str, Any] = {}
    for option, states in said.items():
        for name in found.keys() & states.keys():
            first = next(other for other, own in said.items() if name in own)
            raise OptionError(f"{first} and {option} both give '{name}': choose one")
        found |= states
    if arguments.known_initial:
        if found:
            raise OptionError(f"--known-initial is about all states: leave out {' and '.join(said)}")
        return "example"
    return found or None


def noise_of(words: list[str] | None) -> dict[str, float | str] | None:
    """The noise of outputs, as a question names it; a kind alone is meant for every output."""
    found: dict[str, float | str] = {}
    for word in words or ():
        name, equals, value = word.partition("=")
        found[name if equals else "*"] = _number_or_text(value if equals else name)
        if not (value if equals else name):
            raise OptionError(f"--noise {word}: expected a kind of noise, or OUTPUT=KIND, OUTPUT=STD or OUTPUT=COLUMN")
    return found or None


def _number_or_text(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def save(answer: Saved, arguments: argparse.Namespace) -> list[str]:
    """Write the files that were asked for and return their names."""
    saved = []
    if arguments.json is not None and arguments.json != STDOUT:
        answer.save(arguments.json)
        saved.append(arguments.json)
    if arguments.plot is not None:
        from identikit._plot import plot

        try:
            plot(answer, arguments.plot)
        except OSError as error:
            raise DataError(f"--plot {arguments.plot}: cannot be written ({error.strerror})") from None
        saved.append(arguments.plot)
    if arguments.report is not None:
        from identikit._report import report

        try:
            report(answer, arguments.report, command=arguments.typed)
        except OSError as error:
            raise DataError(f"--report {arguments.report}: cannot be written ({error.strerror})") from None
        saved.append(arguments.report)
    return saved
