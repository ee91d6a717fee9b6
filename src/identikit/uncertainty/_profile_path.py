"""One side of one parameter's profile: where the likelihood is asked for next, and where the interval ends.

In z = sqrt(2 (log L_max - log L)) a parabola is a straight line through the estimate, and so nearly is any profile near
its top. A path goes outward by the slope of z seen so far, faster where it is flat, and closes in on z = threshold, by
interpolation and, where that does not come near soon, by halves.
Where no likelihood is found the step was too long for the guess of the other parameters, or there is none: shorter
steps are tried, which grow again while they succeed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from identikit.uncertainty._settings import UNCERTAINTY


class SideEnd(StrEnum):
    """How a side of a profile ended."""

    CROSSED = "crossed"  # the threshold: the interval ends there
    BOUND = "bound"  # of the parameter, before the threshold
    FAR = "far"  # so far off that there is no end
    LOST = "lost"  # no likelihood was found beyond, which says nothing of the parameter


@dataclass
class ProfilePath:
    """Distances from the estimate, parameters there and depths z, outward; begins with the estimate itself.

    Arguments:
        parameter: its place among the free ones.
        sign: +1 upward, -1 downward.
        p: the estimate [free].
        direction: how all parameters [free] follow this one at first.
        unit: a first guess of the standard error.
        room: distance to the bound of this side.
        threshold: z at the end of the interval.
        factors: whether the bound is approached by factors, and never reached.
    """

    parameter: int
    sign: float
    p: np.ndarray
    direction: np.ndarray
    unit: float
    room: float
    threshold: float
    factors: bool = False
    distance: list[float] = field(default_factory=lambda: [0.0])
    depth: list[float] = field(default_factory=lambda: [0.0])
    table: list[np.ndarray] = field(default_factory=list)
    failures: int = 0  # in a row
    all_failures: int = 0
    longest: float = math.inf
    ended: SideEnd | None = None
    finished: bool = False
    _asked: float = 0.0
    _narrowings: int = 0  # places asked for between two that the end lies between

    def __post_init__(self) -> None:
        self.table.append(self.p)
        if not self.room > 0:
            self.ended, self.finished = SideEnd.BOUND, True

    def next(self) -> np.ndarray:
        """The next place: parameters [free], the others guessed from the places before."""
        self._asked = self._next_distance()
        return self._guess(self._asked)

    def take(self, p: np.ndarray, drop: float) -> None:
        """What was found there: the others at their best, and how far log L lies below the top."""
        if not math.isfinite(drop):
            self.failures += 1
            self.all_failures += 1
            self.longest = 0.5 * max(self._asked - self.distance[-1], 0.0) or self.longest
            most = UNCERTAINTY.most_failures
            if self.failures >= most or self.all_failures >= 2 * most:
                self.ended, self.finished = self.ended or SideEnd.LOST, True
            return
        self.failures = 0
        self.longest *= UNCERTAINTY.growth_after_failure
        place = int(np.searchsorted(self.distance, self._asked))
        self.distance.insert(place, self._asked)
        self.depth.insert(place, math.copysign(math.sqrt(2 * abs(drop)), drop))
        self.table.insert(place, p)
        self._judge()

    @property
    def end(self) -> float:
        """The distance at which the interval ends; infinite if the profile does not come down to the threshold."""
        if self.ended is not SideEnd.CROSSED:
            return math.inf
        k = self._crossing()
        return _between(self.threshold, self.depth[: k + 2], self.distance[: k + 2])

    def _judge(self) -> None:
        k = self._crossing()
        if k < len(self.depth):
            self.ended = SideEnd.CROSSED
            near = min(abs(z - self.threshold) for z in self.depth) <= UNCERTAINTY.end_near
            beyond = max(self.depth) >= 0.9 * UNCERTAINTY.beyond_place * self.threshold
            at_bound = self.distance[-1] >= self.room
            self.finished = near and (beyond or at_bound or self.all_failures > 0)
        elif self.distance[-1] >= self.room:
            self.ended, self.finished = SideEnd.BOUND, True
        elif self.distance[-1] > UNCERTAINTY.far * max(abs(self.p[self.parameter]), self.unit) or (
            self.factors and self.room - self.distance[-1] < self.room / UNCERTAINTY.far
        ):
            self.ended, self.finished = SideEnd.FAR, True
        if len(self.depth) - self._narrowings > UNCERTAINTY.most_points and not self.finished:
            self.ended, self.finished = self.ended or SideEnd.LOST, True

    def _crossing(self) -> int:
        """The first place beyond the threshold; as many as there are places if none is."""
        return next((k for k, z in enumerate(self.depth) if z >= self.threshold), len(self.depth))

    def _next_distance(self) -> float:
        last = self.distance[-1]
        if self.failures:  # back towards where there was a likelihood
            return 0.5 * (last + self._asked) if self._asked > last else last + 0.25 * (last - self.distance[-2])
        k = self._crossing()
        if k < len(self.depth):
            if min(abs(z - self.threshold) for z in self.depth) > UNCERTAINTY.end_near:
                a, b = self.distance[k - 1], self.distance[k]
                self._narrowings += 1
                if self._narrowings > UNCERTAINTY.usual_narrowings:  # a knee, where another parameter is at its bound
                    return 0.5 * (a + b)
                inside = _between(self.threshold, self.depth[: k + 1], self.distance[: k + 1])
                return min(max(inside, a + 0.1 * (b - a)), b - 0.1 * (b - a))
            goal = UNCERTAINTY.beyond_place
        else:
            goals = (UNCERTAINTY.first_place, UNCERTAINTY.second_place, 1.0)
            goal = next((g for g in goals if g * self.threshold > 1.1 * self.depth[-1]), 1.0)
        nearest = (self.room - last) / UNCERTAINTY.longest_growth if self.factors else 0.0
        return min(self._outward(goal * self.threshold), last + self.longest, self.room - nearest)

    def _outward(self, wanted: float) -> float:
        """The distance at which z is expected to be as wanted."""
        if len(self.distance) == 1:
            return wanted * self.unit
        step, rise = self.distance[-1] - self.distance[-2], self.depth[-1] - self.depth[-2]
        most = UNCERTAINTY.longest_growth * max(step, self.distance[-1] / 2)
        forward = step * (wanted - self.depth[-1]) / rise if rise > 0 else most
        return self.distance[-1] + min(max(forward, 0.1 * step), most)

    def _guess(self, distance: float) -> np.ndarray:
        """All parameters at that distance: along the first direction, then as the nearest places show."""
        if len(self.distance) == 1:
            guess = self.p + self.sign * distance * self.direction
        else:
            order = np.argsort(np.abs(np.array(self.distance) - distance))[:3]
            at, rows = np.array(self.distance)[order], np.array(self.table)[order]
            weights = [np.prod([(distance - b) / (a - b) for b in at if b != a]) for a in at]
            guess = np.asarray(weights) @ rows
        guess[self.parameter] = self.p[self.parameter] + self.sign * distance
        return guess


def _between(z: float, depth: list[float], distance: list[float]) -> float:
    """The distance at depth z, by a monotone cubic through the places around."""
    from scipy.interpolate import PchipInterpolator

    rising: list[int] = []  # of places as deep, which a flat stretch has many of, the outermost
    for k in range(len(depth)):
        while rising and depth[rising[-1]] >= depth[k]:
            rising.pop()
        rising.append(k)
    known = PchipInterpolator(np.array(depth)[rising], np.array(distance)[rising])
    return float(known(z))
