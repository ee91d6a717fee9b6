"""The laws of one decay by the method of choice; shooting shares one kernel, others estimate law after law."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

import numpy as np

from identikit.decay._laws import DecayFits, LawFit, LawStart
from identikit.method import Method
from identikit.method.multiple_shooting import Start
from identikit.oscillation import MECHANISMS
from identikit.problem import Problem
from identikit.progress import Progress
from identikit.result import Code, joined


class LawsByShooting:
    """Whole trajectories, every law from the one with all mechanisms."""

    def __init__(self, fits: DecayFits, candidates: Iterable[Start], begun: LawStart | None = None) -> None:
        self._fits, self._candidates, self._begun = fits, candidates, begun

    def whole(self, progress: Progress) -> LawFit | None:
        found = None if self._begun is None else self._fits.continued(self._begun, progress.part(0.0, 0.3))
        first = () if self._begun is None else (Start(self._begun.p, "restoring force"),)
        return found or self._fits.all_together(chain(first, self._candidates), progress.part(0.3, 1.0))

    def law(self, law: tuple[str, ...], whole: LawFit, progress: Progress) -> LawFit | None:
        return self._fits.of(law, whole, progress)

    def predicted(self, fit: LawFit, whole: LawFit, progress: Progress) -> np.ndarray | None:
        return self._fits.predicted(fit, whole, progress)


class LawsByMethod:
    """Another method's parameters for every law, judged by the trajectories they imply."""

    def __init__(self, fits: DecayFits, method: Method, options: Mapping[str, Any], seed: int) -> None:
        self._fits, self._method, self._options, self._seed = fits, method, options, seed
        self.failures: dict[tuple[str, ...], str] = {}

    def whole(self, progress: Progress) -> LawFit | None:
        return self.law(MECHANISMS, None, progress)

    def law(self, law: tuple[str, ...], whole: LawFit | None, progress: Progress) -> LawFit | None:
        p = self._estimated(law, self._fits.problem, progress)
        return None if p is None else self._fits.frozen(law, p)

    def predicted(self, fit: LawFit, whole: LawFit, progress: Progress) -> np.ndarray | None:
        p = self._estimated(fit.law, self._fits.first_part(), progress.part(0.0, 0.8))
        return None if p is None else self._fits.predicted(fit, whole, progress.part(0.8, 1.0), p)

    def _estimated(self, law: tuple[str, ...], problem: Problem, progress: Progress) -> np.ndarray | None:
        reduced = self._fits.reduced(problem, law)
        if not reduced.free:
            return np.zeros(len(problem.free))
        objections = self._method.objections(reduced)
        if objections:
            self.failures[law] = joined(objections)
            return None
        named = progress.of(reduced.free)
        result = self._method.estimate(reduced, options=self._options, seed=self._seed, progress=named)
        if any(result.parameters[name].value is None for name in reduced.free):
            self.failures[law] = result.status.message
            return None
        if result.status.code is Code.NOT_APPLICABLE:
            self.failures[law] = result.status.message
            return None
        known = {name: result.value(name) for name in reduced.free}
        return np.array([known.get(name, 0.0) for name in problem.free])
