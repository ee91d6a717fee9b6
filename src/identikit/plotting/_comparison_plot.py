"""The picture of a comparison of methods: a forest, one panel for every parameter, one line for every method."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from identikit.plotting._style import BAND, FAINT, INK, NOTE_SIZE, PALETTE, drawn, with_unit
from identikit.result import ComparisonReport, MethodEntry, ParameterEstimate, listed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANELS_IN_A_ROW = 4  # parameters beside each other
WIDEST_VIEW = 20.0  # half-widths of the reference's interval that a panel shows to either side: further off is an arrow
LINE_HEIGHT, PANEL_WIDTH, NUMBERS_WIDTH = 0.27, 2.2, 1.5  # inches
FEWEST_DIGITS = 4  # of a value that lies outside a panel
HALF_WIDTH = 1.96  # standard errors: half of a 95 % interval
AGREES, OFF, UNKNOWN, TRUTH = PALETTE[0], PALETTE[1], "#7a8590", PALETTE[2]


def plot_comparison(report: ComparisonReport, path: str | Path | None = None) -> Figure:
    """Draw estimates and 95 % intervals of all methods that answered, fresh or loaded.

    The shaded band is the interval of the reference, the dashed line the truth if it is known. An arrow stands where a
    value or an interval lies outside the panel, with the value beside it.
    """
    return drawn(lambda: _draw(report), path)


def _draw(report: ComparisonReport) -> Figure:
    from matplotlib.figure import Figure

    shown = [item for item in report.entries if item.answered]
    names = list(dict.fromkeys(name for item in shown for name in item.parameters))
    rows = max(1, -(-len(names) // PANELS_IN_A_ROW))
    across = min(max(len(names), 1), PANELS_IN_A_ROW)
    silent = [item.method for item in report.entries if not item.answered]
    width = 1.6 + PANEL_WIDTH * max(across, 2) + NUMBERS_WIDTH
    height = rows * (LINE_HEIGHT * len(shown) + 0.95) + 0.95
    figure = Figure(figsize=(width, height), layout="constrained")
    what = f" of {report.result.model}" if report.result else ""
    figure.suptitle(f"{len(shown)} methods{what}, estimates with 95 % intervals", x=0.01, ha="left")
    if not shown:
        figure.text(0.5, 0.5, report.status.message, ha="center", va="center", wrap=True)
        return figure
    grid = figure.subplots(
        rows, across + 1, squeeze=False, sharey=True, width_ratios=[PANEL_WIDTH] * across + [NUMBERS_WIDTH]
    )
    for place in range(rows):
        for column in range(across):
            index = place * PANELS_IN_A_ROW + column
            if index < len(names):
                _draw_parameter(grid[place, column], report, shown, names[index])
            else:
                grid[place, column].set_visible(False)
        _draw_numbers(grid[place, across], shown) if place == 0 else grid[place, across].set_visible(False)
        _name_lines(grid[place, 0], shown, report.reference)
    _explain(figure, report, shown, silent, width)
    return figure


def _name_lines(axes: Axes, shown: Sequence[MethodEntry], reference: str | None) -> None:
    axes.set_yticks(range(len(shown)), [item.method for item in shown])
    axes.set_ylim(len(shown) - 0.4, -0.6)
    for label, item in zip(axes.get_yticklabels(), shown, strict=True):
        label.set_color(INK)
        label.set_fontweight("bold" if item.method == reference else "normal")


def _look(item: MethodEntry, reference: str | None) -> tuple[str, str, str]:
    """Colour, marker and filling: told apart by shape too."""
    if item.method == reference:
        return INK, "s", INK
    if item.agrees is None:
        return UNKNOWN, "o", "white"
    return (AGREES, "o", AGREES) if item.agrees else (OFF, "D", OFF)


def _draw_parameter(axes: Axes, report: ComparisonReport, shown: Sequence[MethodEntry], name: str) -> None:
    from matplotlib.ticker import MaxNLocator

    left, right = _view(report, shown, name)
    own = next((item.parameters.get(name) for item in shown if item.method == report.reference), None)
    if own is not None and (ends := _ends(own)) is not None:
        axes.axvspan(max(ends[0], left), min(ends[1], right), color=BAND, zorder=0)
    if name in report.truth:
        axes.axvline(report.truth[name], color=TRUTH, linewidth=1.3, linestyle=(0, (4, 2)), zorder=1)
    for place, item in enumerate(shown):
        found = item.parameters.get(name)
        if found is not None and found.value is not None and np.isfinite(found.value):
            _draw_estimate(axes, place, found, _look(item, report.reference), (left, right))
    axes.set_xlim(left, right)
    unit = next((item.parameters[name].unit for item in shown if name in item.parameters), "")
    axes.set_xlabel(with_unit(name, unit))
    axes.tick_params(axis="x", labelsize=NOTE_SIZE)
    axes.grid(axis="y", visible=False)
    axes.ticklabel_format(axis="x", useOffset=False)
    axes.xaxis.set_major_locator(MaxNLocator(4, prune="both"))  # at the ends they would touch those of the next panel


def _draw_estimate(
    axes: Axes, place: int, found: ParameterEstimate, look: tuple[str, str, str], view: tuple[float, float]
) -> None:
    colour, marker, filling = look
    left, right = view
    value = float(found.value or 0.0)
    room = 0.02 * (right - left)
    ends = _ends(found)
    is_seen = ends is not None and ends[1] > left and ends[0] < right
    if ends is not None and is_seen:
        low, high = max(ends[0], left + room), min(ends[1], right - room)
        axes.plot([low, high], [place, place], color=colour, linewidth=1.8, solid_capstyle="butt", zorder=2)
        for end, at, mark in ((ends[0], low, "<"), (ends[1], high, ">")):
            if not left <= end <= right:
                axes.plot(at, place, mark, color=colour, markersize=4.5, zorder=3)
    if left <= value <= right:
        axes.plot(value, place, marker, color=colour, markerfacecolor=filling, markersize=5, zorder=4)
        return
    if is_seen:
        return  # its arrows say that it goes on, and there is no room for a number on its line
    beyond = value > right
    at = right - room if beyond else left + room
    axes.plot(at, place, ">" if beyond else "<", color=colour, markerfacecolor=filling, markersize=6, zorder=4)
    axes.annotate(
        _told_apart(value, right if beyond else left),
        (at, place),
        xytext=(-6 if beyond else 6, 0),
        textcoords="offset points",
        ha="right" if beyond else "left",
        va="center",
        fontsize=NOTE_SIZE - 1,
        color=colour,
    )


def _told_apart(value: float, edge: float) -> str:
    """A value outside the panel, with digits enough to see that it is not at its edge."""
    share = abs(value / (value - edge)) if value != edge else 1.0
    return f"{value:.{max(FEWEST_DIGITS, math.ceil(math.log10(max(share, 1.0))) + 1)}g}"


def _ends(found: ParameterEstimate) -> tuple[float, float] | None:
    """The 95 % interval; an open side, which a saved report does not know the sign of, is infinite."""
    if found.ci95 is not None:
        low, high = found.ci95
        return (low if np.isfinite(low) else -np.inf), (high if np.isfinite(high) else np.inf)
    if found.value is None or found.std is None:
        return None
    return found.value - HALF_WIDTH * found.std, found.value + HALF_WIDTH * found.std


def _view(report: ComparisonReport, shown: Sequence[MethodEntry], name: str) -> tuple[float, float]:
    """What a panel shows: all that agrees, but no more than so many widths of the reference's interval."""
    trusted = [item for item in shown if item.method == report.reference or item.agrees] or list(shown)
    points = [report.truth[name]] if name in report.truth else []
    for item in trusted:
        found = item.parameters.get(name)
        if found is not None and found.value is not None:
            points += [found.value, *(end for end in _ends(found) or () if np.isfinite(end))]
    finite = [float(point) for point in points if np.isfinite(point)] or [0.0]
    left, right = min(finite), max(finite)
    own = next((item.parameters.get(name) for item in shown if item.method == report.reference), None)
    if own is not None and own.value is not None and own.std:
        reach = WIDEST_VIEW * HALF_WIDTH * own.std
        left, right = max(left, own.value - reach), min(right, own.value + reach)
    room = 0.08 * (right - left) or 0.1 * abs(left) or 1.0
    return left - room, right + room


