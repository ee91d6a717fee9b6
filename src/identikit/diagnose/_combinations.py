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

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import sympy as sp

from identikit.model import Model, combination_text, equation_coefficients, symbol
from identikit.numerics import Information
from identikit.result import Finding, finding, rounded

STAYS = 3.0  # standard errors within which a combination must stay at places that explain the record as well
KNOWN = 0.1  # relative standard error below which a combination counts as known
MOST_QUOTED = 6  # combinations in a result: more are not read
MOST_TRIED = 600  # candidates, the simplest: of fifty parameters there are fifteen thousand, a millisecond or two each
NEW = 1e-3  # share of a gradient that must not follow from those of the combinations quoted before


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
        found.append(Combination(combination_text(candidate), value, std, inside))
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
    useful = [c for c in equation_coefficients(model, variables) if c.free_symbols & unknown]
    return useful or [
        first**a * second**b
        for first in variables
        if first in unknown
        for second in variables
        if second != first
        for a, b in product((1, 2), (-1, 1, -2, 2))
        if (abs(a), abs(b)) != (2, 2)
    ]


def _slope(expression: sp.Expr, variable: sp.Symbol, at: Mapping[sp.Symbol, float]) -> float:
    return _number(sp.diff(expression, variable), at) if expression.has(variable) else 0.0


def _number(expression: sp.Expr, at: Mapping[sp.Symbol, float]) -> float:
    value = expression.subs(at).evalf()
    return float(value) if value.is_real and value.is_finite else float("nan")
