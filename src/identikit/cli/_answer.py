"""How an answer is told: sentences as wide as the terminal, and one line on stderr where it is not to be trusted."""

from __future__ import annotations

import argparse
import shutil
import sys
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING

from identikit.cli._hints import hints
from identikit.cli._output import STDOUT
from identikit.cli._terminal import one_line

if TYPE_CHECKING:
    from identikit.result import DampingReport, Result, SelectionReport

WIDEST = 110  # characters of a line that is still read easily


def filled(words: str) -> str:
    """A paragraph filled to the width of a terminal; in a pipe as it is."""
    if not sys.stdout.isatty():
        return words
    return textwrap.fill(words, min(shutil.get_terminal_size().columns, WIDEST))


def show(
    result: Result, saved: list[str], arguments: argparse.Namespace, words: Callable[[Result], str], distrust: str
) -> None:
    """Print a result as the options ask: as JSON, in `words`, or not at all; quietly, only why it is not trusted."""
    if arguments.json == STDOUT:
        print(result.to_json())
    elif not arguments.quiet:
        *blocks, last = f"{words(result)} {hints(result.findings)}".rstrip().split("\n\n")
        print("\n\n".join([*blocks, filled(last)]))
        if saved:
            print(f"Saved: {one_line(', '.join(saved))}")
        return
    if not result.ok:
        tell_distrust(result, distrust)


def tell_distrust(answer: Result | DampingReport | SelectionReport, what: str) -> None:
    """Say on stderr why `what` is so."""
    code = answer.status.code.value.replace("_", " ")
    words = f"{answer.status.message}. {hints(answer.findings)}".rstrip()
    print(f"identikit: {what} ({code}): {words}", file=sys.stderr)
