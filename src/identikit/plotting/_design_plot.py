"""The picture of a plan: expected standard errors of every experiment, and the motion that is planned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from identikit.plotting._style import DATA, FAINT, INK, MODEL, PALETTE, RESIDUAL, drawn, floats, with_unit
from identikit.result import DesignReport, PlannedExperiment

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_RUNS = 3  # of the planned motion that are drawn
LARGEST_SHOWN = 1e3  # relative error: what is beyond is drawn at the edge, as unknown
BESIDE_DOTS = 1.6  # factor on both sides of what is drawn
OTHERS = tuple(colour for k, colour in enumerate(PALETTE) if k != 1)  # the second is too like the recommended one's


def plot_design(report: DesignReport, path: str | Path | None = None) -> Figure:
    """Draw a report, fresh or loaded: one row per parameter with a dot per experiment, then the planned motion.

    Dots show expected standard errors over the parameter's value, on a logarithmic scale; a line marks what is wanted,
    a cross the spread of fits of simulated records, an arrow what would not be known at all. Below, the recommended
    runs over the present ones, with what is sampled marked along the time axis.

    Arguments:
        report: what `identikit.design` returned.
        path: file to write (.png, .pdf or .svg), whole or not at all; None = only return the figure.
    """
    return drawn(lambda: _draw(report), path)


def _draw(report: DesignReport) -> Figure:
    from matplotlib.figure import Figure

    if not report.experiments:
        figure = Figure(figsize=(8.6, 2.4), layout="constrained")
        figure.text(0.5, 0.5, f"Nothing is planned: {report.status.message}", ha="center", va="center", wrap=True)
        return figure
    planned = [curve for curve in report.curves if curve["experiment"] == report.recommended][:MOST_RUNS]
    panels = [(curve, name) for curve in planned for name in (*curve["outputs"], *curve["inputs"])]
    forest = 0.9 + 0.42 * len(report.parameters)
    figure = Figure(figsize=(9.2, forest + 0.6 + 1.5 * len(panels)), layout="constrained")
    axes = figure.subplots(1 + len(panels), 1, squeeze=False, height_ratios=[forest, *([1.5] * len(panels))])[:, 0]
    _errors(axes[0], report)
    present = [curve for curve in report.curves if curve["experiment"] == report.experiments[0].name]
    for axis, (curve, name) in zip(axes[1:], panels, strict=True):
        _motion(axis, curve, name, present, report, len(planned))
    if panels:
        axes[-1].set_xlabel(with_unit("time", report.time_unit))
    figure.suptitle(f"{report.model}: {report.recommended}", x=0.01, ha="left")
    return figure


def _errors(axes: Axes, report: DesignReport) -> None:
    from matplotlib.ticker import FuncFormatter

    names = list(report.parameters)
    shown = [
        value
        for item in report.experiments
        for name in names
        if (value := report.relative(item, name)) is not None and value < LARGEST_SHOWN
    ]
    wanted = {n: p.wanted / p.size for n, p in report.parameters.items() if p.wanted is not None}
    every = [*shown, *wanted.values()] or [1.0]
    low, high = min(every) / BESIDE_DOTS, max(every) * BESIDE_DOTS
    axes.set_xscale("log")
    for k, item in enumerate(report.experiments):
        _dots(axes, report, item, k, names, high)
    for name, value in wanted.items():
        row = names.index(name)
        axes.plot([value, value], [row - 0.42, row + 0.42], color=INK, linewidth=1.4)
        axes.text(value, row - 0.45, "wanted", ha="center", va="bottom", fontsize=8)
    axes.set_xlim(low, high * (1.1 if len(shown) == len(names) * len(report.experiments) else 3.0))
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.7)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g} %"))
    axes.set_xlabel("expected standard error over the value")
    axes.grid(axis="y", visible=False)
    for row in range(len(names) - 1):
        axes.axhline(row + 0.5, color=FAINT, linewidth=0.6)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, frameon=False, fontsize=8.5)


def _dots(
    axes: Axes, report: DesignReport, item: PlannedExperiment, place: int, names: Sequence[str], edge: float
) -> None:
    """One experiment over all parameters, a little below the one before."""
    chosen, count = item.name == report.recommended, len(report.experiments)
    shift = 0.0 if count == 1 else 0.6 * (place / (count - 1) - 0.5)
    colour = MODEL if chosen else RESIDUAL if place == 0 else OTHERS[(place - 1) % len(OTHERS)]
    values = [report.relative(item, name) for name in names]
    known = [(v, row) for row, v in enumerate(values) if v is not None and v < LARGEST_SHOWN]
    marks: Any = {"color": colour, "markersize": 7.5 if chosen else 5.5, "linestyle": "none"}
    label = f"{item.name} (recommended)" if chosen and place else item.name
    axes.plot([v for v, _ in known], [row + shift for _, row in known], marker="o", label=label, zorder=4, **marks)
    lost = [row for row, v in enumerate(values) if v is None or v >= LARGEST_SHOWN]
    axes.plot([edge * 1.6] * len(lost), [row + shift for row in lost], marker=">", fillstyle="none", **marks)
    for row in lost:
        axes.text(edge * 1.5, row + shift, "unknown", ha="right", va="center", fontsize=8, color=colour)
    if chosen and report.check is not None:
        spread = [report.check.std[name] / report.parameters[name].size for name in names]
        rows = [row + shift for row in range(len(names))]
        label = f"spread of {report.check.settled} simulated fits"
        axes.plot(spread, rows, "x", color=INK, markersize=6, label=label, zorder=5)


def _motion(
    axes: Axes,
    curve: Mapping[str, Any],
    name: str,
    present: Sequence[Mapping[str, Any]],
    report: DesignReport,
    runs: int,
) -> None:
    is_output = name in curve["outputs"]
    if is_output and report.recommended != report.experiments[0].name:
        for other in present[:1]:
            if name in other["outputs"]:
                t, values = floats(other["t"]), floats(other["outputs"][name])
                axes.plot(t, values, color=DATA, linewidth=0.8, label="present", zorder=1)
    values = floats((curve["outputs"] if is_output else curve["inputs"])[name])
    axes.plot(floats(curve["t"]), values, color=MODEL if is_output else INK, linewidth=1.1, zorder=3)
    unit = str(curve["units"].get(name, ""))
    run = f", run {curve['run']}" if runs > 1 else ""
    axes.set_ylabel(f"{with_unit(name, unit)}{run}")
    if is_output:
        low, high = axes.get_ylim()
        floor = low - 0.08 * (high - low)
        sampled = floats(curve["sampled"])
        axes.plot(sampled, [floor] * len(sampled), "|", color=INK, markersize=5, markeredgewidth=0.6)
        axes.set_ylim(floor - 0.06 * (high - low), high)
