"""A law that was found, in the parameters of the model it was asked of.

The model's terms have coefficients C_j(p); a law without term j asks for C_j(p) = 0, which holds if a parameter that
stands in no other chosen term is zero. A law with a term that the model lacks, or without one that it always has, or
with a known coefficient that is another, is another law.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import sympy as sp

from identikit.method.sparse._found_law import FoundLaw
from identikit.method.sparse._library import Library
from identikit.method.sparse._settings import SPARSE
from identikit.model import Program, derivative, symbol
from identikit.numerics import Information, gauss_newton, middle
from identikit.problem import Problem


@dataclass(frozen=True)
class OwnLaw:
    """Parameters that the law makes zero, and what its coefficients give for the others, with standard errors."""

    zero: tuple[str, ...]
    values: Mapping[str, float]
    deviation: Mapping[str, float | None]


def own_law(problem: Problem, law: FoundLaw) -> OwnLaw | None:
    """The law in the problem's own free parameters; None if it is another law than the model's."""
    library, chosen = law.library, law.chosen
    zero = _zeroed(problem, library, chosen)
    free = [name for name in problem.free if name not in (zero or ())]
    if zero is None or not free:
        return None
    numbers = {symbol(name): sp.S.Zero for name in zero}
    expressions = [_own(library, i).subs(numbers) for i in chosen]
    found = law.values[list(chosen)]
    if law.deviation is not None:
        for expression, value, std in zip(expressions, found, law.deviation, strict=True):
            if not expression.free_symbols and abs(float(expression) - value) > SPARSE.own_value * std:
                return None
    root = np.diag(1 / np.abs(found)) if law.root is None else law.root
    symbols = [symbol(name) for name in free]
    slopes = [derivative(expression, p) for expression in expressions for p in symbols]
    program = Program([*expressions, *slopes], symbols)

    def rows(p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        computed = np.array([float(value) for value in program(np, list(p))])
        coefficients, table = computed[: len(chosen)], computed[len(chosen) :].reshape(len(chosen), len(free))
        return root @ (coefficients - found), root @ table

    limits = np.array([problem.bounds[name] for name in free], float)
    usual = [problem.model.parameter(name).value for name in free]
    start = np.array([m if value is None or value == 0 else value
                      for value, m in zip(usual, middle(*limits.T), strict=True)])  # fmt: skip
    end = gauss_newton(rows, np.clip(start, *limits.T), *limits.T)
    if not np.isfinite(end.p).all():
        return None
    spread = Information.of_rows(rows(end.p)[1]).standard_errors
    known = [float(std) if law.root is not None and np.isfinite(std) else None for std in spread]
    return OwnLaw(zero, dict(zip(free, map(float, end.p), strict=True)), dict(zip(free, known, strict=True)))


def _own(library: Library, index: int) -> sp.Expr:
    own = library.terms[index].own
    return sp.S.Zero if own is None else own


def _zeroed(problem: Problem, library: Library, chosen: tuple[int, ...]) -> tuple[str, ...] | None:
    """Free parameters that have to be zero for the terms that were not chosen to vanish; None if that cannot be."""
    wanted = [_own(library, i) for i in chosen]
    if any(expression == 0 for expression in wanted):
        return None
    zero: list[str] = []
    numbers: dict[sp.Symbol, sp.Expr] = {}
    for index in range(len(library.terms)):
        left = _own(library, index).subs(numbers)
        if index in chosen or left == 0:
            continue
        for name in problem.free:
            p = symbol(name)
            vanishes = p in left.free_symbols and left.subs(p, 0) == 0
            if vanishes and all(item.subs({**numbers, p: 0}) != 0 for item in wanted):
                zero.append(name)
                numbers[p] = sp.S.Zero
                break
        else:
            return None
    return tuple(zero)
