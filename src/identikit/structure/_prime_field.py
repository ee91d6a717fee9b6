"""Linear algebra modulo a prime: ranks without rounding.

A rank of a matrix of rational functions, taken at random points modulo a large prime, is never above the true one, and
below it only by an accident of probability near degree/prime: a few in 10^8 here. Two points that agree settle it.

Reference: J. T. Schwartz, J. ACM 27 (1980) 701.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import numpy as np


def primes_with_unit_root() -> list[int]:
    """Primes in which -1 is a square, so that sines are exponentials; below 2^31, so that products fit into 64 bits."""
    return list(_PRIMES)


def inverse(values: np.ndarray, prime: int) -> np.ndarray:
    """1/values, entry by entry, by Fermat's little theorem; 0 for 0."""
    found = np.ones_like(values)
    base, exponent = values % prime, prime - 2
    while exponent:
        if exponent & 1:
            found = found * base % prime
        base = base * base % prime
        exponent >>= 1
    return found


def power(value: int, exponent: Fraction, prime: int) -> int | None:
    """value**exponent, one of them; None if there is none."""
    from sympy.ntheory.residue_ntheory import nthroot_mod

    root: int | None = value if exponent.denominator == 1 else nthroot_mod(value, exponent.denominator, prime)
    if root is None or (root == 0 and exponent < 0):
        return None
    return pow(root, exponent.numerator, prime)


def residue(value: Fraction, prime: int) -> int:
    """A rational number in the field."""
    return value.numerator * pow(value.denominator, -1, prime) % prime


def fraction(value: int, prime: int) -> Fraction | None:
    """The simple fraction that a residue stands for; None if there is none with both parts small.

    Reference: P. S. Wang, Proc. ACM SYMSAC (1981) 212: numerator and denominator below sqrt(prime/2) are unique.
    """
    bound = isqrt(prime // 2)
    before, now = (prime, 0), (value % prime, 1)
    while now[0] > bound:
        quotient = before[0] // now[0]
        before, now = now, (before[0] - quotient * now[0], before[1] - quotient * now[1])
    return Fraction(now[0], now[1]) if now[1] and abs(now[1]) <= bound else None


def reduced(matrix: np.ndarray, prime: int) -> tuple[np.ndarray, tuple[int, ...]]:
    """Row-echelon form with ones as pivots and zeros above and below them, without zero rows; columns of the pivots."""
    rows = np.array(matrix, np.int64) % prime
    pivots: list[int] = []
    for column in range(rows.shape[1]):
        done = len(pivots)
        below = np.flatnonzero(rows[done:, column])
        if not len(below):
            continue
        rows[[done, done + below[0]]] = rows[[done + below[0], done]]
        rows[done] = rows[done] * pow(int(rows[done, column]), -1, prime) % prime
        others = rows[:, column].copy()
        others[done] = 0
        rows = (rows - others[:, None] * rows[done] % prime) % prime
        pivots.append(column)
    return rows[: len(pivots)], tuple(pivots)


def null_space(matrix: np.ndarray, prime: int) -> np.ndarray:
    """Directions [dimension, columns] that the matrix takes to zero, in reduced form."""
    rows, pivots = reduced(matrix, prime)
    free = [column for column in range(matrix.shape[1]) if column not in pivots]
    found = np.zeros((len(free), matrix.shape[1]), np.int64)
    for i, column in enumerate(free):
        found[i, column] = 1
        found[i, list(pivots)] = -rows[:, column] % prime
    # reversed, so that the first columns carry the ones
    return reduced(found, prime)[0]


def rank(matrix: np.ndarray, prime: int) -> int:
    """Of a matrix of residues."""
    return len(reduced(matrix, prime)[1])


def product(first: np.ndarray, second: np.ndarray, prime: int) -> np.ndarray:
    """The matrix product."""
    total = np.zeros((first.shape[0], second.shape[1]), np.int64)
    for i in range(first.shape[1]):
        total = (total + first[:, i : i + 1] * second[i] % prime) % prime
    return total


_PRIMES = (
    2147483629, 2147483549, 2147483497, 2147483489, 2147483477, 2147483353, 2147483269, 2147483249,
    2147483237, 2147483137, 2147483077, 2147483069, 2147483053, 2147483033, 2147483029, 2147482949,
    2147482937, 2147482921, 2147482877, 2147482873, 2147482817, 2147482801, 2147482697, 2147482693,
    2147482681, 2147482661, 2147482621, 2147482577, 2147482501, 2147482481, 2147482417, 2147482409,
    2147482361, 2147482349, 2147482273, 2147482237, 2147482121, 2147482093, 2147482081, 2147482021,
    2147481997, 2147481949, 2147481937, 2147481901, 2147481893, 2147481797, 2147481793, 2147481673,
)  # fmt: skip
