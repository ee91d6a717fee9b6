"""Damping and stiffness from the lifespans of an oscillation's valleys, by weighted least squares over all of them.

    lifespan_i = r_i + r_i+1,      r_i+1 = M(r_i, p),      t_i+1 = t_i + T(r_i, p)

with r_i the distances of successive turning points from the rest position, M and T the exact maps of half a cycle
(`_half_cycle`). Unknown besides the parameters are the first distance and, where a stiffness is free, the first time:
only then do the times of the turning points take part, so that a wrong stiffness that was fixed does little harm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from identikit.measurement import TurningPoints
from identikit.measurement._persistence import sublevel_lifespans
from identikit.measurement._turning_points import PROMINENCE, refined, smoother, turning_points, uniform_series
from identikit.method.free_decay._free_decay import Oscillator
from identikit.method.free_decay._half_cycle import HalfCycles, smoothing_bias
from identikit.progress import Progress

RELATIVE_STEP = 1e-4  # of central differences; the map is smooth in its parameters to about 1e-12
RAW_PROMINENCE = 9.0  # noise deviations, where nothing is smoothed
LONGEST_CHAIN = 4000


@dataclass(frozen=True, eq=False)
class Decline:
    """The turning points that lifespans begin and end at, in the model's position; every other swing is a lifespan.

    `births`, `deaths` and their times list all valleys above the cut-off, as measured; `points` the chain peak, valley,
    peak, ... of those used.
    """

    points: TurningPoints
    births: np.ndarray
    deaths: np.ndarray
    birth_times: np.ndarray
    death_times: np.ndarray
    used: np.ndarray
    cutoff: float
    half_window: np.ndarray
    raised: np.ndarray  # what smoothing adds to each turning point's value, as found from the model
    delayed: np.ndarray  # and to its time

    @property
    def raw(self) -> bool:
        return not self.half_window.any()

    def calibrated(self, oscillator: Oscillator, p: np.ndarray) -> Decline:
        """The same with what smoothing does to each turning point computed from the model at p, to be taken off."""
        if self.raw:
            return self
        centre = oscillator.equilibrium(p, self.level - oscillator.reading_at_zero(p) / oscillator.gain)
        amplitude = self.distances
        raised, delayed = smoothing_bias(oscillator, p, centre, amplitude, self.points.sign > 0, self.half_window)
        # a model that is far off at the start may not oscillate at all: then nothing is taken off
        usable = np.isfinite(raised) & np.isfinite(delayed) & (np.abs(raised) < 0.1 * amplitude)
        return replace(self, raised=np.where(usable, raised, 0.0), delayed=np.where(usable, delayed, 0.0))

    @property
    def level(self) -> float:
        """The rest position, offset included, from the last turning points; weighted so that an even decay cancels."""
        last = self.points.value[-4:]
        return float(np.array([1, 3, 3, 1]) @ last / 8) if len(last) == 4 else float(np.mean(last))

    @property
    def last_amplitude(self) -> float:
        """Distance of the last peak from the rest position: half the lifespan and half of what half a cycle costs."""
        return float(self.lengths[-1] / 2 + max(self.lengths[-2] - self.lengths[-1], 0.0) / 8)

    @property
    def distances(self) -> np.ndarray:
        """Of the turning points from the rest position; the two sides of a lopsided well differ."""
        return np.maximum(np.abs(self.points.value - self.level), 0.5 * self.points.amplitudes)

    @property
    def times(self) -> np.ndarray:
        """Times of the turning points without what smoothing changes."""
        return self.points.time - self.delayed

    @property
    def lengths(self) -> np.ndarray:
        """Lifespans without what smoothing changes and noise adds on average, unless they are raw."""
        if self.raw:
            return self.points.swings[::2]
        values = self.points.value - self.raised
        return np.abs(np.diff(values))[::2] - (self.points.excess[:-1] + self.points.excess[1:])[::2]

    @property
    def length_deviation(self) -> np.ndarray:
        deviation: np.ndarray = np.hypot(self.points.deviation[:-1], self.points.deviation[1:])[::2]
        return deviation

    @property
    def frequency(self) -> float:
        """Angular frequency: slope of the turning points' times, each weighted by how well it is known."""
        weight = 1.0 if self.raw else 1 / self.points.time_deviation
        count = np.arange(len(self.points.time))
        return float(np.pi / np.polyfit(count, self.points.time, 1, w=np.broadcast_to(weight, count.shape))[0])


