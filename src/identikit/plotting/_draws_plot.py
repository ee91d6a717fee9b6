"""Draws of parameters, each alone and in pairs (a corner): histograms on the diagonal, scatter below; from a saved
result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from identikit.plotting._style import BAND, DATA, MODEL, NOTE_SIZE, RESIDUAL, few_plain_ticks, floats, with_unit
from identikit.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_PARAMETERS = 6  # that are drawn
FEWEST_BINS, MOST_BINS = 10, 40  # of a histogram


def draw_bootstrap(block: Any, result: Result) -> None:
    """The estimates of all replicates."""
    table = next(item for item in result.artifacts.values() if item.get("what") == "bootstrap")
    count = len(next(iter(table["parameters"].values())))
    block.suptitle(f"Bootstrap: estimates of {count} replicates", x=0.01, ha="left")
    draw_corner(block, result, {name: floats(values) for name, values in table["parameters"].items()})


def draw_corner(block: Any, result: Result, draws: dict[str, np.ndarray]) -> None:
    """One row and column for each parameter, the interval shaded and the estimate as a line."""
    names = list(draws)[:MOST_PARAMETERS]
    size = len(names)
    panels = block.subplots(size, size, squeeze=False)
    for i, row in enumerate(names):
        for j, column in enumerate(names):
            axes = panels[i][j]
            if j > i:
                axes.set_visible(False)
                continue
            if i == j:
                _histogram(axes, result, row, draws[row])
            else:
                axes.plot(draws[column], draws[row], ".", color=DATA, markersize=2, alpha=0.6)
                _cross(axes, result, column, row)
            axes.tick_params(labelsize=NOTE_SIZE - 1.5)
            few_plain_ticks(axes, 3, "both" if i != j else "x")
            axes.tick_params(labelbottom=i == size - 1, labelleft=j == 0 and i > 0)
            if i == size - 1:
                axes.set_xlabel(with_unit(column, result.parameters[column].unit), fontsize=NOTE_SIZE)
            if j == 0 and i > 0:
                axes.set_ylabel(with_unit(row, result.parameters[row].unit), fontsize=NOTE_SIZE)


def _histogram(axes: Axes, result: Result, name: str, draws: np.ndarray) -> None:
    item = result.parameters[name]
    if item.ci95 is not None and np.isfinite(item.ci95).all():
        axes.axvspan(*item.ci95, color=BAND, linewidth=0, zorder=0)
    axes.hist(draws, bins=int(np.clip(np.sqrt(len(draws)), FEWEST_BINS, MOST_BINS)), color=DATA, zorder=1)
    if item.value is not None:
        axes.axvline(item.value, color=MODEL, linewidth=1.2, zorder=2)
    axes.set_yticks([])


def _cross(axes: Axes, result: Result, column: str, row: str) -> None:
    x, y = result.parameters[column].value, result.parameters[row].value
    if x is not None and y is not None:
        axes.plot(x, y, "+", color=MODEL, markersize=7)
    axes.spines[["left", "bottom"]].set_color(RESIDUAL)
