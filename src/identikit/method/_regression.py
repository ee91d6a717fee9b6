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

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import sympy as sp

from identikit.measurement import SmoothCurve
from identikit.method._reconstruction import Reconstruction, curve_values, reconstruct
from identikit.model import Model, Program, symbol
from identikit.problem import Problem

POINTS_PER_WIDTH = 24  # grid points in half the filter's support
MOST_POINTS = 20_000
# Windows whose curve varies by less than this many noise deviations say nothing, or worse, of friction.
RESTING = 2.0
CANDIDATES, FEWEST_CANDIDATES = 400, 32
WORK_PER_CANDIDATE = 1e5  # filtered values that one candidate may cost at the full number of them
REFINED = 10


@dataclass(frozen=True)
class RegressionEquations:
    """The testable equations: left sides (to be differentiated) and right sides, with derivatives towards
    `free`."""

    reconstruction: Reconstruction
    free: tuple[str, ...]

    @cached_property
    def _expressions(self) -> tuple[list[sp.Expr], list[sp.Expr]]:
        model = self.reconstruction.model
        states = dict(zip(map(symbol, model.state_names), self.reconstruction.states, strict=True))
        left = [self.reconstruction.states[i] for i in self.reconstruction.remaining]
        right = [model.equations[i].xreplace(states) for i in self.reconstruction.remaining]
        return left, right

    @cached_property
    def program(self) -> Program:
        """left, right, then their derivatives, parameter after parameter."""
        left, right = self._expressions
        both = [*left, *right]
        slopes = [sp.diff(expression, symbol(name)) for name in self.free for expression in both]
        return Program([*both, *slopes], self.reconstruction.symbols)

    @property
    def count(self) -> int:
        return len(self.reconstruction.remaining)

    @cached_property
    def linear(self) -> tuple[str, ...]:
        """The largest set of parameters, found greedily, in which the equations are jointly affine."""
        left, right = self._expressions
        chosen: list[sp.Symbol] = []
        for name in self.free:
            trial = [*chosen, symbol(name)]
            if all(sp.diff(expression, trial[-1], other).is_zero for expression in (*left, *right) for other in trial):
                chosen = trial
        return tuple(str(item) for item in chosen)

    @property
    def used(self) -> tuple[bool, ...]:
        """Which free parameters appear at all."""
        left, right = self._expressions
        present: set[sp.Symbol] = set().union(*(e.free_symbols for e in (*left, *right)))
        return tuple(symbol(name) in present for name in self.free)


@lru_cache(maxsize=32)
def regression_equations(model: Model, outputs: tuple[str, ...], free: tuple[str, ...]) -> RegressionEquations:
    return RegressionEquations(reconstruct(model, outputs), free)


def objections(problem: Problem) -> list[str]:
    """Why regression does not apply, in words; empty if it does."""
    if not problem.model.symbolic:
        return ["the model is a function, not equations: give it as text or SymPy, or use shooting with --start"]
    found = reconstruct(problem.model, problem.outputs)
    if found.missing:
        return [
            f"the state{'s' if len(found.missing) > 1 else ''} {', '.join(found.missing)} can neither be "
            "measured nor derived from what is measured: measure more outputs, or use shooting"
        ]
    equations = regression_equations(problem.model, problem.outputs, problem.free)
    unused = [name for name, used in zip(problem.free, equations.used, strict=True) if not used]
    if unused:
        return [f"{', '.join(unused)} does not appear in the equations that can be tested: fix it, or use shooting"]
    return []


@dataclass(frozen=True)
class _Part:
    """One record on a uniform grid: curve values, the filter and its slope, and which windows show motion."""

    values: list[np.ndarray]
    bump: np.ndarray
    slope: np.ndarray
    stride: int
    moving: np.ndarray

    def windows(self, program: Program, p: list[float]) -> np.ndarray:
        """The program's outputs in every window, [outputs, windows, filter points]."""
        points = self.values[0].shape
        with np.errstate(all="ignore"):
            found = program(np, [*self.values, *p])
        table = np.stack([np.broadcast_to(np.asarray(value, float), points) for value in found])
        return _windows(table, len(self.bump), self.stride)[:, self.moving]