def decline_of(time: np.ndarray, values: np.ndarray, gain: float, window: float) -> Decline:
    """Lifespans of a record: smoothed, valleys paired by persistence, cut off at the noise, those at an edge left out.

    Arguments:
        gain: measured value per unit of position; a negative one turns the record over.
        window: smoothing in periods; 0 = none.
    """
    values = values / gain
    series = uniform_series(time, values)
    period = turning_points(time, values, series=series).period
    local = smoother(series, period, window)
    smooth = local.smooth(series.values)
    deviation = series.sigma * float(np.sqrt(local.weights @ local.weights))
    cutoff = (PROMINENCE if local.half else RAW_PROMINENCE) * deviation
    found = sublevel_lifespans(smooth, cutoff)
    edge = len(smooth) - 1
    inner = (found.valley > 0) & (found.valley < edge) & (found.peak > 0) & (found.peak < edge)
    # each from a peak to the valley after it, and the next peak after that: else a drive or noise has the last word
    order = inner & (found.peak < found.valley)
    order[1:] &= found.peak[1:] > found.valley[:-1]
    begin = int(np.argmax(order)) if order.any() else len(order)
    end = begin + int(np.argmin(np.append(order[begin:], False)))
    chosen = np.arange(begin, min(end, begin + LONGEST_CHAIN))
    indices = np.stack([found.peak[chosen], found.valley[chosen]], axis=1).ravel() + local.half
    points = refined(series, indices, period, window, calibrated=False)
    if len(points.time) % 2 or (len(points.sign) and points.sign[0] < 0):
        indices = indices[2:] if len(points.sign) and points.sign[0] < 0 else indices[:-2]
        points = refined(series, indices, period, window, calibrated=False)
    used = np.zeros(len(order), bool)
    used[chosen] = True
    at = series.time[local.half : len(series.time) - local.half]
    return Decline(
        points,
        smooth[found.valley],
        smooth[found.peak],
        at[found.valley],
        at[found.peak],
        used,
        cutoff,
        points.samples * series.spacing / 2 if window > 0 else np.zeros(len(points.time)),
        np.zeros(len(points.time)),
        np.zeros(len(points.time)),
    )


@dataclass(frozen=True)
class LifespanFit:
    """Estimate and standard deviations of all free parameters but offsets; modelled chains; what is left over."""

    p: np.ndarray
    deviation: np.ndarray
    amplitudes: tuple[np.ndarray, ...]
    centre: float
    misfit: float  # rms of the residuals in units of their expected deviations
    converged: bool
    stopped: bool


