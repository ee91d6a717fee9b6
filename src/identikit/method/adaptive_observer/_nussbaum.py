"""The Nussbaum function N(k) = E_alpha(-lambda k^alpha), alpha in (2, 3]: a gain that changes sign, ever more strongly.

The power series of the first loses all digits for k beyond 30 or so. Its two poles and the integral along its cut
(Gorenflo and Mainardi), with the variable of integration put on the angle psi, are stable for every k >= 0:

    E_alpha(-k^alpha) = (2/alpha) exp(k cos(pi/alpha)) cos(k sin(pi/alpha))
                        + 1/(pi alpha) int_0^theta exp(-k (sin(theta - psi)/sin psi)^(1/alpha)) dpsi

with theta = pi (alpha - 2). For alpha = 3 the integrand is exp(-k) throughout, which gives the closed form
(exp(-k) + 2 exp(k/2) cos(sqrt(3) k/2))/3.

References: R. D. Nussbaum, Systems and Control Letters 3 (1983) 243-246; R. Gorenflo, F. Mainardi, in: Fractals and
Fractional Calculus in Continuum Mechanics, Springer 1997, 223-276; Y. Li, Y. Chen, When is a Mittag-Leffler function
a Nussbaum function?, Automatica 45 (2009) 1957-1959.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from identikit.method._settings import OBSERVER

CLOSED = 3.0  # the alpha for which the integral is known


class Shape(NamedTuple):
    """What the functions have to be told, as arrays: lambda^(1/alpha), alpha, and the cut's decay rates and weights."""

    scale: Any
    alpha: Any
    rates: Any
    weights: Any


def shape_of(alpha: float, scale: float) -> Shape:
    """For `alpha` in (2, 3] and lambda = `scale` > 0."""
    rates, weights = (np.ones(1), np.full(1, 1 / 3)) if alpha == CLOSED else _cut(alpha)
    return Shape(np.float64(scale ** (1 / alpha)), np.float64(alpha), rates, weights)


def _cut(alpha: float) -> tuple[np.ndarray, np.ndarray]:
    """Rates r_j and weights w_j of sum w_j exp(-k r_j), by the double exponential rule, which the ends do not harm."""
    theta = np.pi * (alpha - 2)
    grid = np.linspace(-OBSERVER.reach, OBSERVER.reach, OBSERVER.quadrature)
    inner = np.pi / 2 * np.sinh(grid)
    share = 1 / (1 + np.exp(-2 * inner))  # of the way from 0 to theta
    slope = theta * np.pi / 2 * np.cosh(grid) / (2 * np.cosh(inner) ** 2)
    left = theta / (1 + np.exp(2 * inner))  # theta - psi, without cancellation
    psi = theta * share
    # sin psi near psi = pi, for alpha near 3, is taken from the end that is near
    near_pi = np.sin(np.pi - theta + left)
    below = np.where(psi > np.pi / 2, near_pi, np.sin(psi))
    rates = (np.sin(left) / below) ** (1 / alpha)
    return rates, slope * (grid[1] - grid[0]) / (np.pi * alpha)


def mittag_leffler(xp: Any, k: Any, shape: Shape) -> Any:
    """E_alpha(-lambda k^alpha); `xp` is NumPy or JAX's."""
    k = k * shape.scale
    poles = 2 / shape.alpha * xp.exp(k * xp.cos(np.pi / shape.alpha)) * xp.cos(k * xp.sin(np.pi / shape.alpha))
    return poles + xp.exp(-k[..., None] * shape.rates) @ shape.weights


Nussbaum = Callable[[Any, Any, Shape], Any]
"""N(xp, k, shape) with the array module, NumPy or JAX's; other packages bring more of them, as variants."""
