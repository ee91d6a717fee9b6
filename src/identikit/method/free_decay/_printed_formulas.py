"""The three topological formulas of the pendulum report as printed, kept to show what they give.

    viscous     zeta = ln(L_1/L_n+1) / (2 pi n)
    dry         mu_c = pi w (L_1 - L_n+1) / (4 n)
    drag        mu_q = 3 pi (1/L_n+1 - 1/L_1) / (8 w n)

for x'' + 2 zeta x' + mu_c sign(x') + mu_q x'|x'| + ... = 0. Each has the wrong scale: the first gives a ratio to
critical damping and lacks the factor w, the others are off by pi/w for L an amplitude and by 2 pi/w and pi/(2 w) for L
from peak to valley. The right ones are w ln(L_1/L_n+1)/(2 pi n), w^2 (A_1 - A_n+1)/(4 n) and 3 (1/A_n+1 - 1/A_1)/(8 n).
"""

from __future__ import annotations

import math
from collections.abc import Callable

from identikit.oscillation import DRAG, DRY, VISCOUS

PRINTED: dict[str, Callable[[float, float, int, float], float]] = {
    VISCOUS: lambda first, last, n, w: math.log(first / last) / (2 * math.pi * n),
    DRY: lambda first, last, n, w: math.pi * w * (first - last) / (4 * n),
    DRAG: lambda first, last, n, w: 3 * math.pi * (1 / last - 1 / first) / (8 * w * n),
}


def printed_estimate(law: str, factor: float, first: float, last: float, n: int, w: float) -> float:
    """The parameter by the printed formula for its law, from the first and last lifespan, n cycles apart.

    `factor` is what stands with the parameter in the model, a = ... - factor p law(v); the formula of viscous damping
    is written for a factor of two.
    """
    return PRINTED[law](first, last, n, w) * (2 if law == VISCOUS else 1) / factor


def printed_std(
    law: str, factor: float, first: float, last: float, n: int, w: float, spread: tuple[float, float]
) -> float:
    """What the standard errors of the first and last lifespan make of it."""
    power = {VISCOUS: -1, DRY: 0, DRAG: -2}[law]
    size = math.hypot(first**power * spread[0], last**power * spread[1])
    constant = {VISCOUS: 1 / math.pi, DRY: math.pi * w / 4, DRAG: 3 * math.pi / (8 * w)}[law]
    return constant * size / n / factor
