"""Models of one degree of freedom: x' = v, v' = a(t, x, v, u)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import sympy as sp

from identikit.errors import ModelError
from identikit.explore._flow import input_vector, require_symbolic
from identikit.model import TIME, Model, Program, degrees_of_freedom, equations_of_motion, split_sum, work_along
from identikit.simulation import parameter_vector


def degree_of_freedom(model: Model) -> tuple[int, int]:
    """Where position and velocity stand among the states."""
    require_symbolic(model)
    found = degrees_of_freedom(model)
    if len(found) == 1:
        return found[0]
    raise ModelError(f"model '{model.name}' is not of one degree of freedom: expected two states, x and v, with x' = v")


def conservative_acceleration(
    model: Model, parameters: Mapping[str, float] | None = None, inputs: Mapping[str, float] | None = None
) -> Callable[[np.ndarray], np.ndarray]:
    """a(x) at rest, for constant inputs and without the terms that hold time."""
    degree_of_freedom(model)
    p, u = parameter_vector(model, parameters).tolist(), input_vector(model, inputs).tolist()
    known = dict(zip((*model.parameter_names, *model.input_names), (*p, *u), strict=True))
    motion = equations_of_motion(model, known)[0]
    acceleration = motion.restoring
    if TIME in acceleration.free_symbols:
        acceleration = split_sum(sp.Add.make_args(sp.expand(acceleration)), {TIME})[0]
    program = Program([acceleration], [motion.x])

    def evaluate(x: np.ndarray) -> np.ndarray:
        x = np.asarray(x, float)
        return np.broadcast_to(np.asarray(program(np, [x])[0], float), x.shape)

    return evaluate


def potential(acceleration: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> np.ndarray:
    """V(x) = -integral of a(x) from x[0]."""
    return -work_along(acceleration, x)
