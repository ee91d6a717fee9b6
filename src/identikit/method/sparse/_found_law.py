"""A law as an engine hands it over: which terms, their coefficients, and what is known of both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from identikit.method.sparse._evidence import LawEvidence
from identikit.method.sparse._library import Library
from identikit.model import Model
from identikit.problem import Problem
from identikit.result import Finding


@dataclass(frozen=True)
class FoundLaw:
    """Terms of a library and their coefficients before any trajectory was looked at.

    Arguments:
        chosen: indices of the terms, ascending.
        values: coefficients of all terms, zero for the others.
        root: [chosen, chosen] R with R'R the information of the chosen coefficients; None where the engine has none.
        deviation: their standard errors, infinite where the engine has none.
        evidence: what speaks for the terms; None where the engine says nothing of it.
        misfit: rms of whitened residuals, 1 if nothing but noise is left; None if not known.
        settled, proven: whether the choice stayed the same in the end, and whether no subset is better.
        start: constants from which their refinement starts, where they are better known than by `values`.
        other_shapes: laws with other functions, in words, and by how much their criterion on the trajectory is above.
        remarks, details, artifacts: what else is to be said of it, for diagnostics, and to be shown.
    """

    library: Library
    chosen: tuple[int, ...]
    values: np.ndarray
    root: np.ndarray | None = None
    deviation: np.ndarray | None = None
    evidence: LawEvidence | None = None
    misfit: float | None = None
    settled: bool = True
    proven: bool = False
    remarks: tuple[Finding, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    start: Mapping[str, float] = field(default_factory=dict)
    other_shapes: tuple[tuple[str, float], ...] = ()
    artifacts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def model(self) -> Model:
        """With the coefficients as they were found."""
        return self.library.law(self.chosen, self.values)

    def posed(self, problem: Problem) -> Problem:
        """The records under this law, all its constants free, with values to start from."""
        start = {item.name: float(item.value or 0.0) for item in self.model.parameters} | dict(self.start)
        return problem.with_law(self.model, start)

    @property
    def equations(self) -> dict[str, str]:
        """In words."""
        return self.library.equations_of(self.chosen, self.values)

    def term(self, index: int) -> str:
        """One term in words; with the equation it belongs to, where there are several."""
        item = self.library.terms[index]
        return item.text if len(self.library.tested) == 1 else f"{item.text} in {item.state}'"

    def change(self, chosen: Iterable[int]) -> str:
        """How another choice of terms differs from this one, in words."""
        others = set(chosen)
        gone = ", ".join(self.term(i) for i in self.chosen if i not in others)
        new = ", ".join(self.term(i) for i in sorted(others.difference(self.chosen)))
        if not new:
            return f"without {gone}"
        return f"with {new} instead of {gone}" if gone else f"with {new}"

    def std(self, index: int) -> float | None:
        """Of a chosen coefficient, before it was refined."""
        if self.deviation is None:
            return None
        value = float(self.deviation[self.chosen.index(index)])
        return value if np.isfinite(value) else None
