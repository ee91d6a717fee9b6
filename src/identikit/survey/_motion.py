"""What kind of motion a record shows: rest, decay, growth, a steady or driven motion, a transient."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from identikit.measurement import SpectralLine
from identikit.oscillation import free_decay_objections
from identikit.result import Motion, MotionKind
from identikit.survey._settings import SURVEY

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Moving:
    """A measured column as far as its motion goes.

    Arguments:
        values: without outliers, NaN where there is none.
        sigma: of its noise; correlated: samples over which the noise is correlated, 0 for white noise.
        lines: its frequencies; clipped: whether a limit of the sensor cuts it off.
    """

    values: Floats
    sigma: float
    lines: tuple[SpectralLine, ...]
    correlated: float = 0.0
    clipped: bool = False

    @property
    def moves(self) -> bool:
        """Whether it shows more than its noise."""
        spread = float(np.nanstd(self.values))
        return spread > SURVEY.resting * self.sigma or (bool(self.lines) and self.lines[0].amplitude > self.sigma / 2)


def motion_of(time: Floats, columns: Sequence[Moving], commanded: int | None = None) -> Motion:
    """The kind of motion that the columns of one record show together.

    Its size is followed in windows of two periods. A motion whose size falls throughout is a free decay (of one
    oscillation, where the check of `identikit.damping` has no objection); one that keeps its size and its rhythm is
    steady; one that ends in a decay after something else was driven first; without three oscillations it is a
    transient if it comes to rest. What remains is driven, by an input or by itself.

    Arguments:
        time: increasing times; columns: the measured ones.
        commanded: how often a command in the record changes; None without one.
    """
    moving = [column for column in columns if column.moves]
    if len(time) < SURVEY.fewest_samples or not columns:
        return Motion(MotionKind.UNCLEAR)
    if not moving:
        return Motion(MotionKind.REST, rest_from=float(time[0]))
    moving.sort(key=lambda column: -float(np.nanstd(column.values)) / max(column.sigma, 1e-300))
    period = next((1 / column.lines[0].frequency for column in moving if column.lines), None)
    if (
        period is not None and commanded is None
    ):  # what drifts beside an oscillation, as a temperature does, does not decide its kind
        moving = [column for column in moving if column.lines or not _drifts(time, column, period)]
    follower = _Follower(time, moving, period)
    if commanded is not None:
        return follower.commanded(commanded)
    if period is None:
        return follower.without_period()
    return follower.with_period(period)


class _Follower:
    """The size of a motion over time, and what follows from it."""

    def __init__(self, time: Floats, moving: list[Moving], period: float | None) -> None:
        self.time, self.moving = time, moving
        duration = float(time[-1] - time[0])
        width = duration / SURVEY.windows_per_record
        if period is not None:
            width = max(width, min(SURVEY.periods_per_window * period, max(duration / SURVEY.fewest_windows, period)))
        self.count = int(duration / width)
        self.size = self._sizes(self.count)
        self.starts = time[0] + duration * np.arange(self.count) / self.count

    def _sizes(self, count: int) -> Floats:
        """Standard deviation within each window beyond the noise, all columns together, each in its own size."""
        edges = np.linspace(self.time[0], self.time[-1], count + 1)
        places = np.searchsorted(self.time, edges[1:-1])
        total = np.zeros(count)
        for column in self.moving:
            whole = float(np.nanvar(column.values))
            for k, part in enumerate(np.split(column.values, places)):
                total[k] += _beyond(part, column.sigma) ** 2 / whole
        return np.sqrt(total / len(self.moving))

    @property
    def rest_from(self) -> float | None:
        """Begin of the last stretch in which no column moves beyond its noise."""
        quiet = np.ones(self.count, bool)
        edges = np.linspace(self.time[0], self.time[-1], self.count + 1)
        places = np.searchsorted(self.time, edges[1:-1])
        for column in self.moving:
            reach = float(np.nanmax(column.values) - np.nanmin(column.values))
            least = max(SURVEY.still * column.sigma, SURVEY.still_share * reach)
            parts = [part[np.isfinite(part)] for part in np.split(column.values, places)]
            end = float(np.mean(parts[-1])) if len(parts[-1]) else np.nan
            for k, part in enumerate(parts):
                away = abs(float(np.mean(part)) - end) if len(part) else 0.0
                quiet[k] &= _beyond(part, column.sigma) < least and away < 2 * least
        if not quiet[-1] or quiet.all():
            return None
        return float(self.starts[int(np.flatnonzero(~quiet)[-1]) + 1])

    def commanded(self, changes: int) -> Motion:
        """A command changes: a step response if it settles, driven else."""
        settles = self.rest_from is not None and changes <= SURVEY.few_changes
        return Motion(MotionKind.TRANSIENT if settles else MotionKind.DRIVEN, rest_from=self.rest_from)

    def without_period(self) -> Motion:
        """Fewer than three oscillations."""
        x, sigma = self.moving[0].values, self.moving[0].sigma
        known = x[np.isfinite(x)]
        quarter = max(len(known) // 4, 3)
        first, last = known[:quarter], known[-quarter:]
        reach = float(np.ptp(known))
        began, stirs = _beyond(first, sigma), _beyond(last, sigma)
        if reach > SURVEY.clear * sigma and stirs < SURVEY.settled * reach and len(known) >= 2 * SURVEY.fewest_samples:
            return Motion(MotionKind.TRANSIENT, rest_from=self.rest_from)
        if stirs > 3 * began and stirs > SURVEY.clear * sigma and bool(np.all(np.diff(self._sizes(4)) > 0)):
            return Motion(MotionKind.GROWING)
        return Motion(MotionKind.UNCLEAR)

    def with_period(self, period: float) -> Motion:
        """Three oscillations or more."""
        rest = self.rest_from
        cycles = float((self.time[-1] if rest is None else rest) - self.time[0]) / period
        single = self._is_decay(self.time[0], period)
        if single:
            return Motion(MotionKind.FREE_DECAY, True, cycles, period, rest_from=rest)
        first = self._decays_from()
        if first is not None:
            found = self._free_part(first, period, cycles)
            if found is not None:
                return found
        if self._falls_roughly():
            if rest is not None and rest - self.time[0] < (SURVEY.fewest_free_cycles + 1) * period:
                return Motion(MotionKind.TRANSIENT, True, cycles, period, rest_from=rest)
            return Motion(MotionKind.FREE_DECAY, False, cycles, period, rest_from=rest)
        if self._grows():
            return Motion(MotionKind.GROWING, True, cycles, period)
        half = self.size[self.count // 2 :]
        steady = float(np.std(half)) < SURVEY.steady * float(np.mean(half))
        like = np.abs(self.size - np.mean(half)) < 2 * SURVEY.steady * np.mean(half)
        if steady and self._regular() and (np.mean(like) >= SURVEY.mostly or self.size[0] < np.mean(half)):
            return Motion(MotionKind.STEADY, True, cycles, period)
        return Motion(MotionKind.DRIVEN, False, cycles, period, rest_from=rest)

    def _part(self, begin: float, period: float) -> tuple[Floats, Floats]:
        """Times and values of the clearest column from `begin` on, as dense as an oscillation needs."""
        inside = self.time >= begin
        t, x = self.time[inside], self.moving[0].values[inside]
        spacing = float(np.median(np.diff(self.time)))
        dense = period / spacing / SURVEY.samples_per_period
        # so far apart that the noise is hardly correlated, if the motion allows it
        apart = min(2 * self.moving[0].correlated, 2 * dense)
        every = max(1, int(max(min(dense, len(t) / SURVEY.most_samples), apart)))
        return t[::every], x[::every]

    def _is_decay(self, begin: float, period: float) -> bool:
        t, x = self._part(begin, period)
        return len(t) >= SURVEY.fewest_samples and not free_decay_objections(t, x)

    def _decays_from(self) -> int | None:
        """The first window from which the size falls to the end; None if it does not."""
        top = self.size.max()
        first = self.count - 1
        while first > 0 and self.size[first] <= SURVEY.wobble * self.size[first - 1] + 0.01 * top:
            first -= 1
        falls = self.size[-1] < SURVEY.falls * self.size[first]
        return first if falls and self.count - first >= 3 else None

    def _free_part(self, first: int, period: float, cycles: float) -> Motion | None:
        """A decay that begins later: released from rest, or driven before."""
        quiet = bool(np.all(self.size[: max(first - 1, 0)] < SURVEY.quiet * self.size.max()))
        decays = [window for window in range(first, min(first + 4, self.count - 1)) if self._is_free(window, period)]
        if not decays:
            return None
        if first <= 1 or quiet:
            named = first > 1 or self.moving[0].clipped
            begin = float(self.starts[decays[0]]) if named else None
            return Motion(MotionKind.FREE_DECAY, True, cycles, period, begin, self.rest_from)
        # the drive may have ended within the first of these windows
        begin = float(self.starts[decays[min(1, len(decays) - 1)]])
        return Motion(MotionKind.DRIVEN_THEN_FREE, True, cycles, period, begin, self.rest_from)

    def _is_free(self, window: int, period: float) -> bool:
        begin = float(self.starts[window])
        long = float(self.time[-1] - begin) / period >= SURVEY.fewest_free_cycles
        return long and self._is_decay(begin, period)

    def _falls_roughly(self) -> bool:
        """Whether a motion of several oscillations dies away."""
        sizes = self._sizes(min(SURVEY.rough_windows, self.count))
        least = SURVEY.still_share * float(sizes.max())
        even = all(after <= SURVEY.rough_wobble * before + least for before, after in itertools.pairwise(sizes))
        return even and float(sizes[-2:].mean()) < SURVEY.falls_roughly * float(sizes[:2].mean())

    def _grows(self) -> bool:
        sizes = self._sizes(min(SURVEY.fewest_windows, self.count))
        even = all(after > before / SURVEY.wobble for before, after in itertools.pairwise(sizes))
        return even and sizes[-1] > SURVEY.grown * sizes[0] and sizes[-1] > SURVEY.wobble * sizes[-2]

    def _regular(self) -> bool:
        """Whether it oscillates in one rhythm in the second half, or all along if there are few oscillations."""
        column = self.moving[0]
        if not column.lines:
            return False
        period = 1 / column.lines[0].frequency
        few = float(self.time[-1] - self.time[0]) < SURVEY.few_cycles * period
        t, x = self._part(float(self.time[0 if few else len(self.time) // 2]), period)
        apart = np.diff(_rises(t, x))
        return len(apart) >= 2 and float(np.std(apart)) < SURVEY.regular * float(np.mean(apart))


def _rises(time: Floats, values: Floats) -> Floats:
    """Times at which a series has risen from its lower to its upper quarter: once per oscillation of any shape."""
    known = np.isfinite(values)
    t, x = time[known], values[known]
    low, high = np.quantile(x, 0.02), np.quantile(x, 0.98)
    side = np.where(x > high - (high - low) / 4, 1, np.where(x < low + (high - low) / 4, -1, 0))
    reached = np.flatnonzero(side)
    return np.asarray(t[reached[1:][np.diff(side[reached]) == 2]])


def _drifts(time: Floats, column: Moving, period: float) -> bool:
    """Whether a column is a straight line but for its noise, in every window of a few periods of the oscillation."""
    count = max(int((time[-1] - time[0]) / (SURVEY.periods_per_window * period)), 1)
    places = np.searchsorted(time, np.linspace(time[0], time[-1], count + 1)[1:-1])
    left, freedom = 0.0, 0
    for t, x in zip(np.split(time, places), np.split(column.values, places), strict=True):
        known = np.isfinite(x)
        if known.sum() > 2:
            line = np.vander(t[known] - t[known].mean(), 2)
            rest = x[known] - line @ np.linalg.lstsq(line, x[known], rcond=None)[0]
            left, freedom = left + float(rest @ rest), freedom + int(known.sum()) - 2
    return freedom > 0 and left <= freedom * (SURVEY.resting * column.sigma) ** 2


def _beyond(values: Floats, sigma: float) -> float:
    """Standard deviation of what is known of the values, beyond noise sigma."""
    known = values[np.isfinite(values)]
    return float(np.sqrt(max(float(np.var(known)) - sigma**2, 0.0))) if len(known) > 2 else 0.0
