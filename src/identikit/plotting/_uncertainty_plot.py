"""The picture of a result's intervals alone: kinds side by side, profiles, replicates; from a saved result."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from identikit.errors import OptionError
from identikit.plotting._painters import PAINTERS
from identikit.plotting._style import drawn
from identikit.result import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = (
    "intervals",
    "profile",
    "profile pair",
    "bootstrap",
    "posterior",
)  # what artifacts of intervals are, in this order
ACROSS, EACH = 11.6, 3.9  # inches: of the picture, and upward of each of its parts,
LINE, AROUND = 0.35, 1.1  # or, of the comparison, of each kind and around them


def plot_uncertainty(result: Result, path: str | Path | None = None) -> Figure:
    """Draw what a kind of intervals left in a result.

    Arguments:
        result: a fit with a kind of uncertainty asked for, fresh or loaded.
        path: file to write (.png, .pdf or .svg), whole or not at all; None = only return the figure.
    """
    held = {item.get("what") for item in result.artifacts.values()}
    shown = [what for what in SHOWN if what in held]
    if not shown:
        raise OptionError("the result holds no intervals of a kind of their own: fit with a kind of uncertainty")

    def draw() -> Any:
        from matplotlib.figure import Figure

        heights = [_comparison_height(result) if what == "intervals" else EACH for what in shown]
        figure = Figure(figsize=(ACROSS, sum(heights)), layout="constrained")
        blocks = figure.subfigures(len(shown), 1, squeeze=False, height_ratios=heights)[:, 0]
        for what, block in zip(shown, blocks, strict=True):
            PAINTERS.find(what)(block, result)
        return figure

    return drawn(draw, path)


def _comparison_height(result: Result) -> float:
    return AROUND + LINE * len({row[0] for row in result.artifacts["intervals"]["rows"]})
