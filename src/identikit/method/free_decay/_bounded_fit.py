"""Least squares within bounds with exact or differenced derivatives, which may be stopped and keeps the best so far."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from identikit.progress import Cancelled, Progress


class BoundedFit(ABC):
    """Residuals r(q) of unknowns q between `low` and `high`, to be minimised from `start`.

    What was evaluated last is kept, since residuals and their derivatives are asked for one after the other.
    """

    tolerance: ClassVar[float]
    most_evaluations: ClassVar[int]
    start: np.ndarray
    low: np.ndarray
    high: np.ndarray
    _last: tuple[bytes, np.ndarray, np.ndarray] | None = None

    @abstractmethod
    def evaluate(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Residuals [rows] and their derivatives with respect to the unknowns [rows, unknowns]."""

    def both(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same, at no cost where it was asked for last."""
        if self._last is None or self._last[0] != q.tobytes():
            self._last = q.tobytes(), *self.evaluate(q)
        return self._last[1:]

    def minimise(self, progress: Progress) -> tuple[np.ndarray, bool]:
        """The unknowns at the minimum and True, or the best so far and False; Cancelled only before there is one."""
        from scipy.optimize import least_squares

        least, best, count = np.inf, self.start, 0

        def residual(q: np.ndarray) -> np.ndarray:
            nonlocal least, best, count
            rows = self.both(q)[0]
            count += 1
            if rows @ rows < least:
                least, best = float(rows @ rows), q.copy()
            if progress(1 - 1 / count, f"rms misfit {np.sqrt(np.mean(rows**2)):.4g}") is False:
                raise Cancelled
            return rows

        try:
            found = least_squares(
                residual, np.clip(self.start, self.low, self.high), jac=lambda q: self.both(q)[1],
                bounds=(self.low, self.high), x_scale="jac", ftol=self.tolerance, xtol=self.tolerance,
                gtol=self.tolerance, max_nfev=self.most_evaluations,
            )  # fmt: skip
        except Cancelled:
            if not count:
                raise
            return best, False
        return found.x, bool(found.status > 0)
