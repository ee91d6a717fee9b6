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

from identikit.numerics import Heights, Summits, ascents
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


@dataclass(frozen=True)
class ProfileCurve:
    """The profile of one parameter: its values, how far log L lies below the top, all parameters there [points, free];
    both ends of the interval, infinite where the profile does not come down; how each side ended."""

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
        sides = (down.ended or SideEnd.FAR, up.ended or SideEnd.FAR)
        drop = 0.5 * np.sign(depth) * depth**2
        return cls(table[:, up.parameter], drop, table, (centre - down.end, centre + up.end), sides)

    @property
    def shape(self) -> Shape:
        below, above = (math.isfinite(end) for end in self.ends)
        if below and above:
            return Shape.IDENTIFIABLE
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
    most = UNCERTAINTY.most_points
    for turn in range(most + 2 * UNCERTAINTY.most_failures):
        waiting = [path for path in paths if not path.finished]
        if not waiting:
            break
        progress(turn / most, f"{len(waiting)} of {len(paths)} ends of intervals are sought")
        held = np.zeros((len(waiting), free), bool)
        held[np.arange(len(waiting)), [path.parameter for path in waiting]] = True
        found = conditional.best(np.array([path.next() for path in waiting]), held)
        for path, p, value in zip(waiting, found.p, found.value, strict=True):
            path.take(p, top - float(value))
    return [ProfileCurve.of(paths[2 * i], paths[2 * i + 1]) for i in range(free)]


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
