"""The picture of a learned term: its curve with the band, over what the record visited; from a saved result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from identikit.plotting._style import BAND, FAINT, INK, MODEL, NOTE_SIZE, RESIDUAL, floats, with_unit
from identikit.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WHAT = "learned term"


def draw_learned_term(block: Any, result: Result) -> None:
    """Into a figure or part of one: a panel for every variable, hatched where the record never went."""
    curves = {name: item for name, item in result.artifacts.items() if item.get("what") == WHAT}
    panels = block.subplots(1, len(curves), squeeze=False)[0]
    for axes, (name, curve) in zip(panels, curves.items(), strict=True):
        _draw_curve(axes, name, curve)
    panels[0].legend(loc="best", frameon=False, fontsize=NOTE_SIZE)


def _draw_curve(axes: Axes, name: str, curve: Mapping[str, Any]) -> None:
    x, value, low, high = (floats(curve[key]) for key in ("x", "value", "low", "high"))
    # a jump is a gap, not a steep line
    pieces = [slice(0, len(x) // 2), slice(len(x) // 2, None)] if curve["jumps"] else [slice(None)]
    for k, piece in enumerate(pieces):
        labels = ("95 % band", "network", "formula") if k == 0 else ("", "", "")
        axes.fill_between(x[piece], low[piece], high[piece], color=BAND, linewidth=0, zorder=1.5, label=labels[0])
        for edge in (low, high):
            axes.plot(x[piece], edge[piece], "-", color=RESIDUAL, linewidth=0.5, zorder=1.6)
        axes.plot(x[piece], value[piece], "-", color=RESIDUAL, linewidth=1.6, label=labels[1])
        if curve["formula"] is not None:
            axes.plot(x[piece], floats(curve["formula"])[piece], "--", color=MODEL, linewidth=1.3, label=labels[2])
    begin, end = curve["visited"]
    inside = (x >= begin) & (x <= end)
    for first, last in ((x[0], begin), (end, x[-1])):
        axes.axvspan(first, last, facecolor="none", edgecolor=FAINT, hatch="////", linewidth=0, zorder=0.5)
    axes.plot([], [], "s", color=FAINT, label="never visited (hatched)")
    if curve["jumps"]:
        axes.axhline(0.0, color=INK, linewidth=0.5)
    axes.set_xlim(x[0], x[-1])
    # where the record never went a band may be of any width, and must not hide the curve
    usual = np.concatenate([low[inside], high[inside]])
    margin = 0.15 * max(float(np.ptp(usual)), 1e-300)
    axes.set_ylim(float(usual.min()) - margin, float(usual.max()) + margin)
    axes.set_xlabel(with_unit(curve["along"], curve["unit"]))
    axes.set_ylabel(with_unit(name.split(" over ")[0], curve["value_unit"]))
    fixed = ", ".join(f"{other} = {at:.3g}" for other, at in curve["at"].items())
    axes.set_title(f"{name}, at {fixed}" if fixed else name, loc="left")
