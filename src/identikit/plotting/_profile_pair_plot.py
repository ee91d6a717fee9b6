"""The likelihood of two parameters together: regions of 68 and 95 %, and where each one's own profile runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from identikit.plotting._style import INK, MODEL, NOTE_SIZE, PALETTE, few_plain_ticks, floats, with_unit
from identikit.result import Result

SHADES = ("#f3c9b3", "#fae6dc")  # inner and outer region
MAP_POINTS = 120  # points along each axis between those of the grid


def draw_profile_pair(block: Any, result: Result) -> None:
    """Filled contours of the joint regions with the estimate and both profile paths."""
    from scipy.interpolate import RectBivariateSpline

    table = next(item for item in result.artifacts.values() if item.get("what") == "profile pair")
    a, b, drop = floats(table["a"]), floats(table["b"]), floats(table["drop"])
    levels = [float(level) for level in table["levels"].values()]
    axes = block.subplots(1, 1)
    known = np.where(np.isfinite(drop), drop, np.nanmax(drop))  # nothing is cut: a parabola has no kinks
    fine_a, fine_b = np.linspace(a[0], a[-1], MAP_POINTS), np.linspace(b[0], b[-1], MAP_POINTS)
    surface = RectBivariateSpline(b, a, known)(fine_b, fine_a)
    axes.contourf(fine_a, fine_b, surface, [-1.0, *levels], colors=SHADES)
    lines = axes.contour(fine_a, fine_b, surface, levels, colors=MODEL, linewidths=1.0)
    words = {level: f"{100 * float(share):.0f} %" for share, level in table["levels"].items()}
    axes.clabel(lines, fmt={level: words[float(level)] for level in lines.levels}, fontsize=NOTE_SIZE)
    for colour, (name, path) in zip(PALETTE, table["paths"].items(), strict=False):
        places = floats(path)
        axes.plot(*places.T, "-", color=colour, linewidth=0.9, label=f"profile of {name}")
    axes.plot(*table["estimate"], "+", color=INK, markersize=9, label="estimate")
    axes.set_xlim(a[0], a[-1])
    axes.set_ylim(b[0], b[-1])
    few_plain_ticks(axes, 6, "both")
    first, second = table["names"]
    axes.set_xlabel(with_unit(first, result.parameters[first].unit))
    axes.set_ylabel(with_unit(second, result.parameters[second].unit))
    axes.legend(loc="best", frameon=False, fontsize=NOTE_SIZE)
    block.suptitle(f"Likelihood of {first} and {second} together", x=0.01, ha="left")
