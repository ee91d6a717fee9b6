"""The contract of what finds a law: a method that is asked for equations, not for parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from identikit.problem import Problem
from identikit.progress import Progress
from identikit.result import Result


class Discoverer(Protocol):
    """Finds equations for a problem; a row of `DISCOVERERS` makes it an engine of the front door `discover`."""

    name: str

    def resolve_options(self, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """All options with the given ones checked and put in."""

    def discover(
        self, problem: Problem, *, known: bool, options: Mapping[str, Any], seed: int, progress: Progress
    ) -> Result:
        """The law: parameters are its constants, `discovered` is it as a model file.

        Arguments:
            problem: states, inputs and records. Of equations that are not known every right-hand side is one free
                constant, which stands for whatever is to be found.
            known: the problem's equations are known, and only what they lack is sought.
        """
