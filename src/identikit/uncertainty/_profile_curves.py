"""Profiles of all free parameters: every path's next place in one evaluation of the likelihood.

    l_i(v) = max over all other parameters, initial states and noise levels of log L, at p_i = v

References: D. J. Venzon, S. H. Moolgavkar, Applied Statistics 37 (1988) 87; A. Raue et al., Bioinformatics 25 (2009)
1923; D. M. Bates, D. G. Watts, Nonlinear Regression Analysis and Its Applications, Wiley 1988, chapter 6.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from identikit.likelihood import StepProblem, coefficients
from identikit.numerics import Heights, Information, Summits, ascents
from identikit.progress import Progress
from identikit.uncertainty._base import Fitted
from identikit.uncertainty._profile_path import ProfilePath, SideEnd
from identikit.uncertainty._settings import UNCERTAINTY


class Shape(StrEnum):
    """What a profile says of its parameter."""

    IDENTIFIABLE = "identifiable"
    FROM_ABOVE = "bounded from above only"
    FROM_BELOW = "bounded from below only"
    FLAT = "flat"
    LOST = "not followed to its end"


@dataclass(frozen=True)
class ProfileCurve:
    """The profile of one parameter: its values, how far log L lies below the top, all parameters there [points, free];
    both ends of the interval, infinite where the profile was not seen to come down; how each side ended."""

    values: np.ndarray
    drop: np.ndarray
    p: np.ndarray
    ends: tuple[float, float]
    sides: tuple[SideEnd, SideEnd]

    @classmethod
    def of(cls, down: ProfilePath, up: ProfilePath) -> ProfileCurve:
        """From both sides."""
        table = np.array([*down.table[:0:-1], *up.table])
        depth = np.array([*down.depth[:0:-1], *up.depth])
        centre = float(up.p[up.parameter])
        sides = (down.ended or SideEnd.LOST, up.ended or SideEnd.LOST)
        drop = 0.5 * np.sign(depth) * depth**2
        return cls(table[:, up.parameter], drop, table, (centre - down.end, centre + up.end), sides)

    @property
    def shape(self) -> Shape:
        below, above = (math.isfinite(end) for end in self.ends)
        if below and above:
            return Shape.IDENTIFIABLE
        if SideEnd.LOST in self.sides:
            return Shape.LOST
        return Shape.FROM_BELOW if below else Shape.FROM_ABOVE if above else Shape.FLAT


@dataclass(frozen=True)
class Conditional:
    """The likelihood with some parameters held and all others at their best."""

    fitted: Fitted

    def best(self, p: np.ndarray, held: np.ndarray) -> Summits:
        """From p [n, free], those that are held [n, free] staying."""
        low, high = self.fitted.problem.limits
        return ascents(
            self._heights,
            np.clip(p, low, high),
            low,
            high,
            held,
            UNCERTAINTY.longest_step * np.sqrt(np.diag(self.fitted.covariance)),
            UNCERTAINTY.longest_share,
            UNCERTAINTY.settled_promise,
            UNCERTAINTY.settled_rounds,
        )

    def _heights(self, which: np.ndarray, p: np.ndarray) -> Heights:
        found = self.fitted.likelihood.expansion(p)
        lost = ~np.isfinite(found.value)
        if not lost.any():
            return found
        gradient, information = found.gradient.copy(), found.information.copy()
        gradient[lost], information[lost] = 0.0, 0.0
        return Heights(found.value, gradient, information)


def profile_curves(fitted: Fitted, progress: Progress) -> list[ProfileCurve]:
    """The profiles of all free parameters, in the problem's order."""
    conditional = Conditional(fitted)
    free = len(fitted.p)
    top = _top(fitted, conditional)
    paths = [path for i in range(free) for path in _begun(fitted, i)]
    valley = _Valley(fitted)
    most = UNCERTAINTY.most_points
    for turn in range(most + 2 * UNCERTAINTY.most_failures):
        waiting = [path for path in paths if not path.finished]
        if not waiting:
            break
        progress(turn / most, f"{len(waiting)} of {len(paths)} ends of intervals are sought")
        held = np.zeros((len(waiting), free), bool)
        held[np.arange(len(waiting)), [path.parameter for path in waiting]] = True
        found = conditional.best(np.array([valley.led(path) for path in waiting]), held)
        for path, p, value in zip(waiting, found.p, found.value, strict=True):
            path.take(p, top - float(value))
    return [ProfileCurve.of(paths[2 * i], paths[2 * i + 1]) for i in range(free)]


class _Valley:
    """How the others follow a parameter away from the estimate: by the information there, which holds far along a
    valley that is straight in the coefficients of the equations."""

    def __init__(self, fitted: Fitted) -> None:
        self._p, self._limits = fitted.p, fitted.problem.limits
        self._coordinates = coefficients(fitted.problem)
        self._rows = Information.of_matrix(fitted.expansion.information[0]).rows

    def led(self, path: ProfilePath) -> np.ndarray:
        """The path's next place: as its last places show it or, where there are such coefficients, along the valley."""
        low, high = (limit.copy() for limit in self._limits)
        guess, i = np.clip(path.next(), low, high), path.parameter
        if self._coordinates is None:
            return guess
        low[i] = high[i] = guess[i]
        nothing, never = np.zeros(len(self._rows)), np.zeros(len(guess), bool)
        valley = StepProblem(self._rows, nothing, self._p, low, high, never, 0.0)
        return self._p + valley.carried_on(self._coordinates, guess).dp


def _top(fitted: Fitted, conditional: Conditional) -> float:
    """log L at its top: that of the estimate with what the last step to it promises."""
    free = len(fitted.p)
    found = conditional.best(fitted.p[None], np.zeros((1, free), bool))
    return float(max(found.value[0], fitted.expansion.value[0]))


def _begun(fitted: Fitted, i: int) -> tuple[ProfilePath, ProfilePath]:
    """Both paths of a parameter: down and up."""
    covariance, centre = fitted.covariance, float(fitted.p[i])
    low, high = fitted.problem.bounds[fitted.problem.free[i]]
    std = math.sqrt(covariance[i, i])
    size = abs(centre) or (high - low if math.isfinite(high - low) else 1.0)
    known = std < size
    unit = std if known else UNCERTAINTY.first_share * size
    direction = covariance[:, i] / covariance[i, i] if known else np.eye(len(fitted.p))[i]
    depth = math.sqrt(2 * fitted.threshold)
    # towards a bound of zero a parameter that the record hardly knows goes by factors: others follow its inverse
    factors = not known and low == 0 and centre > 0
    return (
        ProfilePath(i, -1.0, fitted.p, direction, unit, centre - low, depth, factors),
        ProfilePath(i, 1.0, fitted.p, direction, unit, high - centre, depth),
    )
