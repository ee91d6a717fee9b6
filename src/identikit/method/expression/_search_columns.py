"""What a search among expressions is given: columns of unit size, with sign and size of those that change sign."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import sympy as sp

from identikit.method.expression._settings import EXPRESSION
from identikit.model import symbol

PLAIN, SIGN, SIZE = "plain", "sign", "size"


@dataclass(frozen=True)
class Searched:
    """What a search found: expressions of its front in the columns' own symbols and units, and how often every product
    of columns appears in front and population."""

    expressions: tuple[sp.Expr, ...]
    terms: Counter[sp.Expr] = field(default_factory=Counter)


@dataclass(frozen=True)
class SearchColumns:
    """Columns and a target, scaled.

    Arguments:
        names: of the columns as they were given.
        kinds: (index of a name, plain or sign or size) of every column of the table.
        table: [samples, columns], target: [samples]; both of unit size.
        scales: that the columns of `names` were divided by; target_scale: that of the target.
    """

    names: tuple[str, ...]
    kinds: tuple[tuple[int, str], ...]
    table: np.ndarray
    target: np.ndarray
    scales: tuple[float, ...]
    target_scale: float

    @classmethod
    def of(
        cls, columns: Mapping[str, np.ndarray], values: np.ndarray, signed: Collection[str] | None = None
    ) -> SearchColumns:
        """Those columns that change, at samples where everything is known; with sign and size of those in `signed`
        (None: of all) that change sign."""
        known = np.isfinite(values)
        for column in columns.values():
            known &= np.isfinite(column)
        places = evenly_taken(np.flatnonzero(known), EXPRESSION.search_samples)
        names = tuple(name for name, column in columns.items() if len(places) and np.ptp(column[places]) > 0)
        kinds, table, scales = [], [], []
        for index, name in enumerate(names):
            column = np.asarray(columns[name], float)[places]
            scale = float(np.sqrt(np.mean(column**2)))
            scales.append(scale)
            kinds.append((index, PLAIN))
            table.append(column / scale)
            if column.min() < 0 < column.max() and (signed is None or name in signed):
                kinds += [(index, SIGN), (index, SIZE)]
                table += [np.sign(column), np.abs(column) / scale]
        target = np.asarray(values, float)[places]
        size = float(np.sqrt(np.mean(target**2))) if len(target) else 0.0
        return cls(
            names, tuple(kinds), np.array(table).T, target / (size or 1.0), tuple(scales), size or 1.0
        )  # fmt: skip

    @property
    def empty(self) -> bool:
        """Whether there is nothing to search with, or nothing to find."""
        return not self.names or not np.ptp(self.target) > 0

    def column(self, place: int) -> sp.Expr:
        """A column of the table in the symbols of the names, its scale in it."""
        index, kind = self.kinds[place]
        x = symbol(self.names[index])
        if kind == SIGN:
            return sp.sign(x)
        return (x if kind == PLAIN else sp.Abs(x)) / sp.Float(self.scales[index])

    def product(self, powers: Sequence[int]) -> sp.Expr | None:
        """A product of powers of the table's columns in the symbols of the names; None if it is of too high a power."""
        counts = np.zeros((len(self.names), 3), int)
        for (index, kind), power in zip(self.kinds, powers, strict=True):
            counts[index, (PLAIN, SIGN, SIZE).index(kind)] += power
        found = [joined(*map(int, row)) for row in counts]
        if sum(power for power, _ in found) > EXPRESSION.highest_power:
            return None
        return product(self.names, found)

    def counted(self, polynomials: Iterable[tuple[Mapping[tuple[int, ...], float], int]]) -> Counter[sp.Expr]:
        """How often products appear in (polynomial of the table's columns, its votes) with a coefficient that matters;
        the constant is none of them."""
        powers = [self.table**n for n in range(EXPRESSION.highest_power + 1)]
        counts: Counter[tuple[int, ...]] = Counter()
        sizes: dict[tuple[int, ...], float] = {}
        for polynomial, votes in polynomials:
            for exponents, coefficient in polynomial.items():
                if exponents not in sizes:
                    high = max(exponents, default=0) > EXPRESSION.highest_power
                    columns = [] if high else [powers[n][:, j] for j, n in enumerate(exponents) if n]
                    value = np.prod(columns, axis=0) if columns else np.zeros(1)
                    sizes[exponents] = float(np.sqrt(np.mean(value**2)))
                if abs(coefficient) * sizes[exponents] > EXPRESSION.sizeable:
                    counts[exponents] += votes
        found: Counter[sp.Expr] = Counter()
        for exponents, count in counts.items():
            function = self.product(exponents)
            if function is not None and function != 1:
                found[function] += count
        return found


def evenly_taken(places: np.ndarray, most: int) -> np.ndarray:
    """At most so many of these, from the first to the last."""
    if len(places) <= most:
        return places
    return places[np.linspace(0, len(places) - 1, most).round().astype(int)]


def product(names: Sequence[str], powers: Sequence[tuple[int, bool]]) -> sp.Expr:
    """The product of |x|^n, n the first of `powers`, each with the sign that x^n has, or with the other if the second
    says so."""
    found = sp.S.One
    for name, (power, turned) in zip(names, powers, strict=True):
        x = symbol(name)
        if not turned:
            found *= x**power
        elif power == 0:
            found *= sp.sign(x)
        else:
            found *= x ** (power - 1) * sp.Abs(x)
    return found


def joined(plain: int, signs: int, sizes: int) -> tuple[int, bool]:
    """x^plain sign(x)^signs |x|^sizes as (power, turned) of `product`, so that no law goes under many names.

    For a real x and n, m whole, x^n sign(x)^m |x|^k depends only on n + k and on whether m + k is even:

        x sign(x) = |x|,   sign(x) |x| = x,   |x|^2 = x^2,   sign(x)^2 = 1 (but for the instant at which x = 0).
    """
    return plain + sizes, bool((signs + sizes) % 2)
