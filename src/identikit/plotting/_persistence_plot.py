"""Pictures of persistence: diagram, barcode, lifespans against their model, loops; from a saved result."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from identikit.errors import OptionError
from identikit.plotting._style import DATA, INK, MODEL, RESIDUAL, drawn_block, logarithmic, with_unit
from identikit.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_BARS = 80  # lifespans that are drawn; of more, every second, third, ...


def has_persistence(result: Result) -> bool:
    """Whether there are lifespans to draw."""
    return bool(_tables(result, "persistence"))


def plot_persistence(result: Result, path: str | Path | None = None) -> Figure:
    """Draw the persistence diagram, the barcode and the lifespans of a fit by `topological`.

    Arguments:
        result: the fit, fresh or loaded.
        path: file to write (.png, .pdf or .svg), whole or not at all; None = only return the figure.

    In the diagram each valley is a point, the level at which it appears across and the one at which it joins a deeper
    valley upward; its height over the diagonal is its lifespan. The barcode shows the same over time. Lifespans are
    drawn with the model's; loops of the delay embedding, if they were followed, beside them.
    """
    if not has_persistence(result):
        raise OptionError(f"the result of {result.method} holds no lifespans: fit with the method topological")
    return drawn_block(
        lambda figure: draw_persistence(figure, result), f"{result.model}, persistence of valleys", path, (12.6, 4.0)
    )


def draw_persistence(block: Any, result: Result) -> None:
    """Into a figure or part of one; of several records the first."""
    pairs, lifespans, loops = (_tables(result, what)[:1] for what in ("persistence", "lifespans", "loops"))
    panels = block.subplots(1, 2 + len(lifespans) + len(loops), squeeze=False)[0]
    _draw_diagram(panels[0], pairs[0])
    _draw_barcode(panels[1], pairs[0])
    for axes, table in zip(panels[2:], lifespans, strict=False):
        _draw_lifespans(axes, table)
    for axes, table in zip(panels[2 + len(lifespans) :], loops, strict=True):
        _draw_loops(axes, table)


def _tables(result: Result, what: str) -> list[Mapping[str, Any]]:
    return [item for item in result.artifacts.values() if item.get("kind") == "table" and item.get("what") == what]


def _columns(table: Mapping[str, Any]) -> dict[str, NDArray[np.float64]]:
    values = np.array(table["rows"], dtype=float).reshape(-1, len(table["columns"]))
    return dict(zip(table["columns"], values.T, strict=True))


def _draw_diagram(axes: Axes, table: Mapping[str, Any]) -> None:
    column = _columns(table)
    used = column["used"] > 0
    levels = np.concatenate([column["birth"], column["death"]])
    low, high = float(levels.min()), float(levels.max())
    axes.plot([low, high], [low, high], color=INK, linewidth=0.8)
    cutoff = float(table["cutoff"])
    axes.fill_between([low, high], [low, high], [low + cutoff, high + cutoff], color=DATA, alpha=0.35, linewidth=0)
    axes.plot(column["birth"][used], column["death"][used], ".", color=MODEL, markersize=6, label="used")
    if (~used).any():
        axes.plot(column["birth"][~used], column["death"][~used], ".", color=RESIDUAL, markersize=6, label="left out")
        axes.legend(loc="lower right", frameon=False)
    axes.set_xlabel(with_unit("birth: level of the valley", table["unit"]))
    axes.set_ylabel(with_unit("death: level of the peak", table["unit"]))
    axes.set_title("persistence diagram", loc="left")


def _draw_barcode(axes: Axes, table: Mapping[str, Any]) -> None:
    column = _columns(table)
    used = column["used"] > 0
    every = max(1, -(-len(used) // MOST_BARS))
    order = np.arange(len(used))[::every]
    for chosen, colour in ((used, MODEL), (~used, RESIDUAL)):
        rows = order[chosen[order]]
        axes.hlines(rows, column["birth"][rows], column["death"][rows], color=colour, linewidth=1.4)
    axes.invert_yaxis()
    axes.set_xlabel(with_unit("level", table["unit"]))
    axes.set_ylabel("valley, in the order of time")
    axes.set_title("barcode" if every == 1 else f"barcode, every {every}. valley", loc="left")


def _draw_lifespans(axes: Axes, table: Mapping[str, Any]) -> None:
    column = _columns(table)
    axes.errorbar(
        column["time"], column["lifespan"], 2 * column["std"], fmt=".", color=DATA, markersize=5, label="measured"
    )
    if np.isfinite(column["modelled"]).any():
        axes.plot(column["time"], column["modelled"], color=MODEL, linewidth=1.0, label="model")
        axes.legend(loc="upper right", frameon=False)
    logarithmic(axes)
    axes.set_xlabel(with_unit("time", table["time_unit"]))
    axes.set_ylabel(with_unit("lifespan", table["unit"]))
    axes.set_title("lifespans", loc="left")


def _draw_loops(axes: Axes, table: Mapping[str, Any]) -> None:
    column = _columns(table)
    axes.plot(column["time"], column["death"], ".", color=MODEL, markersize=5, label="death")
    axes.plot(column["time"], column["birth"], ".", color=DATA, markersize=5, label="birth")
    logarithmic(axes)
    axes.legend(loc="upper right", frameon=False)
    axes.set_xlabel(with_unit("time", table["time_unit"]))
    axes.set_ylabel(with_unit("scale", table["unit"]))
    axes.set_title("loops of the delay embedding", loc="left")
