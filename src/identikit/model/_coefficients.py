"""Coefficients of a model's equations: combinations of parameters that a motion may determine as a whole.

They are those that stand there as factors of functions of the states, and those of the equations' power series about
zero, up to third order. For a pendulum between magnets,

    omega' = -2 mu w0 omega - w0^2 sin theta - 2 a1 theta - ...

the first kind gives 2 mu w0, the second w0^2 + 2 a1, the stiffness at small angles.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement

import sympy as sp

from identikit.model._extremum import EXTREMA
from identikit.model._model import Model
from identikit.model._parser import TIME, symbol
from identikit.model._structure import size

MOST_OPERATIONS = 60  # in an equation: beyond, its expansion would take seconds and its coefficients fill lines
LONGEST_QUOTED = 15  # operations in a combination worth quoting
MOST_PARTS = 1000  # of a derivative: beyond, its value at zero takes seconds and is nothing to quote
ORDER = 3  # of the power series
MOST_VARIABLES = 4  # with more of them the series stops at its linear part
OPAQUE = (sp.sign, sp.Abs, sp.Heaviside, sp.Piecewise, *EXTREMA)  # no power series: taken as they stand


def equation_coefficients(model: Model, variables: Sequence[sp.Symbol]) -> list[sp.Expr]:
    """Coefficients in which at least two of the variables occur and that are short enough to quote, simplest first."""
    found = _all_coefficients(model)
    useful = [c for c in found if len(c.free_symbols & set(variables)) > 1 and c.count_ops() <= LONGEST_QUOTED]
    return sorted(useful, key=lambda c: (len(c.free_symbols), c.count_ops(), str(c)))


@lru_cache(maxsize=16)
def _all_coefficients(model: Model) -> frozenset[sp.Expr]:
    """Finding them takes as long as judging a fit, so fits of one model share it."""
    return frozenset(_positive(c) for equation in model.equations for c in _coefficients(equation, model))


def combination_text(expression: sp.Expr) -> str:
    """As it is printed: w0^2 + 2*a1."""
    return str(expression).replace("**", "^")


def _coefficients(equation: sp.Expr, model: Model) -> Iterator[sp.Expr]:
    """Constant factors and summands wherever they stand, then those of the expanded equation and its power series."""
    states = [symbol(name) for name in model.state_names]
    moving = {*states, TIME} | {symbol(name) for name in model.input_names}
    for node in sp.preorder_traversal(equation):
        if isinstance(node, sp.Mul | sp.Add):
            yield node.as_independent(*moving, as_Add=isinstance(node, sp.Add))[0]
    if equation.count_ops() > MOST_OPERATIONS:
        return
    standing: dict[sp.Expr, sp.Expr] = {}
    for term in sp.Add.make_args(sp.expand(equation)):
        constant, function = term.as_independent(*moving, as_Add=False)
        standing[function] = standing.get(function, sp.Integer(0)) + constant
    yield from standing.values()
    atoms = [atom for atom in equation.atoms(*OPAQUE) if atom.free_symbols & moving]
    opaque = {atom: sp.Dummy() for atom in sorted(atoms, key=lambda atom: -atom.count_ops())}
    smooth = equation.subs(opaque)
    if TIME not in smooth.free_symbols:
        yield from _series(smooth, [*states, *map(symbol, model.input_names), *opaque.values()])


def _series(expression: sp.Expr, variables: list[sp.Symbol]) -> Iterator[sp.Expr]:
    """Coefficients of the power series about zero, those that exist."""
    zero = dict.fromkeys(variables, 0)
    for exponents in _exponents(len(variables), ORDER if len(variables) <= MOST_VARIABLES else 1):
        slope, weight = expression, math.prod(map(math.factorial, exponents))
        for variable, order in zip(variables, exponents, strict=True):
            for _ in range(order):
                slope = sp.diff(slope, variable) if size(slope) <= MOST_PARTS else sp.nan
        if size(slope) > MOST_PARTS:
            continue
        at_zero = slope.subs(zero)
        if not at_zero.has(sp.nan, sp.zoo, sp.oo):
            yield sp.expand(at_zero / weight)


def _exponents(variables: int, order: int) -> Iterator[tuple[int, ...]]:
    for total in range(order + 1):
        for chosen in combinations_with_replacement(range(variables), total):
            yield tuple(chosen.count(i) for i in range(variables))


def _positive(coefficient: sp.Expr) -> sp.Expr:
    return -coefficient if coefficient.could_extract_minus_sign() else coefficient
