"""What is kept of a column for its picture: the range of the values in each pixel, spectrum, histogram of the noise."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from identikit.survey._column import Surveyed
from identikit.survey._settings import SURVEY

Floats = NDArray[np.float64]


def curve_of(time: Floats, values: Floats, column: Surveyed) -> dict[str, Any]:
    """Thinned by the smallest and largest value of each part, so that no spike is lost."""
    t, low, high = envelope(time, values, SURVEY.points)
    kept: dict[str, Any] = {"t": t, "low": low, "high": high}
    if column.wild is not None and len(column.wild):
        places = column.wild.index[: SURVEY.points]
        kept["outliers"] = {"t": time[places], "values": values[places]}
    if column.spectrum is not None:
        kept["spectrum"] = _spectrum(column.spectrum.frequency, column.spectrum.amplitude)
    if column.noise is not None and column.noise.sigma > 0:
        scaled = column.noise.residuals / float(np.sqrt(np.mean(column.noise.residuals**2)) or 1.0)
        counts, edges = np.histogram(scaled, SURVEY.bars, (-4.5, 4.5))
        kept["residuals"] = {
            "density": counts / max(len(scaled), 1) / (edges[1] - edges[0]),
            "edges": edges,
            "autocorrelation": column.noise.autocorrelation,
            "samples": len(scaled),
        }
    return kept


def envelope(time: Floats, values: Floats, points: int) -> tuple[Floats, Floats, Floats]:
    """Times, smallest and largest values of so many parts of equal duration; NaN where there is none."""
    if len(time) <= points:
        return time, values, values
    part = np.minimum((time - time[0]) / (time[-1] - time[0]) * points, points - 1).astype(int)
    low, high = np.full(points, np.inf), np.full(points, -np.inf)
    known = np.isfinite(values)
    np.minimum.at(low, part[known], values[known])
    np.maximum.at(high, part[known], values[known])
    empty = low > high
    low[empty] = high[empty] = np.nan
    middle = time[0] + (np.arange(points) + 0.5) / points * (time[-1] - time[0])
    return middle, low, high


def _spectrum(frequency: Floats, amplitude: Floats) -> dict[str, Any]:
    """The largest amplitude in each of parts evenly spread over the decades."""
    f, a = frequency[1:], amplitude[1:]
    part = np.unique(np.geomspace(1, len(f), SURVEY.spectrum_points).astype(int)) - 1
    return {"f": f[part], "amplitude": np.maximum.reduceat(a, part)}
