"""Parameters from a record without integrating the model: filtered regression.

Both sides of x_i' = f_i(x, p) pass through the same filter, a bump K of compact support centred at c,

    - int K'(t - c) x_i dt  =  int K(t - c) f_i(x, p) dt,

so the derivative falls on the filter, and a jump of f (dry friction at a reversal) is smeared on both sides
alike. States come from smooth curves. Linear in the parameters: one bounded least-squares solve; otherwise
the parameters that enter linearly are eliminated, the others searched for within their bounds and refined.

References: M. Shinbrot, Trans. ASME 79 (1957) 547-552 (modulating functions); T. Soderstrom, P. Stoica,
System Identification, 1989, ch. 8 (filtered regressors).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from identikit.likelihood import reconstruct
from identikit.measurement import SmoothCurve
from identikit.method._base import needs_equations, not_measured, not_used
from identikit.method._settings import REGRESSION
from identikit.method.regression._filtered import EquationRows, SeparatedRows, filtered_rows, regression_equations
from identikit.model import symbol
from identikit.numerics import FROM_AFAR, Minimum, bounded_least_squares, gauss_newton, middle, search
from identikit.problem import Problem
from identikit.result import Finding


def objections(problem: Problem) -> list[Finding]:
    """Why regression does not apply; empty if it does."""
    if not problem.model.symbolic:
        return needs_equations(problem)
    found = reconstruct(problem.model, problem.outputs)
    if found.missing:
        return [not_measured(found.missing, "measure more outputs")]
    equations = regression_equations(problem.model, problem.outputs, problem.free)
    unused = [name for name, used in zip(problem.free, equations.used, strict=True) if not used]
    if unused:
        return [not_used(unused, "the equations that can be tested")]
    return []


class FilteredRegression:
    """Rows rho(p) = (left filtered by -K') - (right filtered by K), for all records and equations.

    `relative_width` is the filter's support in units of the signal's own time scale.
    """

    def __init__(self, problem: Problem, curves: Sequence[Sequence[SmoothCurve]], relative_width: float = 1.0) -> None:
        self.problem = problem
        self.equations = regression_equations(problem.model, problem.outputs, problem.free)
        self.filtered = filtered_rows(problem, curves, relative_width)
        self.weights = np.ones(self.equations.count)

    def rows(self, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Weighted rows [R] and derivatives [R, free]."""
        return self._weighted(self.filtered.full(p))

    def short_rows(self, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """As few rows as have the same sum of squares, and their derivatives."""
        return self._weighted(self.filtered.short(p))

    def _weighted(self, found: EquationRows) -> tuple[np.ndarray, np.ndarray]:
        return (
            np.concatenate([w * rows for w, (rows, _) in zip(self.weights, found, strict=True)]),
            np.concatenate([w * slopes for w, (_, slopes) in zip(self.weights, found, strict=True)]),
        )

    def balance(self, p: np.ndarray) -> None:
        """Weight each equation by the inverse rms of its rows at p."""
        self._weigh(np.array([np.sqrt(np.mean(rows**2)) for rows, _ in self.filtered.full(p)]))

    def _weigh(self, sizes: np.ndarray) -> None:
        if np.isfinite(sizes).all() and sizes.max() > 0:
            self.weights = 1.0 / np.maximum(sizes, 1e-9 * sizes.max())

    def solve(self, seed: int = 0) -> np.ndarray:
        """Free parameters within their bounds."""
        return self.solutions(seed)[0]

    def solutions(self, seed: int = 0) -> list[np.ndarray]:
        """All minima that were found, the lowest first; one if the equations are linear in the parameters."""
        problem = self.problem
        low = np.array([problem.bounds[name][0] for name in problem.free])
        high = np.array([problem.bounds[name][1] for name in problem.free])
        nonlinear = [i for i, name in enumerate(problem.free) if name not in self.equations.linear]
        self._weigh(self.filtered.left_sizes(middle(low, high)))  # at first, by the size of the left sides
        if not nonlinear:
            p = self._linear_solve(np.clip(np.zeros(len(low)), low, high), low, high)
            if self.equations.count > 1:
                self.balance(p)
                p = self._linear_solve(p, low, high)
            return [p]
        found = self._search(nonlinear, low, high, seed)
        if self.equations.count > 1:
            self.balance(found[0])
            found = distinct([gauss_newton(self.short_rows, p, low, high, FROM_AFAR) for p in found])
        return found

    def solution_near(self, p: np.ndarray) -> np.ndarray:
        """The solution that a descent from p leads to, equations weighed as they are there."""
        if self.equations.count > 1:
            self.balance(p)
        return gauss_newton(self.short_rows, p, *self.problem.limits).p

    def _linear_solve(self, p: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        rows, slopes = self.short_rows(p)
        return p + bounded_least_squares(slopes, -rows, low - p, high - p)

    def _affordable(self) -> int:
        """Fewer candidates where each one costs more: many equations, parameters or points."""
        if isinstance(self.filtered, SeparatedRows):
            return REGRESSION.candidates
        points = sum(len(part.values[0]) for part in self.filtered.parts)
        work = points * 2 * self.equations.count * (1 + len(self.problem.free))
        return int(
            np.clip(
                REGRESSION.candidates * REGRESSION.work_per_candidate / work,
                REGRESSION.fewest_candidates,
                REGRESSION.candidates,
            )
        )

    def _search(self, nonlinear: list[int], low: np.ndarray, high: np.ndarray, seed: int) -> list[np.ndarray]:
        """Candidates over the parameters that enter nonlinearly, the others eliminated; the best are refined."""
        powers = self._from_powers(low, high)
        found = search(
            self.short_rows,
            middle(low, high),
            nonlinear,
            low,
            high,
            given=np.array([self.problem.start.get(name, np.nan) for name in self.problem.free]),
            count=self._affordable(),
            best=REGRESSION.refined,
            seed=seed,
            trusted=[] if powers is None else [powers],  # it rests on a solve and not on a guess
        )
        return distinct(found) or [middle(low, high)]

    def _from_powers(self, low: np.ndarray, high: np.ndarray) -> np.ndarray | None:
        """One guess without any start, if all coefficients are products of powers of the parameters.

        Each equation gives its coefficients theta by linear least squares; then log|theta| = sum of exponents times
        log|p|, linear again. Coefficients that are not sure, or have a sign that the bounds exclude, are left out,
        and parameters that nothing is left to tell of stay where they were.
        """
        separation = self.equations.separation
        if separation is None or not isinstance(self.filtered, SeparatedRows):
            return None
        exponents = separation.powers([symbol(name) for name in self.problem.free])
        if exponents is None:
            return None
        powers = np.array(exponents, float)
        base = np.clip(np.where((low <= 0) & (high >= 0), 1.0, middle(low, high)), low, high)
        base = np.where(base == 0, middle(low, high), base)
        left, right = [], []
        for j, value, deviation in self.filtered.coefficients():
            expected = np.prod(np.sign(base) ** powers[j])
            if abs(value) > REGRESSION.sure * deviation and (value * expected > 0):
                weight = min(abs(value) / deviation, 1e6) if deviation > 0 else 1e6
                left.append(weight * powers[j])
                right.append(weight * (np.log(abs(value)) - powers[j] @ np.log(np.abs(base))))
        if not left:
            return None
        step = np.linalg.lstsq(np.array(left), np.array(right), rcond=1e-9)[0]
        return np.clip(base * np.exp(np.clip(step, -50, 50)), low, high)


def regression_core(
    curves: Sequence[Sequence[SmoothCurve]], relative_width: float, near: np.ndarray
) -> Callable[[Problem], np.ndarray]:
    """The regression on other samples of the same records, with curves as flexible as these, near a known solution."""

    def estimate(problem: Problem) -> np.ndarray:
        again = [
            [
                SmoothCurve(record.time, column, curve.sigma, curve.spacing)
                for column, curve in zip(record.values.T, part, strict=True)
            ]
            for record, part in zip(problem.records, curves, strict=True)
        ]
        return FilteredRegression(problem, again, relative_width).solution_near(near)

    return estimate


def distinct(minima: Sequence[Minimum]) -> list[np.ndarray]:
    """Where minima lie, the lowest first, each once."""
    found: list[np.ndarray] = []
    for minimum in sorted(minima, key=lambda minimum: minimum.cost):
        if not any(np.allclose(minimum.p, other, rtol=0.02, atol=1e-12) for other in found):
            found.append(minimum.p)
    return found
