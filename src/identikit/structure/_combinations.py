"""Combinations of unknowns that the outputs determine, although they do not determine each of them.

c(p) is determined if no unseen direction changes it: grad c . v = 0 for all v, at all points. Three kinds of candidates
are tried, the simplest first: coefficients of the equations, products of powers (which scalings leave as they are), and
sums of products of up to two parameters, found by linear algebra over many points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import sympy as sp

from identikit.model import combination_text, equation_coefficients, symbol
from identikit.structure._prime_field import inverse, null_space, product, rank
from identikit.structure._sensitivity import Sensitivity, StructuralQuestion
from identikit.structure._settings import STRUCTURE
from identikit.structure._symmetries import Block, small_fraction, whole
from identikit.structure._tape import NotAnalysableError, Tape

Evaluate = Callable[[int, Sequence[sp.Expr]], Sensitivity]
"""(points, candidates): the question's sensitivities at so many points, with gradients of the candidates."""


@dataclass(frozen=True)
class Named:
    """Combinations that are determined, as text, and how many more there are."""

    texts: tuple[str, ...]
    further: int


def determined_combinations(evaluate: Evaluate, question: StructuralQuestion, found: Sequence[Block]) -> Named:
    """Independent combinations in which something occurs that is not identifiable by itself.

    Those of parameters alone come first, and of equally simple ones those that stand in the equations; initial states
    enter where nothing else is left.
    """
    free = len(question.free)
    names = question.unknowns
    unknown = [j for block in found for j in block.columns]
    wanted = len(unknown) - sum(len(block.spaces[0]) for block in found)
    variables = [symbol(names[j]) for j in range(len(names))]
    loose = {variables[j] for j in unknown}
    standing = {c for c in equation_coefficients(question.model, variables[:free]) if c.free_symbols & loose}
    candidates = standing.union(*(_formulas(evaluate, question, block) for block in found))
    states = set(variables[free:])

    def simplicity(c: sp.Expr) -> tuple[int, int, int, bool, str]:
        plain = c not in standing
        return len(c.free_symbols & states), len(c.free_symbols), c.count_ops() + plain, plain, str(c)

    texts: list[str] = []
    kept: list[np.ndarray] = []
    tested, unchanged = _unchanged(evaluate, sorted(candidates, key=simplicity))
    for candidate, gradient in unchanged:
        rows = np.array([*kept, gradient[unknown]])
        if rank(rows, tested.prime) == len(rows):
            kept.append(gradient[unknown])
            texts.append(combination_text(candidate))
        if len(kept) in (wanted, STRUCTURE.most_named):
            break
    return Named(tuple(texts), wanted - len(texts))


def _unchanged(
    evaluate: Evaluate, candidates: Sequence[sp.Expr]
) -> tuple[Sensitivity, list[tuple[sp.Expr, np.ndarray]]]:
    """Candidates that no unseen direction changes, with their gradients [columns] at one point."""
    usable = [c for c in candidates if _has_series(c)]
    tested = evaluate(STRUCTURE.candidate_points, usable)
    spaces = [tested.unseen_at(point) for point in range(tested.points)]
    held = []
    for candidate, gradients in zip(usable, tested.candidates, strict=True):
        pairs = zip(spaces, gradients, strict=True)
        if not any(product(space, gradient[:, None], tested.prime).any() for space, gradient in pairs):
            held.append((candidate, gradients[0]))
    return tested, held


def _has_series(candidate: sp.Expr) -> bool:
    try:
        Tape([candidate])
    except NotAnalysableError:
        return False
    return True


def _formulas(evaluate: Evaluate, question: StructuralQuestion, block: Block) -> set[sp.Expr]:
    """Products of powers, and sums of products, that no unseen direction changes: of parameters, then with states."""
    variables = [symbol(name) for name in question.unknowns]
    free = len(question.free)
    parameters = [j for j in block.columns if j < free]
    others = [j for j in range(free) if j not in block.columns]
    seen = evaluate(STRUCTURE.formula_points, ())
    found: set[sp.Expr] = set()
    for columns in (parameters, list(block.columns)):
        if len(columns) <= STRUCTURE.most_factors:
            powers = _held(_changes(seen, [(j,) for j in columns], relative=True), seen.prime)
            found |= {
                sp.Mul(*(variables[j] ** int(power) for j, power in zip(columns, row, strict=True))) for row in powers
            }
        products = _products(columns, others)
        for degrees in ({1}, {2}, {1, 2}):  # sums of one degree first: a mixture is harder to read
            chosen = [item for item in products if len(item) in degrees]
            for row in _held(_changes(seen, chosen), seen.prime):
                terms = zip(row, chosen, strict=True)
                found.add(sp.Add(*(int(weight) * sp.Mul(*(variables[j] for j in item)) for weight, item in terms)))
    return found


def _products(columns: Sequence[int], others: Sequence[int]) -> list[tuple[int, ...]]:
    """Products of up to two unknowns, one of them at least not identifiable by itself; none if there are too many."""
    together = [*columns, *others] if len(columns) + len(others) <= STRUCTURE.most_in_sums else columns
    if len(together) > STRUCTURE.most_in_sums:
        return []
    pairs = combinations_with_replacement(together, 2)
    return [*((j,) for j in columns), *(pair for pair in pairs if set(pair) & set(columns))]


def _held(changes: np.ndarray, prime: int) -> list[tuple[Fraction, ...]]:
    """Weights in simple whole numbers with which the columns add up to no change at all points."""
    found = []
    for vector in null_space(changes, prime) if changes.size else ():
        weights = [small_fraction(int(value), prime) for value in vector]
        if all(weight is not None for weight in weights):
            found.append(whole([weight for weight in weights if weight is not None]))
    return found


def _changes(seen: Sensitivity, products: Sequence[tuple[int, ...]], relative: bool = False) -> np.ndarray:
    """How every product changes along every unseen direction at every point [all of these, products].

    Relative changes are those of logarithms.
    """
    rows = []
    for point in range(seen.points):
        values = seen.values[point]
        factors = inverse(values, seen.prime) if relative else np.ones_like(values)
        for direction in seen.unseen_at(point) * factors % seen.prime:
            rows.append([sum(_slopes(item, direction, values, seen.prime)) % seen.prime for item in products])
    return np.array(rows, np.int64)


def _slopes(item: tuple[int, ...], direction: np.ndarray, values: np.ndarray, prime: int) -> Iterator[int]:
    """The change of a product by that of each of its factors."""
    for i, column in enumerate(item):
        change = int(direction[column])
        for other in item[:i] + item[i + 1 :]:
            change = change * int(values[other]) % prime
        yield change
