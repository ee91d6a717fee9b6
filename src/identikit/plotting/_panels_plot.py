"""Panels above each other, as a page or a document puts them together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from identikit.plotting._reproduction_plot import draw_panel
from identikit.plotting._style import drawn, logarithmic
from identikit.result import Panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_IN_LEGEND_ROW = 4  # names beside each other


def plot_panels(
    panels: Sequence[Panel], heights: Sequence[float], width: float, path: str | Path | None = None
) -> Figure:
    """Draw panels above each other over one axis, with the label of that axis under the lowest.

    Arguments:
        heights: of each panel, in inches; width: of all, likewise.
        path: file to write (.png, .pdf or .svg), whole or not at all; None = only return the figure.
    """
    return drawn(lambda: _draw(panels, heights, width), path)


def _one_legend(figure: Figure) -> None:
    """Below all panels, where it hides nothing; none where a single name would stand in it."""
    from matplotlib.lines import Line2D

    found: dict[str, Any] = {}
    for axes in figure.axes:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
        own = axes.get_legend()
        if own is not None:
            own.remove()
    if len(found) > 1:
        across = min(len(found), MOST_IN_LEGEND_ROW)
        legend = figure.legend(
            list(found.values()), list(found), loc="outside lower center", ncols=across, frameon=False
        )
        for mark in legend.legend_handles:
            if isinstance(mark, Line2D):
                mark.set_markersize(5)


def _draw(panels: Sequence[Panel], heights: Sequence[float], width: float) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, sum(heights)), layout="constrained")
    places = figure.subplots(len(panels), 1, squeeze=False, sharex=True, height_ratios=heights)[:, 0]
    for axes, panel in zip(places, panels, strict=True):
        draw_panel(axes, panel)
        for axis, scale in (("x", panel.x_scale), ("y", panel.y_scale)):
            if scale == "linear" and not (axis == "x" and panel.ticks):
                axes.ticklabel_format(axis=axis, useMathText=False)  # plain numbers are laid out ten times quicker
        if panel.y_scale == "linear":
            axes.ticklabel_format(axis="y", useOffset=False)  # "+2e1" above an axis is overlooked
        else:
            logarithmic(axes)
        if panel.ticks:
            axes.set_xlim(-0.5, len(panel.ticks) - 0.5)
        if axes is not places[-1]:
            axes.set_xlabel("")
    _one_legend(figure)
    figure.align_ylabels()
    return figure
