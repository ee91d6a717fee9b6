"""Whether one model is another with some of its parameters at fixed values, seen from the equations themselves."""

from __future__ import annotations

from typing import Any

import sympy as sp

from identikit.model import Model, symbol
from identikit.problem import Problem


def extra_parameters(small: Problem, large: Problem) -> dict[str, float] | None:
    """Free parameters of the large problem that make it the small one, with the values at which they do; None if it
    does not contain it.

    A parameter that the small model has at a fixed value is tried there, one that it does not have at zero. Parameters
    are known by their names.
    """
    if not (small.model.symbolic and large.model.symbolic) or not set(small.free) < set(large.free):
        return None
    if small.model.state_names != large.model.state_names or small.outputs != large.outputs:
        return None
    extra = {name: float(small.fixed.get(name, 0.0)) for name in large.free if name not in small.free}
    within = all(low <= extra[name] <= high for name, (low, high) in large.bounds.items() if name in extra)
    if not within or small.initial != large.initial:
        return None
    first = _expressions(small.model, small.outputs, small.fixed)
    second = _expressions(large.model, large.outputs, {**large.fixed, **extra})
    same = all(_zero(one - other) for one, other in zip(first, second, strict=True))
    return extra if same else None


def _expressions(model: Model, outputs: tuple[str, ...], values: Any) -> list[sp.Expr]:
    """Rates and measured outputs with everything but the free parameters put in."""
    known = {symbol(name): sp.Float(value) if value % 1 else sp.Integer(int(value)) for name, value in values.items()}
    expressions = [*model.equations, *(model.output(name).expression for name in outputs)]
    return [sp.sympify(expression, strict=True).subs(known) for expression in expressions]


def _zero(expression: sp.Expr) -> bool:
    """Whether an expression vanishes; one that cannot be seen to does not."""
    return bool(expression == 0 or sp.expand(expression) == 0 or sp.simplify(expression) == 0)
