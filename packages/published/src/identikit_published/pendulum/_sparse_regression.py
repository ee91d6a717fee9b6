"""The report's SINDy, Eqs. (17)-(20): nine candidate terms, least squares, small coefficients removed, again."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray

from identikit_published.pendulum._direct_regression import ROUNDING, derivatives

THRESHOLD = 0.005  # the report gives none; its Eq. (21) keeps a coefficient of 0.006
TERMS = ("1", "theta", "v", "cos(theta)", "sin(theta)", "v|v|", "tanh(v/eps)", "theta^2", "theta v")
OF_DAMPING = {"zeta": ("v", -2.0), "mu_c": ("tanh(v/eps)", -1.0), "mu_q": ("v|v|", -1.0)}
"""The term that a damping stands with, and its factor in theta''."""


def candidates(angle: NDArray[np.float64], v: NDArray[np.float64], rounded: bool = True) -> NDArray[np.float64]:
    """The nine terms [samples, terms]. `rounded`: tanh(v/eps) stands for sign(v), as in the report; else sign(v)."""
    friction = np.tanh(v / ROUNDING) if rounded else np.sign(v)
    ones = np.ones_like(angle)
    columns = (ones, angle, v, np.cos(angle), np.sin(angle), v * np.abs(v), friction, angle**2, angle * v)
    return np.stack(columns, axis=1)


def thresholded(
    table: NDArray[np.float64], wanted: NDArray[np.float64], threshold: float, allowed: NDArray[np.bool_] | None = None
) -> NDArray[np.float64]:
    """Least squares over the `allowed` columns, small coefficients set to zero, until none is small."""
    kept = np.ones(table.shape[1], bool) if allowed is None else allowed.copy()
    while True:
        law = np.zeros(table.shape[1])
        law[kept] = np.linalg.lstsq(table[:, kept], wanted)[0]
        small = kept & (np.abs(law) < threshold)
        if not small.any():
            return law
        kept &= ~small


def found_law(values: NDArray[np.float64], rounded: bool = True) -> dict[str, float]:
    """Coefficient of each of the nine terms in theta'', zero where it was removed."""
    angle, v, acceleration = derivatives(values)
    return named_law(thresholded(candidates(angle, v, rounded), acceleration, THRESHOLD))


def named_law(law: NDArray[np.float64]) -> dict[str, float]:
    """{term: coefficient}."""
    return dict(zip(TERMS, map(float, law), strict=True))


def dampings_of(law: Mapping[str, float]) -> dict[str, float]:
    """zeta, mu_c and mu_q."""
    return {name: law[term] / factor for name, (term, factor) in OF_DAMPING.items()}


def _dampings(case: str, values: NDArray[np.float64], rounded: bool) -> Mapping[str, float]:
    return dampings_of(found_law(values, rounded))


sparse_regression = partial(_dampings, rounded=True)
sparse_regression_with_sign = partial(_dampings, rounded=False)
