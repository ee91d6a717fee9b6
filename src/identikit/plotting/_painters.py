"""What a method may have found besides, and how it is drawn below the fit. A new picture is a function and a row here.

A row is an artifact's `what` and a painter: painter(block, result) draws every artifact of that sort into a part of a
figure. From outside: `identikit.plot.PAINTERS.register("what", "package.module:painter")`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from identikit.plotting._style import drawn
from identikit.registry import Registry
from identikit.result import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure


Painter: TypeAlias = Callable[[Any, Result], None]

PAINTERS: Registry[Painter] = Registry(
    "painter",
    {
        "restoring force": "identikit.plotting._restoring_force_plot:draw_restoring_force",
        "envelope": "identikit.plotting._envelope_plot:draw_envelope",
        "parts": "identikit.plotting._parts_plot:draw_parts",
        "law": "identikit.plotting._law_plot:draw_law",
        "drift": "identikit.plotting._drift_plot:draw_drift",
        "learned term": "identikit.plotting._learned_term_plot:draw_learned_term",
        "training": "identikit.plotting._training_plot:draw_training",
        "adaptation": "identikit.plotting._adaptation_plot:draw_adaptation",
        "pareto front": "identikit.plotting._law_plot:draw_front",
        "profile": "identikit.plotting._profile_plot:draw_profile",
        "profile pair": "identikit.plotting._profile_plot:draw_profile_pair",
        "bootstrap": "identikit.plotting._draws_plot:draw_bootstrap",
        "intervals": "identikit.plotting._intervals_plot:draw_intervals",
        "posterior": "identikit.plotting._posterior_plot:draw_marginals",
        "persistence": "identikit.plotting._persistence_plot:draw_persistence",
    },
    group="identikit.painters",
)
SIZE = (9.2, 3.6)  # inches


def painters_of(result: Result) -> tuple[Painter, ...]:
    """The painters of all that a result holds besides curves, each once, in the order of the artifacts."""
    shown = dict.fromkeys(item.get("what") for item in result.artifacts.values())
    return tuple(PAINTERS.find(what) for what in shown if isinstance(what, str) and what in PAINTERS)


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
