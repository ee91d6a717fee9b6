"""Parameter values that the present knowledge leaves open: an experiment should be good for all of them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from identikit.model import Model
from identikit.planning._settings import DESIGN
from identikit.simulation import parameter_vector


def drawn_parameters(
    model: Model,
    free: tuple[str, ...],
    values: Mapping[str, float],
    sizes: np.ndarray,
    spread: float,
    root: np.ndarray | None,
    seed: int,
) -> np.ndarray:
    """Parameter vectors [draws, parameters], the expected one first.

    Arguments:
        sizes: of the free parameters, which `spread` is relative to.
        spread: relative standard deviation of every free parameter, independently; 0 = they are known.
        root: R [free, n] with R R' the covariance of the free parameters, instead of a spread. Along a direction that
            is hardly known a draw is shortened as a whole, so that it still explains what was measured.
    """
    centre = parameter_vector(model, values)
    if root is None and not spread > 0:
        return centre[None]
    random = np.random.default_rng(seed)
    if root is None:
        steps = spread * sizes * random.standard_normal((DESIGN.draws - 1, len(free)))
    else:
        steps = random.standard_normal((DESIGN.draws - 1, root.shape[1])) @ root.T
        longest = (np.abs(steps) / (DESIGN.widest_draw * sizes)).max(axis=1, keepdims=True)
        steps = steps / np.maximum(longest, 1.0)
    found = np.repeat(centre[None], DESIGN.draws, axis=0)
    for column, name in enumerate(free):
        i = model.parameter_names.index(name)
        low, high = model.parameter(name).bounds
        found[1:, i] = np.clip(centre[i] + steps[:, column], low, high)
    return found
