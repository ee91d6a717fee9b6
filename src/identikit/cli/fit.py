"""`identikit fit`: estimate the parameters of a model from measured files."""

from __future__ import annotations

import argparse
import sys

from identikit.cli._answer import show
from identikit.cli._arguments import add_pairs, positive_number
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
from identikit.cli._progress import INTERRUPTED, ProgressLine

NOT_TRUSTED = 3  # exit code

_EXAMPLES = """examples:
  identikit fit swing.csv --model pendulum
  identikit fit swing.csv --model pendulum --free w0,mu,mu_c --start w0=10 --json fit.json --plot fit.png
  identikit fit run1.csv run2.csv --model my_model.toml --map x=position --unit position=mm --fix m=0.35
  identikit fit other.csv --again fit.json
  identikit simulate duffing | identikit fit - --model duffing"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = _EXAMPLES
    add_data(parser, "*")
    parser.add_argument("--model", metavar="NAME|FILE.toml", help="a name from `identikit models`, or a model file")
    parser.add_argument(
        "--again",
        metavar="FIT.json",
        help="repeat a saved fit, on other data if given; further options change it (or a question, .toml)",
    )
    parser.add_argument("--method", metavar="NAME", help="a name from `identikit methods` (default: auto)")
    add_columns(parser)
    what = add_estimated(parser)
    add_initial(what)
    what.add_argument(
        "--uncertainty",
        metavar="KIND",
        help="where intervals come from: fisher, sandwich, bootstrap, profile, bayes (default: auto, the method's own)",
    )
    add_pairs(what, "--uncertainty-option", "KEY=VALUE", "options of that kind")
    what.add_argument(
        "--smooth-friction", type=positive_number, metavar="WIDTH", help="replace sign(v) by tanh(v/WIDTH)"
    )
    add_written(parser, "the fit")


def run(arguments: argparse.Namespace) -> int:
    """Fit, save, print; 3 if the fit is not to be trusted."""
    check_outputs(arguments)
    check_named(arguments)
    question = asked(arguments)
    from identikit._fit import fit

    with ProgressLine(sys.stderr, arguments.quiet) as progress:
        result = fit(question, progress=progress)
    # stopped before there was any value, nothing takes the place of what an earlier fit has saved
    empty = progress.interrupted and all(result.parameters[name].value is None for name in result.free)
    saved = [] if empty else save(result, arguments)
    show(result, saved, arguments, str, "the fit is not to be trusted")
    if progress.interrupted:
        return INTERRUPTED
    return 0 if result.ok else NOT_TRUSTED
