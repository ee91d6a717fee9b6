"""Models of second order, x_i' = v_i and v_i' = a_i(t, x, v, u, p): what is position, what velocity, which part of the
acceleration restores and which damps, what divides it all as inertia, and work along a path."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
import sympy as sp

from identikit.model._model import Model
from identikit.model._parser import symbol

MOST_TERMS = 200  # of an equation multiplied out


@dataclass(frozen=True)
class EquationOfMotion:
    """One degree of freedom, x' = v and v' = a(t, x, v, u, p), as symbols:

        a = restoring(t, x, u, p) + damping(t, x, v, u, p),        restoring = a at v = 0

    Dry friction, sign(v), is zero at v = 0 and so damps. `position` and `velocity` are indices among the states.
    """

    position: int
    velocity: int
    x: sp.Symbol
    v: sp.Symbol
    acceleration: sp.Expr

    @property
    def restoring(self) -> sp.Expr:
        return self.acceleration.subs(self.v, 0)

    def inertia(self, model: Model, free: Collection[str]) -> str:
        """The known parameter, a mass or a moment of inertia, that divides every term and appears nowhere else."""
        masses = [item.name for item in model.parameters if item.name not in free and "kg" in item.unit]
        return common_divisor(self.acceleration, masses)


def common_divisor(equation: sp.Expr, names: Iterable[str]) -> str:
    """The first of the parameters that divides every term of an equation and appears nowhere else in it, else ""."""
    terms = sum_terms(equation)
    for name in names:
        own = symbol(name)
        if all(own in term.free_symbols and own not in (term * own).free_symbols for term in terms):
            return name
    return ""


def degrees_of_freedom(model: Model) -> tuple[tuple[int, int], ...]:
    """Pairs (position, velocity) of indices among the states; empty if the states are not such pairs throughout."""
    pairs = kinematic_pairs(model)
    taken = {index for pair in pairs for index in pair}
    return pairs if len(taken) == 2 * len(pairs) == len(model.states) else ()


def kinematic_pairs(model: Model) -> tuple[tuple[int, int], ...]:
    """Pairs (position, velocity) of states whose equation is x' = v and nothing else; other states may be there too."""
    if not model.symbolic:
        return ()
    states = [symbol(name) for name in model.state_names]
    found: list[tuple[int, int]] = []
    taken: set[int] = set()
    for position, equation in enumerate(model.equations):
        if position in taken or equation not in states:
            continue
        velocity = states.index(equation)
        if velocity not in taken and velocity != position:
            found.append((position, velocity))
            taken |= {position, velocity}
    return tuple(found)


def equations_of_motion(model: Model, known: Mapping[str, float] | None = None) -> tuple[EquationOfMotion, ...]:
    """One per degree of freedom, numbers put in for the parameters and inputs in `known`; empty if the model is not of
    second order throughout."""
    numbers = as_numbers(known or {})
    states = [symbol(name) for name in model.state_names]
    return tuple(
        EquationOfMotion(i, j, states[i], states[j], model.equations[j].subs(numbers))
        for i, j in degrees_of_freedom(model)
    )


def as_numbers(values: Mapping[str, float]) -> dict[sp.Symbol, sp.Expr]:
    """What to put into an equation for known quantities. Zero is exact, so that a term with that factor vanishes, which
    a Float of zero would prevent."""
    return {symbol(name): sp.Float(value) if value else sp.Integer(0) for name, value in values.items()}


def sum_terms(expression: sp.Expr) -> list[sp.Expr]:
    """The expression as a sum, its outermost products multiplied out."""
    if expression.is_Add:
        return [term for argument in expression.args for term in sum_terms(argument)]
    if expression.is_Mul:
        sums = [factor for factor in expression.args if factor.is_Add]
        if sums and len(sums[0].args) < MOST_TERMS:
            rest = expression / sums[0]
            return [term for argument in sums[0].args for term in sum_terms(argument * rest)]
    return [expression]


def split_sum(terms: Sequence[sp.Expr], holding: AbstractSet[sp.Symbol]) -> tuple[sp.Expr, sp.Expr]:
    """The sum of those terms that hold none of the symbols, and the sum of the others."""
    without = [term for term in terms if not term.free_symbols & holding]
    others = [term for term in terms if term.free_symbols & holding]
    return sp.Add(*without), sp.Add(*others)


def work_along(force: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> np.ndarray:
    """int force dx from x[0] along the path x [points, ...], by eight Gauss points between neighbours."""
    nodes, weights = np.polynomial.legendre.leggauss(8)
    middle, half = (x[1:] + x[:-1]) / 2, np.diff(x, axis=0) / 2
    pieces = (force(middle[..., None] + half[..., None] * nodes) * weights).sum(axis=-1) * half
    return np.concatenate([np.zeros_like(x[:1]), np.cumsum(pieces, axis=0)])
