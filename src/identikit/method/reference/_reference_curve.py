"""The motion between reference points, as the linear model continues it: curves that stand in for smoothed ones.

A record sampled only around its reference points has nothing to smooth in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy as sp

from identikit.measurement import SmoothCurve
from identikit.method.reference._local_fits import LocalFits
from identikit.model import symbol
from identikit.problem import Problem


class ReferenceCurve:
    """One output y = row x of one record, with x(t) = exp(A (t - t_j)) x_j from the nearest reference point."""

    def __init__(
        self, motion: _Motion, row: np.ndarray, sigma: np.ndarray, time: np.ndarray, values: np.ndarray
    ) -> None:
        self._motion, self._row = motion, row
        self.sigma = float(np.sqrt(np.sum((row * sigma) ** 2)))
        known = np.isfinite(values)
        self.time, self.values = time[known], values[known]

    def __call__(self, time: np.ndarray, derivative: int = 0) -> np.ndarray:
        return self._motion(time, derivative) @ self._row

    @property
    def time_scale(self) -> float:
        """2 pi rms(x - mean) / rms(x'), as for a smooth curve."""
        span = float(self.time[-1] - self.time[0])
        at = np.linspace(self.time[0], self.time[-1], 2001)
        speed = float(np.sqrt(np.mean(self(at, 1) ** 2)))
        return span if speed == 0 else min(2 * np.pi * float(np.std(self(at))) / speed, span)


class _Motion:
    def __init__(self, A: np.ndarray, at: np.ndarray, states: np.ndarray) -> None:
        self.A, self.at = A, at
        self.values, self.right = np.linalg.eig(A)
        self.shares = np.linalg.lstsq(self.right, states.T.astype(complex), rcond=None)[0]

    def __call__(self, time: np.ndarray, derivative: int = 0) -> np.ndarray:
        nearest = np.argmin(np.abs(np.atleast_1d(time)[:, None] - self.at[None, :]), axis=1)
        turned = np.exp(self.values[:, None] * (time - self.at[nearest])) * self.shares[:, nearest]
        return np.real(self.right @ (self.values[:, None] ** derivative * turned)).T


def reference_curves(
    problem: Problem, fits: Sequence[LocalFits], A: np.ndarray, sigma: np.ndarray
) -> list[list[SmoothCurve]]:
    """For every record and output; they answer to all that a judge asks of a smooth curve."""
    rows = [_row(problem, name) for name in problem.outputs]
    made: list[list[SmoothCurve]] = []
    for record, fit in zip(problem.records, fits, strict=True):
        motion = _Motion(A, fit.at, fit.value)
        curves: list[Any] = [
            SmoothCurve(record.time, record.values[:, j])
            if row is None
            else ReferenceCurve(motion, row, sigma, record.time, record.values[:, j])
            for j, row in enumerate(rows)
        ]
        made.append(curves)
    return made


def _row(problem: Problem, output: str) -> np.ndarray | None:
    """The output as a sum of states; None if it is anything else."""
    expression = problem.model.output(output).expression
    x = [symbol(name) for name in problem.model.state_names]
    row = [sp.diff(expression, state) for state in x]
    rest = expression - sum((a * state for a, state in zip(row, x, strict=True)), sp.Integer(0))
    if all(entry.is_number for entry in row) and sp.expand(rest).is_zero:
        return np.array([float(entry) for entry in row])
    return None