class LifespanProblem:
    """Weighted residuals of all lifespans (and times) and their derivatives towards the unknowns.

    Unknowns: the parameters in `names`, then for each record the first distance, then what is fitted of the first time
    and of the offset that raw lifespans carry.
    """

    def __init__(self, oscillator: Oscillator, declines: Sequence[Decline], p: np.ndarray) -> None:
        self.oscillator, self.declines = oscillator, declines
        free = oscillator.problem.free
        self.moving = np.array([name not in oscillator.offsets for name in free])
        self.full = p.copy()
        self.timed = bool(oscillator.stiffnesses)
        self.near = (
            float(np.mean([decline.level for decline in declines])) - oscillator.reading_at_zero(p) / oscillator.gain
        )
        bounds = [oscillator.problem.bounds[name] for name in free]
        low = [b[0] for b, moves in zip(bounds, self.moving, strict=True) if moves]
        high = [b[1] for b, moves in zip(bounds, self.moving, strict=True) if moves]
        start = list(p[self.moving])
        for decline in declines:
            start.append(float(decline.distances[0]))
            low.append(0.2 * start[-1])
            high.append(5 * start[-1])
            if self.timed:
                start.append(float(decline.times[0]))
                low.append(-np.inf)
                high.append(np.inf)
            if decline.raw:
                start.append(0.0)
                low.append(-np.inf)
                high.append(np.inf)
        self.start, self.low, self.high = np.array(start), np.array(low), np.array(high)
        self._steps = self._difference_steps()
        self._last: tuple[bytes, np.ndarray, np.ndarray] | None = None

    def _difference_steps(self) -> np.ndarray:
        """A small part of each unknown, or of what would matter where it is zero."""
        amplitude = float(np.max([decline.lengths[0] for decline in self.declines])) / 2
        frequency = self.declines[0].frequency
        steps = []
        free = np.flatnonzero(self.moving)
        for index in free:
            moved = self.full.copy()
            moved[index] += 1e-6 * max(abs(moved[index]), 1.0)
            point = [self.near + 0.7 * amplitude, 0.7 * amplitude * frequency]
            program = self.oscillator.moving[1]
            change = float(program(np, [*point, *moved])[0]) - float(program(np, [*point, *self.full])[0])
            slope = abs(change) / (moved[index] - self.full[index])
            steps.append(
                RELATIVE_STEP * max(abs(self.full[index]), 0.03 * frequency**2 * amplitude / max(slope, 1e-300))
            )
        for _ in range(len(self.start) - len(free)):
            steps.append(RELATIVE_STEP * amplitude)
        return np.array(steps)

    def both(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Residuals and Jacobian at q."""
        key = q.tobytes()
        if self._last is not None and self._last[0] == key:
            return self._last[1], self._last[2]
        sets = np.concatenate([q[None], q + np.diag(self._steps), q - np.diag(self._steps)])
        rows = self._rows(sets)[0]
        count = len(q)
        slopes = (rows[:, 1 : count + 1] - rows[:, count + 1 :]) / (2 * self._steps)
        self._last = key, rows[:, 0], slopes
        return rows[:, 0], slopes

    def amplitudes(self, q: np.ndarray) -> tuple[list[np.ndarray], float]:
        """Distances of all turning points from the rest position, and that position."""
        chains = self._rows(q[None])[1]
        return [chain[:, 0] for chain in chains], self._centre(q)

    def _centre(self, q: np.ndarray) -> float:
        full = self.full.copy()
        full[self.moving] = q[: int(self.moving.sum())]
        return self.oscillator.equilibrium(full, self.near)

    def _rows(self, sets: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
        count = int(self.moving.sum())
        p = np.repeat(self.full[None], len(sets), axis=0)
        p[:, self.moving] = sets[:, :count]
        centre = self._centre(sets[0])
        low = min(decline.last_amplitude for decline in self.declines)
        high = [max(float(decline.distances[side::2].max()) for decline in self.declines) for side in (0, 1)]
        maps = HalfCycles.of(self.oscillator, p, centre, low, (max(high[0], 1.2 * low), max(high[1], 1.2 * low)))
        rows, chains, at = [], [], count
        for decline in self.declines:
            amplitude, elapsed = maps.chain(sets[:, at], True, len(decline.points.time))
            at += 1
            chains.append(amplitude)
            modelled = (amplitude[:-1] + amplitude[1:])[::2]
            if self.timed:
                times = sets[:, at] + elapsed
                rows.append((decline.times[:, None] - times) / _positive(decline.points.time_deviation)[:, None])
                at += 1
            if decline.raw:
                modelled = modelled + sets[:, at]
                at += 1
            rows.append((decline.lengths[:, None] - modelled) / decline.length_deviation[:, None])
        return np.concatenate(rows), chains

    def solve(self, progress: Progress) -> LifespanFit:
        """Bounded least squares from the start."""
        from scipy.optimize import least_squares

        best: list[tuple[float, np.ndarray]] = []
        stopped = False

        def residual(q: np.ndarray) -> np.ndarray:
            nonlocal stopped
            rows = self.both(q)[0]
            if not best or rows @ rows < best[0][0]:
                best[:] = [(float(rows @ rows), q.copy())]
            share = 0.3 + 0.5 * (1 - 1 / (1 + len(history)))
            history.append(0)
            if progress(share, f"lifespans left unexplained: {np.sqrt(np.mean(rows**2)):.3g} deviations") is False:
                stopped = True
                raise StopIteration
            return rows

        history: list[int] = []
        start = np.clip(self.start, self.low, self.high)
        converged = True
        try:
            found = least_squares(
                residual, start, jac=lambda q: self.both(q)[1], bounds=(self.low, self.high), x_scale="jac",
                ftol=1e-12, xtol=1e-12, gtol=1e-12, max_nfev=100,
            )  # fmt: skip
            q, converged = found.x, bool(found.status > 0)
        except StopIteration:
            q = best[0][1]
        rows, slopes = self.both(q)
        spare = max(len(rows) - len(q), 1)
        misfit = float(np.sqrt(rows @ rows / spare))
        scale = np.maximum(np.sqrt(np.einsum("ij,ij->j", slopes, slopes)), 1e-300)
        inverse = np.linalg.pinv((slopes / scale).T @ (slopes / scale), rcond=1e-14, hermitian=True)
        deviation = np.sqrt(np.maximum(np.diag(inverse), 0.0)) / scale * max(1.0, misfit)
        chains, centre = self.amplitudes(q)
        count = int(self.moving.sum())
        return LifespanFit(
            q[:count], deviation[:count], tuple(chains), centre, misfit, converged and not stopped, stopped
        )


def _positive(deviation: np.ndarray) -> np.ndarray:
    """Raw turning points have no known deviation in time; all then count the same."""
    return np.where(np.isfinite(deviation) & (deviation > 0), deviation, 1.0)
