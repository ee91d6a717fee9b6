"""The picture of an envelope and its model; from a saved result."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from identikit.errors import OptionError
from identikit.plotting._style import DATA, MODEL, RESIDUAL, drawn_block, logarithmic, with_unit
from identikit.result import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def has_envelope(result: Result) -> bool:
    """Whether there is an envelope to draw."""
    return bool(_envelopes(result))


def plot_envelope(result: Result, path: str | Path | None = None) -> Figure:
    """Draw the envelope of a fit by `envelope` with the model's, on a logarithmic scale, and their difference.

    Arguments:
        result: the fit, fresh or loaded.
        path: file to write (.png, .pdf or .svg), whole or not at all; None = only return the figure.
    """
    if not has_envelope(result):
        raise OptionError(f"the result of {result.method} holds no envelope: fit with the method envelope")
    return drawn_block(lambda figure: draw_envelope(figure, result), f"{result.model}, envelope", path, (10.6, 4.0))


def draw_envelope(block: Any, result: Result) -> None:
    """Into a figure or part of one; of several records the first."""
    table = _envelopes(result)[0]
    time, measured, modelled = np.array(table["rows"], dtype=float).reshape(-1, 3).T
    left, right = block.subplots(1, 2, squeeze=False)[0]
    left.plot(time, measured, ".", color=DATA, markersize=4, label="measured")
    left.plot(time, modelled, color=MODEL, linewidth=1.0, label="model")
    logarithmic(left)
    left.legend(loc="upper right", frameon=False)
    left.set_ylabel(with_unit(f"envelope of {table['output']}", table["unit"]))
    right.axhline(0, color=MODEL, linewidth=0.8)
    right.plot(time, measured - modelled, ".", color=RESIDUAL, markersize=4)
    right.set_ylabel(with_unit("measured - model", table["unit"]))
    for axes in (left, right):
        axes.set_xlabel(with_unit("time", table["time_unit"]))


def _envelopes(result: Result) -> list[Mapping[str, Any]]:
    wanted = ("table", "envelope")
    return [item for item in result.artifacts.values() if (item.get("kind"), item.get("what")) == wanted]
