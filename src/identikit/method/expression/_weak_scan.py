"""What shapes would be worth beside a law, in the weak form: every starting value of their inner constants at once.

The states are cleared by the law of products; the functions at all starting values are columns of one linear form. For
every start the best subset of the law's candidates beside the shape follows from the same rows, so that shapes are
compared with each other and with the law of products by one criterion and the noise's own covariance.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import sympy as sp

from identikit.method._base import ObjectionError
from identikit.method.expression._ansatz import Ansatz
from identikit.method.expression._law_search import SearchedLaw, kept_of
from identikit.method.expression._settings import EXPRESSION
from identikit.method.sparse._library import library_from
from identikit.method.sparse._selection import rows_about
from identikit.model import symbol
from identikit.numerics import subset_near
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress, silent


@dataclass(frozen=True)
class Scanned:
    """A shape at its best start, with the criterion above that of the law of products."""

    ansatz: Ansatz
    above: float


def scanned(
    problem: Problem, found: SearchedLaw, state: str, known: Sequence[Ansatz], progress: Progress
) -> list[Scanned]:
    """Shapes in the equation of a state, the most promising first."""
    best: dict[int, Scanned] = {}
    batches = list(_batches(known))
    for place, batch in enumerate(batches):
        if progress(place / len(batches), "trying functions with inner constants") is False:
            raise Cancelled
        for index, item in _of_batch(problem, found, state, batch):
            if index not in best or item.above < best[index].above:
                best[index] = item
    return [best[index] for index in sorted(best, key=lambda index: (best[index].above, index))]


Start = tuple[int, Ansatz, dict[str, float]]


def _batches(known: Sequence[Ansatz]) -> Iterator[list[Start]]:
    batch: list[Start] = []
    count = 0
    for index, ansatz in enumerate(known):
        for start in ansatz.starts():
            batch.append((index, ansatz, start))
            count += len(ansatz.kept)
            if count >= EXPRESSION.scanned:
                yield batch
                batch, count = [], 0
    if batch:
        yield batch


def _of_batch(
    problem: Problem, found: SearchedLaw, state: str, batch: Sequence[Start]
) -> Iterator[tuple[int, Scanned]]:
    held = [[_at(ansatz.functions[i], start) for i in ansatz.kept] for _, ansatz, start in batch]
    functions = {name: list(items) for name, items in found.candidates.items()}
    functions[state] += [item for items in held for item in items]
    try:
        library = library_from(problem, functions)
    except ObjectionError:
        return
    place = {(term.state, term.function): i for i, term in enumerate(library.terms)}
    terms = found.law.library.terms
    own = [place[term.state, term.function] for term in terms]
    values = np.zeros(len(library.terms))
    values[own] = found.law.values
    try:
        with np.errstate(all="ignore"):  # a function that overflows is no candidate
            rows = rows_about(problem.with_law(library.model), values, silent)
    except (ObjectionError, FloatingPointError, np.linalg.LinAlgError):
        return
    if np.isfinite(rows).all():
        rows = np.asarray(np.linalg.qr(rows, mode="r"))  # all sums of squares follow from it
    price = math.log(problem.samples)
    granted = kept_of(library, found.granted)
    kept = [i for i in granted if i in own]
    chosen = [own[i] for i in found.law.chosen]
    base = _criterion(rows, own, kept, chosen, price)
    for (index, ansatz, start), items in zip(batch, held, strict=True):
        new = [place[state, item] for item in items]
        if not np.isfinite(rows[:, [1 + i for i in new]]).all():
            continue
        above = _criterion(rows, [*own, *new], [*kept, *new], [*chosen, *new], price)
        inner = tuple(replace(item, starts=(start[item.name],)) for item in ansatz.inner)
        yield index, Scanned(replace(ansatz, inner=inner), above + price * len(inner) - base)


def _at(function: sp.Expr, start: dict[str, float]) -> sp.Expr:
    return function.xreplace({symbol(name): sp.Float(value) for name, value in start.items()})


def _criterion(
    rows: np.ndarray, columns: Sequence[int], kept: Sequence[int], chosen: Sequence[int], price: float
) -> float:
    """Of the subset of these columns that a local search finds from those that were chosen."""
    table = rows[:, [0, *(1 + i for i in columns)]]
    start, inside = (tuple(sorted(columns.index(i) for i in set(items))) for items in (chosen, kept))
    return subset_near(table, price, start, inside).criterion
