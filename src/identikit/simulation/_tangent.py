"""One trajectory with its derivatives with respect to the initial state and the parameters, at any times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from identikit.errors import SimulationError
from identikit.model import Model, dynamics_of, observe
from identikit.simulation._inputs import Pieces
from identikit.simulation._lanes import Integrator, Trajectories


@dataclass(frozen=True)
class Tangent:
    """An integrated trajectory, to be read at any times between `begin` and `end`."""

    model: Model
    outputs: tuple[str, ...]
    free: tuple[str, ...]
    p: np.ndarray
    pieces: Pieces
    run: Trajectories

    def __call__(self, times: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Outputs [times, outputs], their derivatives with respect to the initial state [times, outputs, states] and
        with respect to the free parameters [times, outputs, free]."""
        X = self.run.sample(times, np.array([0, len(times)]))
        observation = observe(self.model, self.outputs, self.free)
        values, slopes = observation.with_derivatives(times, X, self.pieces(times), self.p)
        states = len(self.model.states)
        return values, slopes[:, :, :states], slopes[:, :, states:]


def tangent(
    model: Model,
    outputs: Sequence[str],
    free: Sequence[str],
    span: tuple[float, float],
    p: np.ndarray,
    initial: np.ndarray,
    pieces: Pieces,
    tolerance: float = 1e-10,
) -> Tangent:
    """Integrate from the initial state over a span of time; `p` are all parameters in the model's order.

    Raises SimulationError if the solution blows up or needs too many steps.
    """
    wanted = observe(model, tuple(outputs), tuple(free)).wanted
    integrator = Integrator(dynamics_of(model, tuple(free)), wanted, True, tolerance)
    begin, end = np.array([span[0]]), np.array([span[1]])
    run = integrator.run(begin, end, initial[None], p, pieces, pieces.index(begin))
    if run.failed.any():
        raise SimulationError(
            f"the model '{model.name}' could not be integrated from t = {span[0]:g} to {span[1]:g} at these parameters "
            "and this initial state: the solution grows without bound or needs steps that are too small"
        )
    return Tangent(model, tuple(outputs), tuple(free), p, pieces, run)
