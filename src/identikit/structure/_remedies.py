"""What would free the parameters that are not identifiable: a value, a known beginning, a further sensor.

Each is a row or some rows more in the matrix whose unseen directions are known already, so that every choice is tried
by the same exact rank test, without expanding the equations again.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from identikit.model import symbol
from identikit.result import RemedyKind, RemedyPart, StructuralRemedy
from identikit.structure._prime_field import null_space, product
from identikit.structure._sensitivity import Sensitivity, StructuralQuestion
from identikit.structure._settings import STRUCTURE


def remedies(question: StructuralQuestion, found: Sensitivity) -> tuple[StructuralRemedy, ...]:
    """Smallest sets of things to know or measure that leave no free parameter unidentified; singles first."""
    point = min(range(found.points), key=lambda i: len(found.unseen_at(i)))
    space = found.unseen_at(point)
    parts = _parts(question, found, space)
    rows = {part: _rows(part, found, point) for part in parts}
    free = len(question.free)
    made: list[StructuralRemedy] = []
    for together in range(1, STRUCTURE.most_together + 1):
        for chosen in combinations(parts, together):
            if any(set(item.parts) <= set(chosen) for item in made):
                continue
            if _frees([rows[part] for part in chosen], space, free, found.prime):
                made.append(StructuralRemedy(chosen))
        if made:
            break
    return tuple(made[: STRUCTURE.most_remedies]) or _greedy(parts, rows, space, free, found.prime)


def _parts(question: StructuralQuestion, found: Sensitivity, space: np.ndarray) -> list[RemedyPart]:
    """What may help: whatever an unseen direction moves, and states that no output shows alone."""
    moved = np.flatnonzero(space.any(axis=0))
    loose = [found.names[j] for j in moved]
    seen = {question.model.output(name).expression for name in question.outputs}
    states = [name for name in question.model.state_names if symbol(name) not in seen]
    return [
        *(RemedyPart(RemedyKind.VALUE, name) for name in question.free if name in loose),
        *(RemedyPart(RemedyKind.INITIAL, name) for name in question.unknown_states if name in loose),
        *(RemedyPart(RemedyKind.SENSOR, name) for name in states),
    ]


def _rows(part: RemedyPart, found: Sensitivity, point: int) -> np.ndarray:
    if part.kind is RemedyKind.SENSOR:
        return found.states[part.name][point]
    row = np.zeros((1, len(found.names)), np.int64)
    row[0, found.names.index(part.name)] = 1
    return row


def _frees(rows: Sequence[np.ndarray], space: np.ndarray, free: int, prime: int) -> bool:
    """Whether the directions that these rows do not show either leave the parameters alone."""
    return not _left(rows, space, prime)[:, :free].any()


def _left(rows: Sequence[np.ndarray], space: np.ndarray, prime: int) -> np.ndarray:
    shown = product(np.vstack(rows), space.T.copy(), prime)
    return product(null_space(shown, prime), space, prime)


def _greedy(
    parts: Sequence[RemedyPart], rows: dict[RemedyPart, np.ndarray], space: np.ndarray, free: int, prime: int
) -> tuple[StructuralRemedy, ...]:
    """One set, made by taking what leaves the fewest unseen directions, again and again; none if nothing helps."""
    chosen: list[RemedyPart] = []
    while not chosen or not _frees([rows[part] for part in chosen], space, free, prime):
        left = {part: _count([rows[p] for p in (*chosen, part)], space, free, prime) for part in parts}
        best = min(parts, key=lambda part: left[part], default=None)
        if best is None or (chosen and left[best] >= _count([rows[p] for p in chosen], space, free, prime)):
            return ()
        chosen.append(best)
    return (StructuralRemedy(tuple(chosen)),)


def _count(rows: Sequence[np.ndarray], space: np.ndarray, free: int, prime: int) -> int:
    return int(_left(rows, space, prime)[:, :free].any(axis=1).sum())
