"""What a method found besides the fit, each sort as a picture of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from identikit.plotting._painters import PAINTERS, Painter
from identikit.plotting._style import drawn
from identikit.result import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZE = (9.2, 3.6)  # inches


def plot_besides(result: Result) -> dict[str, Figure]:
    """{what an artifact shows: its picture}, in the order of the artifacts."""
    shown = dict.fromkeys(item.get("what") for item in result.artifacts.values())
    return {
        what: _drawn_alone(PAINTERS.find(what), result) for what in shown if isinstance(what, str) and what in PAINTERS
    }


def _drawn_alone(painter: Painter, result: Result) -> Figure:
    def draw() -> Figure:
        from matplotlib.figure import Figure

        figure = Figure(figsize=SIZE, layout="constrained")
        painter(figure, result)
        return figure

    return drawn(draw, None)
