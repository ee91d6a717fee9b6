"""The picture of a choice between models: their weights, and what each leaves over of the record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from identikit.plotting._style import DATA, FAINT, INK, MODEL, NOTE_SIZE, RESIDUAL, drawn, floats, with_unit
from identikit.result import ModelChoice, SelectionReport, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_MODELS = 8  # that are drawn, the likeliest first
MODEL_HEIGHT, WEIGHTS_HEIGHT = 1.35, 0.9  # inches


def plot_selection(report: SelectionReport, path: str | Path | None = None) -> Figure:
    """Draw weights and residuals of every model, of the first output and record; fresh or loaded.

    Blue is what a fit to the whole record leaves over, red the error on the last part when only the part before was
    fitted. All panels have the same scale, that of the likeliest model's worst and at most ten times that of its rms.
    """
    return drawn(lambda: _draw(report), path)


def _draw(report: SelectionReport) -> Figure:
    from matplotlib.figure import Figure

    shown = report.models[:MOST_MODELS]
    figure = Figure(figsize=(9.2, WEIGHTS_HEIGHT + MODEL_HEIGHT * len(shown) + 0.35 * len(shown)), layout="constrained")
    rest = f" ({len(report.models) - len(shown)} more are not drawn)" if len(report.models) > len(shown) else ""
    figure.suptitle(f"choice between {len(report.models)} models{rest}", x=0.01, ha="left")
    if not shown:
        figure.text(0.5, 0.5, report.status.message, ha="center", va="center", wrap=True)
        return figure
    heights = [0.35 * len(shown) + WEIGHTS_HEIGHT, MODEL_HEIGHT * len(shown)]
    above, below = figure.subfigures(2, 1, squeeze=False, height_ratios=heights)[:, 0]
    _draw_weights(above.subplots(), shown)
    panels = below.subplots(len(shown), 1, squeeze=False, sharex=True, sharey=True)[:, 0]
    for item, axes in zip(shown, panels, strict=True):
        _draw_residuals(axes, report, item)
    _same_scale(panels, report, shown[0])
    below.align_ylabels()
    return figure


def _draw_weights(axes: Axes, shown: tuple[ModelChoice, ...]) -> None:
    place = np.arange(len(shown))[::-1]
    axes.barh(place, [item.weight for item in shown], color=DATA, height=0.6)
    for y, item in zip(place, shown, strict=True):
        words = percent(item.weight) if item.bic is not None else item.status.value.replace("_", " ")
        if item.held_out is not None:
            words += f", unseen part {item.held_out:.2f} times the noise"
        axes.text(item.weight + 0.01, y, words, va="center", fontsize=NOTE_SIZE, color=INK)
    axes.set_yticks(place, [item.name for item in shown])
    axes.set_xlim(0, 1.55)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
    axes.set_xlabel("weight")
    axes.grid(axis="y", visible=False)


def _draw_residuals(axes: Axes, report: SelectionReport, item: ModelChoice) -> None:
    curve = next((one for one in report.curves if one["model"] == item.name), None)
    axes.axhline(0.0, color=FAINT, linewidth=0.8)
    axes.set_title(item.name, loc="left")
    if curve is None:
        return
    axes.plot(floats(curve["t"]), floats(curve["residual"]), color=RESIDUAL, linewidth=0.7, label="left over")
    if curve.get("unseen") is not None:
        axes.plot(floats(curve["t_unseen"]), floats(curve["unseen"]), color=MODEL, linewidth=0.7, label="not predicted")
    axes.set_ylabel(with_unit(curve["output"], curve["unit"]))
    if item is report.models[0]:
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), frameon=False, ncols=2, fontsize=NOTE_SIZE)
    if item.name == report.models[:MOST_MODELS][-1].name:
        axes.set_xlabel(with_unit("time", curve["time_unit"]))


def _same_scale(panels: Any, report: SelectionReport, best: ModelChoice) -> None:
    """A model that is far off must not hide what the others leave over."""
    curve = next((one for one in report.curves if one["model"] == best.name), None)
    if curve is None:
        return
    left = np.abs(floats(curve["residual"]))
    top = float(np.nanmax(left, initial=0.0))
    reach = 0.0
    for one in report.curves:
        for key in ("residual", "unseen"):
            if one.get(key) is not None:
                reach = max(reach, float(np.nanmax(np.abs(floats(one[key])), initial=0.0)))
    if top > 0:
        limit = min(reach, 4 * top)
        panels[0].set_ylim(-1.05 * limit, 1.05 * limit)
