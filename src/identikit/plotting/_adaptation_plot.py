"""The picture of an adaptive observer: error and gain over time, and parameters on their way to the fixed point."""

from __future__ import annotations

from typing import Any

import numpy as np

from identikit.plotting._style import DATA, INK, MODEL, NOTE_SIZE, PALETTE, floats, logarithmic, with_unit
from identikit.result import Result


def draw_adaptation(block: Any, result: Result) -> None:
    """Into a figure or part of one: error norm, gain, and the way to the law's fixed point that each parameter has left
    to go, in units of the whole way."""
    path = next(item for item in result.artifacts.values() if item.get("what") == "adaptation")
    left, middle, right = block.subplots(1, 3, squeeze=False)[0]
    time = floats(path["t"])
    time = time + np.concatenate([[0.0], np.cumsum(np.maximum(-np.diff(time), 0.0))])  # records one after the other
    left.plot(time, np.maximum(floats(path["error"]), 1e-300), color=DATA, linewidth=0.8)
    left.set_ylabel("error norm |e|")
    logarithmic(left)
    middle.plot(time, floats(path["gain"]), color=MODEL, linewidth=1.4)
    middle.set_ylabel("gain k")
    _draw_way(right, time, path)
    for axes in (left, middle, right):
        axes.set_xlabel(with_unit("time", str(path["time_unit"])))


def _draw_way(axes: Any, time: np.ndarray, path: dict[str, Any]) -> None:
    drawn = 0
    for name, values in path["parameters"].items():
        z, end = floats(values), path["fixed_point"][name]
        if end is None or z[0] == end:
            continue
        axes.plot(time, (z - end) / (z[0] - end), color=PALETTE[drawn % len(PALETTE)], linewidth=1.2, label=name)
        drawn += 1
    axes.axhline(0.0, color=INK, linewidth=0.9, linestyle=":")
    axes.annotate("fixed point", (1.0, 0.0), xycoords=("axes fraction", "data"), xytext=(-4, 4),
                  textcoords="offset points", ha="right", fontsize=NOTE_SIZE)  # fmt: skip
    axes.set_ylabel("way left to the fixed point")
    if drawn:
        axes.legend(loc="upper right", frameon=False, fontsize=NOTE_SIZE, ncols=1 + drawn // 6)
