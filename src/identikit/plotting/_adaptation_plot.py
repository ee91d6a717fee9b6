"""The picture of an adaptive observer: error and gain over time, and parameters on their way to the fixed point."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from identikit.plotting._style import DATA, INK, MODEL, NOTE_SIZE, PALETTE, floats, logarithmic, with_unit
from identikit.result import Result

ARRIVED = 1e-3  # of the way left: nothing more is to be seen
WIDEST_RANGE = 6.0  # points, of the lines
SHOWN = 3.0  # times as long as that takes


def draw_adaptation(block: Any, result: Result) -> None:
    """Into a figure or part of one: error norm, gain, and the way to the law's fixed point that each parameter has left
    to go, in units of the whole way."""
    path = next(item for item in result.artifacts.values() if item.get("what") == "adaptation")
    left, middle, right = block.subplots(1, 3, squeeze=False)[0]
    time = floats(path["t"])
    time = time + np.concatenate([[0.0], np.cumsum(np.maximum(-np.diff(time), 0.0))])  # records one after the other
    error = floats(path["error"])
    left.plot(time, np.where(error > 0, error, np.nan), color=DATA, linewidth=0.8)  # the observer may begin at no error
    left.set_ylabel("error norm |e|")
    logarithmic(left)
    middle.plot(time, floats(path["gain"]), color=MODEL, linewidth=1.4)
    middle.set_ylabel("gain k")
    _draw_way(right, time, path)
    for axes in (left, middle, right):
        axes.set_xlabel(with_unit("time", str(path["time_unit"])))


def _draw_way(axes: Any, time: np.ndarray, path: Mapping[str, Any]) -> None:
    ways = {}
    for name, values in path["parameters"].items():
        z, end = floats(values), path["fixed_point"][name]
        if end is not None and z[0] != end:
            ways[name] = (z - end) / (z[0] - end)
    for index, (name, way) in enumerate(ways.items()):  # they lie on one another: the first ones are the widest
        width = WIDEST_RANGE - (WIDEST_RANGE - 1) * (index + 1) / len(ways)
        axes.plot(time, way, color=PALETTE[index % len(PALETTE)], linewidth=width, label=name)
    axes.axhline(0.0, color=INK, linewidth=0.9, linestyle=":")
    axes.annotate("fixed point", (1.0, 0.0), xycoords=("axes fraction", "data"), xytext=(-4, 4),
                  textcoords="offset points", ha="right", fontsize=NOTE_SIZE)  # fmt: skip
    axes.set_ylabel("way left to the fixed point")
    if ways:
        left = np.max([np.abs(way) for way in ways.values()], axis=0)
        arrived = np.nonzero(left > ARRIVED)[0][-1]
        axes.set_xlim(time[0], min(time[-1], time[0] + SHOWN * (time[arrived] - time[0])) or None)
        axes.legend(loc="upper right", frameon=False, fontsize=NOTE_SIZE, ncols=1 + len(ways) // 6)
