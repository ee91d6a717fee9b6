"""All kinds of intervals that a result has, side by side (a forest): one row of panels, a line for every kind."""

from __future__ import annotations

from typing import Any

import numpy as np

from identikit.plotting._style import FAINT, INK, MODEL, NOTE_SIZE, PALETTE, few_plain_ticks, floats, with_unit
from identikit.result import Result

MOST_PANELS = 6  # parameters that are drawn


def draw_intervals(block: Any, result: Result) -> None:
    """A panel for every free parameter, since their units differ; in it a line for every kind, an arrow where a side is
    open."""
    table = next(item for item in result.artifacts.values() if item.get("what") == "intervals")
    rows = [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
    kinds = list(dict.fromkeys(row["kind"] for row in rows))
    names = list(dict.fromkeys(row["parameter"] for row in rows))[:MOST_PANELS]
    panels = np.atleast_1d(block.subplots(1, len(names), squeeze=False, sharey=True)[0])
    for axes, name in zip(panels, names, strict=True):
        own = [row for row in rows if row["parameter"] == name]
        ends = floats([[row["low"], row["high"]] for row in own]).reshape(-1, 2)
        values = floats([row["value"] for row in own])
        known = np.concatenate([ends[np.isfinite(ends)], values[np.isfinite(values)]])
        room = 0.15 * np.ptp(known) or 1.0
        left, right = known.min() - room, known.max() + room
        for row, (low, high) in zip(own, ends, strict=True):
            place, colour = kinds.index(row["kind"]), PALETTE[kinds.index(row["kind"]) % len(PALETTE)]
            if np.isnan([low, high]).all():
                continue
            first, last = (low if np.isfinite(low) else left), (high if np.isfinite(high) else right)
            axes.plot([first, last], [place, place], color=colour, linewidth=2.0, solid_capstyle="butt")
            for at, end, mark in ((first, low, "<"), (last, high, ">")):
                axes.plot(at, place, "|" if np.isfinite(end) else mark, color=colour, markersize=8)
            if row["value"] is not None:
                axes.plot(row["value"], place, "o", color=colour, markersize=4)
        axes.axvline(result.parameters[name].value, color=FAINT if len(kinds) > 1 else MODEL, linewidth=1.0, zorder=0)
        axes.set_xlim(left, right)
        axes.set_xlabel(with_unit(name, result.parameters[name].unit))
        axes.tick_params(labelsize=NOTE_SIZE)
        few_plain_ticks(axes, 4)
    panels[0].set_yticks(range(len(kinds)), kinds, color=INK)
    panels[0].set_ylim(len(kinds) - 0.5, -0.5)
    block.suptitle("95 % intervals by kind", x=0.01, ha="left")
