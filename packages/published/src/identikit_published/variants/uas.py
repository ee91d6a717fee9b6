"""The other Nussbaum functions of the Furuta paper: gains N(k) that change sign, ever more strongly.

    linear_cosine     k cos(sqrt |k|)
    square_cosine     k^2 cos |k|
    gaussian_cosine   cos(pi k/2) exp(k^2)

Reference: R. D. Nussbaum, Systems and Control Letters 3 (1983) 243-246.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from identikit.method.toolkit import Variant


def linear_cosine(xp: Any, k: Any, shape: Any) -> Any:
    """k cos(sqrt |k|)."""
    return k * xp.cos(xp.sqrt(xp.abs(k)))


def square_cosine(xp: Any, k: Any, shape: Any) -> Any:
    """k^2 cos |k|."""
    return k**2 * xp.cos(xp.abs(k))


def gaussian_cosine(xp: Any, k: Any, shape: Any) -> Any:
    """cos(pi k/2) exp(k^2): beyond k = 26 it exceeds all numbers."""
    return xp.cos(np.pi / 2 * k) * xp.exp(k**2)


LINEAR_COSINE = Variant("k cos(sqrt |k|)", linear_cosine)
SQUARE_COSINE = Variant("k^2 cos |k|", square_cosine)
GAUSSIAN_COSINE = Variant("cos(pi k/2) exp(k^2)", gaussian_cosine)
