"""On which branch of its equations a model is: the sides of its switches and kinks, each smooth by itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from identikit.model._dynamics import Dynamics


def branch_of(
    dynamics: Dynamics, t: np.ndarray, x: Sequence[np.ndarray], u: Sequence[np.ndarray], p: Sequence[float]
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Signs of the switches and sides of the kinks, +1 or -1 at every point [points]; what is at zero counts as +1."""
    signs: list[np.ndarray] = []
    if dynamics.guards:
        guards = dynamics.guard(np, t, list(x), list(u), list(p))
        signs = [np.where(np.broadcast_to(guard, t.shape) < 0, -1.0, 1.0) for guard in guards]
    levels = dynamics.levels(np, p) if dynamics.kinks else []
    sides = [np.where(x[state] >= level, 1.0, -1.0) for (state, _), level in zip(dynamics.kinks, levels, strict=True)]
    return signs, sides
