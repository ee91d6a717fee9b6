"""Arithmetic modulo a prime."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy as sp

from identikit.structure._prime_field import (
    fraction,
    inverse,
    null_space,
    power,
    primes_with_unit_root,
    product,
    rank,
    residue,
)

PRIME = primes_with_unit_root()[0]


def test_primes_are_prime_and_have_a_root_of_minus_one() -> None:
    for prime in primes_with_unit_root():
        assert sp.isprime(prime) and prime < 2**31
        root = power(prime - 1, Fraction(1, 2), prime)
        assert root is not None and root * root % prime == prime - 1


def test_fractions_come_back() -> None:
    for value in (Fraction(0), Fraction(-1, 6), Fraction(22, 7), Fraction(-24)):
        assert fraction(residue(value, PRIME), PRIME) == value
    values = np.array([1, 2, 12345, PRIME - 1])
    assert (values * inverse(values, PRIME) % PRIME == 1).all()


def test_ranks_and_null_spaces_are_those_of_rational_numbers() -> None:
    random = np.random.default_rng(0)
    for _ in range(20):
        low = random.integers(1, 5)
        matrix = random.integers(-9, 9, (6, low)) @ random.integers(-9, 9, (low, 5))
        assert rank(matrix, PRIME) == sp.Matrix(matrix).rank()
        space = null_space(matrix, PRIME)
        assert len(space) == 5 - rank(matrix, PRIME)
        assert not product(matrix % PRIME, space.T, PRIME).any()


def test_a_number_without_a_root_has_none() -> None:
    squares = [power(value, Fraction(1, 2), PRIME) for value in range(2, 40)]
    assert None in squares and any(squares)
