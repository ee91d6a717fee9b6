"""`identikit discover`: the equations that a record obeys, or what a known model lacks."""

from __future__ import annotations

import argparse
import sys

from identikit.cli._answer import show
from identikit.cli._arguments import Names
from identikit.cli._data_options import (
    add_columns,
    add_data,
    add_estimated,
    add_written,
    asked,
    check_outputs,
    read_files,
    save,
)
from identikit.cli._output import STDOUT, check_ending, check_files
from identikit.cli._progress import INTERRUPTED, ProgressLine

NOT_TRUSTED = 3  # exit code

_EXAMPLES = """examples:
  identikit discover spring.csv --states x -o law.toml
  identikit fit spring.csv --model law.toml
  identikit discover foxes.csv --states hares,lynx --option degree=2
  identikit discover shaker.csv --states x --input F=force
  identikit discover swing.csv --known pendulum
  identikit discover swing.csv --known pendulum --method neural_ode --option unknown=friction"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = _EXAMPLES
    add_data(parser)
    parser.add_argument(
        "--states", action=Names, metavar="A,B", help="the measured columns (default: all that change and are no input)"
    )
    parser.add_argument(
        "--order",
        type=int,
        choices=(1, 2),
        help="1: these are all the states; 2: positions whose velocities were not measured (default: as it seems)",
    )
    parser.add_argument(
        "--known",
        dest="model",
        metavar="NAME|FILE.toml",
        help="a model whose terms are kept: only what it lacks is sought",
    )
    parser.add_argument("--method", metavar="NAME", help="sindy, symbolic, pinn, neural_ode or missing (default: auto)")
    add_columns(parser)
    add_estimated(parser)
    parser.add_argument("-o", "--output", metavar="LAW.toml", help="write the law as a model file, which fit reads")
    add_written(parser, "the law's fit")


def run(arguments: argparse.Namespace) -> int:
    """Find the law, save, print; 3 if it is not to be trusted."""
    check_outputs(arguments)
    if arguments.output is not None:
        check_ending(arguments.output, "--output", (".toml",))
        written = [
            (f"--{name}", path) for name in ("json", "plot", "report") if (path := getattr(arguments, name)) is not None
        ]
        others = [(option, path) for option, path in written if path != STDOUT]
        check_files([("--output", arguments.output), *others], read_files(arguments))
    question = asked(arguments)
    from identikit._discover import discover
    from identikit.result import describe_law

    with ProgressLine(sys.stderr, arguments.quiet) as progress:
        result = discover(question, states=arguments.states, order=arguments.order, progress=progress)
    saved = save(result, arguments)
    if arguments.output is not None and result.discovered is not None:
        from identikit.atomic_write import atomic_write

        atomic_write(arguments.output, result.discovered.encode())
        saved.append(arguments.output)
    show(result, saved, arguments, describe_law, "the law is not to be trusted")
    if progress.interrupted:
        return INTERRUPTED
    return 0 if result.ok else NOT_TRUSTED
