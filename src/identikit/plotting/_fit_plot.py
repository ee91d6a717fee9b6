"""The picture of a fit: data against model, with the residuals below.

matplotlib is used through its objects, without pyplot: no global state, no window, and a faster import.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from identikit.plotting._fit_panels import Curve, draw_input, draw_residual, draw_signal, residual_words
from identikit.plotting._painters import painters_of
from identikit.plotting._residual_checks import residual_checks
from identikit.plotting._style import NOTE_SIZE, RESIDUAL, drawn, with_unit
from identikit.result import Prediction, Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_RECORDS = 6  # of one output
MOST_COLUMNS = 3  # of records
MOST_OUTPUTS = 12  # that are drawn
MOST_STACKED = 4  # outputs of several records; with more, the first record alone is drawn
OUTPUTS_PER_COLUMN = 3  # of one record
MOST_INPUTS = 6  # that are drawn under the outputs
INPUT_HEIGHT, AXIS_HEIGHT, CHECKS_HEIGHT, TITLE_HEIGHT = 0.45, 0.5, 1.9, 0.4  # inches
WIDTH_WITH_MORE, MORE_HEIGHT = 11.6, 3.9  # inches


@dataclass(frozen=True)
class _Block:
    """Panels over one time axis: outputs of one record, and its inputs below."""

    record: str
    curves: Sequence[Curve]
    inputs: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class _Sizes:
    """Inches: of one column of panels, and of the panels in it."""

    width: float
    signal: float
    residual: float
    compact: bool

    @classmethod
    def of(cls, columns: int, outputs: int, rows: int) -> _Sizes:
        """For so many columns of blocks, outputs in a block and rows of blocks."""
        width = {1: 9.2, 2: 5.8, 3: 4.6}.get(columns, 3.9)
        if outputs * rows == 1:
            return cls(width, 2.9, 1.1, columns > 1)
        return cls(width, 1.7, 0.75, True) if outputs * rows <= 2 else cls(width, 1.35, 0.6, True)

    def height(self, block: _Block) -> float:
        """With the room for titles between panels and the time axis."""
        return sum(self.heights(block)) + TITLE_HEIGHT / 2 * (len(block.curves) + len(block.inputs)) + AXIS_HEIGHT

    def heights(self, block: _Block) -> list[float]:
        """Of the panels alone."""
        return [self.signal, self.residual] * len(block.curves) + [INPUT_HEIGHT] * len(block.inputs)


def plot_fit(result: Result, path: str | Path | None = None) -> Figure:
    """Draw measured and modelled outputs with the residuals and their +-2 sigma band below.

    Arguments:
        result: a fit, fresh or loaded; its artifacts of kind "curve" are drawn.
        path: file to write (.png, .pdf or .svg), whole or not at all; None = only return the figure.

    The model's curve is drawn as it runs between samples and through gaps, if the result holds it. Inputs stand below
    the outputs over the same time. One record with many outputs fills several columns; of several records each has a
    column; one output of many records runs over several rows. What is not drawn is counted in the title. Below: how
    the residuals correlate with themselves and with the inputs, with 95 % confidence lines, and their distribution.
    """
    return drawn(lambda: _draw(result), path)


def _draw(result: Result) -> Figure:
    kept = [item for item in result.artifacts.values() if item.get("kind") == "curve" and "measured" in item]
    curves = [curve for curve in map(Curve.of, kept) if len(curve.t) > 0]
    if not curves:
        return _words_only(result)
    inputs = [item for item in result.artifacts.values() if item.get("kind") == "input"]
    blocks, columns = _arranged(curves, inputs)
    drawn = [curve for block in blocks for curve in block.curves]
    in_row = [blocks[i : i + columns] for i in range(0, len(blocks), columns)]
    sizes = _Sizes.of(columns, max(len(block.curves) for block in blocks), len(in_row))
    checks = residual_checks(result, drawn)
    heights = [max(map(sizes.height, row)) for row in in_row] + [CHECKS_HEIGHT] * bool(checks)
    figure, above = _with_more(result, (sizes.width * columns, sum(heights) + 2 * TITLE_HEIGHT))  # and the legend
    grid = above.add_gridspec(len(heights), 1, height_ratios=heights)
    for index, row in enumerate(in_row):
        cells = grid[index].subgridspec(1, columns)
        for column, block in enumerate(row):
            _draw_block(above, cells[column], block, result, sizes, titled=len({c.record for c in curves}) > 1)
    handles = _legend(above)
    if checks:
        cells = grid[len(in_row)].subgridspec(1, len(checks), width_ratios=[check.width for check in checks])
        for column, check in enumerate(checks):
            check.draw(above.add_subplot(cells[column]))
    above.suptitle(_title(result, curves, drawn), x=0.01, ha="left")
    # One legend for all panels, outside them, where it hides no sample and leaves the panels aligned.
    legend = above.legend(*handles, loc="outside lower center", ncols=5, frameon=False)
    legend.legend_handles[0].set_markersize(5)
    return figure


def _arranged(curves: Sequence[Curve], inputs: Sequence[Mapping[str, Any]]) -> tuple[list[_Block], int]:
    """What is drawn, row by row, and the number of columns."""
    outputs = list(dict.fromkeys(curve.output for curve in curves))[:MOST_OUTPUTS]
    records = list(dict.fromkeys(curve.record for curve in curves))
    if len(records) == 1 or len(outputs) > MOST_STACKED:
        columns = math.ceil(len(outputs) / OUTPUTS_PER_COLUMN)
        each = math.ceil(len(outputs) / columns)
        parts = [(records[0], outputs[i : i + each]) for i in range(0, len(outputs), each)]
    else:
        parts = [(record, outputs) for record in records[: MOST_RECORDS if len(outputs) == 1 else MOST_COLUMNS]]
        columns = math.ceil(len(parts) / math.ceil(len(parts) / MOST_COLUMNS))
    blocks = []
    for record, names in parts:
        own = [curve for name in names for curve in curves if (curve.record, curve.output) == (record, name)]
        driven = [item for item in inputs if item.get("record") == record][:MOST_INPUTS]
        blocks.append(_Block(record, own, driven))
    return blocks, columns


def _with_more(result: Result, size: tuple[float, float]) -> tuple[Figure, Any]:
    """A figure whose lower part holds what else the method found, if anything, and its upper part."""
    from matplotlib.figure import Figure

    painters = painters_of(result)
    if not painters:
        figure = Figure(figsize=size, layout="constrained")
        return figure, figure
    heights = [size[1], *[MORE_HEIGHT] * len(painters)]
    figure = Figure(figsize=(max(size[0], WIDTH_WITH_MORE), sum(heights)), layout="constrained")
    above, *below = figure.subfigures(len(heights), 1, squeeze=False, height_ratios=heights)[:, 0]
    for draw, block in zip(painters, below, strict=True):
        draw(block, result)
    return figure, above


def _draw_block(figure: Any, place: Any, block: _Block, result: Result, sizes: _Sizes, *, titled: bool) -> None:
    heights = sizes.heights(block)
    grid = place.subgridspec(len(heights), 1, height_ratios=heights)
    panels: list[Axes] = []
    for row in range(len(heights)):
        panels.append(figure.add_subplot(grid[row], sharex=panels[0] if panels else None))
    for curve, above, below in zip(block.curves, panels[::2], panels[1::2], strict=False):
        draw_signal(above, curve)
        noise, found = curve.record_noise(), result.noise.get(curve.output)
        draw_residual(below, curve, noise, compact=sizes.compact)
        if not sizes.compact:
            below.set_title(residual_words(curve, noise, found.white if found else None), loc="left", color=RESIDUAL)
        fit = result.fit.get(curve.output)
        if fit is not None and fit.fit_percent is not None and not titled:
            above.set_title(f"fit {fit.fit_percent:.1f} %", loc="right", color=RESIDUAL, fontsize=NOTE_SIZE)
    for item, axes in zip(block.inputs, panels[2 * len(block.curves) :], strict=True):
        draw_input(axes, item)
    for index, (height, axes) in enumerate(zip(heights, panels, strict=True)):
        axes.tick_params(labelbottom=axes is panels[-1])
        about_zero = index % 2 and index < 2 * len(block.curves)
        steps = (1, 2, 3, 4, 5, 6, 8, 10) if about_zero else (1, 2, 5, 10)  # so that -n, 0, n fit a low panel
        axes.locator_params(axis="y", nbins=max(2, round(2.6 * height)), steps=steps)
    if titled:
        panels[0].set_title(block.record, loc="left")
    panels[-1].ticklabel_format(axis="x", useOffset=False)
    panels[-1].locator_params(axis="x", steps=(1, 2, 5, 10))
    panels[-1].set_xlabel(with_unit("time", block.curves[0].time_unit))
    figure.align_ylabels(panels)


def _legend(figure: Any) -> tuple[list[Any], list[str]]:
    """Handles and labels of all panels, each once."""
    found: dict[str, Any] = {}
    for axes in figure.axes:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    return list(found.values()), list(found)


def _title(result: Result, curves: Sequence[Curve] = (), drawn: Sequence[Curve] = ()) -> str:
    text = f"{result.model}, {result.method}" + (", prediction" if isinstance(result, Prediction) else "")
    if not result.ok:
        text += f" ({result.status.code.value.replace('_', ' ')})"
    parts = []
    for word, name in (("records", "record"), ("outputs", "output")):
        there, shown = (len({getattr(curve, name) for curve in part}) for part in (curves, drawn))
        if shown < there:
            parts.append(f"{shown} of {there} {word}")
    return f"{text}: {' and '.join(parts)} drawn" if parts else text


def _words_only(result: Result) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.6, 2.4), layout="constrained")
    figure.suptitle(_title(result), x=0.01, ha="left")
    figure.text(0.5, 0.45, f"Nothing to draw: {result.status.message}", ha="center", va="center", wrap=True)
    return figure