def _windows(table: np.ndarray, length: int, stride: int) -> np.ndarray:
    return np.lib.stride_tricks.sliding_window_view(table, length, axis=1)[:, ::stride]


def _moving_windows(curves: Sequence[SmoothCurve], grid: np.ndarray, length: int, stride: int) -> np.ndarray:
    """Windows in which some curve moves by more than its noise; all of them if none does."""
    spread = np.stack([_windows(curve(grid)[None], length, stride)[0].std(axis=-1) for curve in curves])
    moving = np.asarray((spread > RESTING * np.array([curve.sigma for curve in curves])[:, None]).any(axis=0))
    return moving if moving.any() else np.ones_like(moving)


class FilteredRegression:
    """Rows rho(p) = (left filtered by -K') - (right filtered by K), for all records and equations.

    `relative_width` is the filter's support in units of the signal's own time scale.
    """

    def __init__(self, problem: Problem, curves: Sequence[Sequence[SmoothCurve]], relative_width: float = 1.0) -> None:
        self.problem = problem
        self.equations = regression_equations(problem.model, problem.outputs, problem.free)
        self._parts = []
        for record, record_curves in zip(problem.records, curves, strict=True):
            scale = float(np.median([curve.time_scale for curve in record_curves]))
            span = float(record.time[-1] - record.time[0])
            half = min(0.5 * relative_width * scale, span / 8)
            points = int(np.clip(span / half * POINTS_PER_WIDTH, 64, MOST_POINTS))
            grid = np.linspace(record.time[0], record.time[-1], points)
            spacing = grid[1] - grid[0]
            reach = max(4, round(half / spacing))
            s = np.arange(-reach, reach + 1) / reach
            bump = (1 - s * s) ** 4
            slope = -8 * s * (1 - s * s) ** 3 / (reach * spacing)
            values = curve_values(record_curves, record, grid, np.zeros(len(problem.model.parameters)))
            stride = max(1, reach // 6)
            moving = _moving_windows(record_curves, grid, len(bump), stride)
            known = values[: -len(problem.model.parameters)]
            self._parts.append(_Part(known, bump, slope, stride, moving))
        self.weights = np.ones(self.equations.count)

    def _filtered(self, p: np.ndarray) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Per equation: rows and their derivatives, over all records."""
        count = self.equations.count
        rows: list[list[np.ndarray]] = [[] for _ in range(count)]
        slopes: list[list[np.ndarray]] = [[] for _ in range(count)]
        full = list(self.problem.vector(p))
        free = len(self.problem.free)
        for part in self._parts:
            windows = part.windows(self.equations.program, full)
            left = windows[np.r_[tuple(range(2 * count * k, 2 * count * k + count) for k in range(free + 1))]]
            right = windows[np.r_[tuple(range(2 * count * k + count, 2 * count * (k + 1)) for k in range(free + 1))]]
            together = (left @ -part.slope - right @ part.bump).reshape(free + 1, count, -1) / len(part.bump)
            for i in range(count):
                rows[i].append(together[0, i])
                slopes[i].append(together[1:, i].T)
        return [np.concatenate(part) for part in rows], [np.concatenate(part) for part in slopes]

    def rows(self, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Weighted rows [R] and derivatives [R, free]."""
        rows, slopes = self._filtered(p)
        return (
            np.concatenate([w * part for w, part in zip(self.weights, rows, strict=True)]),
            np.concatenate([w * part for w, part in zip(self.weights, slopes, strict=True)]),
        )

    def balance(self, p: np.ndarray) -> None:
        """Weight each equation by the inverse deviation of its rows at p."""
        rows, _ = self._filtered(p)
        spread = np.array([np.sqrt(np.mean(part**2)) for part in rows])
        if np.isfinite(spread).all() and spread.max() > 0:
            self.weights = 1.0 / np.maximum(spread, 1e-9 * spread.max())

    def solve(self, seed: int = 0) -> np.ndarray:
        """Free parameters within their bounds."""
        return self.solutions(seed)[0]

    def solutions(self, seed: int = 0) -> list[np.ndarray]:
        """All minima that were found, the lowest first; one if the equations are linear in the parameters."""
        problem = self.problem
        low = np.array([problem.bounds[name][0] for name in problem.free])
        high = np.array([problem.bounds[name][1] for name in problem.free])
        nonlinear = [i for i, name in enumerate(problem.free) if name not in self.equations.linear]
        self._balance_scales(low, high)
        if not nonlinear:
            p = self._linear_solve(np.clip(np.zeros(len(low)), low, high), low, high)
            if self.equations.count > 1:
                self.balance(p)
                p = self._linear_solve(p, low, high)
            return [p]
        found = self._search(nonlinear, low, high, seed)
        if self.equations.count > 1:
            self.balance(found[0])
            found = [refine(self.rows, p, low, high)[0] for p in found]
        return found

    def _balance_scales(self, low: np.ndarray, high: np.ndarray) -> None:
        """First weights: each equation by the size of its left side."""
        sizes = np.zeros(self.equations.count)
        full = list(self.problem.vector(middle(low, high)))
        for part in self._parts:
            windows = part.windows(self.equations.program, full)[: self.equations.count]
            sizes += np.sqrt(np.mean((windows @ part.slope) ** 2, axis=1)) / len(part.slope)
        if np.isfinite(sizes).all() and sizes.max() > 0:
            self.weights = 1.0 / np.maximum(sizes, 1e-9 * sizes.max())

    def _linear_solve(self, p: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        rows, slopes = self.rows(p)
        return p + bounded_least_squares(slopes, -rows, low - p, high - p)

    def _affordable(self) -> int:
        """Fewer candidates where each one costs more: many equations, parameters or points."""
        points = sum(len(part.values[0]) for part in self._parts)
        work = points * 2 * self.equations.count * (1 + len(self.problem.free))
        return int(np.clip(CANDIDATES * WORK_PER_CANDIDATE / work, FEWEST_CANDIDATES, CANDIDATES))

    def _search(self, nonlinear: list[int], low: np.ndarray, high: np.ndarray, seed: int) -> list[np.ndarray]:
        """Candidates over the parameters that enter nonlinearly, the others eliminated; the best are refined."""
        spread = evenly(self._affordable(), len(nonlinear), seed)
        linear = [i for i in range(len(low)) if i not in nonlinear]
        base = middle(low, high)
        tried = []
        for index in range(len(spread)):
            p = base.copy()
            for i, share in zip(nonlinear, spread[index], strict=True):
                p[i] = self.problem.start.get(self.problem.free[i], between(share, low[i], high[i]))
            rows, slopes = self.rows(p)
            if linear and np.isfinite(slopes).all() and np.isfinite(rows).all():
                part = slopes[:, linear]
                step = bounded_least_squares(part, -rows, low[linear] - p[linear], high[linear] - p[linear])
                p[linear] += step
                rows = rows + part @ step
            cost = float(rows @ rows)
            if np.isfinite(cost):
                tried.append((cost, index, p))
        if not tried:
            return [base]
        tried.sort(key=lambda item: item[:2])
        refined = sorted((refine(self.rows, p, low, high) for _, _, p in tried[:REFINED]), key=lambda item: item[1])
        distinct: list[np.ndarray] = []
        for p, _ in refined:
            if not any(np.allclose(p, other, rtol=0.02, atol=1e-12) for other in distinct):
                distinct.append(p)
        return distinct


def middle(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """A value inside each pair of bounds: geometric where they span decades of one sign, else arithmetic."""
    return np.array([_middle(a, b) for a, b in zip(low, high, strict=True)])


def _middle(low: float, high: float) -> float:
    if not np.isfinite(low) and not np.isfinite(high):
        return 1.0
    if not np.isfinite(high):
        return low + max(1.0, abs(low))
    if not np.isfinite(low):
        return high - max(1.0, abs(high))
    if low >= 0 and high > 100 * max(low, 1e-12):
        return float(np.sqrt(max(low, 1e-6 * high) * high))
    return 0.5 * (low + high)


def evenly(count: int, dimensions: int, seed: int = 0) -> np.ndarray:
    """Points [count, dimensions] in the unit cube that leave no gaps, in any single direction least of all.

    The additive recurrence on powers of the generalised golden ratio, x^(d+1) = x + 1 (M. Roberts, 2018).
    """
    ratio = 2.0
    for _ in range(60):
        ratio = (1 + ratio) ** (1 / (dimensions + 1))
    offset = np.random.default_rng(seed).uniform(size=dimensions)
    points: np.ndarray = (offset + np.outer(np.arange(count), ratio ** -np.arange(1.0, dimensions + 1))) % 1.0
    return points


def between(share: float, low: float, high: float) -> float:
    """The value at a share in (0, 1) of the way between bounds: in logarithms where they span decades."""
    if low >= 0 and high > 100 * max(low, 1e-12):
        top = high if np.isfinite(high) else max(1e3, 1e3 * low)
        bottom = max(low, 1e-6 * top)
        return float(bottom * (top / bottom) ** share)
    if np.isfinite(high - low) and min(-low, high) <= 1e3:
        return low + share * (high - low)
    # both signs and many decades: from the one bound down to small, and up to the other
    size = min(-low, 1e3) * -(10 ** (-12 * share)) if share < 0.5 else min(high, 1e3) * 10 ** (-12 * (1 - share))
    return float(np.clip(size, low, high))


def bounded_least_squares(a: np.ndarray, b: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """min |a x - b| with low <= x <= high, columns scaled; the unbounded solution if it lies inside."""
    scale = np.sqrt(np.einsum("ij,ij->j", a, a))
    scale = np.where(scale > 0, scale, 1.0)
    q, r = np.linalg.qr(np.column_stack([a / scale, b]), mode="reduced")
    del q
    size = a.shape[1]
    left, right = r[:, :size], r[:, size]
    x = np.linalg.lstsq(left, right, rcond=1e-12)[0]
    if ((x >= low * scale) & (x <= high * scale)).all():
        return x / scale
    from scipy.optimize import lsq_linear

    found = lsq_linear(left, right, (low * scale, np.maximum(high * scale, low * scale + 1e-300)), method="bvls")
    return np.clip(found.x / scale, low, high)


def refine(rows, p: np.ndarray, low: np.ndarray, high: np.ndarray, rounds: int = 40):  # type: ignore[no-untyped-def]
    """Damped Gauss-Newton within bounds; returns the parameters and the sum of squares reached."""
    r, slopes = rows(p)
    cost = float(r @ r)
    damping = 1e-2
    for _ in range(rounds):
        scale = np.sqrt(np.einsum("ij,ij->j", slopes, slopes))
        scale = np.where(scale > 0, scale, 1.0)
        a = np.concatenate([slopes, np.diag(np.sqrt(damping) * scale)])
        step = bounded_least_squares(a, np.concatenate([-r, np.zeros(len(p))]), low - p, high - p)
        r_new, slopes_new = rows(p + step)
        new = float(r_new @ r_new)
        if np.isfinite(new) and np.isfinite(slopes_new).all() and new < cost:
            gain = (cost - new) / cost
            p, r, slopes, cost = p + step, r_new, slopes_new, new
            damping = max(damping / 5, 1e-12)
            if gain < 1e-8:
                break
        else:
            damping *= 8
            if damping > 1e8:
                break
    return p, cost
