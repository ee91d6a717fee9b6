"""The laws of one decay by the method of choice; shooting shares one kernel, others estimate law after law."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from identikit.decay._laws import DecayFits, LawFit
from identikit.method import Method
from identikit.method.multiple_shooting import Start
from identikit.oscillation import MECHANISMS
from identikit.problem import Problem
from identikit.progress import Progress
from identikit.result import Code, joined


class LawsByShooting:
    """Whole trajectories, every law from the one with all mechanisms."""

    def __init__(self, fits: DecayFits, candidates: Iterable[Start], progress: Progress) -> None:
        self._fits, self._candidates, self._progress = fits, candidates, progress

    def whole(self) -> LawFit | None:
        return self._fits.all_together(self._candidates, self._progress)

    def law(self, law: tuple[str, ...], whole: LawFit) -> LawFit | None:
        return self._fits.of(law, whole, self._progress)

    def predicted(self, fit: LawFit, whole: LawFit) -> np.ndarray | None:
        return self._fits.predicted(fit, whole)


class LawsByMethod:
    """Another method's parameters for every law, judged by the trajectories they imply."""

    def __init__(
        self, fits: DecayFits, method: Method, options: Mapping[str, Any], seed: int, progress: Progress
    ) -> None:
        self._fits, self._method, self._options = fits, method, options
        self._seed, self._progress = seed, progress
        self.failures: dict[tuple[str, ...], str] = {}

    def whole(self) -> LawFit | None:
        return self.law(MECHANISMS, None)

    def law(self, law: tuple[str, ...], whole: LawFit | None) -> LawFit | None:
        p = self._estimated(law, self._fits.problem)
        return None if p is None else self._fits.frozen(law, p)

    def predicted(self, fit: LawFit, whole: LawFit) -> np.ndarray | None:
        p = self._estimated(fit.law, self._fits.first_part())
        return None if p is None else self._fits.predicted(fit, whole, p)

    def _estimated(self, law: tuple[str, ...], problem: Problem) -> np.ndarray | None:
        reduced = self._fits.reduced(problem, law)
        if not reduced.free:
            return np.zeros(len(problem.free))
        objections = self._method.objections(reduced)
        if objections:
            self.failures[law] = joined(objections)
            return None
        result = self._method.estimate(reduced, options=self._options, seed=self._seed, progress=self._progress)
        if any(result.parameters[name].value is None for name in reduced.free):
            self.failures[law] = result.status.message
            return None
        if result.status.code is Code.NOT_APPLICABLE:
            self.failures[law] = result.status.message
            return None
        known = {name: result.value(name) for name in reduced.free}
        return np.array([known.get(name, 0.0) for name in problem.free])
