"""The picture of a reproduction: its panels, whatever they show."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from identikit.plotting._style import BAND_OPACITY, DATA, FAINT, INK, MODEL, NOTE_SIZE, PALETTE, drawn, floats
from identikit.result import Map, Panel, Reproduction, Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANEL_SIZE = (5.4, 3.3)  # inches
MOST_ACROSS = 2  # panels
GROUP_WIDTH = 0.8  # of the distance between two groups of bars, which the bars of one group fill
LEGEND_COLUMNS = 2  # of names, where they stand above what is drawn
LEGEND_ROW, LEGEND_MARGIN = 0.085, 0.02  # of the height of a pair of axes
MOST_MARKED = 200  # points that are drawn as markers of full size

EMPHASES = {
    "measured": {"color": DATA},
    "model": {"color": MODEL},
    "printed": {"color": INK, "linestyle": "--"},
    "bound": {"color": "#009e73", "linestyle": ":"},
    "faint": {"color": FAINT},
}


def plot_reproduction(item: Reproduction, path: str | Path | None = None) -> Figure:
    """Draw all panels of a published item that was done again; fresh or loaded."""
    return drawn(lambda: _draw(item), path)


def _draw(item: Reproduction) -> Figure:
    from matplotlib.figure import Figure

    across = min(MOST_ACROSS, max(len(item.panels), 1))
    down = max(math.ceil(len(item.panels) / across), 1)
    width = PANEL_SIZE[0] * across if across > 1 else 1.5 * PANEL_SIZE[0]
    figure = Figure(figsize=(width, PANEL_SIZE[1] * down + 0.4), layout="constrained")
    figure.suptitle(f"{item.source}, {item.where}", x=0.01, ha="left")
    if not item.panels:
        figure.text(0.5, 0.5, item.title, ha="center", va="center", wrap=True)
        return figure
    places = figure.subplots(down, across, squeeze=False).ravel()
    for axes, panel in zip(places, item.panels, strict=False):
        draw_panel(axes, panel)
    for axes in places[len(item.panels) :]:
        axes.set_axis_off()
    return figure


def looks_of(panel: Panel, beside: Sequence[Panel] = ()) -> list[dict[str, str]]:
    """Colour and line of every series; none that is not emphasised has the colour of one that is, here or `beside`."""
    emphases = {one.emphasis for each in (panel, *beside) for one in each.series}
    taken = {look["color"] for name, look in EMPHASES.items() if name in emphases}
    colours = cycle([colour for colour in PALETTE if colour not in taken])
    return [EMPHASES.get(one.emphasis) or {"color": next(colours)} for one in panel.series]


def draw_panel(axes: Axes, panel: Panel) -> None:
    """One panel into one pair of axes."""
    if panel.map is not None:
        _draw_map(axes, panel.map)
    bars = [one for one in panel.series if one.style == "bars"]
    for series, look in zip(panel.series, looks_of(panel), strict=True):
        if series.style == "bars":
            _draw_bars(axes, series, bars.index(series), len(bars), look["color"])
        else:
            _draw_curve(axes, series, look)
    axes.set_title(panel.title, loc="left")
    axes.set_xlabel(panel.x_label)
    axes.set_ylabel(panel.y_label)
    axes.set_xscale(panel.x_scale)
    axes.set_yscale(panel.y_scale)
    if panel.ticks:
        slanted = max(map(len, panel.ticks)) * len(panel.ticks) > 45
        axes.set_xticks(
            range(len(panel.ticks)), panel.ticks, rotation=30 if slanted else 0, ha="right" if slanted else "center"
        )
    if panel.equal:
        axes.set_aspect("equal")
    _add_legend(axes, panel)


def _add_legend(axes: Axes, panel: Panel) -> None:
    """In the emptiest corner of curves over time; above bars, error bars and portraits, which leave no corner empty."""
    labels = sum(bool(one.label) + bool(one.band) for one in panel.series)
    if not labels:
        return
    full = [one.style == "bars" or bool(one.low) or bool(np.any(np.diff(floats(one.x)) < 0)) for one in panel.series]
    if not any(full):
        axes.legend(framealpha=0.85, edgecolor="none", fontsize=NOTE_SIZE)  # on a veil: curves may fill every corner
        return
    share = LEGEND_ROW * math.ceil(labels / LEGEND_COLUMNS) + LEGEND_MARGIN
    transform = axes.yaxis.get_transform()
    low, high = (float(transform.transform(limit)) for limit in axes.get_ylim())
    top = low + (high - low) / (1 - share)
    axes.set_ylim(top=float(transform.inverted().transform(top)))
    axes.legend(frameon=False, fontsize=NOTE_SIZE, loc="upper left", ncols=LEGEND_COLUMNS, columnspacing=1.0)


def _draw_curve(axes: Axes, series: Series, look: dict[str, Any]) -> None:
    x, y = floats(series.x), floats(series.y)
    if series.style == "points":
        colour = look["color"]
        size = 4.0 if len(x) <= MOST_MARKED else 1.0
        if series.low:
            reach = np.abs(np.array([y - floats(series.low), floats(series.high) - y]))
            axes.errorbar(x, y, reach, fmt="o", color=colour, markersize=size, capsize=2, label=series.label or None)
        else:
            axes.plot(
                x,
                y,
                "o",
                color=colour,
                markersize=size,
                markeredgewidth=0,
                label=series.label or None,
                rasterized=len(x) > MOST_MARKED,
            )
        return
    if series.low:
        axes.fill_between(
            x,
            floats(series.low),
            floats(series.high),
            color=look["color"],
            alpha=BAND_OPACITY,
            linewidth=0,
            label=series.band or None,
        )
    drawstyle = "steps-post" if series.style == "steps" else "default"
    axes.plot(x, y, linewidth=1.1, label=series.label or None, drawstyle=drawstyle, **look)


def _draw_bars(axes: Axes, series: Series, place: int, of: int, colour: str) -> None:
    width = GROUP_WIDTH / of
    x = floats(series.x) + (place - (of - 1) / 2) * width
    reach = None
    if series.low:
        y = floats(series.y)
        reach = np.abs(np.array([y - floats(series.low), floats(series.high) - y]))
    axes.bar(x, floats(series.y), width * 0.92, color=colour, label=series.label or None, yerr=reach, capsize=2)


def _draw_map(axes: Axes, shown: Map) -> None:
    values = np.array(shown.values, float)
    if shown.labels:
        from matplotlib.colors import BoundaryNorm, ListedColormap
        from matplotlib.patches import Patch

        colours = list(_distinct(len(shown.labels)))
        norm = BoundaryNorm(np.arange(len(colours) + 1) - 0.5, len(colours))
        axes.pcolormesh(
            floats(shown.x), floats(shown.y), values, cmap=ListedColormap(colours), norm=norm, shading="nearest"
        )
        patches = [Patch(color=colour, label=name) for colour, name in zip(colours, shown.labels, strict=True)]
        axes.figure.legend(handles=patches, loc="outside lower center", ncols=4, frameon=False, fontsize=NOTE_SIZE)
    else:
        mesh = axes.pcolormesh(floats(shown.x), floats(shown.y), values, cmap="cividis", shading="nearest")
        axes.figure.colorbar(mesh, ax=axes, label=shown.label)
    axes.grid(visible=False)


def _distinct(count: int) -> Iterator[str]:
    return (colour for colour, _ in zip(cycle((*PALETTE, INK, FAINT)), range(count), strict=False))
