"""`identikit predict`: a fitted model on a record that it was not fitted to."""

from __future__ import annotations

import argparse
import sys

from identikit.cli._arguments import add_pairs, numbers, positive_number
from identikit.cli._data_options import add_columns, add_data, add_written, check_outputs, columns, data_of, save
from identikit.cli._output import STDOUT
from identikit.cli._progress import INTERRUPTED, ProgressLine
from identikit.errors import OptionError

NAME = "predict"
NOT_TRUSTED = 3  # exit code

_EXAMPLES = """Columns, units and inputs are read as in the fit, unless options say otherwise.

examples:
  identikit predict fit.json other.csv
  identikit predict fit.json other.csv --first-part 0.2 --plot prediction.png
  identikit predict fit.json other.csv --initial theta=0.5 omega=0 --json prediction.json"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = _EXAMPLES
    parser.add_argument("fit", metavar="FIT.json", help="a fit saved by `identikit fit --json`")
    add_data(parser)
    add_columns(parser)
    start = parser.add_argument_group("the state that a record begins in (default: the one that fits best)")
    add_pairs(start, "--initial", "STATE=VALUE", "it is known")
    start.add_argument(
        "--first-part",
        type=positive_number,
        metavar="SHARE",
        help="estimate it from this share of the record, such as 0.2, and judge the rest only",
    )
    add_written(parser, "the prediction")


def run(arguments: argparse.Namespace) -> int:
    """Predict, save, print; 3 if the fit is not to be trusted."""
    check_outputs(arguments)
    known = numbers(arguments.initial, "--initial")
    if known and arguments.first_part is not None:
        raise OptionError("--initial and --first-part both say where the record begins: give one of them")
    how = known or ("estimated" if arguments.first_part is None else "first_part")
    reading = columns(arguments)
    from identikit._predict import predict

    with ProgressLine(sys.stderr, arguments.quiet) as progress:
        prediction = predict(
            arguments.fit,
            data_of(arguments) or [],
            initial=how,
            part=arguments.first_part or 0.2,
            progress=progress,
            **reading,
        )
    if not prediction.fit:  # stopped: there is nothing to show or save
        print(f"identikit: {prediction.status.message}", file=sys.stderr)
        return INTERRUPTED
    saved = save(prediction, arguments)
    if arguments.json == STDOUT:
        print(prediction.to_json())
    elif not arguments.quiet:
        print(prediction)
        if saved:
            print(f"Saved: {', '.join(saved)}")
    return 0 if prediction.ok else NOT_TRUSTED
