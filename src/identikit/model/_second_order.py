"""Models of second order, x_i' = v_i and v_i' = a_i(t, x, v, u): what is position, what velocity, and work along a
path."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from identikit.model._model import Model
from identikit.model._parser import symbol


def degrees_of_freedom(model: Model) -> tuple[tuple[int, int], ...]:
    """Pairs (position, velocity) of indices among the states; empty if the states are not such pairs throughout."""
    if not model.symbolic:
        return ()
    states = [symbol(name) for name in model.state_names]
    found: list[tuple[int, int]] = []
    taken: set[int] = set()
    for position, equation in enumerate(model.equations):
        if position in taken or equation not in states:
            continue
        velocity = states.index(equation)
        if velocity in taken or velocity == position:
            return ()
        found.append((position, velocity))
        taken |= {position, velocity}
    return tuple(found) if len(taken) == len(states) else ()


def work_along(force: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> np.ndarray:
    """int force dx from x[0] along the path x [points, ...], by eight Gauss points between neighbours."""
    nodes, weights = np.polynomial.legendre.leggauss(8)
    middle, half = (x[1:] + x[:-1]) / 2, np.diff(x, axis=0) / 2
    pieces = (force(middle[..., None] + half[..., None] * nodes) * weights).sum(axis=-1) * half
    return np.concatenate([np.zeros_like(x[:1]), np.cumsum(pieces, axis=0)])
