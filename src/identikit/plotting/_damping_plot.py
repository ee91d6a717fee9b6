"""The picture of a decay: the record with its envelope, the amplitude against every law, and what each law misses."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from identikit.plotting._style import (
    DATA,
    INK,
    PALETTE,
    RESIDUAL,
    drawn,
    floats,
    logarithmic,
    with_unit,
)
from identikit.result import DampingReport, LawResult, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_DECAYS = 3  # records that are drawn
HOPELESS_LAW = 20  # times what the best law misses: beyond, a law leaves the lowest panel
WEIGHTY = 0.01  # of the weight: less, and a law is drawn only if it is a plain one
PLAIN = ("viscous", "dry", "drag")
_COLOURS = dict(zip((*PLAIN, "viscous + dry", "viscous + drag", "dry + drag"), PALETTE, strict=True))


def plot_damping(report: DampingReport, path: str | Path | None = None) -> Figure:
    """Draw a report, fresh or loaded: record, amplitude on a logarithmic scale, and amplitude minus the law's.

    On the logarithmic scale a viscous decay is a straight line; dry friction bends it down, drag bends it up.

    Arguments:
        report: what `identikit.damping` returned.
        path: file to write (.png, .pdf or .svg), whole or not at all; None = only return the figure.

    Laws of at least 1 % of the weight are drawn, and the plain ones beside them: viscous, dry, drag. At most three
    records are drawn.
    """
    return drawn(lambda: _draw(report), path)


def _draw(report: DampingReport) -> Figure:
    from matplotlib.figure import Figure

    if not report.laws:
        figure = Figure(figsize=(8.6, 2.4), layout="constrained")
        figure.text(0.5, 0.5, f"No law is named: {report.status.message}", ha="center", va="center", wrap=True)
        return figure
    curves = report.curves[:MOST_DECAYS]
    figure = Figure(figsize=(9.2 if len(curves) == 1 else 4.6 * len(curves), 8.2), layout="constrained")
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
    figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False)
    figure.align_ylabels()
    return figure


def drawn_laws(curve: Mapping[str, Any], report: DampingReport) -> dict[str, tuple[LawResult, Mapping[str, Any]]]:
    """The laws that matter and their envelopes in a record."""
    found = {}
    for law in report.laws:
        line = curve["envelopes"].get(law.name)
        if line is not None and (law.weight >= WEIGHTY or law.name in (*PLAIN, report.best)):
            found[law.name] = (law, line)
    return found


def _record(axes: Axes, curve: Mapping[str, Any], report: DampingReport) -> None:
    t, measured = floats(curve["t"]), floats(curve["measured"])
    axes.plot(t, measured, "o", color=DATA, markersize=1.8, markeredgewidth=0, rasterized=True)
    for name, (_, line) in drawn_laws(curve, report).items():
        if name == report.best:
            for sign in (1, -1):
                envelope = line["middle"] + sign * floats(line["amplitude"])
                axes.plot(floats(line["t"]), envelope, color=_COLOURS.get(name, INK), linewidth=1.4)
    axes.set_ylabel(with_unit(str(curve["column"]), str(curve["unit"])))


def _amplitudes(axes: Axes, curve: Mapping[str, Any], report: DampingReport) -> None:
    at, known = (floats(curve["amplitude"][key]) for key in ("t", "amplitude"))
    marks: Any = {"markersize": 3.6, "markeredgewidth": 0.5, "markeredgecolor": RESIDUAL}
    axes.plot(at, known, "o", color=DATA, label="measured", zorder=5, **marks)
    for name, (law, line) in drawn_laws(curve, report).items():
        best = name == report.best
        axes.plot(
            floats(line["t"]),
            floats(line["amplitude"]),
            color=_COLOURS.get(name, INK),
            linewidth=2.0 if best else 1.2,
            linestyle="-" if best else (0, (4, 2)),
            label=f"{name} ({percent(law.weight)})",
            zorder=4 if best else 3,
        )
    margin = (float(known.max()) / float(known.min())) ** 0.2
    axes.set_ylim(float(known.min()) / margin, float(known.max()) * margin)
    logarithmic(axes)
    axes.set_ylabel(with_unit("amplitude", str(curve["unit"])))


def _missed(axes: Axes, curve: Mapping[str, Any], report: DampingReport) -> None:
    at, known = (floats(curve["amplitude"][key]) for key in ("t", "amplitude"))
    missed = {
        name: known - np.interp(at, floats(line["t"]), floats(line["amplitude"]))
        for name, (_, line) in drawn_laws(curve, report).items()
    }
    least = float(np.std(missed[report.best])) if report.best in missed else 0.0
    for name, values in missed.items():
        if least > 0 and float(np.std(values)) > HOPELESS_LAW * least:
            continue
        best = name == report.best
        axes.plot(
            at,
            values,
            ".-",
            color=_COLOURS.get(name, INK),
            linewidth=1.4 if best else 0.8,
            markersize=5 if best else 3,
            zorder=4 if best else 3,
        )
    axes.axhline(0, color=INK, linewidth=0.6)
    axes.set_ylabel(with_unit("measured - law", str(curve["unit"])))
