"""The command `identikit`: choose a subcommand, turn every wrong input into one line and an exit code.

0    done
2    the input is wrong: one line on stderr says what, where, and what to do
3    the fit is not to be trusted (not converged, not identifiable, not applicable)
130  interrupted by Ctrl-C; a fit shows the best so far
"""

from __future__ import annotations

import argparse
import atexit
import contextlib
import os
import shlex
import sys
from collections.abc import Sequence
from typing import Protocol

from identikit import __version__
from identikit.cli._arguments import CommandParser
from identikit.cli._hints import error_line
from identikit.cli._progress import INTERRUPTED
from identikit.cli._terminal import visible_only
from identikit.errors import IdentikitError, OptionError
from identikit.registry import Registry

WRONG_INPUT = 2  # exit code


class Command(Protocol):
    """What the module of a command has."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Declare the options."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Do it, and return the exit code."""


# A new one is such a module and a row here: the name, the module, and the line that --help shows. The module is
# imported when the command runs or its own --help is asked for.
# From outside: COMMANDS.register("name", "package.module", "summary"), or an entry point; what such a command may use
# is in `identikit.cli.toolkit`.
COMMANDS: Registry[Command] = Registry(
    "command",
    {
        "look": (
            "identikit.cli.look",
            "say what is in a file: rate, gaps, noise, frequencies, kind of motion, what to do",
        ),
        "fit": ("identikit.cli.fit", "estimate the parameters of a model from measured time series"),
        "predict": ("identikit.cli.predict", "apply a saved fit to another record: how well does it predict?"),
        "damping": (
            "identikit.cli.damping",
            "say which damping makes a free decay: viscous, dry friction, drag, or a mixture",
        ),
        "compare": (
            "identikit.cli.compare",
            "let every method answer the same question: which agree, which are off, and why",
        ),
        "select": ("identikit.cli.select", "say which of several models describes a record, and how sure that is"),
        "discover": ("identikit.cli.discover", "find the equations that a record obeys, or what a model lacks"),
        "identifiability": (
            "identikit.cli.identifiability",
            "say which parameters can be found, before or after measuring, and what would help",
        ),
        "design": ("identikit.cli.design", "plan the next experiment: where to begin, when to sample, how to drive"),
        "report": ("identikit.cli.report", "write what was saved as one page to read, print or send"),
        "demo": ("identikit.cli.demo", "show it all: a simulated noisy swing, every method on it, a report"),
        "plot": ("identikit.cli.plot", "draw what was saved: a fit, a prediction, a report, a plan"),
        "simulate": ("identikit.cli.simulate", "make a synthetic record of a model"),
        "models": ("identikit.cli.models", "list the known models, describe one, or draw what it does"),
        "friction": ("identikit.cli.friction", "list the friction laws that models can call, describe or draw them"),
        "methods": ("identikit.cli.methods", "list the methods, or describe one"),
        "cache": ("identikit.cli.cache", "say where compiled kernels are kept, delete them, compile some beforehand"),
        "completion": ("identikit.cli.completion", "print a script that lets bash, zsh or fish complete all this"),
    },
    group="identikit.commands",
    advice="(see identikit --help)",
    elsewhere={
        "reproduce": (
            "identikit-published",
            "do published tables and figures again: printed, as printed, our best, the bound",
        ),
    },
)

_DESCRIPTION = (
    "Physical parameters of dynamical systems from measured time series, with their uncertainty. "
    "A first try: identikit simulate pendulum -o swing.csv, then identikit fit swing.csv --model pendulum."
)
_ENDING = "Exit codes: 0 done; 2 the input is wrong; 3 the fit is not to be trusted; 130 interrupted."


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; `argv` is without the program's name, None = the real one."""
    with visible_only():
        code = _run(list(sys.argv[1:] if argv is None else argv))
    if argv is None:
        _leave(code)
    return code


def _leave(code: int) -> None:
    """End the process without taking the interpreter apart, which takes a third of a second once JAX is loaded; after
    an interrupt a compilation that goes on in the background would hold up the end as well."""
    if code != INTERRUPTED:
        if sys.gettrace() is not None or sys.getprofile() is not None:
            return  # whoever watches the process writes down what was seen when it ends
        atexit._run_exitfuncs()
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def _run(words: list[str]) -> int:
    try:
        arguments = _parser(words[0] if words else "").parse_args(words)
        arguments.typed = shlex.join(["identikit", *words])  # a report tells what was asked
        if arguments.command is None:
            raise OptionError(f"no command is given: expected one of {', '.join(COMMANDS)} (see identikit --help)")
        code = COMMANDS.find(arguments.command).run(arguments)
        sys.stdout.flush()  # here, where a closed pipe can still be tolerated
        return code
    except IdentikitError as error:
        print(f"identikit: {error_line(error)}", file=sys.stderr)
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


def _parser(asked: str) -> CommandParser:
    """The parser with the options of the one command that is asked for; of the others only names are listed."""
    parser = CommandParser(prog="identikit", description=_DESCRIPTION, epilog=_ENDING)
    parser.add_argument("--version", action="version", version=f"identikit {__version__}")
    command = COMMANDS.find(asked) if asked and not asked.startswith("-") else None
    if command is None:
        COMMANDS.discover()
    commands = parser.add_subparsers(metavar="COMMAND", title="commands", dest="command")
    for name in COMMANDS:
        summary = COMMANDS.summary(name)
        sub = commands.add_parser(
            name, help=summary, description=summary, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        if name == asked and command is not None:
            command.configure(sub)
    return parser
