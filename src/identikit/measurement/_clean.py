"""Cleaning: pure functions from a record to a record, each logged in the record's history."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from identikit.errors import DataError, OptionError, did_you_mean
from identikit.measurement._record import FEWEST_SAMPLES, Channel, Record
from identikit.numerics import finite_median, robust_std

_MOST_RESAMPLED = 10_000_000  # samples: 80 MB per column


def trim(record: Record, start: float | None = None, end: float | None = None) -> Record:
    """Keep the samples with start <= t <= end.

    Arguments:
        start: first time to keep, in the record's time unit; None = from the beginning.
        end: last time to keep; None = to the end.
    """
    low = -np.inf if start is None else float(start)
    high = np.inf if end is None else float(end)
    if not low < high:
        raise OptionError(f"trim: start must be before end; got start={start}, end={end}.")
    keep = (record.time >= low) & (record.time <= high)
    if keep.sum() < FEWEST_SAMPLES:
        raise DataError(
            f"{record.title}: only {int(keep.sum())} sample(s) lie between {low:g} and {high:g}; the record "
            f"runs from {record.time[0]:g} to {record.time[-1]:g}. Choose a wider range."
        )
    channels = {name: Channel(channel.values[keep], channel.unit) for name, channel in record.channels.items()}
    kept = record.time[keep]
    words = f"trim: kept {len(kept)} of {len(record)} samples, from {kept[0]:g} to {kept[-1]:g}"
    return record.with_step(words, time=kept, channels=channels)


def select(record: Record, channels: Sequence[str]) -> Record:
    """Keep only the named channels, in this order."""
    names = _names(record, channels)
    words = f"select: kept {', '.join(names)}"
    return record.with_step(words, channels={name: record.channels[name] for name in names})


def rename(record: Record, names: Mapping[str, str]) -> Record:
    """Rename channels: old name to new name; the others keep theirs."""
    _names(record, list(names))
    new = [names.get(name, name) for name in record.channels]
    if len(set(new)) < len(new):
        raise OptionError(f"rename: two channels would have the same name ({', '.join(new)}).")
    channels = dict(zip(new, record.channels.values(), strict=True))
    words = "rename: " + ", ".join(f"{old} is now {name}" for old, name in names.items())
    return record.with_step(words, channels=channels)


def detrend(record: Record, channels: str | Sequence[str], kind: str = "constant") -> Record:
    """Subtract from each channel its mean, or the straight line fitted by least squares.

        y_i - mean(y)   or   y_i - (a + b t_i)

    Arguments:
        channels: name or names.
        kind: "constant" or "linear".

    Do not use it on a quantity whose zero has a meaning in the model (an angle from the vertical, a
    position beside a magnet), nor on a decaying or drifting signal whose mean is not its rest position.
    """
    if kind not in ("constant", "linear"):
        raise OptionError(f"detrend: kind must be 'constant' or 'linear'; got '{kind}'.")
    changed = dict(record.channels)
    words: list[str] = []
    centred = record.time - record.time.mean()
    for name in _names(record, channels):
        channel = record.require(name, allow_constant=True)
        present = np.isfinite(channel.values)
        offset, slope = float(channel.values[present].mean()), 0.0
        if kind == "linear":
            moment = centred[present] - centred[present].mean()
            spread = float(moment @ moment)
            slope = float(moment @ channel.values[present]) / spread if spread > 0 else 0.0
            offset -= slope * float(centred[present].mean())
            words.append(f"{name} slope {slope:.6g} and middle {offset:.6g}")
        else:
            words.append(f"{name} mean {offset:.6g}")
        changed[name] = Channel(channel.values - (offset + slope * centred), channel.unit)
    return record.with_step(f"detrend ({kind}): subtracted {', '.join(words)}", channels=changed)


def resample(record: Record, spacing: float, kind: str = "linear", *, largest_gap: float = 3.0) -> Record:
    """Interpolate all channels to uniform times t_0, t_0 + spacing, ...

    Arguments:
        spacing: wanted time between samples, in the record's time unit.
        kind: "linear" or "cubic" (a cubic spline through the samples).
        largest_gap: between two values further apart than this multiple of the record's median spacing
            nothing is invented: the new values there are NaN.

    There is no filter against aliasing, and interpolated noise is neither white nor of the same level: the
    fitting methods take irregular times as they are, so resample only for methods that cannot.
    """
    if kind not in ("linear", "cubic"):
        raise OptionError(f"resample: kind must be 'linear' or 'cubic'; got '{kind}'.")
    widest = record.duration / (FEWEST_SAMPLES - 1)
    if not (np.isfinite(spacing) and 0 < spacing <= widest):
        raise OptionError(
            f"resample: spacing must be positive and at most {widest:g} (half the record's duration); got {spacing}."
        )
    if not largest_gap >= 1:
        raise OptionError(f"resample: largest_gap must be at least 1 (median spacing); got {largest_gap}.")
    # The last sample may miss the grid by rounding only.
    count = int(np.floor(record.duration / spacing * (1 + 1e-12) + 1e-9)) + 1
    if count > _MOST_RESAMPLED:
        raise OptionError(f"resample: {count} samples would result (at most {_MOST_RESAMPLED}); enlarge spacing.")
    grid = np.minimum(record.time[0] + spacing * np.arange(count), record.time[-1])
    limit = largest_gap * record.spacing * (1 + 1e-9)
    channels: dict[str, Channel] = {}
    empty = 0
    for name, channel in record.channels.items():
        values = _interpolate(record.time, channel.values, grid, kind, limit)
        empty += int(np.isnan(values).sum())
        channels[name] = Channel(values, channel.unit)
    words = (
        f"resample ({kind}): {len(record)} samples of median spacing {record.spacing:g} became {count} of "
        f"spacing {spacing:g}; {empty} values in gaps longer than {limit:g} left empty"
    )
    return record.with_step(words, time=grid, channels=channels)


def _interpolate(
    time: NDArray[np.float64],
    values: NDArray[np.float64],
    grid: NDArray[np.float64],
    kind: str,
    limit: float,
) -> NDArray[np.float64]:
    """Values on the grid within each stretch of samples no further apart than the limit; NaN elsewhere."""
    present = np.isfinite(values)
    known, at = values[present], time[present]
    result = np.full(len(grid), np.nan)
    if len(at) == 0:
        return result
    edges = [0, *(np.flatnonzero(np.diff(at) > limit) + 1).tolist(), len(at)]
    for start, end in itertools.pairwise(edges):
        inside = (grid >= at[start]) & (grid <= at[end - 1])
        if kind == "cubic" and end - start >= 4:
            from scipy.interpolate import CubicSpline

            result[inside] = CubicSpline(at[start:end], known[start:end])(grid[inside])
        else:
            result[inside] = np.interp(grid[inside], at[start:end], known[start:end])
    return result


def drop_outliers(record: Record, channels: str | Sequence[str], threshold: float = 5.0, window: int = 21) -> Record:
    """Replace single wild values by NaN (Hampel's rule).

        |r_i - m| > threshold * 1.4826 * median |r_j - m|,   m the median of r_j over the window around i

    where r is the series without the window's own slope (the median slope over half a window), so that a
    fast passage does not hide outliers.

    Arguments:
        channels: name or names.
        threshold: in robust standard deviations.
        window: number of samples, odd, at least 5.

    With the standard settings about one in a thousand good values of pure white noise is lost as well. The
    window must be short against an oscillation, or the motion hides outliers. Values quantised by the
    sensor are compared with the sensor's step where the standard deviation is smaller.

    Reference: F. R. Hampel, Journal of the American Statistical Association 69 (1974) 383.
    """
    if not threshold > 0:
        raise OptionError(f"drop_outliers: threshold must be positive; got {threshold}.")
    if window < 5 or window % 2 == 0:
        raise OptionError(f"drop_outliers: window must be an odd number of at least 5 samples; got {window}.")
    if window > len(record):
        raise OptionError(f"drop_outliers: window {window} is longer than the record ({len(record)} samples).")
    changed = dict(record.channels)
    words: list[str] = []
    for name in _names(record, channels):
        channel = record.require(name, allow_constant=True)
        wild = _wild(record.time, channel.values, threshold, window)
        changed[name] = Channel(np.where(wild, np.nan, channel.values), channel.unit)
        words.append(f"{int(wild.sum())} of {name}")
    description = f"drop_outliers (threshold {threshold:g}, window {window}): removed {', '.join(words)}"
    return record.with_step(description, channels=changed)


def _wild(time: NDArray[np.float64], values: NDArray[np.float64], threshold: float, window: int) -> NDArray[np.bool_]:
    half = window // 2
    stamps = np.lib.stride_tricks.sliding_window_view(time, window)
    rows = np.lib.stride_tricks.sliding_window_view(values, window)
    slope = finite_median((rows[:, half:] - rows[:, : half + 1]) / (stamps[:, half:] - stamps[:, : half + 1]))
    slope = np.where(np.isfinite(slope), slope, 0.0)
    # The first and last windows also judge the samples up to the ends, where a line extrapolates too far.
    slope[[0, -1]] = 0.0
    levelled = rows - slope[:, None] * (stamps - stamps[:, [half]])
    middle = finite_median(levelled)
    deviation = robust_std(levelled, middle)
    own = np.clip(np.arange(len(values)) - half, 0, len(rows) - 1)
    expected = middle[own] + slope[own] * (time - time[own + half])
    known = values[np.isfinite(values)]
    steps = np.abs(np.diff(known))
    resolution = float(steps[steps > 0].min()) if (steps > 0).any() else 0.0
    with np.errstate(invalid="ignore"):
        wild = np.abs(values - expected) > threshold * np.maximum(deviation[own], resolution)
    return np.asarray(wild, dtype=np.bool_)


def _names(record: Record, channels: str | Sequence[str]) -> list[str]:
    names = [channels] if isinstance(channels, str) else list(channels)
    for name in names:
        if name not in record.channels:
            raise DataError(f"{record.title} has no channel '{name}'.{did_you_mean(name, record.channels)}")
    if not names:
        raise OptionError(f"Name at least one channel of {record.title}: {', '.join(record.channels)}.")
    return names
