"""Inputs that are steps in time, written as expressions, as exact pieces."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import sympy as sp

from identikit.model import TIME, Model, parse
from identikit.simulation._inputs import Pieces


def stepped(model: Model, expressions: Mapping[str, str]) -> Pieces | None:
    """All inputs of a model as pieces, from expressions such as `1 + 0.5*heaviside(t - 4)`; others keep their value.

    None where an expression is not constant between its steps, holds a parameter, or none of them steps. At a step the
    value after it counts. Pieces cost one restart per step, while every heaviside() in an equation is a switch of
    its own and a dozen of them take minutes to compile.
    """
    formulas = [
        parse(expressions.get(item.name, repr(item.value)), _parameters(model), f"input '{item.name}'")
        for item in model.inputs
    ]
    breaks: set[float] = set()
    for formula in formulas:
        found = _breaks(formula)
        if found is None:
            return None
        breaks |= found
    if not breaks:
        return None
    inner = sorted(breaks)
    begins = np.array([inner[0] - 1.0, *inner])
    inside = np.append((begins[1:] + begins[:-1]) / 2, inner[-1] + 1.0)
    coefficients = np.zeros((len(begins), len(formulas), 4))
    for column, formula in enumerate(formulas):
        for row, instant in enumerate(inside):
            value = float(formula.subs(TIME, sp.Float(instant)))
            coefficients[row, column, 0] = float(f"{value:.15g}")  # without the rounding of 1 + 0.2 - 0.2
    return Pieces(begins, np.append(begins[1:], np.inf), coefficients)


def _parameters(model: Model) -> dict[str, sp.Symbol]:
    return {name: sp.Symbol(name, real=True) for name in model.parameter_names}


def _breaks(formula: sp.Expr) -> set[float] | None:
    """When a formula steps; None if it also changes in between or depends on more than time."""
    if formula.free_symbols - {TIME}:
        return None
    steps = formula.atoms(sp.sign)
    if TIME in formula.xreplace({step: sp.Integer(1) for step in steps}).free_symbols:
        return None
    found = set()
    for step in steps:
        argument = step.args[0]
        slope = sp.diff(argument, TIME)
        if not slope.is_number or slope == 0:
            return None
        found.add(float(-argument.subs(TIME, 0) / slope))
    return found
