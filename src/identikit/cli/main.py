"""The command `identikit`: choose a subcommand, turn every wrong input into one line and an exit code.

0    done
2    the input is wrong: one line on stderr says what, where, and what to do
3    the fit is not to be trusted (not converged, not identifiable, not applicable)
130  interrupted
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from identikit import __version__
from identikit.cli import damping, fit, methods, models, simulate
from identikit.cli._arguments import CommandParser
from identikit.cli._terminal import visible_only
from identikit.errors import IdentikitError, OptionError

WRONG_INPUT = 2
INTERRUPTED = 130

# A new one is a file with NAME, SUMMARY, configure(parser) and run(arguments) -> exit code, and a row here.
COMMANDS = (fit, damping, simulate, models, methods)

_DESCRIPTION = (
    "Physical parameters of dynamical systems from measured time series, with their uncertainty. "
    "A first try: identikit simulate pendulum -o swing.csv, then identikit fit swing.csv --model pendulum."
)
_ENDING = "Exit codes: 0 done; 2 the input is wrong; 3 the fit is not to be trusted."


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; `argv` is without the program's name, None = the real one."""
    with visible_only():
        return _run(argv)


def _run(argv: Sequence[str] | None) -> int:
    try:
        arguments = _parser().parse_args(list(sys.argv[1:] if argv is None else argv))
        if arguments.run is None:
            names = ", ".join(command.NAME for command in COMMANDS)
            raise OptionError(f"no command is given: expected one of {names} (see identikit --help)")
        code: int = arguments.run(arguments)
        sys.stdout.flush()  # here, where a closed pipe can still be tolerated
        return code
    except IdentikitError as error:
        print(f"identikit: {' '.join(str(error).split())}", file=sys.stderr)
        return WRONG_INPUT
    except KeyboardInterrupt:
        print("identikit: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader, such as `head`, has seen enough. Python would complain once more when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except SystemExit as ending:  # argparse, after --help and --version
        return int(ending.code or 0)


def _parser() -> CommandParser:
    parser = CommandParser(prog="identikit", description=_DESCRIPTION, epilog=_ENDING)
    parser.add_argument("--version", action="version", version=f"identikit {__version__}")
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(metavar="COMMAND", title="commands")
    for command in COMMANDS:
        sub = commands.add_parser(
            command.NAME,
            help=command.SUMMARY,
            description=command.SUMMARY,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.configure(sub)
        sub.set_defaults(run=command.run)
    return parser
