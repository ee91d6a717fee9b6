"""Phase portraits: the arrows of two states, and motions among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from identikit.errors import ModelError, OptionError
from identikit.explore._equilibria import Equilibrium
from identikit.explore._flow import Flow
from identikit.explore._portrait_choice import PortraitChoice
from identikit.explore._subject import Subject
from identikit.model import Model
from identikit.simulation import Pieces, Solution, simulate


@dataclass(frozen=True)
class PhasePortrait:
    """Grid x [columns], y [rows], arrows dx and dy [rows, columns] and the motions from the given starts.

    `rests` are the states of rest. `complete` is True for two states without forcing: only then are the arrows the
    same for every motion through a point. Otherwise they are a slice, and the motions are seen in projection. `repeats`
    says which of the two states is an angle after whose full turn everything is the same.
    """

    subject: Subject
    names: tuple[str, str]
    x: np.ndarray
    y: np.ndarray
    dx: np.ndarray
    dy: np.ndarray
    motions: tuple[Solution, ...]
    rests: tuple[Equilibrium, ...] = ()
    complete: bool = True
    repeats: tuple[bool, bool] = (False, False)

    def __str__(self) -> str:
        from identikit.explore._text import portrait_text

        return portrait_text(self)


def phase_portrait(
    model: Model,
    parameters: Mapping[str, float] | None = None,
    *,
    box: Mapping[str, tuple[float, float]] | None = None,
    points: int = 25,
    at: Mapping[str, float] | None = None,
    inputs: Mapping[str, float] | None = None,
    time: float = 0.0,
    starts: Sequence[Mapping[str, float]] | None = None,
    duration: float | None = None,
    samples: int = 1000,
    initial: Mapping[str, float] | None = None,
) -> PhasePortrait:
    """dx/dt and dy/dt of two states over a `box` of both, the other states held at `at` (else zero).

    Inputs are constant; where time enters the equations, the arrows are those of `time`. `starts` are initial states
    for motions of that `duration`.

    What is left out is chosen: the two states (a position and its velocity, else two that are hardly correlated), the
    box around the wells and the motion from the start (`initial`, else the example experiment's), and starts around it.
    With more than two states or under a forcing one motion is drawn, in projection.
    """
    chosen = PortraitChoice(model, parameters, inputs, initial)
    names = tuple(box) if box is not None else chosen.names()
    if len(names) != 2 or any(name not in model.state_names for name in names):
        raise ModelError(f"model '{model.name}': expected a box of two of its states ({', '.join(model.state_names)})")
    if points < 2 or samples < 2:
        raise OptionError("a portrait needs at least two points and two samples")
    for name in at or {}:
        if name not in model.state_names:
            raise ModelError(f"model '{model.name}' has no state '{name}'")
    pair = (names[0], names[1])
    limits = dict(box) if box is not None else chosen.box(pair)
    flow = Flow(model, parameters, inputs)
    first, second = (model.state_names.index(name) for name in pair)
    x, y = (np.linspace(*limits[name], points) for name in pair)
    grid = np.zeros((len(model.states), points, points))
    for name, value in (at or {}).items():
        grid[model.state_names.index(name)] = value
    grid[first], grid[second] = np.meshgrid(x, y)
    with np.errstate(all="ignore"):
        arrows = flow.rate(time, grid)
    pieces = Pieces.constant(flow.u)
    if starts is None:
        motions = chosen.motions(pair, limits)
    else:
        instants = time + np.linspace(0, duration if duration is not None else 10.0, samples)
        motions = tuple(simulate(model, instants, parameters, start, pieces) for start in starts)
    return PhasePortrait(
        Subject.of(model, parameters),
        pair,
        x,
        y,
        arrows[first],
        arrows[second],
        motions,
        chosen.rests,
        chosen.complete,
        (bool(chosen.periodic[first]), bool(chosen.periodic[second])),
    )
