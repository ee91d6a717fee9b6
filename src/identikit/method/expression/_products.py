"""Products of columns with their signs and sizes, each written in one way only.

For a real x and n, m whole: x^n sign(x)^m |x|^k depends only on n + k and on whether m + k is even, so that

    x sign(x) = |x|,   sign(x) |x| = x,   |x|^2 = x^2,   sign(x)^2 = 1 (but for the instant at which x = 0),

and x|x|, x^2 |x| stand for x^2 sign(x), x^3 sign(x). Without this a search finds one law under many names.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from identikit.model import symbol


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
    """x^plain sign(x)^signs |x|^sizes as (power, turned) of `product`."""
    return plain + sizes, bool((signs + sizes) % 2)
