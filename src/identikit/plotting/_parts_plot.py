"""The parts of a record, parameter by parameter: what each part says, along the amplitude or the time that they differ
by, beside the estimate with its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from identikit.plotting._style import BAND, DATA, FAINT, INK, MODEL, NOTE_SIZE, RESIDUAL, floats, with_unit
from identikit.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_PANELS = 6  # parameters that are drawn


def draw_parts(block: Any, result: Result) -> None:
    """A panel for every free parameter that moves: the parts' own estimates with two standard errors."""
    table = next(item for item in result.artifacts.values() if item.get("what") == "parts")
    moving = {name: item for name, item in table["parameters"].items() if any(floats(item["std"]) > 0)}
    along = str(table["along"])
    begin, end = floats(table["begin"]), floats(table["end"])
    place = floats(table["amplitude"]) if along == "amplitude" else 0.5 * (begin + end)
    names = list(moving)[:MOST_PANELS]
    panels = np.atleast_1d(block.subplots(1, len(names), squeeze=False)[0])
    for axes, name in zip(panels, names, strict=True):
        _draw_parameter(axes, result, name, place, moving[name])
        axes.set_xlabel(_words(result, along))
    hidden = f" ({len(names)} of {len(moving)} parameters)" if len(names) < len(moving) else ""
    block.suptitle(f"{len(place)} parts of the record, each with a start of its own{hidden}", x=0.01, ha="left")


def _draw_parameter(axes: Axes, result: Result, name: str, place: np.ndarray, told: dict[str, Any]) -> None:
    estimate = result.parameters[name]
    value, std = floats(told["value"]), floats(told["std"])
    if estimate.ci95 is not None:
        axes.axhspan(*estimate.ci95, color=BAND, linewidth=0, zorder=0)
    if estimate.value is not None:
        axes.axhline(estimate.value, color=MODEL, linewidth=1.1, zorder=2)
    axes.plot(place, value, "-", color=FAINT, linewidth=1.0, zorder=1)
    axes.errorbar(
        place,
        value,
        yerr=2 * std,
        fmt="o",
        color=RESIDUAL,
        ecolor=DATA,
        elinewidth=1.2,
        markersize=4,
        capsize=2,
        zorder=3,
    )
    axes.set_title(with_unit(name, estimate.unit), loc="left", color=INK)
    axes.tick_params(labelsize=NOTE_SIZE)
    axes.locator_params(nbins=5)
    axes.margins(x=0.08)


def _words(result: Result, along: str) -> str:
    """The axis: amplitude in the unit of the only output, or time."""
    curves = [item for item in result.artifacts.values() if item.get("kind") == "curve" and "measured" in item]
    if along == "time":
        return with_unit("time", str(curves[0].get("time_unit") or "") if curves else "")
    outputs = {str(item.get("output")): str(item.get("unit") or "") for item in curves}
    unit = next(iter(outputs.values())) if len(outputs) == 1 else ""
    return with_unit("rms amplitude of the part", unit)
