"""From directions that nothing shows to symmetries with names: scalings and translations.

A direction v(p) in which all outputs stay as they are belongs to a one-parameter group, dp/ds = v(p). With
v_j = a_j p_j the group is p_j exp(a_j s), a scaling; with constant v_j it is a translation. Which it is, is seen by
comparing directions at several random points: v_j/p_j, or v_j, must be the same simple fractions at all of them.

Reference: H. Merkt, J. Timmer, D. Kaschek, Phys. Rev. E 92 (2015) 012920.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

import numpy as np

from identikit.result import Symmetry, SymmetryKind
from identikit.structure._prime_field import fraction, inverse, reduced
from identikit.structure._sensitivity import Sensitivity
from identikit.structure._settings import STRUCTURE


@dataclass(frozen=True)
class Block:
    """Unseen directions that have to do with each other.

    Arguments:
        columns: unknowns that they move.
        spaces: [point][directions, columns].
        kind: scaling or translation, if the directions are these.
        weights: [directions][columns], of a scaling or translation.
    """

    columns: tuple[int, ...]
    spaces: tuple[np.ndarray, ...]
    kind: SymmetryKind
    weights: tuple[tuple[Fraction, ...], ...] = ()


def blocks(found: Sensitivity, columns: int) -> list[Block]:
    """Unseen directions in groups that share no unknown; only the first `columns` unknowns are looked at."""
    unseen = found.unseen()
    usable = [point for point in range(found.points) if len(found.unseen_at(point)) == len(unseen[0])]
    moved = np.any([space != 0 for space in unseen], axis=0)
    groups: list[set[int]] = []
    for row in moved:
        own = {int(j) for j in np.flatnonzero(row)}
        joined = [group for group in groups if group & own]
        groups = [group for group in groups if not group & own] + [own.union(*joined)]
    made = []
    for group in sorted(groups, key=min):
        chosen = tuple(j for j in sorted(group) if j < columns)
        if not chosen:
            continue
        rows = [i for i, row in enumerate(moved) if set(map(int, np.flatnonzero(row))) <= group]
        spaces = tuple(reduced(space[np.ix_(rows, chosen)], found.prime)[0] for space in unseen)
        made.append(_named(chosen, spaces, found.values[np.ix_(usable, chosen)], found.prime))
    return made


def _named(columns: tuple[int, ...], spaces: tuple[np.ndarray, ...], values: np.ndarray, prime: int) -> Block:
    scaled = [
        reduced(space * inverse(value, prime) % prime, prime)[0] for space, value in zip(spaces, values, strict=True)
    ]
    for kind, candidates in ((SymmetryKind.SCALING, scaled), (SymmetryKind.TRANSLATION, spaces)):
        weights = _constant(candidates, prime)
        if weights is not None:
            return Block(columns, spaces, kind, weights)
    return Block(columns, spaces, SymmetryKind.OTHER)


def _constant(spaces: Sequence[np.ndarray], prime: int) -> tuple[tuple[Fraction, ...], ...] | None:
    """The directions as simple fractions, if they are the same at all points."""
    first = spaces[0]
    if any(space.shape != first.shape or (space != first).any() for space in spaces):
        return None
    rows = [[small_fraction(int(value), prime) for value in row] for row in first]
    if any(value is None for row in rows for value in row):
        return None
    return tuple(whole([value for value in row if value is not None]) for row in rows)


def small_fraction(value: int, prime: int) -> Fraction | None:
    """What a residue stands for, if that is a number one would write down."""
    found = fraction(value, prime)
    if found is None or max(abs(found.numerator), found.denominator) > STRUCTURE.largest_number:
        return None
    return found


def whole(row: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """A multiple of the row in whole numbers without common divisor, the first of them positive."""
    common = lcm(*(value.denominator for value in row))
    numbers = [int(value * common) for value in row]
    divisor = gcd(*numbers) or 1
    sign = next((1 if value > 0 else -1 for value in numbers if value), 1)
    return tuple(Fraction(sign * value, divisor) for value in numbers)


def symmetries(found: Sequence[Block], names: Sequence[str]) -> tuple[Symmetry, ...]:
    """The blocks in words."""
    made = []
    for block in found:
        inside = [names[j] for j in block.columns]
        if block.kind is SymmetryKind.OTHER:
            made.append(Symmetry(block.kind, tuple(inside)))
            continue
        for row in block.weights:
            weights = {name: float(weight) for name, weight in zip(inside, row, strict=True) if weight}
            made.append(Symmetry(block.kind, tuple(weights), weights))
    return tuple(made)
