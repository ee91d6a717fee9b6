"""The picture of a fit: data against model, with the residuals below.

matplotlib is used through its objects, without pyplot: no global state, no window, and a faster import.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from identikit.plotting._painters import painter_of
from identikit.plotting._style import BAND, DATA, MODEL, RESIDUAL, STYLE, check_format, save, with_unit
from identikit.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_RECORDS = 6
MOST_COLUMNS = 3
WIDTH_WITH_MORE, MORE_HEIGHT = 11.6, 3.9  # inches


@dataclass(frozen=True)
class _Curve:
    """One output in one record; missing samples are NaN."""

    output: str
    record: str
    unit: str
    time_unit: str
    t: NDArray[np.float64]
    measured: NDArray[np.float64]
    modelled: NDArray[np.float64]

    @classmethod
    def of(cls, artifact: Mapping[str, Any]) -> _Curve:
        # dtype float turns the nulls of a loaded result into NaN
        t, measured, modelled = (np.array(artifact[key], dtype=float) for key in ("t", "measured", "modelled"))
        words = {key: str(artifact.get(key) or "") for key in ("output", "record", "unit", "time_unit")}
        return cls(**words, t=t, measured=measured, modelled=modelled)


def plot_fit(result: Result, path: str | Path | None = None) -> Figure:
    """Draw measured and modelled outputs with the residuals and their +-2 sigma band below.

    Arguments:
        result: a fit, fresh or loaded; its artifacts of kind "curve" are drawn.
        path: file to write (.png, .pdf or .svg), whole or not at all; None = only return the figure.

    One row per output and one column per record; a single output of many records runs over several rows.
    At most six records are drawn, the others are counted in words.
    """
    check_format(path)
    from matplotlib import rc_context

    with rc_context(STYLE):
        figure = _draw(result)
        if path is not None:
            save(figure, Path(path))
    return figure


def _draw(result: Result) -> Figure:
    kept = [item for item in result.artifacts.values() if item.get("kind") == "curve" and "measured" in item]
    curves = [_Curve.of(item) for item in kept]
    curves = [curve for curve in curves if len(curve.t) > 0]
    if not curves:
        return _words_only(result)
    outputs = list(dict.fromkeys(curve.output for curve in curves))
    records = list(dict.fromkeys(curve.record for curve in curves))
    drawn = records[: MOST_RECORDS if len(outputs) == 1 else MOST_COLUMNS]
    cells = [curve for output in outputs for curve in curves if curve.output == output and curve.record in drawn]
    columns = min(len(drawn), MOST_COLUMNS)
    rows = math.ceil(len(cells) / columns)
    width, height = (8.6, 5.2) if columns == 1 else (4.4 * columns, 3.9)
    size = (width, height * rows if rows == 1 else 3.7 * rows)
    figure, above = _with_more(result, size)
    blocks = np.atleast_2d(above.subfigures(rows, columns, squeeze=False))
    for index, curve in enumerate(cells):
        row, column = divmod(index, columns)
        _draw_cell(blocks[row, column], curve, result, titled=len(records) > 1, alone=columns == 1)
    above.suptitle(_title(result, len(records), len(drawn)), x=0.01, ha="left")
    # One legend for all panels, outside them, where it hides no sample and leaves the panels aligned.
    handles = blocks[0, 0].axes[0].get_legend_handles_labels()
    above.legend(*handles, loc="outside upper right", ncols=2, frameon=False, markerscale=2.5)
    return figure


def _with_more(result: Result, size: tuple[float, float]) -> tuple[Figure, Any]:
    """A figure whose lower part holds what else the method found, if anything, and its upper part."""
    from matplotlib.figure import Figure

    draw = painter_of(result)
    if draw is None:
        figure = Figure(figsize=size, layout="constrained")
        return figure, figure
    width, height = max(size[0], WIDTH_WITH_MORE), size[1]
    figure = Figure(figsize=(width, height + MORE_HEIGHT), layout="constrained")
    parts = np.atleast_2d(figure.subfigures(2, 1, squeeze=False, height_ratios=(height, MORE_HEIGHT)))[:, 0]
    draw(parts[1], result)
    return figure, parts[0]


def _draw_cell(block: Any, curve: _Curve, result: Result, *, titled: bool, alone: bool) -> None:
    residual = curve.measured - curve.modelled
    found = result.noise.get(curve.output)
    sigma = found.sigma if found is not None else None
    known = residual[np.isfinite(residual)]
    histogram = alone and len(known) >= 50
    grid = block.add_gridspec(
        2, 2 if histogram else 1, height_ratios=(2.4, 1), width_ratios=(1, 0.14) if histogram else None
    )
    above = block.add_subplot(grid[0, 0])
    below = block.add_subplot(grid[1, 0], sharex=above)
    _draw_signal(above, curve)
    _draw_residual(below, curve, residual, sigma)
    if histogram:
        _draw_histogram(block.add_subplot(grid[1, 1], sharey=below), known, sigma)
    above.tick_params(labelbottom=False)
    if titled:
        above.set_title(curve.record, loc="left")
    fit = result.fit.get(curve.output)
    if fit is not None and fit.fit_percent is not None and not titled:
        above.set_title(f"fit {fit.fit_percent:.1f} %", loc="right", color=RESIDUAL)
    if alone:
        below.set_title(_residual_words(sigma, found.white if found else None, curve.unit), loc="left", color=RESIDUAL)
    block.align_ylabels()


def _draw_signal(axes: Axes, curve: _Curve) -> None:
    size = _point_size(len(curve.t))
    axes.plot(
        curve.t,
        curve.measured,
        ".",
        color=DATA,
        markersize=size,
        markeredgewidth=0,
        label="measured",
        rasterized=True,
    )
    axes.plot(*_unbroken(curve.t, curve.modelled), "-", color=MODEL, linewidth=1.0, label="model")
    axes.set_ylabel(with_unit(curve.output, curve.unit))


def _draw_residual(axes: Axes, curve: _Curve, residual: NDArray[np.float64], sigma: float | None) -> None:
    if sigma is not None:
        axes.axhspan(-2 * sigma, 2 * sigma, color=BAND, linewidth=0, zorder=0)
    axes.axhline(0, color=MODEL, linewidth=0.8)
    size = 0.8 * _point_size(len(curve.t))
    axes.plot(curve.t, residual, ".", color=RESIDUAL, markersize=size, markeredgewidth=0, rasterized=True)
    axes.set_ylabel(with_unit("residual", curve.unit))
    axes.set_xlabel(with_unit("time", curve.time_unit))
    known = np.abs(residual[np.isfinite(residual)])
    reach = max(float(known.max(initial=0.0)), 2.4 * (sigma or 0.0))
    if reach > 0:
        axes.set_ylim(-1.08 * reach, 1.08 * reach)


def _draw_histogram(axes: Axes, residual: NDArray[np.float64], sigma: float | None) -> None:
    """How often each residual occurs, against the normal curve it should follow."""
    bins = min(40, max(10, round(math.sqrt(len(residual)))))
    axes.hist(residual, bins=bins, orientation="horizontal", density=True, color=DATA)
    if sigma:
        at = np.linspace(-4 * sigma, 4 * sigma, 200)
        bell = np.exp(-0.5 * (at / sigma) ** 2) / (sigma * math.sqrt(2 * math.pi))
        axes.plot(bell, at, color=MODEL, linewidth=1.0)
    axes.set_axis_off()


def _unbroken(t: NDArray[np.float64], values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The model where it is known: it is saved at measured samples, and one not measured is no gap in it."""
    known = np.isfinite(values)
    return t[known], values[known]


def _point_size(count: int) -> float:
    """Points shrink as they get denser, so that the model's line stays visible among them."""
    return float(np.clip(5.0 - 1.1 * math.log10(max(count, 1) / 100), 2.6, 5.0))


def _residual_words(sigma: float | None, white: bool | None, unit: str) -> str:
    if sigma is None:
        return ""
    colour = {True: ", white", False: ", not white: neighbouring residuals are correlated", None: ""}[white]
    return f"sigma {sigma:.2g}{' ' + unit if unit else ''}{colour}; band +-2 sigma".replace("+-", "\N{PLUS-MINUS SIGN}")


def _title(result: Result, records: int, drawn: int) -> str:
    text = f"{result.model}, {result.method}"
    if not result.ok:
        text += f" ({result.status.code.value.replace('_', ' ')})"
    if drawn < records:
        text += f": {drawn} of {records} records, the other {records - drawn} are not drawn"
    return text


def _words_only(result: Result) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.6, 2.4), layout="constrained")
    figure.suptitle(_title(result, 0, 0), x=0.01, ha="left")
    figure.text(0.5, 0.45, f"Nothing to draw: {result.status.message}", ha="center", va="center", wrap=True)
    return figure
