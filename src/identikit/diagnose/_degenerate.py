"""Ends where a model forgets its other parameters: at mu = 0 a growth mu S/(K + S) knows nothing of K.

What the record says of K there is no verdict on the record. Either mu is zero in truth, and K means nothing; or the fit
ended in a wrong place, and K is known where the truth is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import sympy as sp

from identikit.diagnose._identifiability import usual_size
from identikit.model import Model, symbol
from identikit.result import Finding, finding

AS_ZERO = 1e-6  # of a parameter's usual size: an estimate below it is as good as zero


def degenerate_end(
    model: Model,
    outputs: Sequence[str],
    free: Sequence[str],
    values: np.ndarray,
    bounds: Mapping[str, tuple[float, float]],
) -> tuple[Finding, ...]:
    """A finding for every parameter at zero without which others no longer occur in equations and outputs."""
    if not model.symbolic:
        return ()
    expressions = (*model.equations, *(model.output(name).expression for name in outputs))
    found = []
    for name, value in zip(free, values, strict=True):
        if abs(value) > AS_ZERO * usual_size(bounds[name], model.parameter(name).value):
            continue
        lost = _lost(expressions, symbol(name), [other for other in free if other != name])
        if lost:
            names = ", ".join(lost)
            text = (
                f"at {name} = 0 the model no longer depends on {names}: a degenerate end, which says nothing of "
                f"{names}; unless {name} is zero in truth the fit has failed, and needs starting values, or a bound of "
                f"{name} away from zero"
            )
            found.append(finding("degenerate_end", text, name, *lost))
    return tuple(found)


def _lost(expressions: Sequence[sp.Expr], zero: sp.Symbol, others: Sequence[str]) -> list[str]:
    """Parameters that occur, and no longer do where one is zero."""
    left: set[sp.Symbol] = set()
    for expression in expressions:
        there = expression.subs(zero, 0) if expression.has(zero) else expression
        left |= (expression if there.has(sp.nan, sp.zoo, sp.oo) else there).free_symbols
    before: set[sp.Symbol] = set().union(*(expression.free_symbols for expression in expressions))
    return [name for name in others if symbol(name) in before - left]
