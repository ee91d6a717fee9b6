"""Is a record the free decay of one oscillation? Objections in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from identikit.errors import DataError
from identikit.numerics import nonnegative_least_squares
from identikit.oscillation._settings import OSCILLATION
from identikit.oscillation._turning_points import (
    Floats,
    LocalPolynomial,
    TurningPoints,
    UniformSeries,
    dominant_period,
    turning_points,
    uniform_series,
)

_PHASES = np.linspace(0.0, 1.0, 17)[:-1]


def free_decay_objections(time: Floats, values: Floats) -> list[str]:
    """Why a record is not the free decay of one oscillation, one sentence each; empty if it may be one.

    Looks for: too few samples, a sensor at its limit, fewer than three oscillations, growth, a steady amplitude (from
    the start, or settled on after a while: something drives), and a second oscillation (waves in the decay,
    neighbouring oscillations unlike each other).

    Arguments:
        time: increasing times; values: the record, NaN where nothing was measured.

    It cannot see a second oscillation below about 2 % of the first, nor one whose frequency is close to a multiple
    of the first one's.
    """
    time, values = np.asarray(time, float), np.asarray(values, float)
    known = np.isfinite(values)
    if known.sum() < OSCILLATION.fewest_samples:
        return [
            f"{int(known.sum())} samples are too few to see a decay: at least {OSCILLATION.fewest_samples} are needed, "
            "better 20 per oscillation"
        ]
    try:
        stretches = _stretches(time[known], values[known])
    except DataError as error:
        return [str(error)]
    for series, points in stretches:
        clipped = _clipped(series.measured_values, series, points)
        if clipped:
            return clipped
    cycles = sum(points.cycles for _, points in stretches)
    if cycles < OSCILLATION.fewest_cycles:
        return [
            f"the record shows {cycles:g} oscillations above the noise: "
            f"a decay needs at least {OSCILLATION.fewest_cycles}; measure longer, or start with a larger swing"
        ]
    found = _steady_or_growing([points for _, points in stretches])
    for series, points in stretches:
        found = found or (_second_oscillation(series, points) if points.cycles >= OSCILLATION.fewest_cycles else [])
    return found


def end_of_motion(time: Floats, values: Floats) -> float:
    """When a decay is over: one period after the last turning point that stands clear of the noise, slow noise too.

    The end of the record where the motion lasts that long, where there is no decay to speak of, or where the noise is
    no stronger at the oscillation's frequency than from sample to sample: a smoothed curve shows such a rest by itself.
    """
    known = np.isfinite(values)
    time, values = time[known], values[known]
    stretches = [(series, points) for series, points in _stretches(time, values) if len(points.time) > 2]
    if not stretches or stretches[0][0].sigma < OSCILLATION.slow * uniform_series(time, values).sigma:
        return float(time[-1])
    last = stretches[-1][1]
    return min(float(last.time[-1] + last.period), float(time[-1]))


def _stretches(time: Floats, values: Floats) -> list[tuple[UniformSeries, TurningPoints]]:
    """What lies between the gaps of a record, each with its turning points: a swing that nobody saw is not judged.

    The noise is that of one oscillation and slower, where it is more than what neighbouring samples show.
    """
    steps = np.diff(time)
    # the curve through a gap may swing far out: the period is that of the longest part without one
    rows = np.split(np.arange(len(time)), np.flatnonzero(steps > OSCILLATION.hole * np.median(steps)) + 1)
    longest = max(rows, key=len)
    whole = uniform_series(time[longest], values[longest])
    period = dominant_period(whole)
    sigma = max(whole.sigma, slow_noise(whole, period))
    edges = np.flatnonzero(steps > OSCILLATION.pause * period) + 1
    made = []
    for own in np.split(np.arange(len(time)), edges):
        if len(own) >= OSCILLATION.fewest_samples:
            series = replace(uniform_series(time[own], values[own]), sigma=sigma)
            made.append((series, turning_points(time[own], values[own], series=series)))
    return made


def slow_noise(series: UniformSeries, period: float) -> float:
    """Standard deviation of white noise as strong as that of the record between its oscillation and the harmonic.

    Lower quartile of the spectrum of the last half, where swings are small and of one frequency, on both sides of the
    frequency: what decays there smoothly leaves nothing under the window, and a second oscillation is one line of many.
    Zero where the record is too short to tell.
    """
    tail = series.values[len(series.values) // 2 :]
    window = np.hanning(len(tail))
    power = np.abs(np.fft.rfft((tail - np.mean(tail)) * window)) ** 2 / float(window @ window)
    frequency = np.fft.rfftfreq(len(tail), series.spacing) * period
    about = power[np.abs(np.abs(frequency - 1) - OSCILLATION.beside) < OSCILLATION.beside_width]
    if len(about) < OSCILLATION.fewest_lines:
        return 0.0
    return float(np.sqrt(np.quantile(about, 0.25) / np.log(4 / 3)))  # a spectrum is exponentially distributed


def _clipped(values: Floats, series: UniformSeries, points: TurningPoints) -> list[str]:
    ordered = np.unique(values)
    steps = np.diff(ordered)
    # a sensor of coarse resolution repeats its values on every top; it is cut off only where the top is wider than that
    resolution = float(np.min(steps)) if len(ordered) < len(values) / 4 and len(steps) else 0.0
    for sign, word in ((1, "highest"), (-1, "lowest")):
        level = float(np.max(sign * values))
        held = np.flatnonzero(np.diff(np.concatenate([[0], (sign * values >= level).astype(int), [0]])))
        runs = held[1::2] - held[::2]
        long = runs[runs >= 3]
        if len(long) >= 2:
            share = float(np.max(long)) * series.spacing / (points.period / 2) if points.period > 0 else 1.0
            above = np.ptp(values) / 2 * (1 - np.cos(np.pi / 2 * min(share, 1.0)))
            if above > 2 * resolution:
                return [_CLIPPED.format(word=word, level=sign * level)]
        if _flat_tops(series, points, sign):
            return [_CLIPPED.format(word=word, level=float(sign * np.max(sign * points.value)))]
    return []


_CLIPPED = (
    "the record stays at its {word} value {level:.4g} on top of several swings: the sensor is at its limit and cuts "
    "the swings off; drop the part that is cut off, or measure again with a wider range"
)


def _flat_tops(series: UniformSeries, points: TurningPoints, sign: int) -> bool:
    """Several tops of one height that last longer than those of a cosine."""
    tops = np.flatnonzero(points.sign == sign)
    if len(tops) < 2 or not points.period > 0:
        return False
    heights = sign * points.value[tops]
    near = heights.max() - heights < 4 * points.value_std + OSCILLATION.same_level * np.ptp(points.value)
    if near.sum() < 2:
        return False
    smooth, std = _lightly_smoothed(series, int(np.median(points.samples)) // 8)
    shares = []
    for top in tops[near]:
        about = np.abs(series.time - points.time[top]) < points.period / 4
        swing = float(np.max(points.swings[max(top - 1, 0) : top + 1]))
        depth = max(3 * std, 0.02 * swing)
        share = float(np.mean(sign * smooth[about] > sign * points.value[top] - depth))
        shares.append(share / (2 * np.arccos(np.clip(1 - 2 * depth / swing, -1, 1)) / np.pi))
    return max(shares) > OSCILLATION.flat


def _lightly_smoothed(series: UniformSeries, samples: int) -> tuple[Floats, float]:
    """The series smoothed by parabolas over so many samples, and its standard error."""
    light = LocalPolynomial(samples, 2)
    return np.pad(light.smooth(series.values), light.half, mode="edge"), light.std(series.sigma)


def _steady_or_growing(stretches: Sequence[TurningPoints]) -> list[str]:
    swings = np.concatenate([points.swings for points in stretches])
    begun = np.concatenate([points.time[:-1] for points in stretches])
    std = np.sqrt(2) * max(points.value_std for points in stretches)
    third = max(len(swings) // 3, 1)
    first, last = float(np.mean(swings[:third])), float(np.mean(swings[-third:]))
    error = std / np.sqrt(third)
    rise = float(np.max(swings - np.minimum.accumulate(swings)))
    if rise > max(np.sqrt(2) * OSCILLATION.sure * std, OSCILLATION.rise * float(swings.max())):
        if last > 1.05 * first:
            return [
                f"the amplitude grows, from {first / 2:.3g} to {last / 2:.3g}: this is not a decay; "
                "something feeds the oscillation"
            ]
        at = begun[int(np.argmax(swings - np.minimum.accumulate(swings)))]
        return [
            f"the amplitude rises again (about t = {at:.4g}): a drive acts, or two oscillations beat, or "
            "the record begins before the release; cut the record to one free decay"
        ]
    if first - last < max(4 * np.sqrt(2) * error, 0.002 * first):
        return [
            f"the amplitude stays at {first / 2:.3g}: the oscillation is steady, so something drives it, or "
            "the record is too short to show a decay"
        ]
    half = len(swings) // 2
    if half >= 6:
        tail = swings[-half:]
        index = np.arange(half) - (half - 1) / 2
        fall = -float(index @ tail) / float(index @ index) * half
        doubt = 3 * std * half / np.sqrt(float(index @ index))
        early = float(swings[0] - swings[-half])
        if fall < OSCILLATION.settled * float(np.mean(tail)) and fall + doubt < early / 4 and np.mean(tail) > 20 * std:
            return [
                f"the amplitude settles at {np.mean(tail) / 2:.3g} instead of falling on: something drives the "
                "oscillation; record it with the drive switched off, or fit the forced model with shooting"
            ]
    return []


def _second_oscillation(series: UniformSeries, points: TurningPoints) -> list[str]:
    std = np.sqrt(2) * points.value_std
    swings = points.swings
    unlike = _unlike_neighbours(swings, std)
    halves = np.diff(points.time)
    # rising and falling halves of an asymmetric oscillation differ, so like is compared with like
    before, here, after = halves[:-4], halves[2:-2], halves[4:]
    outside = np.maximum(here - np.maximum(before, after), np.minimum(before, after) - here)
    uneven = float(np.quantile(outside / np.median(halves), 0.7)) if len(here) else 0.0
    allowed = 4 * float(np.median(points.time_std)) / float(np.median(halves))
    shape, shape_noise = _shape_changes(series, points)
    found = (
        unlike > OSCILLATION.irregular
        or uneven > max(OSCILLATION.irregular, allowed)
        or shape > max(OSCILLATION.irregular, 2 * shape_noise)
    )
    if found:
        return [
            "neighbouring oscillations are unlike each other: more than one oscillation (or a drive) is in the record; "
            "filter one of them out, or use a model of several degrees of freedom with shooting"
        ]
    waves = _waves(swings)
    if waves > max(OSCILLATION.waves * float(swings.max()), 5 * std):
        return [
            f"the amplitude falls in waves (by {100 * waves / swings.max():.0f} % off an even decay): "
            "two oscillations of nearly equal frequency beat, or a drive acts; filter one of them out, or use a model "
            "of several degrees of freedom with shooting"
        ]
    return []


def _unlike_neighbours(swings: Floats, std: float) -> float:
    """How far a swing lies outside the harmonic and arithmetic means of its neighbours, in parts of itself.

    Decays by dry friction, viscous damping and drag lie at the arithmetic, the geometric and the harmonic mean.
    """
    if len(swings) < 3:
        return 0.0
    before, here, after = swings[:-2], swings[1:-1], swings[2:]
    high, low = (before + after) / 2, 2 * before * after / (before + after)
    outside = np.maximum(np.maximum(here - high, low - here) - 4 * std, 0.0)
    return float(np.quantile(outside / here, 0.7))


def _shape_changes(series: UniformSeries, points: TurningPoints) -> tuple[float, float]:
    """Change of the waveform from cycle to cycle, each scaled to swing and duration one; and what noise makes of it."""
    smooth, std = _lightly_smoothed(series, int(np.median(points.samples)) // 4)
    starts = np.flatnonzero(points.sign == -1)
    starts = starts[starts + 2 < len(points.time)]
    if len(starts) < 3:
        return 0.0, 0.0
    shapes, noise = [], []
    for index in starts:
        t, x = points.time[index : index + 3], points.value[index : index + 3]
        at = np.concatenate([t[0] + (t[1] - t[0]) * _PHASES, t[1] + (t[2] - t[1]) * _PHASES])
        shapes.append((np.interp(at, series.time, smooth) - x[0]) / (x[1] - x[0]))
        noise.append(std / (x[1] - x[0]))
    table = np.array(shapes)
    change = (table[2:] - 2 * table[1:-1] + table[:-2]) / 2
    each = np.sqrt(np.mean(change**2, axis=1))
    # the last cycles before dry friction stops the motion change their shape quickly
    each = each[: max(len(each) - 2, 1)]
    return float(np.quantile(each, 0.5)), float(np.median(noise[1:-1])) * np.sqrt(1.5)


def _waves(swings: Floats) -> float:
    """Largest standard error from s' = -a - b s - c s^2 (a, b, c not negative), fitted in its integrated form."""
    if len(swings) < 8:
        return 0.0
    unit = float(swings.max())
    swings = swings / unit
    middle = (swings[1:] + swings[:-1]) / 2
    sums = [np.concatenate([[0.0], np.cumsum(middle**power)]) for power in range(3)]
    table = np.stack([np.ones(len(swings)), *(-part for part in sums)], axis=1)
    scale = np.abs(table).max(axis=0)
    fitted = nonnegative_least_squares(table / scale, swings, free=1) / scale
    return unit * float(np.sqrt(np.mean((swings - table @ fitted) ** 2)) * np.sqrt(2))
