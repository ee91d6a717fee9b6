"""The picture of a decay: the record with its envelope, the amplitude against every law, and what each law misses."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from identikit.plotting._style import DATA, INK, MODEL, RESIDUAL, STYLE, check_format, save, with_unit
from identikit.result import DampingReport, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_RECORDS = 3
HOPELESS = 20  # times what the best law misses: beyond, a law leaves the lowest panel

_COLOURS = {
    "viscous": "#1d4ed8",
    "dry": "#c2410c",
    "drag": "#15803d",
    "viscous + dry": "#7e22ce",
    "viscous + drag": "#0e7490",
    "dry + drag": "#a16207",
    "viscous + dry + drag": "#27313b",
    "none": "#9aa7b3",
}


def plot_damping(report: DampingReport, path: str | Path | None = None) -> Figure:
    """Draw a report, fresh or loaded: record, amplitude on a logarithmic scale, and amplitude minus every law's.

    On the logarithmic scale a viscous decay is a straight line; dry friction bends it down, drag bends it up.

    Arguments:
        report: what `identikit.damping` returned.
        path: file to write (.png, .pdf or .svg), whole or not at all; None = only return the figure.

    At most three records are drawn.
    """
    check_format(path)
    from matplotlib import rc_context

    with rc_context(STYLE):
        figure = _draw(report)
        if path is not None:
            save(figure, Path(path))
    return figure


def _draw(report: DampingReport) -> Figure:
    from matplotlib.figure import Figure

    if not report.laws:
        figure = Figure(figsize=(8.6, 2.4), layout="constrained")
        figure.text(0.5, 0.5, f"No law is named: {report.status.message}", ha="center", va="center", wrap=True)
        return figure
    curves = report.curves[:MOST_RECORDS]
    figure = Figure(figsize=(9.6 if len(curves) == 1 else 4.6 * len(curves) + 1.5, 8.2), layout="constrained")
    axes = figure.subplots(3, len(curves), squeeze=False, sharex="col", height_ratios=(1.2, 1.6, 1))
    for column, curve in enumerate(curves):
        _record(axes[0, column], curve, report)
        _amplitudes(axes[1, column], curve, report)
        _missed(axes[2, column], curve, report)
        axes[2, column].set_xlabel(with_unit("time", str(curve["time_unit"])))
        if len(report.curves) > 1:
            axes[0, column].set_title(str(curve["record"]), loc="left")
    title = f"{report.model + ': ' if report.model else ''}{report.best}, weight {percent(report.laws[0].weight)}"
    if len(report.curves) > len(curves):
        title += f" ({len(curves)} of {len(report.curves)} records)"
    figure.suptitle(title, x=0.01, ha="left")
    handles, labels = axes[1, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center", frameon=False)
    return figure


def _record(axes: Axes, curve: Mapping[str, Any], report: DampingReport) -> None:
    t, measured = _array(curve["t"]), _array(curve["measured"])
    axes.plot(t, measured, ".", color=DATA, markersize=2.2, markeredgewidth=0, rasterized=True)
    line = curve["envelopes"].get(report.best)
    if line is not None:
        at, amplitude = _array(line["t"]), _array(line["amplitude"])
        for sign in (1, -1):
            axes.plot(at, line["middle"] + sign * amplitude, color=MODEL, linewidth=1.2)
    axes.set_ylabel(with_unit(str(curve["column"]), str(curve["unit"])))


def _amplitudes(axes: Axes, curve: Mapping[str, Any], report: DampingReport) -> None:
    measured = curve["amplitude"]
    axes.plot(
        _array(measured["t"]),
        _array(measured["amplitude"]),
        "o",
        color=DATA,
        markeredgecolor=RESIDUAL,
        markeredgewidth=0.4,
        markersize=3.6,
        label="measured",
        zorder=5,
    )
    for law in report.laws:
        line = curve["envelopes"].get(law.name)
        if line is None:
            continue
        best = law.name == report.best
        axes.plot(
            _array(line["t"]),
            _array(line["amplitude"]),
            color=_COLOURS.get(law.name, INK),
            linewidth=2.0 if best else 1.0,
            linestyle="-" if best else (0, (4, 2)),
            label=f"{law.name} ({percent(law.weight)})",
            zorder=4 if best else 3,
        )
    known = _array(measured["amplitude"])
    axes.set_yscale("log")
    margin = (float(known.max()) / float(known.min())) ** 0.2
    axes.set_ylim(float(known.min()) / margin, float(known.max()) * margin)
    axes.set_ylabel(with_unit("amplitude", str(curve["unit"])))


def _missed(axes: Axes, curve: Mapping[str, Any], report: DampingReport) -> None:
    measured = curve["amplitude"]
    at, known = _array(measured["t"]), _array(measured["amplitude"])
    missed = {}
    for law in report.laws:
        line = curve["envelopes"].get(law.name)
        if line is not None:
            missed[law.name] = known - np.interp(at, _array(line["t"]), _array(line["amplitude"]))
    least = float(np.std(missed[report.best])) if report.best in missed else 0.0
    for name, values in missed.items():
        if least > 0 and float(np.std(values)) > HOPELESS * least:
            continue
        axes.plot(at, values, ".-", color=_COLOURS.get(name, INK), linewidth=0.8, markersize=3)
    axes.axhline(0, color=INK, linewidth=0.6)
    axes.set_ylabel(with_unit("measured - law", str(curve["unit"])))


def _array(values: Any) -> np.ndarray:
    return np.array(values, dtype=float)
