"""The picture of a training: losses and parameters, step by step; from a saved result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from identikit.plotting._style import DATA, FAINT, INK, MODEL, NOTE_SIZE, PALETTE, floats, logarithmic
from identikit.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_training(block: Any, result: Result) -> None:
    """Into a figure or part of one: losses on the left, distances of the parameters from their end on the right."""
    training = next(item for item in result.artifacts.values() if item.get("what") == "training")
    left, right = block.subplots(1, 2, squeeze=False)[0]
    _draw_parameters(right, training, result)
    _draw_losses(left, training)
    _finish(right, training)


def _draw_losses(axes: Axes, training: Mapping[str, Any]) -> None:
    """What data and equations cost, step by step."""
    for (name, losses), colour in zip(training["losses"].items(), (DATA, MODEL), strict=False):
        shown = np.maximum(floats(losses), 1e-300)
        axes.plot(_steps(training), shown, color=colour, linewidth=1.2, label=name)
    axes.set_ylabel(training["measure"])
    _finish(axes, training)


def _steps(training: Mapping[str, Any]) -> np.ndarray:
    return np.arange(1, len(training["stage"]) + 1) * training["every"]


def _finish(axes: Axes, training: Mapping[str, Any]) -> None:
    axes.set_xlabel("step of the training")
    logarithmic(axes)
    for begin in _stage_begins(training):
        axes.axvline(_steps(training)[begin] - training["every"] / 2, color=FAINT, linewidth=0.8, zorder=0)
    axes.legend(loc="best", frameon=False, fontsize=NOTE_SIZE)


def _draw_parameters(axes: Axes, training: Mapping[str, Any], result: Result) -> None:
    """|p - p at the end| in standard errors, or relative where there are none."""
    step = _steps(training)
    told = [result.parameters[name].std for name in training["parameters"]]
    known = all(std is not None and std > 0 for std in told)
    for k, (name, path) in enumerate(training["parameters"].items()):
        values = floats(path)
        size = told[k] if known else max(abs(float(values[-1])), 1e-300)
        distance = np.abs(values - values[-1]) / size
        shown = distance[:-1] > 0
        axes.plot(step[:-1][shown], distance[:-1][shown], color=PALETTE[k % len(PALETTE)], linewidth=1.2, label=name)
    if known:
        axes.axhline(1.0, color=INK, linewidth=0.6, linestyle=":")
    axes.set_ylabel(f"distance from the end [{'standard errors' if known else 'relative'}]")


def _stage_begins(training: Mapping[str, Any]) -> np.ndarray:
    """Steps with which a stage begins, but for the first."""
    return np.nonzero(np.diff(floats(training["stage"])) != 0)[0] + 1
