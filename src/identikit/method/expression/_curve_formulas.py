"""Formulas for a curve: which expression of known columns describes measured or learned values best."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
import sympy as sp

from identikit.method.expression._ansatz import Ansatz, from_expression, shapes
from identikit.method.expression._operon_engine import by_operon
from identikit.method.expression._search_columns import SearchColumns, evenly_taken
from identikit.method.expression._settings import EXPRESSION
from identikit.method.sparse._library import slug
from identikit.model import Program, derivative, size, symbol
from identikit.numerics import FROM_AFAR, Subset, best_subsets, gauss_newton
from identikit.progress import Cancelled, Progress


@dataclass(frozen=True)
class Formula:
    """A formula for a curve.

    Arguments:
        expression: in the columns' symbols and those of the constants, `identikit.model.symbol(name)`.
        constants: their values.
        complexity: parts of the expression when it is written out.
        criterion: Schwarz's, sum of ((value - formula) / deviation)^2 + ln(values) times the number of constants.
    """

    expression: sp.Expr
    constants: Mapping[str, float]
    complexity: int
    criterion: float

    @property
    def with_numbers(self) -> sp.Expr:
        return self.expression.xreplace({symbol(name): sp.Float(value) for name, value in self.constants.items()})


def curve_formulas(
    columns: Mapping[str, np.ndarray], values: np.ndarray, deviation: np.ndarray, seed: int, progress: Progress
) -> tuple[Formula, ...]:
    """Formulas for values(columns), the best by its criterion first; the simpler of two that are equal.

    Candidates are sums of products of the columns with their signs and sizes, those that genetic programming finds
    among them; shapes with inner constants (`shapes`: tanh, Stribeck, ...) with such products beside them; and what
    genetic programming finds with functions. Stopped, the best so far is returned; Cancelled is raised without one.

    Arguments:
        columns: what the values may depend on, each [samples]; names as in a model.
        values: [samples]; deviation: [samples] their standard errors, taken to be independent. Samples that are not
            finite, or whose deviation is not above zero, are left out.
        seed: of the search.

    Not for values whose errors are strongly correlated: the criterion then prefers too many terms.
    """
    curve = _Curve.of(columns, values, deviation)
    table = SearchColumns.of(curve.columns, curve.values)
    found: list[Formula] = []
    try:
        for formula in _candidates(curve, table, seed, progress):
            if formula is not None:
                found.append(formula)
    except Cancelled:
        if not found:
            raise
    distinct: dict[tuple[float, int], Formula] = {}
    for item in found:  # tanh(x/s) and tanh(x*s) are one: the first way of writing it stays
        distinct.setdefault((round(item.criterion, 2), len(item.constants)), item)
    return tuple(sorted(distinct.values(), key=_rank))[: EXPRESSION.most_formulas]


def _rank(formula: Formula) -> tuple[float, int, str]:
    return formula.criterion, formula.complexity, str(formula.expression)


def _candidates(curve: _Curve, table: SearchColumns, seed: int, progress: Progress) -> Iterable[Formula | None]:
    if table.empty:
        yield curve.fitted(Ansatz((sp.S.One,)))
        return
    products = by_operon(table, seed, progress.part(0.0, 0.2)).terms
    frequent = [function for function, _ in products.most_common(EXPRESSION.frequent_terms)]
    usual = tuple(dict.fromkeys((*_usual(table), *frequent)))
    yield from curve.linear(usual)
    known = list(shapes({name: curve.columns[name] for name in table.names}))
    for place, ansatz in enumerate(known):
        if progress(0.2 + 0.5 * place / len(known), "trying shapes with inner constants") is False:
            raise Cancelled
        yield curve.fitted(ansatz)  # alone first: many terms beside it would stand in for constants not yet right
        yield curve.fitted(ansatz.with_terms(usual))
    for expression in by_operon(table, seed, progress.part(0.7, 0.9), functions=True).expressions:
        if progress(0.9, "fitting what was found") is False:
            raise Cancelled
        opened = from_expression(expression, tuple(curve.columns))
        if opened is not None and opened.inner:
            yield curve.fitted(opened)


def _usual(table: SearchColumns) -> list[sp.Expr]:
    """A constant, what drag, dry friction and springs look like, products of two columns."""
    found: list[sp.Expr] = [sp.S.One]
    signed = {index for index, kind in table.kinds if kind != "plain"}
    for index, name in enumerate(table.names):
        x = symbol(name)
        found += [x, x**2, x**3]
        if index in signed:
            found += [sp.sign(x), sp.Abs(x), x * sp.Abs(x)]
    return found + [symbol(a) * symbol(b) for a, b in combinations(table.names, 2)]


@dataclass(frozen=True)
class _Curve:
    """The samples that count."""

    columns: Mapping[str, np.ndarray]
    values: np.ndarray
    deviation: np.ndarray

    @classmethod
    def of(cls, columns: Mapping[str, np.ndarray], values: np.ndarray, deviation: np.ndarray) -> _Curve:
        y, spread = np.asarray(values, float), np.broadcast_to(np.asarray(deviation, float), np.shape(values))
        known = np.isfinite(y) & np.isfinite(spread) & (spread > 0)
        for column in columns.values():
            known &= np.isfinite(column)
        places = evenly_taken(np.flatnonzero(known), EXPRESSION.curve_samples)
        return cls({k: np.asarray(v, float)[places] for k, v in columns.items()}, y[places], spread[places])

    @property
    def price(self) -> float:
        return math.log(max(len(self.values), 2))

    def linear(self, functions: Sequence[sp.Expr]) -> Iterable[Formula | None]:
        """The best sums of these functions, all that come near the best."""
        rows = self._rows(functions, {})
        if rows is None:
            return
        for subset in best_subsets(rows, self.price, self.price).subsets[: EXPRESSION.most_formulas]:
            chosen = [functions[i] for i in subset.chosen]
            yield self._refined(Ansatz(tuple(chosen)), chosen, {})

    def fitted(self, ansatz: Ansatz) -> Formula | None:
        """The ansatz with the functions that are worth their price and its constants; None if an inner constant runs
        away, or the functions have no values."""
        tried = [(found[0].criterion, place, start) for place, start in enumerate(ansatz.starts())
                 if (found := self._chosen(ansatz, start))]  # fmt: skip
        refined = [self._alternated(ansatz, start) for _, _, start in sorted(tried)[: EXPRESSION.refined_starts]]
        return min((item for item in refined if item is not None), key=_rank, default=None)

    def _chosen(self, ansatz: Ansatz, inner: Mapping[str, float]) -> tuple[Subset, list[sp.Expr]] | None:
        """The functions that are worth their price at these inner constants."""
        rows = self._rows(ansatz.functions, inner)
        if rows is None:
            return None
        best = best_subsets(rows, self.price, 0.0, ansatz.kept, 0).best
        return best, [ansatz.functions[i] for i in best.chosen]

    def _alternated(self, ansatz: Ansatz, inner: Mapping[str, float]) -> Formula | None:
        """Functions and constants in turn, while the criterion falls."""
        best: Formula | None = None
        for _ in range(EXPRESSION.rounds):
            chosen = self._chosen(ansatz, inner)
            formula = None if chosen is None else self._refined(ansatz, chosen[1], inner)
            if formula is None or (best is not None and formula.criterion >= best.criterion):
                break
            best = formula
            inner = {item.name: formula.constants[item.name] for item in ansatz.inner}
        return best

    def _rows(self, functions: Sequence[sp.Expr], inner: Mapping[str, float]) -> np.ndarray | None:
        """[samples, 1 + functions] over the deviations, the values' negatives first."""
        with np.errstate(all="ignore"):  # where a function has no value, the caller sees that there are no rows
            found = _program(tuple(functions), (*self.columns, *inner))(np, [*self.columns.values(), *inner.values()])
        table = [np.broadcast_to(np.asarray(item, float), self.values.shape) for item in found]
        rows = np.column_stack([-self.values, *table]) / self.deviation[:, None]
        return rows if np.isfinite(rows).all() else None

    def _refined(self, ansatz: Ansatz, chosen: Sequence[sp.Expr], start: Mapping[str, float]) -> Formula | None:
        """All constants free."""
        rows = self._rows(chosen, start)
        if rows is None:
            return None
        factors = np.linalg.lstsq(rows[:, 1:], -rows[:, 0], rcond=1e-12)[0]
        names = _factor_names(chosen, (*self.columns, *start))
        expression = sp.Add(*(symbol(n) * function for n, function in zip(names, chosen, strict=True)))
        used = [item for item in ansatz.inner if symbol(item.name) in expression.free_symbols]
        constants = [*names, *(item.name for item in used)]
        p = np.array([*factors, *(start[item.name] for item in used)], float)
        if used:
            low = np.array([*np.full(len(names), -np.inf), *(item.low for item in used)])
            high = np.array([*np.full(len(names), np.inf), *(item.high for item in used)])
            slopes = (derivative(expression, symbol(name)) for name in constants)
            program = _program((expression, *slopes), (*self.columns, *constants))

            def residuals(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
                # steps too far are not finite, and taken back
                found = program(np, [*self.columns.values(), *q])
                table = [np.broadcast_to(np.asarray(item, float), self.values.shape) for item in found]
                return (table[0] - self.values) / self.deviation, np.array(table[1:]).T / self.deviation[:, None]

            with np.errstate(all="ignore"):
                end = gauss_newton(residuals, p, low, high, FROM_AFAR)
            at_bound = np.isclose(end.p, low, rtol=1e-3) | np.isclose(end.p, high, rtol=1e-3)
            if not np.isfinite(end.cost) or at_bound.any():
                return None
            p, squares = end.p, end.cost
        else:
            squares = float(np.sum((rows[:, 0] + rows[:, 1:] @ p) ** 2))
        values = dict(zip(constants, map(float, p), strict=True))
        return Formula(expression, values, size(expression), squares + self.price * len(values))


@lru_cache(maxsize=64)
def _program(expressions: tuple[sp.Expr, ...], names: tuple[str, ...]) -> Program:
    return Program(expressions, [symbol(name) for name in names])


def _factor_names(functions: Sequence[sp.Expr], taken: Sequence[str]) -> list[str]:
    """A name for the factor of every function."""
    found: list[str] = []
    for function in functions:
        base = "c_" + slug(function)
        name, count = base, 1
        while name in found or name in taken:
            count += 1
            name = f"{base}_{count}"
        found.append(name)
    return found
