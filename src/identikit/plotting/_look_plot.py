"""The picture of a look: every column over time, its spectrum, and what its noise is like."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from identikit.plotting._style import (
    BAND,
    DATA,
    INK,
    MODEL,
    NOTE_SIZE,
    RESIDUAL,
    drawn,
    floats,
    with_unit,
)
from identikit.result import ColumnLook, ColumnRole, LookReport

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_LOOK_ROWS = 8  # that are drawn, each in a row of its own
ROW_HEIGHT = 1.75  # inches


def plot_look(report: LookReport, path: str | Path | None = None) -> Figure:
    """Draw a look, fresh or loaded: a row per column with its history, its spectrum and its noise.

    In the history gaps are shaded and outliers marked; of a long record the range of the values in every pixel is
    drawn, so that no spike is lost. The third panel shows how the noise is correlated from sample to sample, with
    the band in which white noise stays in 95 of 100 cases, the fourth how it is distributed beside a normal
    distribution.

    Arguments:
        report: what `identikit.look` returned.
        path: file to write (.png, .pdf or .svg), whole or not at all; None = only return the figure.

    Constant, empty and repeated columns and those that number runs are left out; of many, eight are drawn.
    """
    return drawn(lambda: _draw(report), path)


def _draw(report: LookReport) -> Figure:
    from matplotlib.figure import Figure

    # what is measured first, so that the panels of spectrum and noise stand below each other
    columns = [
        column for role in (ColumnRole.MEASURED, ColumnRole.COMMAND) for column in report.columns if column.role is role
    ]
    shown = columns[:MOST_LOOK_ROWS]
    if not shown:
        figure = Figure(figsize=(8.6, 2.4), layout="constrained")
        figure.text(0.5, 0.5, f"{report.name}: no column changes", ha="center", va="center")
        return figure
    figure = Figure(figsize=(12.6, 1.3 + ROW_HEIGHT * len(shown)), layout="constrained")
    axes = figure.subplots(len(shown), 4, squeeze=False, width_ratios=(4.2, 2.2, 1.1, 1.1))
    for row, column in zip(axes, shown, strict=True):
        curve = report.curves[column.name]
        _history(row[0], curve, column, report)
        _spectrum(row[1], curve, column)
        _correlation(row[2], curve)
        _distribution(row[3], curve)
    for panel in axes[:-1, 0]:
        panel.sharex(axes[-1, 0])
        panel.tick_params(labelbottom=False)
    axes[-1, 0].set_xlabel(with_unit("time", report.time_unit))
    per = "Hz" if report.time_unit == "s" else f"1/{report.time_unit}" if report.time_unit else ""
    last = max(sum(column.role is ColumnRole.MEASURED for column in shown) - 1, 0)
    for panel, words in zip(axes[last, 1:], (with_unit("frequency", per), "lag in samples", "noise / sd"), strict=True):
        panel.set_xlabel(words)
    for panel, words in zip(axes[0, 1:], ("amplitude", "autocorrelation", "distribution"), strict=True):
        panel.set_title(words, loc="left")
    left_out = len(columns) - len(shown)
    more = f"; {left_out} more columns are not drawn" if left_out else ""
    figure.suptitle(f"{report.name}: {report.motion.kind.value.replace('_', ' ')}{more}", x=0.01, ha="left")
    figure.align_ylabels(axes[:, 0])
    return figure


def _history(axes: Axes, curve: Mapping[str, Any], column: ColumnLook, report: LookReport) -> None:
    t, low, high = (floats(curve[key]) for key in ("t", "low", "high"))
    for gap in report.clock.gaps:
        axes.axvspan(gap.begin, gap.end, color=BAND, linewidth=0)
        inside = (t > gap.begin) & (t < gap.end)
        place = int(np.searchsorted(t, gap.end))
        if not inside.any() and 0 < place < len(t):  # the line must not cross the gap
            t, low, high = (
                np.insert(part, place, value) for part, value in ((t, gap.end), (low, np.nan), (high, np.nan))
            )
    thinned = bool(np.any(high > low))
    if thinned:
        axes.fill_between(t, low, high, color=DATA, linewidth=0.4, edgecolor=DATA)
    else:
        steps = "steps-post" if column.role is not ColumnRole.MEASURED else "default"
        axes.plot(t, low, "-", color=RESIDUAL, linewidth=0.8, drawstyle=steps)
    wild = curve.get("outliers")
    if wild:
        count = f"{column.outliers} outlier{'s' if column.outliers != 1 else ''}"
        axes.plot(floats(wild["t"]), floats(wild["values"]), "x", color=MODEL, markersize=4, label=count)
    for limit in column.clipped:
        axes.axhline(limit.level, color=MODEL, linewidth=0.9, linestyle=(0, (4, 2)), label="cut off")
    if report.motion.free_from is not None:
        axes.axvline(report.motion.free_from, color=INK, linewidth=0.8, linestyle=(0, (2, 2)))
    if axes.get_legend_handles_labels()[1]:
        axes.legend(loc="upper right", fontsize=NOTE_SIZE, frameon=True, framealpha=0.85, edgecolor="none")
    axes.set_ylabel(with_unit(_short(column.name), column.unit))


def _short(name: str) -> str:
    """A name that fits beside a panel."""
    return name if len(name) <= 18 else f"{name[:15]}..."


def _spectrum(axes: Axes, curve: Mapping[str, Any], column: ColumnLook) -> None:
    found = curve.get("spectrum")
    if found is None:
        axes.set_axis_off()
        return
    f, amplitude = floats(found["f"]), floats(found["amplitude"])
    axes.loglog(f, np.maximum(amplitude, amplitude.max() * 1e-9), "-", color=RESIDUAL, linewidth=0.8)
    for line in column.lines:
        axes.plot(line.frequency, line.amplitude, "o", color=MODEL, markersize=4)
        axes.annotate(
            f"{line.frequency:.3g}",
            (line.frequency, line.amplitude),
            xytext=(4, 2),
            textcoords="offset points",
            fontsize=NOTE_SIZE,
        )
    axes.margins(y=0.15)


def _correlation(axes: Axes, curve: Mapping[str, Any]) -> None:
    found = curve.get("residuals")
    if found is None:
        axes.set_axis_off()
        return
    values = floats(found["autocorrelation"])
    lags = np.arange(1, len(values) + 1)
    bound = 1.96 / np.sqrt(max(found["samples"], 1))
    axes.axhspan(-bound, bound, color=BAND, linewidth=0)
    axes.vlines(lags, 0, values, color=RESIDUAL, linewidth=2.2)
    axes.axhline(0, color=INK, linewidth=0.6)
    reach = max(float(np.nanmax(np.abs(values), initial=0.0)), 0.2)
    axes.set_ylim(-1.15 * reach, 1.15 * reach)
    axes.set_xlim(0.2, len(values) + 0.8)


def _distribution(axes: Axes, curve: Mapping[str, Any]) -> None:
    found = curve.get("residuals")
    if found is None:
        axes.set_axis_off()
        return
    edges, density = floats(found["edges"]), floats(found["density"])
    axes.stairs(density, edges, fill=True, color=DATA)
    z = np.linspace(edges[0], edges[-1], 121)
    axes.plot(z, np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi), color=MODEL, linewidth=1.0)
    axes.set_yticks([])
