"""Whether an estimate is where the likelihood is largest: kinds that stand on its shape around the top need that."""

from __future__ import annotations

from identikit.numerics import best_step
from identikit.result import Finding, finding
from identikit.uncertainty._base import Fitted
from identikit.uncertainty._settings import UNCERTAINTY


def not_likeliest(fitted: Fitted) -> list[Finding]:
    """The objection to an estimate of another kind; empty if no step within the bounds promises more than chance."""
    here = fitted.expansion
    low, high = fitted.problem.limits
    promise = best_step(here.gradient[0], here.information[0], low - fitted.p, high - fitted.p)[1]
    if promise <= UNCERTAINTY.off_top:
        return []
    text = (
        f"the estimate of {fitted.result.method} is not where the likelihood is largest (log L could rise by "
        f"{promise:.3g}): refine it with shooting, or take the bootstrap"
    )
    return [finding("uncertainty_not_assessed", text, *fitted.problem.free)]
