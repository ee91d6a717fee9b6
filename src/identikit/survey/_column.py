"""What one column of a record holds."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from identikit.errors import DataError
from identikit.measurement import (
    Channel,
    Clock,
    NoiseEstimate,
    Outliers,
    SpectralLine,
    Spectrum,
    clipping,
    noise_level,
    outliers,
    quantisation,
    spectrum_of,
    steps_of,
    wrapped_angle,
)
from identikit.result import ColumnLook, ColumnRole, NoiseSeen
from identikit.survey._settings import SURVEY

Floats = NDArray[np.float64]

_RUN_NAME = re.compile(r"^(segment|seg|run|trial|experiment|block|part)(s|_?id|_?no|_?number|_?\d+)?$")


@dataclass(frozen=True, eq=False)
class Surveyed:
    """A column with what was computed on the way and serves further.

    Arguments:
        look: what is said of it.
        values: without outliers, NaN there, and unwrapped.
        noise, spectrum, wild: None where it is no measurement.
    """

    look: ColumnLook
    values: Floats
    noise: NoiseEstimate | None = None
    spectrum: Spectrum | None = None
    wild: Outliers | None = None


def survey_column(name: str, channel: Channel, time: Floats, clock: Clock) -> Surveyed:
    """Look at one column of numbers."""
    values = channel.values
    known = np.isfinite(values)
    present = values[known]
    look = ColumnLook(
        name,
        channel.unit,
        ColumnRole.MEASURED,
        len(present),
        int((~known).sum()),
        float(present.min()) if len(present) else np.nan,
        float(present.max()) if len(present) else np.nan,
    )
    if len(present) == 0:
        return Surveyed(replace(look, role=ColumnRole.EMPTY), values)
    if not known[0]:
        look = replace(look, first_known=float(time[known.argmax()]))
    if present.min() == present.max():
        return Surveyed(replace(look, role=ColumnRole.CONSTANT), values)
    steps = steps_of(values)
    if steps is not None and not steps.slow:
        role = ColumnRole.RUNS if steps.marks or _RUN_NAME.match(name.lower()) else ColumnRole.COMMAND
        look = replace(look, role=role, changes=steps.changes, levels=steps.levels, hold=steps.hold)
        return Surveyed(replace(look, contiguous=_contiguous(time, values, clock)), values)
    return _measured(replace(look, hold=steps.hold if steps else 1), time, values, clock)


def _contiguous(time: Floats, values: Floats, clock: Clock) -> bool:
    """Whether time goes on as usual where the values change."""
    at = np.flatnonzero(np.diff(values) != 0.0)
    return bool(np.all(np.diff(time)[at] < 1.5 * clock.spacing))


def _measured(look: ColumnLook, time: Floats, values: Floats, clock: Clock) -> Surveyed:
    angle = wrapped_angle(values, look.unit)
    clean = values if angle is None else angle.unwrapped(values)
    if look.hold > 1:  # a slower sensor: only its new values are samples
        new = np.concatenate([[True], np.diff(values) != 0.0])
        clean = np.where(new, clean, np.nan)
    grid = quantisation(values)
    step = grid.step if grid is not None else 0.0
    wild = outliers(time, clean, step)
    clean = _without(clean, wild.index)
    known = np.isfinite(clean)
    # the pauses of a slow sensor are no missing samples
    noise = _noise(time[known], clean[known]) if look.hold > 1 else _noise(time, clean)
    sigma = 0.0 if noise is None else noise.sigma
    spectrum = spectrum_of(time[known], clean[known], sigma, 0.0 if noise is None else noise.coefficient)
    look = replace(
        look,
        noise=None if noise is None else _seen(noise, step, clock.spacing * look.hold),
        step=step if grid is not None and step > SURVEY.resolution_seen * sigma > 0 else None,
        outliers=len(wild),
        outlier_times=tuple(float(t) for t in time[wild.index][: SURVEY.most_named]),
        lines=_lines(spectrum, time[known], clean[known], step) if len(time) >= SURVEY.fewest_for_noise else (),
        clipped=clipping(values, step),
        wraps=0 if angle is None else len(angle.index),
    )
    return Surveyed(look, clean, noise, spectrum, wild)


def _lines(spectrum: Spectrum, time: Floats, values: Floats, step: float) -> tuple[SpectralLine, ...]:
    """The frequencies of a column, without those of the staircase that a resolution makes of a slow drift."""
    return tuple(line for line in spectrum.lines if not _of_rounding(line, time, values, step))


def _of_rounding(line: SpectralLine, time: Floats, values: Floats, step: float) -> bool:
    """Whether a line is smaller than rounding can make it, and the values stay within a step of their mean over its
    period. (That of a decay is as small where the record goes on long after it.)"""
    if line.amplitude >= SURVEY.staircase * step:
        return False
    width = max(int(1 / line.frequency / float(np.median(np.diff(time)))) | 1, 3)  # odd, so that it has a middle
    if width >= len(values):
        return False
    mean = np.convolve(values - values[0], np.full(width, 1 / width), "valid")
    middle = values[width // 2 : width // 2 + len(mean)] - values[0]
    return bool(np.max(np.abs(middle - mean)) <= step)


def _without(values: Floats, wild: NDArray[np.intp]) -> Floats:
    """The values without outliers: few are bridged, so that the samples stay complete; of many there is nothing."""
    clean = values.copy()
    clean[wild] = np.nan
    if 0 < len(wild) <= SURVEY.bridged * len(values):
        known = np.flatnonzero(np.isfinite(clean))
        clean[wild] = np.interp(wild, known, clean[known])
    return clean


def _noise(time: Floats, values: Floats) -> NoiseEstimate | None:
    known = np.isfinite(values)
    if known.sum() < SURVEY.fewest_for_noise or np.ptp(values[known]) == 0.0:
        return None
    try:
        return noise_level(time, values)
    except DataError:
        return None  # too few values in a row


def _seen(noise: NoiseEstimate, step: float, spacing: float) -> NoiseSeen:
    """The noise with what the resolution makes of it: rounding errors of a step coarser than the noise look coloured,
    since neighbours are rounded alike, and a curve follows them in part."""
    rounding = step / float(np.sqrt(12.0))
    by_resolution = rounding > 0.7 * noise.sigma
    coefficient = noise.coefficient if abs(noise.coefficient) > SURVEY.coloured else 0.0
    correlated = float(np.nanmax(np.abs(noise.autocorrelation), initial=0.0))
    white = noise.white or (coefficient == 0.0 and correlated < SURVEY.correlated)
    return NoiseSeen(
        max(noise.sigma, rounding),
        None if by_resolution else white,
        0.0 if by_resolution else coefficient,
        0.0 if by_resolution or white else noise.correlation_time * spacing,
        noise.relative_std,
        by_resolution,
    )
