"""Power series in time of everything on a tape, with their derivatives with respect to the unknowns, modulo a prime.

Every quantity is an array [order, point, 1 + unknowns]: its Taylor coefficients at several random points at once, and
in the further columns the derivatives of each coefficient. States follow from their rates, x_(k+1) = f_k/(k + 1), so
that one walk along the tape per order gives the next derivative of everything, exactly.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
import sympy as sp

from identikit.structure._prime_field import inverse, power, residue
from identikit.structure._tape import Instruction, Operation, Tape

_HALF = Fraction(1, 2)


class SeriesRun:
    """The series of one tape at some points.

    Arguments:
        beginnings: {leaf: [points, 1 + unknowns]}, values with derivatives at time zero.
        rates: {leaf: place of its rate on the tape}; leaves without one do not move, but for
        drives: {leaf: [orders, points]} Taylor coefficients of inputs that are given.
        orders: the highest that will be asked for.

    A transcendental value is a scrambled form of what it is a function of: as good as random, and the same for the
    same argument, in every mode of a model.
    """

    def __init__(
        self,
        tape: Tape,
        prime: int,
        beginnings: Mapping[sp.Basic, np.ndarray],
        rates: Mapping[sp.Basic, int],
        drives: Mapping[sp.Basic, np.ndarray],
        orders: int,
    ) -> None:
        self._tape, self.prime = tape, prime
        self._rates, self._drives = rates, drives
        self._beginnings = dict(beginnings)
        points, width = next(iter(beginnings.values())).shape
        self._shape = (points, width)
        count = len(tape.instructions)
        self._still = _still(tape.instructions, {*rates, *drives})
        self._values = [np.zeros((1 if self._still[i] else orders + 1, points, width), np.int64) for i in range(count)]
        self._first_reciprocal: dict[int, np.ndarray] = {}
        self.usable = np.ones(points, bool)  # points at which every root exists and nothing is divided by zero
        self.order = -1

    def advance(self) -> None:
        """The next coefficient of everything."""
        self.order += 1
        for place, instruction in enumerate(self._tape.instructions):
            if self.order and self._still[place]:
                continue
            first = self.order == 0
            made = self._first(place, instruction) if first else self._next(place, instruction, self.order)
            self._values[place][self.order] = made

    def coefficient(self, place: int, order: int) -> np.ndarray:
        """[points, 1 + unknowns] of an expression; zero beyond the beginning for what does not move."""
        if order and self._still[place]:
            return np.zeros(self._shape, np.int64)
        return self._values[place][order]

    # Order by order

    def _first(self, place: int, instruction: Instruction) -> np.ndarray:
        kind, arguments = instruction.operation, instruction.arguments
        if kind is Operation.LEAF:
            return self._leaf(instruction.leaf, 0)
        if kind is Operation.NUMBER:
            return self._constant(residue(instruction.number, self.prime))  # type: ignore[arg-type]
        if kind is Operation.IMAGINARY:
            return self._constant(power(self.prime - 1, _HALF, self.prime) or 0)
        if kind is Operation.TRANSCENDENTAL:
            return self._any_value(str(instruction.leaf))
        given = [self._values[item][0] for item in arguments]
        if kind is Operation.SUM:
            return np.sum(given, axis=0) % self.prime
        if kind is Operation.PRODUCT:
            return self._times(given[0], given[1])
        if kind is Operation.RECIPROCAL:
            return self._reciprocal(given[0])
        if kind is Operation.ROOT:
            return self._root(place, instruction, given[0])
        if kind is Operation.EXPONENTIAL:
            return self._exponential(given[0])
        return self._primitive(instruction, given)

    def _next(self, place: int, instruction: Instruction, k: int) -> np.ndarray:
        kind, arguments = instruction.operation, instruction.arguments
        if kind is Operation.LEAF:
            return self._leaf(instruction.leaf, k)
        if kind is Operation.SUM:
            return np.sum([self.coefficient(item, k) for item in arguments], axis=0) % self.prime
        if kind is Operation.PRODUCT:
            return self._convolved(arguments[0], arguments[1], k)
        own = self._values[place]
        if kind is Operation.RECIPROCAL:
            total = self._summed(self._values[arguments[0]][1 : k + 1], own[k - 1 :: -1])
            return -self._times(own[0], total) % self.prime
        steps = np.arange(1, k + 1)[:, None, None]
        if kind is Operation.ROOT:
            exponent = residue(instruction.number, self.prime)  # type: ignore[arg-type]
            weights = (exponent * steps - (k - steps)) % self.prime
            total = self._summed(weights * self._values[arguments[0]][1 : k + 1] % self.prime, own[k - 1 :: -1])
            return self._divided(self._times(total, self._first_reciprocal[place]), k)
        if kind is Operation.EXPONENTIAL:
            total = self._summed(steps * self._values[arguments[0]][1 : k + 1] % self.prime, own[k - 1 :: -1])
            return self._divided(total, k)
        total = np.zeros(self._shape, np.int64)
        for slope, variable in zip(arguments[::2], arguments[1::2], strict=True):
            if self._still[variable]:
                continue
            growth = steps * self._values[variable][1 : k + 1] % self.prime
            weights = self._values[slope]
            if self._still[slope]:
                total = total + self._times(growth[-1], weights[0])
            else:
                total = total + self._summed(growth, weights[k - 1 :: -1])
        return self._divided(total % self.prime, k)

    # Leaves and first values

    def _leaf(self, leaf: sp.Basic | None, k: int) -> np.ndarray:
        if k == 0:
            return self._beginnings[leaf]
        made = np.zeros(self._shape, np.int64)
        if leaf in self._rates:
            made = self._divided(self.coefficient(self._rates[leaf], k - 1), k)
        elif leaf in self._drives:
            made[:, 0] = self._drives[leaf][k]
        return made

    def _constant(self, value: int) -> np.ndarray:
        made = np.zeros(self._shape, np.int64)
        made[:, 0] = value
        return made

    def _any_value(self, salt: str, *arguments: np.ndarray) -> np.ndarray:
        """Numbers without relations to others, the same for the same arguments."""
        made = np.zeros(self._shape, np.int64)
        mixed = np.full(self._shape[0], zlib.crc32(salt.encode()), np.uint64)
        for item in arguments:
            mixed = _scrambled(mixed ^ item.astype(np.uint64))
        made[:, 0] = _scrambled(mixed) % np.uint64(self.prime - 1) + np.uint64(1)
        return made

    def _reciprocal(self, given: np.ndarray) -> np.ndarray:
        made = np.zeros_like(given)
        made[:, 0] = inverse(given[:, 0], self.prime)
        self.usable &= given[:, 0] != 0
        slope = -made[:, 0] * made[:, 0] % self.prime
        made[:, 1:] = slope[:, None] * given[:, 1:] % self.prime
        return made

    def _root(self, place: int, instruction: Instruction, given: np.ndarray) -> np.ndarray:
        made = np.zeros_like(given)
        for i, value in enumerate(given[:, 0]):
            root = power(int(value), instruction.number, self.prime)  # type: ignore[arg-type]
            self.usable[i] &= bool(root)
            made[i, 0] = root or 0
        exponent = residue(instruction.number, self.prime)  # type: ignore[arg-type]
        usable = self.usable.copy()
        reciprocal = self._reciprocal(given)
        self.usable &= usable
        slope = exponent * made[:, 0] % self.prime * reciprocal[:, 0] % self.prime
        made[:, 1:] = slope[:, None] * given[:, 1:] % self.prime
        self._first_reciprocal[place] = reciprocal
        return made

    def _exponential(self, given: np.ndarray) -> np.ndarray:
        made = self._any_value("exp", given[:, 0])
        made[given[:, 0] == 0, 0] = 1
        made[:, 1:] = made[:, :1] * given[:, 1:] % self.prime
        return made

    def _primitive(self, instruction: Instruction, given: Sequence[np.ndarray]) -> np.ndarray:
        made = self._any_value(f"primitive {instruction.number}", *(item[:, 0] for item in given))
        if instruction.number is not None:
            made[given[1][:, 0] == residue(instruction.number, self.prime), 0] = 0
        for slope, variable in zip(given[::2], given[1::2], strict=True):
            made[:, 1:] = (made[:, 1:] + slope[:, :1] * variable[:, 1:] % self.prime) % self.prime
        return made

    # Arithmetic of values with derivatives

    def _times(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        made = a[..., :1] * b % self.prime
        made[..., 1:] = (made[..., 1:] + a[..., 1:] * b[..., :1] % self.prime) % self.prime
        return made

    def _summed(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.asarray(self._times(a, b).sum(axis=0) % self.prime)

    def _convolved(self, first: int, second: int, k: int) -> np.ndarray:
        a, b = self._values[first], self._values[second]
        if self._still[first]:
            return self._times(a[0], b[k])
        if self._still[second]:
            return self._times(a[k], b[0])
        return self._summed(a[: k + 1], b[k::-1])

    def _divided(self, values: np.ndarray, k: int) -> np.ndarray:
        return values * pow(k, -1, self.prime) % self.prime


def _scrambled(values: np.ndarray) -> np.ndarray:
    """Bits mixed well (the finaliser of splitmix64, S. Vigna 2015)."""
    z = values + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))


def _still(instructions: Sequence[Instruction], moving: set[sp.Basic]) -> list[bool]:
    """Which instructions do not change in time."""
    found: list[bool] = []
    for item in instructions:
        found.append(item.leaf not in moving and all(found[place] for place in item.arguments))
    return found
