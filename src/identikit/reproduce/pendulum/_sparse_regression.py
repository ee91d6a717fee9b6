"""The report's SINDy, Eqs. (17)-(20): nine candidate terms, least squares, small coefficients removed, again."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray

from identikit.reproduce.pendulum._direct_regression import ROUNDING, derivatives

THRESHOLD = 0.005  # the report gives none; its Eq. (21) keeps a coefficient of 0.006
TERMS = ("1", "theta", "v", "cos(theta)", "sin(theta)", "v|v|", "tanh(v/eps)", "theta^2", "theta v")
OF_DAMPING = {"zeta": ("v", -2.0), "mu_c": ("tanh(v/eps)", -1.0), "mu_q": ("v|v|", -1.0)}
"""The term that a damping stands with, and its factor in theta''."""


def found_law(values: NDArray[np.float64], rounded: bool = True) -> dict[str, float]:
    """Coefficient of each of the nine terms in theta'', zero where it was removed.

    `rounded`: tanh(v/eps) stands for sign(v), as in the report; else sign(v) itself.
    """
    angle, v, acceleration = derivatives(values)
    friction = np.tanh(v / ROUNDING) if rounded else np.sign(v)
    ones = np.ones_like(angle)
    columns = (ones, angle, v, np.cos(angle), np.sin(angle), v * np.abs(v), friction, angle**2, angle * v)
    table = np.stack(columns, axis=1)
    kept = np.ones(len(TERMS), bool)
    while True:
        law = np.zeros(len(TERMS))
        law[kept] = np.linalg.lstsq(table[:, kept], acceleration)[0]
        small = kept & (np.abs(law) < THRESHOLD)
        if not small.any():
            return dict(zip(TERMS, map(float, law), strict=True))
        kept &= ~small


def _dampings(case: str, values: NDArray[np.float64], rounded: bool) -> Mapping[str, float]:
    law = found_law(values, rounded)
    return {name: law[term] / factor for name, (term, factor) in OF_DAMPING.items()}


sparse_regression = partial(_dampings, rounded=True)
sparse_regression_with_sign = partial(_dampings, rounded=False)
