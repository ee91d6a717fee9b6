"""A formula with open constants: a sum of functions, some of which hold constants inside.

    f(x) = sum_j c_j f_j(x; s),        c_j factors,  s inner constants such as the velocity in tanh(v / s)

Given s, everything is linear. So s is tried at several starting values, the functions that are worth their price are
chosen for each, and only the best beginning is refined with all constants free (variable projection in its plainest
form: G. H. Golub, V. Pereyra, SIAM J. Numer. Anal. 10 (1973) 413).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product as all_pairs

import numpy as np
import sympy as sp

from identikit.method.expression._settings import EXPRESSION
from identikit.model import symbol

_ANY = symbol("any inner constant")


@dataclass(frozen=True)
class Inner:
    """A constant inside functions: its name, starting values, bounds, and the column whose unit it has ("" for none, of
    a constant that is a number)."""

    name: str
    starts: tuple[float, ...]
    low: float
    high: float
    unit_of: str = ""


@dataclass(frozen=True)
class Ansatz:
    """Functions of columns and inner constants; those that hold inner constants are in the formula whatever the data
    say (without them it would be another ansatz), the others are chosen."""

    functions: tuple[sp.Expr, ...]
    inner: tuple[Inner, ...] = ()

    @property
    def kept(self) -> tuple[int, ...]:
        own = {symbol(item.name) for item in self.inner}
        return tuple(i for i, function in enumerate(self.functions) if function.free_symbols & own)

    @property
    def form(self) -> frozenset[sp.Expr]:
        """The functions with inner constants whatever these are called, for a single one also whether they multiply or
        divide."""
        own = [symbol(item.name) for item in self.inner]
        held = [self.functions[i] for i in self.kept]
        if len(own) == 1:
            divides = any(function.has(1 / own[0]) for function in held)
            return frozenset(f.subs(own[0], _ANY if divides else 1 / _ANY) for f in held)
        return frozenset(held)

    def with_terms(self, functions: Iterable[sp.Expr]) -> Ansatz:
        """The same with further functions to choose from."""
        return Ansatz(tuple(dict.fromkeys((*self.functions, *functions))), self.inner)

    def starts(self) -> Iterator[dict[str, float]]:
        """All combinations of starting values of the inner constants; of two, every other one of each."""
        every = 1 if len(self.inner) < 2 else 2
        for values in all_pairs(*(item.starts[::every] for item in self.inner)):
            yield dict(zip((item.name for item in self.inner), values, strict=True))


def shapes(columns: Mapping[str, np.ndarray]) -> Iterator[Ansatz]:
    """Curves that friction and springs are known to follow, of every column by itself.

    Of a column x that changes sign: tanh(x/s), atan(x/s) and x/(s + |x|), which are dry friction without the jump;
    sign(x) exp(-(x/s)^2) and sign(x) exp(-|x|/s), what breaking loose adds to it (Stribeck), also without the jump,
    tanh(x/e) [.., exp(-(x/s)^2)]; x exp(-(x/s)^2); sinh(x/s). Of any column exp(x/s), exp(-x/s), and
    sin(x/s) with cos(x/s).

    Reference: B. Armstrong-Helouvry, P. Dupont, C. Canudas de Wit, Automatica 30 (1994) 1083-1138 (friction).
    """
    for name, column in columns.items():
        finite = np.asarray(column, float)[np.isfinite(column)]
        if not len(finite) or np.ptp(finite) == 0:
            continue
        x, size = symbol(name), float(np.abs(finite).max())
        scale, width = (_scale(f"{word}_{name}", size, name) for word in ("scale", "width"))
        s, e = symbol(scale.name), symbol(width.name)
        if finite.min() < 0 < finite.max():
            for function in (sp.tanh(x / s), sp.atan(x / s), x / (s + sp.Abs(x)), sp.sinh(x / s)):
                yield Ansatz((function,), (scale,))
            for decay in (sp.exp(-((x / s) ** 2)), sp.exp(-sp.Abs(x) / s)):
                yield Ansatz((sp.sign(x) * decay,), (scale,))
            yield Ansatz((x * sp.exp(-((x / s) ** 2)),), (scale,))
            smooth = sp.tanh(x / e)
            yield Ansatz((smooth, smooth * sp.exp(-((x / s) ** 2))), (scale, width))
        for function in (sp.exp(x / s), sp.exp(-x / s)):
            yield Ansatz((function,), (scale,))
        yield Ansatz((sp.sin(x / s), sp.cos(x / s)), (scale,))


def _scale(name: str, size: float, column: str) -> Inner:
    starts = np.geomspace(EXPRESSION.least_scale * size, EXPRESSION.largest_scale * size, EXPRESSION.scales)
    low, high = starts[0] / EXPRESSION.outermost_scale, starts[-1] * EXPRESSION.outermost_scale
    return Inner(name, tuple(map(float, starts)), float(low), float(high), column)


def from_expression(expression: sp.Expr, taken: Sequence[str] = ()) -> Ansatz | None:
    """The ansatz that an expression with numbers in it is one case of; None if it has too many inner constants.

    Factors of terms become factors to fit; numbers within functions become inner constants `inner_1`, `inner_2`, ...,
    whose starting values they are.
    """
    inner: dict[sp.Symbol, float] = {}
    functions = []
    for term in sp.Add.make_args(sp.expand(expression)):
        _, function = term.as_independent(*expression.free_symbols, as_Add=False)
        functions.append(_opened(function, inner, taken))
    if len(inner) > EXPRESSION.most_inner:
        return None
    far, near = EXPRESSION.outermost_scale, EXPRESSION.found_starts
    found = tuple(
        Inner(
            str(item), (value, value / near, value * near), min(value / far, value * far), max(value / far, value * far)
        )
        for item, value in inner.items()
    )
    return Ansatz(tuple(dict.fromkeys(functions)), found)


def _opened(function: sp.Expr, inner: dict[sp.Symbol, float], taken: Sequence[str]) -> sp.Expr:
    """The function with its floating-point numbers as constants; powers stay numbers."""
    if isinstance(function, sp.Float):
        known = next((item for item, value in inner.items() if abs(value - float(function)) < 1e-9 * abs(value)), None)
        if known is not None:
            return known
        count = len(inner) + 1
        while f"inner_{count}" in taken:
            count += 1
        made = symbol(f"inner_{count}")
        inner[made] = float(function)
        return made
    if not function.args:
        return function
    if isinstance(function, sp.Pow) and function.exp.is_number:
        return _opened(function.base, inner, taken) ** sp.nsimplify(function.exp, rational=True)
    return function.func(*(_opened(item, inner, taken) for item in function.args))