def _draw_numbers(axes: Axes, shown: Sequence[MethodEntry]) -> None:
    """How well each predicts, and how long it took."""
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.tick_params(left=False, bottom=False, labelbottom=False)
    axes.grid(visible=False)
    axes.set_xlim(0, 1)
    columns = {
        "unseen part\n/ noise": ["-" if item.held_out is None else _ratio(item.held_out) for item in shown],
        "seconds": ["-" if item.seconds is None else f"{item.seconds:.1f}" for item in shown],
    }
    places = (0.5, 0.98)
    for x, (title, cells) in zip(places, columns.items(), strict=True):
        if set(cells) == {"-"}:
            continue
        axes.text(x, 1.0, title, ha="right", va="bottom", fontsize=NOTE_SIZE, transform=axes.transAxes)
        for place, words in enumerate(cells):
            axes.text(x, place, words, ha="right", va="center", fontsize=NOTE_SIZE, color=INK)


def _ratio(value: float) -> str:
    return f"{value:.2f}" if value < 100 else "> 100"


def _explain(
    figure: Figure, report: ComparisonReport, shown: Sequence[MethodEntry], silent: Sequence[str], width: float
) -> None:
    """A legend of what occurs, and who has no estimate."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    looks: dict[str, Any] = {}
    words = {"s": "reference", "D": "off"}
    for item in shown:
        colour, marker, filling = _look(item, report.reference)
        label = words.get(marker, "agrees" if filling == AGREES else "not comparable")
        looks[label] = Line2D([], [], color=colour, marker=marker, markerfacecolor=filling, markersize=5, linewidth=1.8)
    if report.reference is not None:
        looks["its interval"] = Patch(color=BAND)
    if report.truth:
        looks["truth"] = Line2D([], [], color=TRUTH, linewidth=1.3, linestyle=(0, (4, 2)))
    title = None
    if silent:
        title = textwrap.fill(f"without an estimate: {listed(silent)}", int(width * 13))
    figure.legend(
        looks.values(),
        looks.keys(),
        loc="outside lower left",
        ncols=len(looks),
        frameon=False,
        fontsize=NOTE_SIZE,
        title=title,
        title_fontsize=NOTE_SIZE,
        alignment="left",
        edgecolor=FAINT,
    )
