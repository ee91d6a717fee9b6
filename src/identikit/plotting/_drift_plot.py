"""The picture of parameters that drift: their curves with bands; from a saved result."""

from __future__ import annotations

from typing import Any

from identikit.plotting._style import MODEL, NOTE_SIZE, PALETTE, floats
from identikit.result import Result

BAND = 1.96  # standard deviations: 95 %


def draw_drift(block: Any, result: Result) -> None:
    """Into a figure or part of one: one panel for each parameter, all records in it."""
    curves = [item for item in result.artifacts.values() if item.get("what") == "drift"]
    names = list(dict.fromkeys(item["parameter"] for item in curves))
    panels = block.subplots(1, len(names), squeeze=False)[0]
    for axes, name in zip(panels, names, strict=True):
        own = [item for item in curves if item["parameter"] == name]
        for k, item in enumerate(own):
            t, values, std = (floats(item[key]) for key in ("t", "values", "std"))
            colour = MODEL if len(own) == 1 else PALETTE[k % len(PALETTE)]
            axes.fill_between(t, values - BAND * std, values + BAND * std, color=colour, alpha=0.2, linewidth=0)
            axes.plot(t, values, color=colour, linewidth=1.2, label=item["record"])
        unit = own[0]["unit"]
        axes.set_ylabel(f"{name} [{unit}]" if unit else name)
        axes.set_xlabel(f"time [{own[0]['time_unit']}]")
        axes.set_title("smoothed, with its 95 % band", fontsize=NOTE_SIZE)
        if len(own) > 1:
            axes.legend(loc="best", frameon=False, fontsize=NOTE_SIZE)
