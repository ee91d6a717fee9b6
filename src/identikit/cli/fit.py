"""`identikit fit`: estimate the parameters of a model from measured files."""

from __future__ import annotations

import argparse
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING

from identikit.cli._arguments import (
    Names,
    add_pairs,
    numbers,
    open_range,
    positive_number,
    ranges,
    seed_number,
)
from identikit.cli._output import STDOUT, check_distinct, check_ending, check_writable
from identikit.cli._progress import ProgressLine
from identikit.errors import DataError

if TYPE_CHECKING:
    from identikit.measurement import Experiment
    from identikit.result import Result

NAME = "fit"
SUMMARY = "estimate the parameters of a model from measured time series"
NOT_TRUSTED = 3
HOLDS = ("linear", "zero_order", "cubic")  # spelt out: importing them from simulate would cost seconds
PLOT_ENDINGS = (".png", ".pdf", ".svg")

_EXAMPLES = """examples:
  identikit fit swing.csv --model pendulum
  identikit fit swing.csv --model pendulum --free w0,mu,mu_c --start w0=10 --json fit.json --plot fit.png
  identikit fit run1.csv run2.csv --model my_model.toml --map x=position --unit position=mm --fix m=0.35
  identikit simulate duffing | identikit fit - --model duffing"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = _EXAMPLES
    parser.add_argument(
        "data", nargs="+", metavar="DATA", help="measured files (.csv, .txt, .parquet, .mat); - is stdin"
    )
    parser.add_argument(
        "--model",
        required=True,
        metavar="NAME|FILE.toml",
        help="a name from `identikit models`, or a model file",
    )
    parser.add_argument(
        "--method", default="auto", metavar="NAME", help="a name from `identikit methods` (default: auto)"
    )
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
    what = parser.add_argument_group("what is estimated")
    what.add_argument(
        "--free", action=Names, metavar="A,B", help="parameters to estimate (default: the model's usual ones)"
    )
    add_pairs(what, "--fix", "NAME=VALUE", "parameters that are known")
    add_pairs(what, "--start", "NAME=VALUE", "starting values; usually not needed")
    add_pairs(what, "--bounds", "NAME=LOW:HIGH", "bounds that replace the model's")
    add_pairs(what, "--option", "KEY=VALUE", "options of the method, see `identikit methods NAME`")
    what.add_argument(
        "--smooth-friction", type=positive_number, metavar="WIDTH", help="replace sign(v) by tanh(v/WIDTH)"
    )
    what.add_argument("--seed", type=seed_number, default=0, metavar="N", help="for whatever is random (default: 0)")
    out = parser.add_argument_group("what is written")
    out.add_argument("--json", metavar="OUT", help="save the result; - prints it instead of the table")
    out.add_argument("--plot", metavar="OUT.png", help="save a picture of the fit (.png, .pdf or .svg)")
    out.add_argument("--quiet", action="store_true", help="print nothing but errors")


def run(arguments: argparse.Namespace) -> int:
    """Fit, save, print; 3 if the fit is not to be trusted."""
    _check_outputs(arguments)
    fix, start = numbers(arguments.fix, "--fix"), numbers(arguments.start, "--start")
    bounds = ranges(arguments.bounds, "--bounds")
    from identikit._fit import find_model, fit

    model = find_model(arguments.model)
    if arguments.smooth_friction is not None:
        model = model.with_smooth_friction(arguments.smooth_friction)
    experiment = _load(arguments)
    with ProgressLine(sys.stderr, arguments.quiet) as progress:
        result = fit(
            experiment,
            model,
            method=arguments.method,
            free=arguments.free,
            fix=fix,
            start=start,
            bounds=bounds,
            outputs=arguments.map,
            inputs=arguments.input,
            hold=arguments.hold,
            options=arguments.option,
            seed=arguments.seed,
            progress=progress,
        )
    saved = _save(result, arguments)
    _show(result, saved, arguments)
    return 0 if result.ok else NOT_TRUSTED


def _check_outputs(arguments: argparse.Namespace) -> None:
    outputs = []
    if arguments.json is not None and arguments.json != STDOUT:
        outputs.append(("--json", arguments.json))
    if arguments.plot is not None:
        check_ending(arguments.plot, "--plot", PLOT_ENDINGS)
        outputs.append(("--plot", arguments.plot))
    check_distinct(outputs, [path for path in arguments.data if path != STDOUT])
    for option, path in outputs:
        check_writable(path, option)


def _load(arguments: argparse.Namespace) -> Experiment:
    from identikit.measurement import Experiment, load, trim

    begin, end = open_range(arguments.trim, f"--trim {arguments.trim}") if arguments.trim else (None, None)
    paths = ["/dev/stdin" if path == STDOUT else path for path in arguments.data]
    experiment = load(paths, time=arguments.time, segments=arguments.segments, units=arguments.unit)
    if begin is None and end is None:
        return experiment
    return Experiment(tuple(trim(record, begin, end) for record in experiment))


def _save(result: Result, arguments: argparse.Namespace) -> list[str]:
    """Write the files and return their names."""
    saved = []
    if arguments.json is not None and arguments.json != STDOUT:
        result.save(arguments.json)
        saved.append(arguments.json)
    if arguments.plot is not None:
        from identikit.plot import plot_fit

        try:
            plot_fit(result, arguments.plot)
        except OSError as error:
            raise DataError(f"--plot {arguments.plot}: cannot be written ({error.strerror})") from None
        saved.append(arguments.plot)
    return saved


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
            print(f"Saved: {', '.join(saved)}")
        return
    if not result.ok:
        code = result.status.code.value.replace("_", " ")
        print(f"identikit: the fit is not to be trusted ({code}): {result.status.message}", file=sys.stderr)
