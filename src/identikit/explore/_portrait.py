"""Phase portraits: the arrows of two states, and motions among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from identikit.errors import ModelError, OptionError
from identikit.explore._flow import Flow
from identikit.model import Model
from identikit.simulate import Pieces, Solution, simulate


@dataclass(frozen=True)
class PhasePortrait:
    """Grid x [columns], y [rows], arrows dx and dy [rows, columns] and the motions from the given starts."""

    names: tuple[str, str]
    x: np.ndarray
    y: np.ndarray
    dx: np.ndarray
    dy: np.ndarray
    motions: tuple[Solution, ...]


def phase_portrait(
    model: Model,
    parameters: Mapping[str, float] | None = None,
    *,
    box: Mapping[str, tuple[float, float]],
    points: int = 25,
    at: Mapping[str, float] | None = None,
    inputs: Mapping[str, float] | None = None,
    time: float = 0.0,
    starts: Sequence[Mapping[str, float]] = (),
    duration: float = 10.0,
    samples: int = 500,
) -> PhasePortrait:
    """dx/dt and dy/dt of two states over a `box` of both, the other states held at `at` (else zero).

    Inputs are constant; where time enters the equations, the arrows are those of `time`. `starts` are initial states
    for motions of that `duration`.
    """
    names = tuple(box)
    if len(names) != 2 or any(name not in model.state_names for name in names):
        raise ModelError(f"model '{model.name}': expected a box of two of its states ({', '.join(model.state_names)})")
    if points < 2 or samples < 2:
        raise OptionError("a portrait needs at least two points and two samples")
    for name in at or {}:
        if name not in model.state_names:
            raise ModelError(f"model '{model.name}' has no state '{name}'")
    flow = Flow(model, parameters, inputs)
    first, second = (model.state_names.index(name) for name in names)
    x, y = (np.linspace(*box[name], points) for name in names)
    grid = np.zeros((len(model.states), points, points))
    for name, value in (at or {}).items():
        grid[model.state_names.index(name)] = value
    grid[first], grid[second] = np.meshgrid(x, y)
    arrows = flow.rate(time, grid)
    pieces = Pieces.constant(flow.u)
    instants = time + np.linspace(0, duration, samples)
    motions = tuple(simulate(model, instants, parameters, start, pieces) for start in starts)
    return PhasePortrait((names[0], names[1]), x, y, arrows[first], arrows[second], motions)
