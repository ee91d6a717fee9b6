"""Units of constants inside functions: those that make every argument a number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import sympy as sp

from identikit.method.expression._ansatz import Ansatz
from identikit.method.sparse._coefficient_unit import coefficient_unit
from identikit.model import Model, symbol


def inner_units(model: Model, ansatz: Ansatz) -> dict[str, str]:
    """{inner constant: unit}, "" where it is a number or the columns' units are not known."""
    units = {item.name: item.unit for item in model.states} | {item.name: item.unit for item in model.inputs}
    found = {item.name: units.get(item.unit_of, "") for item in ansatz.inner}
    for item in ansatz.inner:
        if item.unit_of:
            continue
        own = symbol(item.name)
        for part in _terms_of_arguments(ansatz.functions):
            # c * g(x) is a number, so that c has the unit of 1/g
            factor, rest = part.as_independent(own, as_Add=False)
            if rest == own:
                found[item.name] = coefficient_unit(Counter(), factor, units)
    return found


def _terms_of_arguments(functions: tuple[sp.Expr, ...]) -> Iterator[sp.Expr]:
    for function in functions:
        for call in function.atoms(sp.exp, sp.tanh, sp.atan, sp.sin, sp.cos, sp.sinh):
            yield from sp.Add.make_args(call.args[0])
