"""The origami's force over its height and folding angle, its heights of rest, and how well a fit knows them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from identikit.model.library.miura_origami import restoring_force
from identikit_published.galerkin import _origami as origami
from identikit.result import Result

Array = NDArray[Any]

SHAPE = ("k_1", "k_2", "theta_A0")  # what the force over the height depends on
HEIGHTS = np.linspace(0.0395, 0.1035, 400)  # m: short of both ends, where the force has no bound
SHAPE_STEP = 1e-5  # of a parameter, for differences
_UPPER_REACH, _LOWER_REACH = 0.0381 * np.cos(np.pi / 3) * np.tan(np.radians(75)), 0.0381 * np.sin(np.pi / 3)  # m


def angle(height: Array) -> Array:
    """theta_A (rad) of a height, in closed form: H = A sin theta_B - B sin theta_A with both cells compatible."""
    return np.arcsin((_UPPER_REACH**2 - _LOWER_REACH**2 - height**2) / (2 * height * _LOWER_REACH))


def force(values: Array, height: Array = HEIGHTS) -> Array:
    """F_H (N) for parameters in the order of TRUTH."""
    shape = dict(zip(origami.TRUTH, values.tolist(), strict=True))
    return restoring_force(height, **{name: shape[name] for name in SHAPE})


def rests(values: Array) -> Array:
    """Heights (m) without force, from the lowest on; NaN for what a parameter set does not have."""
    found = force(values)
    changes = np.flatnonzero(np.sign(found[1:]) != np.sign(found[:-1]))
    at = [brentq(lambda h: float(force(values, np.array([h]))[0]), HEIGHTS[k], HEIGHTS[k + 1]) for k in changes]
    return np.array([*at, *[np.nan] * 3][:3])


def deviation(result: Result, of: Callable[[Array], Array]) -> Array:
    """The standard deviation that the covariance of a fit gives to a function of the parameters."""
    assert result.covariance is not None
    names = list(result.covariance["names"])
    places = [names.index(name) for name in origami.TRUTH]
    covariance = np.array(result.covariance["matrix"])[np.ix_(places, places)]
    at = origami.vector(result)
    columns = []
    for k, value in enumerate(at):
        step = np.zeros_like(at)
        step[k] = SHAPE_STEP * abs(value)
        columns.append((of(at + step) - of(at - step)) / (2 * step[k]))
    slopes = np.stack(columns, axis=-1)
    return np.sqrt(np.einsum("...i,ij,...j->...", slopes, covariance, slopes))
