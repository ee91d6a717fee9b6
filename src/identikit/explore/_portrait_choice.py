"""What a phase portrait shows when nobody says: which two states, which box, which motions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

import numpy as np

from identikit.errors import ModelError, SimulationError
from identikit.explore._box import staying_positive, usual_box
from identikit.explore._equilibria import Equilibrium, equilibria, periodic_angles
from identikit.explore._flow import Flow, with_values
from identikit.explore._pace import forcing, rhythm, usual_duration, usual_times
from identikit.explore._wells import PotentialWells, potential_wells
from identikit.model import TIME, Model, symbol
from identikit.simulation import Pieces, Solution, initial_vector, simulate

TURNS = 60  # of the one motion that is drawn where arrows would mislead
PORTRAIT_TRANSIENT = 40  # periods of a forcing before
TURN_SAMPLES = 200  # per turn
MOST = 20_000  # samples of one motion
DRAWN_SWINGS = 3.0  # of every motion that is drawn among arrows
PORTRAIT_MARGIN = 0.08  # of the motion's range, to either side
SAME = 2 / TURNS**0.5  # correlations closer than this are equal: two standard errors over so many unlike turns
TOO_FAR = 1e4  # times its start: a motion that goes there is not worth a picture


class PortraitChoice:
    """Choices for a model with constant inputs; `complete` if it has two states and no forcing in time."""

    def __init__(
        self,
        model: Model,
        parameters: Mapping[str, float] | None,
        inputs: Mapping[str, float] | None,
        initial: Mapping[str, float] | None,
    ) -> None:
        self.model, self.parameters, self.inputs, self.initial = model, parameters, inputs, initial
        self.flow = Flow(model, parameters, inputs)
        self.pieces = Pieces.constant(self.flow.u)
        self.start = initial_vector(model, initial)
        self.forced = any(TIME in equation.free_symbols for equation in with_values(model, parameters))
        self.complete = len(model.states) == 2 and not self.forced

    @cached_property
    def rests(self) -> tuple[Equilibrium, ...]:
        """The states of rest, none under a forcing."""
        if self.forced:
            return ()
        return tuple(equilibria(self.model, self.parameters, inputs=self.inputs, initial=self.initial))

    @cached_property
    def periodic(self) -> np.ndarray:
        """Which states are angles that repeat."""
        return periodic_angles(self.flow, usual_box(self.flow, None, self.initial))

    @cached_property
    def potential(self) -> PotentialWells | None:
        """The potential, where there is one with wells."""
        try:
            found = potential_wells(self.model, self.parameters, inputs=self.inputs, initial=self.initial)
        except ModelError:
            return None
        return found if found.wells else None

    @cached_property
    def motion(self) -> Solution:
        """The motion from the start, long enough to see where it goes."""
        forced = forcing(self.model, self.parameters)
        if forced is not None:
            late = forced.wave * (PORTRAIT_TRANSIENT + np.linspace(0, TURNS, min(TURNS * TURN_SAMPLES, MOST)))
            return _without_first(self._run(np.concatenate([[0.0], late]), self.start))
        duration = usual_duration(self.model, self.parameters, self.initial)
        once = self._as_long_as_it_stays(duration)
        found = rhythm(self.model, once)
        if found is None or any(item.attracting for item in self.rests):
            return once
        if self.complete:
            turns = duration / found.period if not self.potential else 2 * TURNS
            return self._run(np.linspace(0, min(turns, TURNS) * found.period, MOST // 4), self.start)
        return self._run(np.linspace(0, max(duration, TURNS * found.period), MOST), self.start)

    def _as_long_as_it_stays(self, duration: float) -> Solution:
        """The motion from the start, shortened if it leaves without bound."""
        for part in (1.0, 0.1, 0.01, 1e-3):
            times = usual_times(self.model, part * duration, self.parameters, self.initial)
            try:
                motion = self._run(times, self.start)
            except SimulationError:
                continue
            if np.abs(motion.states).max() < TOO_FAR * max(float(np.abs(self.start).max()), 1.0):
                return motion
        raise ModelError(
            f"the motion of model '{self.model.name}' leaves without bound: let it start elsewhere (initial)"
        )

    def _run(self, time: np.ndarray, start: np.ndarray) -> Solution:
        values = dict(zip(self.model.state_names, start.tolist(), strict=True))
        return simulate(self.model, time, self.parameters, values, self.pieces, 1e-9)

    def names(self) -> tuple[str, str]:
        """A position and its velocity, else the first two states, or of three the two that are least correlated.

        Of pairs whose correlations cannot be told apart, it is the first in the order of the states: in chaos they
        hang on the rounding of the processor.
        """
        names = self.model.state_names
        for name, equation in zip(names, self.model.equations, strict=False):
            for other in names:
                if other != name and equation == symbol(other):
                    return name, other
        if len(names) < 2:
            raise ModelError(f"model '{self.model.name}' has one state: a portrait needs two")
        if len(names) == 2:
            return names[0], names[1]
        with np.errstate(all="ignore"):
            related = np.nan_to_num(np.abs(np.corrcoef(self.motion.states[:3])), nan=1.0)
        pairs = ((0, 1), (0, 2), (1, 2))
        least = min(related[pair] for pair in pairs)
        i, j = next(pair for pair in pairs if related[pair] <= least + SAME)
        return names[i], names[j]

    def box(self, pair: tuple[str, str]) -> dict[str, tuple[float, float]]:
        """Around the motion, the wells and the states of rest near them, with a margin."""
        limits = {}
        positive = staying_positive(self.flow, self.start, np.where(self.start, np.abs(self.start), 1.0))
        for name in pair:
            index = self.model.state_names.index(name)
            row = self.motion.states[index]
            low, high = float(row.min()), float(row.max())
            if self.periodic[index] and not self.complete and high - low > 2 * np.pi:
                limits[name] = (-np.pi, np.pi)  # it whirls: seen within one turn
                continue
            if self.complete:
                low, high = self._hull(name, index, low, high)
            width = (high - low) or 2 * max(abs(high), 0.5)
            low, high = low - PORTRAIT_MARGIN * width, high + PORTRAIT_MARGIN * width
            limits[name] = (max(low, 0.0) if positive[index] else low, high)
        return limits

    def _hull(self, name: str, index: int, low: float, high: float) -> tuple[float, float]:
        if self.potential is not None:
            if name == self.potential.name:
                return min(low, self.potential.position[0]), max(high, self.potential.position[-1])
            fastest = float(np.sqrt(2 * (self.potential.energy.max() - self.potential.energy.min())))
            return min(low, -fastest), max(high, fastest)
        # where it hardly moves, a third of its size around shows how it comes back
        size = max(abs(low), abs(high))
        around = 0.0 if high - low > 0.02 * size else 0.3 * size or 1.0
        places = [item.state[name] for item in self.rests]
        width = high - low + 2 * around
        near = [place for place in places if low - 2 * width <= place <= high + 2 * width]
        return min(low - around, *near, low), max(high + around, *near, high)

    def motions(self, pair: tuple[str, str], limits: Mapping[str, tuple[float, float]]) -> tuple[Solution, ...]:
        """The motion from the start, and where arrows are the whole truth, short ones from around."""
        if not self.complete:
            return (self.motion,)
        made = [self.motion if not any(item.attracting for item in self.rests) else self._short(self.start)]
        for start in self._around(pair, limits):
            try:
                made.append(self._short(start))
            except SimulationError:  # it leaves without bound: the arrows show it
                continue
        return tuple(made)

    def _short(self, start: np.ndarray) -> Solution:
        eigenvalues = np.concatenate([item.eigenvalues for item in self.rests] or [np.zeros(1)])
        turning = np.abs(eigenvalues.imag).max()
        slow = np.abs(eigenvalues.real[eigenvalues.real != 0]).min(initial=np.inf)
        duration = usual_duration(self.model, self.parameters, self.initial)
        if turning > 0:
            duration = min(duration, DRAWN_SWINGS * 2 * np.pi / float(turning))
        elif np.isfinite(slow):
            duration = min(duration, 2 * DRAWN_SWINGS / float(slow))
        return self._run(np.linspace(0, duration, 600), start)

    def _around(self, pair: tuple[str, str], limits: Mapping[str, tuple[float, float]]) -> Iterator[np.ndarray]:
        (low_x, high_x), (low_y, high_y) = (limits[name] for name in pair)
        indices = [self.model.state_names.index(name) for name in pair]
        if self.potential is not None:
            inner = np.linspace(self.potential.position[0], self.potential.position[-1], 9)[1:-1]
            places = [(x, 0.0) for x in inner]
            places += [(low_x, 0.85 * high_y), (high_x, 0.85 * low_y)]
        elif all((item.stable and not item.attracting) or not item.stable for item in self.rests) and any(
            item.stable for item in self.rests
        ):
            centre = next(item for item in self.rests if item.stable)
            middle = [centre.state[name] for name in pair]
            ready = [self.start[index] for index in indices]
            steps = [(part * (r - m) + m) for part in (0.25, 0.5, 0.75) for m, r in zip(middle, ready, strict=True)]
            places = list(zip(steps[::2], steps[1::2], strict=True))
        else:
            x, y = np.linspace(low_x, high_x, 4), np.linspace(low_y, high_y, 4)
            x, y = x * 0.94 + 0.06 * x.mean(), y * 0.94 + 0.06 * y.mean()
            places = [(x[0], y[i]) for i in range(4)] + [(x[3], y[i]) for i in range(4)]
            places += [(x[i], y[j]) for i in (1, 2) for j in (0, 3)]
        for place in places:
            start = self.start.copy()
            start[indices] = place
            yield start


def _without_first(motion: Solution) -> Solution:
    """The motion after its first sample, which was only its start."""
    return Solution(
        motion.time[1:],
        motion.states[:, 1:],
        {name: row[1:] for name, row in motion.outputs.items()},
        {name: row[1:] for name, row in motion.inputs.items()},
    )
