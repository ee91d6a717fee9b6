"""How an answer is told: sentences as wide as the terminal, and one line on stderr where it is not to be trusted."""

from __future__ import annotations

import argparse
import shutil
import sys
import textwrap
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from identikit.cli._hints import hints
from identikit.cli._output import STDOUT
from identikit.cli._terminal import one_line

if TYPE_CHECKING:
    from identikit.result import Finding, ParameterEstimate, Result, Status

WIDEST = 110  # characters of a line that is still read easily


class Judged(Protocol):
    """An answer that may not be trusted."""

    @property
    def status(self) -> Status: ...
    @property
    def findings(self) -> tuple[Finding, ...]: ...


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
        *blocks, last = f"{words(result)}\n{hints(result.findings, result.parameters)}".rstrip().split("\n\n")
        print("\n\n".join([*blocks, "\n".join(map(filled, last.splitlines()))]))
        if saved:
            print(f"Saved: {one_line(', '.join(saved))}")
        return
    if not result.ok:
        tell_distrust(result, distrust, result.parameters)


def tell_distrust(
    answer: Judged, what: str, parameters: Mapping[str, ParameterEstimate] = MappingProxyType({})
) -> None:
    """Say on stderr why `what` is so; `parameters` are a result's, for what to do about it."""
    code = answer.status.code.value.replace("_", " ")
    words = f"{answer.status.message}. {hints(answer.findings, parameters)}".rstrip()
    print(f"identikit: {what} ({code}): {words}", file=sys.stderr)
