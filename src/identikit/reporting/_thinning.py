"""Fewer points that look the same: of every stretch of a curve its lowest and its highest. And names that fit in."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from identikit.plotting import floats
from identikit.reporting._settings import REPORT
from identikit.result import Panel, Series


def kept_points(y: NDArray[np.float64], most: int) -> NDArray[np.intp]:
    """Which of the values to keep, at most `most`: both ends, and the lowest and highest of equal stretches between."""
    count = len(y)
    if count <= most:
        return np.arange(count)
    edges = np.linspace(0, count, max(most // 2 - 1, 1) + 1).astype(int)
    kept = {0, count - 1}
    known = np.where(np.isfinite(y), y, np.nan)
    for begin, end in pairwise(edges):
        part = known[begin:end]
        if np.isfinite(part).any():
            kept |= {begin + int(np.nanargmin(part)), begin + int(np.nanargmax(part))}
    return np.array(sorted(kept))


def thinned(panel: Panel) -> Panel:
    """The panel with no more points than a picture needs, and names that leave room for it; bars are all kept."""
    return replace(
        panel,
        title=_short(panel.title),
        x_label=_short(panel.x_label),
        y_label=_short(panel.y_label, REPORT.longest_upward),
        ticks=tuple(_short(name, REPORT.longest_tick) for name in panel.ticks),
        series=tuple(replace(_thinned(one), label=_short(one.label), band=_short(one.band)) for one in panel.series),
    )


def _short(text: str, most: int = REPORT.longest_name) -> str:
    """Without its end where it is too long for a picture."""
    return text if len(text) <= most else f"{text[: most - 1]}\N{HORIZONTAL ELLIPSIS}"


def _thinned(series: Series) -> Series:
    most = REPORT.most_marks if series.style == "points" else REPORT.most_points
    if series.style == "bars" or len(series.x) <= most:
        return series
    kept = kept_points(floats(series.y), most)
    chosen: dict[str, Any] = {
        name: tuple(values[i] for i in kept) for name in ("x", "y", "low", "high") if (values := getattr(series, name))
    }
    return replace(series, **chosen)
