"""Whether one model is another with some of its parameters at fixed values, seen from the equations themselves."""

from __future__ import annotations

from typing import Any

import sympy as sp

from identikit.model import symbol
from identikit.problem import Problem


def extra_parameters(small: Problem, large: Problem) -> dict[str, float] | None:
    """Free parameters of the large problem that make it the small one, with the values at which they do; None if it
    does not contain it.

    A parameter that the small model has at a fixed value is tried there, one that it does not have at zero. Parameters
    are known by their names.
    """
    if not (small.model.symbolic and large.model.symbolic) or not set(small.free) < set(large.free):
        return None
    if _names(small) != _names(large) or small.model.time_unit != large.model.time_unit:
        return None
    extra = {name: float(small.fixed.get(name, 0.0)) for name in large.free if name not in small.free}
    within = all(low <= extra[name] <= high for name, (low, high) in large.bounds.items() if name in extra)
    if not within or small.initial != large.initial:
        return None
    first = _expressions(small, small.fixed)
    second = _expressions(large, {**large.fixed, **extra})
    return extra if all(_zero(first[key] - second[key]) for key in first) else None


def _names(problem: Problem) -> tuple[set[str], set[str]]:
    """States and measured outputs, in whatever order they are written."""
    return set(problem.model.state_names), set(problem.outputs)


def _expressions(problem: Problem, values: Any) -> dict[tuple[str, str], sp.Expr]:
    """Rates and measured outputs by name, with everything but the free parameters put in."""
    model = problem.model
    known = {symbol(name): sp.Float(value) if value % 1 else sp.Integer(int(value)) for name, value in values.items()}
    rates = {("rate", name): rate for name, rate in zip(model.state_names, model.equations, strict=True)}
    shown = {("output", name): model.output(name).expression for name in problem.outputs}
    return {key: sp.sympify(item, strict=True).subs(known) for key, item in {**rates, **shown}.items()}


def _zero(expression: sp.Expr) -> bool:
    """Whether an expression vanishes; one that cannot be seen to does not."""
    return bool(expression == 0 or sp.expand(expression) == 0 or sp.simplify(expression) == 0)
