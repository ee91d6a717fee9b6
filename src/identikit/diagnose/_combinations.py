"""What a record does tell about parameters that it cannot tell one by one: combinations of them.

Candidates are the coefficients of the model's own equations: those that stand there as factors of functions of the
states, and those of the equations' power series about zero, up to third order. For a pendulum between magnets,

    omega' = -2 mu w0 omega - w0^2 sin theta - 2 a1 theta - ...

the first kind gives 2 mu w0, the second w0^2 + 2 a1, the stiffness at small angles. Where the equations are too long or
are not known as mathematics, products and quotients of two parameters are tried instead. A candidate c(p) has the
standard error sqrt(g' C g), with g its gradient and C the inverse information, widened where residuals are coloured. It
counts as known if that is below a tenth of its value, and if it stays within three of them along the directions in
which single parameters are not known.

Not for telling whether a single parameter is known: see `identifiability`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, product

import numpy as np
import sympy as sp

from identikit.model import EXTREMA, TIME, Model, size, symbol
from identikit.numerics import Information
from identikit.result import Finding, finding, rounded

STAYS = 3.0  # standard errors within which a combination must stay at places that explain the record as well
KNOWN = 0.1  # relative standard error below which a combination counts as known
MOST_OPERATIONS = 60  # in an equation: beyond, its expansion would take seconds and its coefficients fill lines
LONGEST_QUOTED = 15  # operations in a combination worth quoting
MOST_PARTS = 1000  # of a derivative: beyond, its value at zero takes seconds and is nothing to quote
ORDER = 3  # of the power series
MOST_VARIABLES = 4  # with more of them the series stops at its linear part
MOST_QUOTED = 6  # combinations in a result: more are not read
MOST_TRIED = 600  # candidates, the simplest: of fifty parameters there are fifteen thousand, a millisecond or two each
NEW = 1e-3  # share of a gradient that must not follow from those of the combinations quoted before
OPAQUE = (sp.sign, sp.Abs, sp.Heaviside, sp.Piecewise, *EXTREMA)  # no power series: taken as they stand


@dataclass(frozen=True)
class Combination:
    """A function of the parameters that the record determines."""

    text: str
    value: float
    std: float
    parameters: tuple[str, ...] = ()


def still_determined(combinations: Sequence[Combination]) -> tuple[Finding, ...]:
    """What is known although single parameters are not, as a finding; none if there is nothing to say."""
    if not combinations:
        return ()
    written = ", ".join(f"{item.text} = {' +- '.join(rounded(item.value, item.std))}" for item in combinations)
    return (finding("still_determined", written, *dict.fromkeys(name for c in combinations for name in c.parameters)),)


def identified_combinations(
    model: Model,
    free: Sequence[str],
    values: Mapping[str, float],
    information_rows: np.ndarray,
    identifiable: Sequence[bool],
    *,
    widening: Callable[[np.ndarray], float] = lambda gradient: 1.0,
    elsewhere: Sequence[np.ndarray] = (),
) -> tuple[Combination, ...]:
    """Known combinations in which at least one parameter occurs that is not identifiable by itself, simplest first.

    Only for a fit that is good: of one that is not, nothing is known.

    Arguments:
        values: of all parameters of the model, at the estimate.
        information_rows: rows whose Gram matrix is the Fisher information of the free parameters.
        widening: factor on the standard error of a combination with a given gradient (coloured residuals).
        elsewhere: free parameters that explain the record as well, along directions that are hardly known; a
            combination that is not the same there is not known.
    """
    unknown = {symbol(name) for name, known in zip(free, identifiable, strict=True) if not known}
    if not unknown:
        return ()
    variables = [symbol(name) for name in free]
    at = {symbol(name): value for name, value in values.items()}
    root = Information.of_rows(information_rows).root
    found: list[Combination] = []
    gradients = np.empty((0, len(free)))
    for candidate in _candidates(model, variables, unknown)[:MOST_TRIED]:
        value = _number(candidate, at)
        gradient = np.array([_slope(candidate, variable, at) for variable in variables])
        if not np.isfinite(value) or value == 0 or not np.isfinite(gradient).all():
            continue
        std = float(np.linalg.norm(gradient @ root)) * widening(gradient)
        relative = gradient * np.array([at[variable] for variable in variables]) / value
        if std > KNOWN * abs(value) or not np.any(relative) or not _is_new(relative, gradients):
            continue
        others = [_number(candidate, at | dict(zip(variables, place, strict=True))) for place in elsewhere]
        if not all(abs(other - value) <= STAYS * std for other in others):
            continue
        gradients = np.vstack([gradients, relative / np.linalg.norm(relative)])
        inside = tuple(name for name in free if symbol(name) in candidate.free_symbols)
        found.append(Combination(_text(candidate), value, std, inside))
        if len(found) == MOST_QUOTED:
            break
    return tuple(found)


def _is_new(gradient: np.ndarray, before: np.ndarray) -> bool:
    unit = gradient / np.linalg.norm(gradient)
    if not len(before):
        return True
    rest = unit - before.T @ np.linalg.lstsq(before.T, unit, rcond=None)[0]
    return bool(np.linalg.norm(rest) > NEW)


def _candidates(model: Model, variables: list[sp.Symbol], unknown: set[sp.Symbol]) -> list[sp.Expr]:
    """Combinations worth testing, the simplest first; each holds an unknown parameter and at least two in all."""
    useful = [
        c
        for c in _all_coefficients(model)
        if c.free_symbols & unknown and len(c.free_symbols & set(variables)) > 1 and c.count_ops() <= LONGEST_QUOTED
    ]
    useful.sort(key=lambda c: (len(c.free_symbols), c.count_ops(), str(c)))
    return useful or [
        first**a * second**b
        for first in variables
        if first in unknown
        for second in variables
        if second != first
        for a, b in product((1, 2), (-1, 1, -2, 2))
        if (abs(a), abs(b)) != (2, 2)
    ]


@lru_cache(maxsize=16)
def _all_coefficients(model: Model) -> frozenset[sp.Expr]:
    """Finding them takes as long as judging a fit, so fits of one model share it."""
    return frozenset(_positive(c) for equation in model.equations for c in _coefficients(equation, model))


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


def _slope(expression: sp.Expr, variable: sp.Symbol, at: Mapping[sp.Symbol, float]) -> float:
    return _number(sp.diff(expression, variable), at) if expression.has(variable) else 0.0


def _number(expression: sp.Expr, at: Mapping[sp.Symbol, float]) -> float:
    value = expression.subs(at).evalf()
    return float(value) if value.is_real and value.is_finite else float("nan")


def _text(expression: sp.Expr) -> str:
    return str(expression).replace("**", "^")
