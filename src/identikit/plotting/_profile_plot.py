"""Profile likelihoods, parameter by parameter: how log L falls, where it crosses the threshold, and the parabola that
standard errors come from; from a saved result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from identikit.plotting._style import (
    BAND,
    FAINT,
    INK,
    MODEL,
    NOTE_SIZE,
    PALETTE,
    RESIDUAL,
    few_plain_ticks,
    floats,
    with_unit,
)
from identikit.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes


MOST_PANELS = 6  # parameters that are drawn
LOWEST_SHOWN = 1.75  # of the threshold: as far as the axis goes
CURVE_POINTS = 400  # points of a drawn curve
SHADES = ("#f3c9b3", "#fae6dc")  # inner and outer region
MAP_POINTS = 120  # points along each axis between those of the grid


def draw_profile(block: Any, result: Result) -> None:
    """A panel for every free parameter: the profile, its parabola dashed, the threshold, and the interval shaded."""
    table = next(item for item in result.artifacts.values() if item.get("what") == "profile")
    names = list(table["parameters"])[:MOST_PANELS]
    panels = np.atleast_1d(block.subplots(1, len(names), squeeze=False, sharey=True)[0])
    for axes, name in zip(panels, names, strict=True):
        _draw_parameter(axes, result, name, table["parameters"][name], float(table["threshold"]))
    panels[0].set_ylabel("log L below its top")
    panels[0].set_ylim(LOWEST_SHOWN * float(table["threshold"]), -0.05 * float(table["threshold"]))
    handles, labels = panels[0].get_legend_handles_labels()
    block.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False, fontsize=NOTE_SIZE)
    hidden = f" ({len(names)} of {len(table['parameters'])})" if len(names) < len(table["parameters"]) else ""
    block.suptitle(f"Profile likelihood, all else at its best{hidden}", x=0.01, ha="left")


def _draw_parameter(axes: Axes, result: Result, name: str, told: dict[str, Any], threshold: float) -> None:
    from scipy.interpolate import PchipInterpolator

    value, drop = floats(told["value"]), floats(told["drop"])
    low, high = (end if end is not None and np.isfinite(end) else edge for end, edge in zip(
        told["ends"], (value.min(), value.max()), strict=True))  # fmt: skip
    axes.axvspan(low, high, color=BAND, linewidth=0, zorder=0)
    axes.axhline(threshold, color=INK, linewidth=0.8, linestyle=":", label="95 % threshold", zorder=1)
    shown = _shown(value, drop, threshold)
    fine = np.linspace(*shown, CURVE_POINTS)
    parabola = 0.5 * ((fine - told["estimate"]) / told["std"]) ** 2 if told["std"] else np.full(CURVE_POINTS, np.nan)
    axes.plot(fine, parabola, "--", color=RESIDUAL, linewidth=1.0, label="parabola of the curvature", zorder=2)
    if len(value) > 1:
        # in z = sqrt(drop) a profile is nearly straight, so that few points make a smooth curve
        depth = np.sign(value - told["estimate"]) * np.sqrt(np.maximum(drop, 0.0))
        fine = np.clip(fine, value[0], value[-1])
        axes.plot(
            fine, PchipInterpolator(value, depth)(fine) ** 2, color=MODEL, linewidth=1.4, label="profile", zorder=3
        )
    axes.plot(value, drop, "o", color=MODEL, markersize=3, zorder=4)
    axes.axvline(told["estimate"], color=FAINT, linewidth=1.0, zorder=1)
    axes.set_xlim(*shown)
    axes.set_xlabel(with_unit(name, result.parameters[name].unit))
    if told["shape"] != "identifiable":
        axes.set_title(told["shape"], loc="left", color=INK, fontsize=NOTE_SIZE)
    axes.tick_params(labelsize=NOTE_SIZE)
    few_plain_ticks(axes, 4)


def _shown(value: np.ndarray, drop: np.ndarray, threshold: float) -> tuple[float, float]:
    """The part of the axis on which the profile lies above the lower edge, with the first point beyond to each side."""
    inside = np.nonzero(drop <= LOWEST_SHOWN * threshold)[0]
    first, last = max(inside[0] - 1, 0), min(inside[-1] + 1, len(value) - 1)
    room = 0.03 * (value[last] - value[first]) or 1.0
    return float(value[first] - room), float(value[last] + room)


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
