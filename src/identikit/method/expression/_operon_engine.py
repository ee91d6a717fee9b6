"""The engine `operon`: genetic programming on expression trees with constants fitted in every one of them.

Operon keeps a front of expressions, fit against length; the whole last population counts beside it, since the target's
errors are correlated (smoothing does that) and no criterion of independent errors chooses rightly among them. One
thread, since with several the outcome depends on their timing.

References: B. Burlacu, G. Kronberger, M. Kommenda, Operon C++: an efficient genetic programming framework for symbolic
regression, GECCO 2020 companion, 1562-1570; M. Kommenda et al., Genet. Program. Evolvable Mach. 21 (2020) 471-501.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import add
from typing import Any

import sympy as sp

from identikit.errors import need
from identikit.method.expression._search_columns import SearchColumns, Searched
from identikit.method.expression._settings import EXPRESSION
from identikit.progress import Cancelled, Progress

EXTRA = "discovery"
PRODUCTS = "add,sub,mul"
FUNCTIONS = "add,sub,mul,div,exp,tanh,atan,sin,cos"
_CALLS: dict[str, Callable[[sp.Expr], sp.Expr]] = {
    "Exp": sp.exp, "Tanh": sp.tanh, "Atan": sp.atan, "Sin": sp.sin, "Cos": sp.cos,
}  # fmt: skip


def by_operon(columns: SearchColumns, seed: int, progress: Progress, functions: bool = False) -> Searched:
    """Search the target among products of the columns, or with `functions` among exp, tanh, ... of them too.

    Stopped, the best so far is returned; Cancelled is raised without one.
    """
    regressor = need("pyoperon.sklearn", EXTRA).SymbolicRegressor
    share = -(-EXPRESSION.generations // EXPRESSION.pieces)
    model = regressor(
        allowed_symbols=f"{FUNCTIONS if functions else PRODUCTS},constant,variable",
        population_size=EXPRESSION.population, generations=share, max_length=EXPRESSION.longest,
        optimizer_iterations=EXPRESSION.local_steps, objectives=["r2", "length"], uncertainty=[1.0],
        n_threads=1, warm_start=True, max_evaluations=2**31,
    )  # fmt: skip
    done = 0
    for piece in range(EXPRESSION.pieces):
        if progress(piece / EXPRESSION.pieces, f"searching expressions, generation {piece * share}") is False:
            break
        model.random_state = seed * EXPRESSION.pieces + piece + 1
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # scikit-learn's, of names and shapes that are as they should be
            model.fit(columns.table, columns.target)
        done += 1
    if not done:
        raise Cancelled
    place = {key: index for index, key in enumerate(model.variables_)}
    front = [item["tree"].Nodes for item in model.pareto_front_]
    if functions:
        made = [_Symbolic(columns, place).of(nodes) for nodes in front]
        return Searched(tuple(item for item in made if item is not None))
    trees = [(nodes, EXPRESSION.front_votes) for nodes in front]
    trees += [(item.Genotype.Nodes, 1) for item in model.individuals_[: EXPRESSION.population]]
    return Searched((), columns.counted((_Polynomial.of_tree(nodes, place).terms, votes) for nodes, votes in trees))


@dataclass(frozen=True)
class _Polynomial:
    """{powers of the columns: coefficient}, with the arithmetic that trees of products need."""

    terms: Mapping[tuple[int, ...], float]

    @classmethod
    def of_tree(cls, nodes: Sequence[Any], place: Mapping[int, int]) -> _Polynomial:
        def leaf(node: Any) -> _Polynomial:
            own = place[node.HashValue] if node.IsVariable else -1
            return cls({tuple(int(i == own) for i in range(len(place))): float(node.Value)})

        return _folded(nodes, leaf, {})

    def __add__(self, other: _Polynomial) -> _Polynomial:
        found = dict(self.terms)
        for powers, value in other.terms.items():
            found[powers] = found.get(powers, 0.0) + value
        return _Polynomial(found)

    def __neg__(self) -> _Polynomial:
        return _Polynomial({powers: -value for powers, value in self.terms.items()})

    def __sub__(self, other: _Polynomial) -> _Polynomial:
        return self + -other

    def __mul__(self, other: _Polynomial) -> _Polynomial:
        found: dict[tuple[int, ...], float] = {}
        for left, a in self.terms.items():
            for right, b in other.terms.items():
                powers = tuple(map(add, left, right))
                found[powers] = found.get(powers, 0.0) + a * b
        return _Polynomial(found)


class _Symbolic:
    """Trees as SymPy expressions of the columns' symbols, in the target's own unit."""

    def __init__(self, columns: SearchColumns, place: Mapping[int, int]) -> None:
        self.columns, self.place = columns, place

    def of(self, nodes: Sequence[Any]) -> sp.Expr | None:
        """None where the tree divides by zero, or has no finite value at all."""

        def leaf(node: Any) -> sp.Expr:
            value = sp.Float(float(node.Value))
            return value * self.columns.column(self.place[node.HashValue]) if node.IsVariable else value

        found = sp.Float(self.columns.target_scale) * _folded(nodes, leaf, _CALLS)
        return None if found.has(sp.zoo, sp.nan, sp.oo, -sp.oo, sp.I) else found


def _folded(nodes: Sequence[Any], leaf: Callable[[Any], Any], calls: Mapping[str, Callable[[Any], Any]]) -> Any:
    """The value of a tree in postfix order, of which the argument written last comes first."""
    stack: list[Any] = []
    for node in nodes:
        if node.IsLeaf:
            stack.append(leaf(node))
            continue
        arguments = [stack.pop() for _ in range(node.Arity)]
        kind = node.Type.name
        if kind in calls:
            stack.append(calls[kind](arguments[0]))
            continue
        value = arguments[0]
        if len(arguments) == 1 and kind in ("Sub", "Div"):
            value = -value if kind == "Sub" else 1 / value
        for other in arguments[1:]:
            if kind == "Add":
                value = value + other
            elif kind == "Sub":
                value = value - other
            elif kind == "Mul":
                value = value * other
            else:
                value = value / other
        stack.append(value)
    return stack[-1]
