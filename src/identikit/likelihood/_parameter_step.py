"""The step of the parameters: the Gauss-Newton problem, solved in coordinates in which it is nearly linear.

    minimise |A S(p)^-1 (s(q) - s(p)) - b|     over q within its bounds,      S = ds/dp

agrees with A (q - p) = b to first order, and stays accurate further out. Coordinates s are, where the equations allow
it, the coefficients that stand in them. For a pendulum between magnets,

    theta'' = -2 mu w0 theta' - w0^2 sin theta - 2 a1 theta - ...        s = (mu w0, w0^2, a1, ...)

A record of small swings determines the sum w0^2 + 2 a1, but not its two terms: its valley is a parabola in the
parameters, along which a straight step is refused and shortened again and again, and a straight line in s. Where the
equations do not allow it, each parameter is a coordinate by itself, and its logarithm where it moves by factors: what a
record knows best are products and powers of parameters (a frequency, a period), and along these factors are straight.
In any coordinates such a parameter moves by a limited factor in one step.

Reference: D. M. Bates, D. G. Watts, Nonlinear Regression Analysis and Its Applications, Wiley 1988, chapter 7, on
parameters in which a model is nearly linear.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import sympy as sp

from identikit.likelihood._settings import LIKELIHOOD
from identikit.model import TIME, Model, Program, derivative, separate, symbol
from identikit.numerics import bounded_least_squares, column_sizes
from identikit.problem import Problem

Coordinates = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
"""Free parameters q to s(q) [free] and ds/dq [free, free]."""


@dataclass(frozen=True)
class Hold:
    """Parameters that are drawn to where a search began: log(q / begun) / spread counts as a residual."""

    which: np.ndarray
    begun: np.ndarray
    spread: float

    def residual(self, q: np.ndarray) -> np.ndarray:
        return np.asarray(np.log(q[self.which] / self.begun[self.which]) / self.spread)


@dataclass(frozen=True)
class ParameterStep:
    """A step from p to q: `dp` = q - p, and `tangent`, the change of s taken back to parameters by the slopes at p.

    Unknowns that are linear in s follow the tangent. A parameter that stays may have a share in it.
    """

    dp: np.ndarray
    tangent: np.ndarray


@dataclass(frozen=True)
class StepProblem:
    """A (q - p) = b within bounds; parameters with equal bounds stay.

    Arguments:
        rows, right: A [R, free] and b [R].
        by_factor: which parameters are positive and move by factors, one step by `largest_factor` at most.
        damping: Marquardt's, in units of the information of each coordinate.
        hold: what else the step should keep to, or None.
    """

    rows: np.ndarray
    right: np.ndarray
    p: np.ndarray
    low: np.ndarray
    high: np.ndarray
    by_factor: np.ndarray
    damping: float
    hold: Hold | None = None

    def solved(self, coordinates: Coordinates | None) -> ParameterStep:
        """The step, straight in these coordinates, or in each parameter by itself: where there are none, where they do
        not tell the parameters apart (a product with a factor that is zero), and where no parameters within the bounds
        give what is asked for (a square that should be negative)."""
        plain = self._one_by_one()
        if coordinates is None:
            return plain
        found = self._straight_in(coordinates)
        if found is None:
            return plain
        usual = LIKELIHOOD.coordinate_stretch * np.maximum(np.abs(plain.dp), np.abs(self.p))
        return plain if np.any((np.abs(found.dp) > usual) & ~self.by_factor) else found

    def carried_on(self, coordinates: Coordinates | None, q: np.ndarray) -> ParameterStep:
        """The step to q, in which those that move follow the others to where the linear problem has them."""
        found = None if coordinates is None else self._straight_in(coordinates, q)
        return found or ParameterStep(q - self.p, q - self.p)

    def _one_by_one(self) -> ParameterStep:
        """Straight in each parameter, or its logarithm, by itself: solved at once."""
        unit = self._unit(self.p)
        q = self._moved(self.p, *self._with_hold(self.p, *self._damped(self.rows * unit)))
        return ParameterStep(q - self.p, np.where(self.by_factor, unit * np.log(self._unit(q) / unit), q - self.p))

    def _straight_in(self, coordinates: Coordinates, begun: np.ndarray | None = None) -> ParameterStep | None:
        """Straight in coordinates that are bent in the parameters: Newton's method for s(q), from p or from `begun`."""
        first, slopes = coordinates(self.p)
        if not _tells_apart(slopes):
            return None
        inverse = np.linalg.inv(slopes)
        rows, right = self._damped(self.rows @ inverse)

        def linear(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            """Rows of a further step from q, and what is left of the right side there."""
            here, there = coordinates(q)
            with np.errstate(all="ignore"):  # at a bound a coefficient or its slope may be infinite: 1/m, sqrt(k)
                return self._with_hold(q, (rows @ there) * self._unit(q), right - rows @ (here - first))

        q = self.p if begun is None else begun
        a, left = linear(q)
        whole = np.linalg.norm(left)
        # what is left may rise on the way: the valley that is straight in s is as narrow and bent in q as ever
        for _ in range(LIKELIHOOD.coordinate_passes):
            if not (np.isfinite(left).all() and np.isfinite(a).all()):
                return None
            q = self._moved(q, a, left)
            before, (a, left) = left, linear(q)
            if np.linalg.norm(left - before) <= LIKELIHOOD.coordinate_change * whole:
                arrived = np.linalg.norm(left) <= whole
                return ParameterStep(q - self.p, inverse @ (coordinates(q)[0] - first)) if arrived else None
        return None

    def _damped(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rows in some coordinates, and right sides, with those of Marquardt's damping."""
        size = np.sqrt(self.damping * np.einsum("ij,ij->j", rows, rows))
        return np.concatenate([rows, np.diag(size)]), np.concatenate([self.right, np.zeros(len(size))])

    def _with_hold(self, q: np.ndarray, a: np.ndarray, left: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rows of a step from q, by factors where it moves by them, and right sides, with those that hold it."""
        if self.hold is None:
            return a, left
        held = np.eye(len(q))[self.hold.which] / self.hold.spread
        return np.concatenate([a, held]), np.concatenate([left, -self.hold.residual(q)])

    def _unit(self, q: np.ndarray) -> np.ndarray:
        return np.where(self.by_factor, q, 1.0)

    def _moved(self, q: np.ndarray, a: np.ndarray, left: np.ndarray) -> np.ndarray:
        """q after the step a x = left of those that move, within bounds, and within the largest factor from p."""
        moves = self.low < self.high
        by_factor, p, here, unit = (part[moves] for part in (self.by_factor, self.p, q, self._unit(q)))
        low, high = self.low[moves], self.high[moves]
        with np.errstate(divide="ignore"):  # a lower bound of zero is infinitely far
            down, up = (
                np.where(by_factor, np.log(np.where(by_factor, limit, 1.0) / unit), limit - here)
                for limit in (low, high)
            )
        gone = np.log(unit / np.where(by_factor, p, 1.0))
        reach = np.where(by_factor, LIKELIHOOD.largest_factor, np.inf)
        least, most = np.maximum(down, -reach - gone), np.minimum(up, reach - gone)
        x = bounded_least_squares(a[:, moves], left, np.minimum(least, 0.0), np.maximum(most, 0.0))
        moved = np.clip(np.where(by_factor, unit * np.exp(np.where(by_factor, x, 0.0)), here + x), low, high)
        new = q.copy()
        new[moves] = np.where(x <= down, low, np.where(x >= up, high, moved))  # to the last bit
        return new


def _tells_apart(slopes: np.ndarray) -> bool:
    if not np.isfinite(slopes).all():
        return False
    scaled = slopes / column_sizes(slopes.T)[:, None]
    return bool(np.linalg.cond(scaled / column_sizes(scaled)) < LIKELIHOOD.coordinates_apart)


def tangents(coordinates: Coordinates | None, p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Changes of s from p [free] to many q [n, free], taken back to parameters by the slopes at p; q - p where there
    are no coordinates."""
    if coordinates is None:
        return q - p
    first, slopes = coordinates(p)
    if not _tells_apart(slopes):
        return q - p
    found = np.array([coordinates(item)[0] - first for item in q]).reshape(q.shape) @ np.linalg.inv(slopes).T
    return np.where(np.isfinite(found).all(axis=1, keepdims=True), found, q - p)


def coefficients(problem: Problem) -> Coordinates | None:
    """The coefficients of a problem's equations as coordinates of its free parameters; None where the equations do not
    come apart into coefficients and functions of the motion, or into another number of them, and where they are
    the parameters themselves."""
    program = _coefficient_program(problem.model, problem.free) if problem.model.symbolic else None
    if program is None:
        return None
    free = len(problem.free)

    def coordinates(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        with np.errstate(all="ignore"):
            table = np.array(program(np, list(problem.vector(q))), float).reshape(free + 1, free)
        return table[0], table[1:].T

    return coordinates


@lru_cache(maxsize=32)
def _coefficient_program(model: Model, free: tuple[str, ...]) -> Program | None:
    """s, then its derivatives, parameter after parameter. One that stands in no equation is its own coordinate."""
    wanted = [symbol(name) for name in free]
    moving = [TIME, *map(symbol, (*model.state_names, *model.input_names))]
    separation = separate(model.equations, moving, set(wanted))
    if separation is None:
        return None
    found = [c for c in separation.coefficients if c.free_symbols & set(wanted)]
    found += [item for item in wanted if not any(item in c.free_symbols for c in found)]
    if len(found) != len(wanted) or set(found) == set(wanted):
        return None
    slopes = [derivative(c, item) if item in c.free_symbols else sp.S.Zero for item in wanted for c in found]
    return Program([*found, *slopes], [symbol(name) for name in model.parameter_names])
