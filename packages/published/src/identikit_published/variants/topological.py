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
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from identikit.method.toolkit import Option, Variant
from identikit.method.topological import FormulaEstimate
from identikit.oscillation import DRAG, DRY, OTHER, VISCOUS, Decline, Oscillator
from identikit.result import Finding, FindingKind, Severity, finding, register_finding

register_finding(
    FindingKind("no_printed_formula", Severity.REFUSAL,
                "The printed formulas give one damping, by v, sign(v) or v|v|, and nothing else.",
                "Let one damping be free and fix all else, or take `formula=corrected`.", "identikit-published")
)  # fmt: skip
register_finding(FindingKind("printed_formula", Severity.WARNING, "The printed formulas lack factors of the frequency.",
                             "Take `formula=corrected` for the damping.", "identikit-published"))  # fmt: skip
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


def estimate(
    oscillator: Oscillator, declines: Sequence[Decline], options: Mapping[str, Any]
) -> FormulaEstimate | list[Finding]:
    """The one free damping, from the lifespans of all records; refusals where there is no formula for it."""
    free = oscillator.problem.free
    if len(free) != 1 or list(oscillator.dampings) != list(free):
        text = "the printed formulas give one damping at a time: let one damping be free and fix all else"
        return [finding("no_printed_formula", text, *free)]
    law, factor = oscillator.dampings[free[0]]
    if law == OTHER or factor is None or factor == 0:
        text = f"there is a printed formula for damping by v, sign(v) and v|v| only; {free[0]} damps otherwise"
        return [finding("no_printed_formula", text, free[0])]
    scale = 2.0 if options["length"] == "amplitude" else 1.0
    values, variances = [], []
    for decline in declines:
        lengths, spread = decline.lengths / scale, decline.length_std / scale
        arguments = law, factor, float(lengths[0]), float(lengths[-1]), len(lengths) - 1, decline.frequency
        values.append(printed_estimate(*arguments))
        variances.append(printed_std(*arguments, (float(spread[0]), float(spread[-1]))) ** 2)
    low, high = oscillator.problem.bounds[free[0]]
    text = "the printed formulas lack factors of the frequency: use formula=corrected for the damping"
    return FormulaEstimate(np.clip([np.mean(values)], low, high), np.array([np.sqrt(np.sum(variances)) / len(values)]),
                           (finding("printed_formula", text),))  # fmt: skip


PRINTED_FORMULA = Variant("as in the pendulum report, from the first and last lifespan, for one damping", estimate,
                          (
                              Option("length", "amplitude", "choice",
                                     "what is taken for a lifespan: half the way from peak to valley, or all of it",
                                     choices=("amplitude", "swing")),
                          ))  # fmt: skip
