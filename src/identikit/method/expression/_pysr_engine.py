"""The engine `pysr`: PySR's evolution of expressions, where it and its Julia are installed.

Reference: M. Cranmer, Interpretable machine learning for science with PySR and SymbolicRegression.jl, arXiv:2305.01582.
"""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from identikit.errors import need
from identikit.method.expression._search_columns import SearchColumns, Searched
from identikit.method.expression._settings import EXPRESSION
from identikit.progress import Cancelled, Progress

EXTRA = "pysr"
FUNCTIONS = ("exp", "tanh", "atan", "sin", "cos")


def by_pysr(columns: SearchColumns, seed: int, progress: Progress, functions: bool = False) -> Searched:
    """As `by_operon`; PySR keeps no population, so only the expressions of its front count. It cannot be asked to stop
    before it ends."""
    regressor = need("pysr", EXTRA).PySRRegressor
    if progress(0.0, "searching expressions with PySR") is False:
        raise Cancelled
    model = regressor(
        binary_operators=["+", "-", "*", *(["/"] if functions else [])],
        unary_operators=list(FUNCTIONS) if functions else [],
        population_size=EXPRESSION.population, niterations=EXPRESSION.generations, maxsize=EXPRESSION.longest,
        deterministic=True, parallelism="serial", random_state=seed, progress=False, verbosity=0,
        temp_equation_file=True,
    )  # fmt: skip
    names = [f"c{i}" for i in range(len(columns.kinds))]
    model.fit(columns.table, columns.target, variable_names=names)
    return searched(columns, names, model.equations_["sympy_format"], functions)


def searched(columns: SearchColumns, names: list[str], front: Iterable[sp.Expr], functions: bool) -> Searched:
    """Expressions in the names of the table's columns as what was searched for."""
    found = list(front)
    if functions:
        own = {name: columns.column(i) for i, name in enumerate(names)}
        made = [expression.subs({item: own[item.name] for item in expression.free_symbols}) for expression in found]
        return Searched(tuple(sp.Float(columns.target_scale) * item for item in made))
    generators = sp.symbols(names)
    plain = [
        expression.xreplace({item: sp.Symbol(item.name) for item in expression.free_symbols}) for expression in found
    ]
    polynomials = [sp.Poly(expression, *generators) for expression in plain]
    return Searched((), columns.counted(
        ({tuple(map(int, powers)): float(value) for powers, value in item.terms()}, 1) for item in polynomials
    ))  # fmt: skip
