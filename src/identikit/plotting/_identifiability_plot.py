"""The picture of identifiability: expected relative standard errors against what counts as known."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from identikit.plotting._style import DATA, FAINT, INK, MODEL, NOTE_SIZE, PALETTE, drawn, floats
from identikit.result import IdentifiabilityReport, PracticalResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW = 0.36  # inches of height for a parameter
LONGEST_BAR = 1e3  # relative standard error at which a bar ends: beyond, nothing is known
MARKERS = ("s", "D", "o")  # of variants of the record


def plot_identifiability(report: IdentifiabilityReport, path: str | Path | None = None) -> Figure:
    """Draw a report, fresh or loaded: a bar for every parameter on a logarithmic axis, with the limit of what counts as
    known, and markers for what a longer, denser or quieter record would tell.

    Arguments:
        report: what `identikit.identifiability` returned.
        path: file to write (.png, .pdf or .svg), whole or not at all; None = only return the figure.

    Without a record there are verdicts of the equations only.
    """
    return drawn(lambda: _draw(report), path)


def _draw(report: IdentifiabilityReport) -> Figure:
    from matplotlib.figure import Figure

    names = list(report.free)
    figure = Figure(figsize=(8.6, 1.9 + ROW * len(names)), layout="constrained")
    axes = figure.subplots()
    axes.set_yticks(range(len(names)), [_label(report, name) for name in names])
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(axis="y", visible=False)
    if report.practical is None:
        _verdicts(axes, report, names)
    else:
        _bars(axes, report.practical, report, names)
    told = sum(report.identifiable(name) for name in names)
    figure.suptitle(f"{report.model}: {told} of {len(names)} parameters can be identified", x=0.01, ha="left")
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False)
    return figure


def _label(report: IdentifiabilityReport, name: str) -> str:
    if report.practical is None:
        return name
    item = report.practical.parameters[name]
    if report.structural is not None and not report.structural.parameters[name]:
        return f"{name} (by no record)"
    stood_in_for = not item.identifiable and item.relative is not None and item.relative <= report.practical.limit
    return f"{name} (others stand in)" if stood_in_for else name


def _bars(axes: Axes, found: PracticalResult, report: IdentifiabilityReport, names: Sequence[str]) -> None:
    from matplotlib.ticker import FuncFormatter

    shares = [found.parameters[name].relative for name in names]
    known = [value for value in shares if value is not None and value > 0]
    others = [v for item in found.variants for v in item.relative.values() if v is not None and v > 0]
    low = min([*known, *others, found.limit]) / 3
    high = min(max([*known, found.limit]) * 3, LONGEST_BAR)
    for row, (name, share) in enumerate(zip(names, shares, strict=True)):
        colour = PALETTE[0] if report.identifiable(name) else MODEL
        end = high if share is None else min(share, high)
        axes.barh(
            row, end - low, left=low, height=0.62, color=colour, hatch="///" if share is None else None, alpha=0.85
        )
        if share is None:
            axes.text(
                high / 1.1,
                row,
                "not told at all",
                ha="right",
                va="center",
                fontsize=NOTE_SIZE,
                color=INK,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5},
            )
    for marker, variant, colour in zip(MARKERS, found.variants, (INK, DATA, PALETTE[5]), strict=False):
        rows = [row for row, name in enumerate(names) if variant.relative.get(name) is not None]
        if rows:
            axes.scatter(
                floats([variant.relative[names[row]] for row in rows]),
                rows,
                marker=marker,
                s=26,
                color=colour,
                edgecolor="white",
                linewidth=0.6,
                label=variant.name,
                zorder=3,
            )
    axes.axvline(
        found.limit, color=MODEL, linewidth=1.2, linestyle="--", zorder=2.5, label=f"{100 * found.limit:g} %: not known"
    )
    axes.set_xscale("log")
    axes.set_xlim(low, high)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g} %"))
    kind = "planned" if found.record.planned else "given"
    axes.set_xlabel(f"standard error of the {kind} record, relative to the parameter")


def _verdicts(axes: Axes, report: IdentifiabilityReport, names: Sequence[str]) -> None:
    axes.set_xlim(0, 1)
    axes.set_xticks([])
    for row, name in enumerate(names):
        told = report.identifiable(name)
        axes.barh(row, 1.0, height=0.62, color=FAINT if told else MODEL, alpha=0.85)
        words = "identifiable by the equations" if told else "no record of these outputs tells it"
        axes.text(0.02, row, words, va="center", fontsize=NOTE_SIZE)
