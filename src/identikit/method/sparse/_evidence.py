"""How sure a chosen law is: terms over rivals and over replicates of the record, rivals as good, terms alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from identikit.method.sparse._selection import Selection
from identikit.method.sparse._settings import SPARSE
from identikit.numerics import BestSubsets, Subset, column_sizes, subset_near


@dataclass(frozen=True)
class LawEvidence:
    """What speaks for a law.

    Arguments:
        weight: [terms] probability that a term is in the law, over all laws within the margin, by the criterion.
        replicated: [terms] share of replicates of the record in which it is chosen; None where there are none.
        rivals: laws that lack a term of the chosen one, with the criterion above its own, the nearest first.
        groups: terms whose combination hardly changes anything on this record: any of them may stand for others.
    """

    weight: np.ndarray
    replicated: np.ndarray | None
    rivals: tuple[tuple[Subset, float], ...]
    groups: tuple[tuple[int, ...], ...]

    @classmethod
    def of(
        cls, found: BestSubsets, columns: np.ndarray, equations: Sequence[str], replicated: np.ndarray | None = None
    ) -> LawEvidence:
        """From all subsets that come near, and the [rows, terms] that they were chosen by; `equations` says which
        equation every term belongs to."""
        weight = np.zeros(columns.shape[1])
        for subset, share in zip(found.subsets, found.weights(), strict=True):
            weight[list(subset.chosen)] += share
        best = set(found.best.chosen)
        rivals = [
            (subset, subset.criterion - found.best.criterion)
            for subset in found.subsets[1:]
            if not best <= set(subset.chosen)  # a law with a term more is no rival: that term's own probability tells
        ]
        groups = tuple(
            group
            for name in dict.fromkeys(equations)
            for group in _groups(columns, np.array([i for i, own in enumerate(equations) if own == name]))
        )
        return cls(np.minimum(weight, 1.0), replicated, tuple(rivals[: SPARSE.most_rivals]), groups)


def evidence_for(selection: Selection, equations: Sequence[str], kept: tuple[int, ...], seed: int) -> LawEvidence:
    """Evidence for the law that was selected; `equations` says which equation every term belongs to."""
    replicated = _replicated(selection, kept, seed)
    return LawEvidence.of(selection.subsets, selection.rows[:, 1:], equations, replicated)


def _replicated(selection: Selection, kept: tuple[int, ...], seed: int) -> np.ndarray:
    """Shares over records made of blocks of this one, drawn with replacement (W. Kunsch, Ann. Stat. 17 (1989) 1217)."""
    random = np.random.default_rng(seed)
    blocks = [
        block
        for record in np.unique(selection.records)
        for block in np.array_split(np.flatnonzero(selection.records == record), SPARSE.blocks)
        if len(block)
    ]
    counts = np.zeros(len(selection.values))
    for _ in range(SPARSE.replicates):
        drawn = random.integers(0, len(blocks), len(blocks))
        rows = selection.rows[np.concatenate([blocks[i] for i in drawn])]
        # a local search is enough here: it is a share that is asked for
        counts[list(subset_near(rows, selection.price, selection.chosen, kept).chosen)] += 1
    return counts / SPARSE.replicates


def _groups(columns: np.ndarray, terms: np.ndarray) -> list[tuple[int, ...]]:
    """Of these terms those that are next to dependent, found in the directions of the scaled columns that are hardly
    told."""
    own = columns[:, terms]
    _, singular, directions = np.linalg.svd(own / column_sizes(own), full_matrices=False)
    groups: list[set[int]] = []
    for direction in directions[singular < SPARSE.collinear * singular[0]]:
        members = {int(terms[i]) for i in np.flatnonzero(np.abs(direction) > SPARSE.takes_part)}
        joined = [group for group in groups if group & members]
        groups = [group for group in groups if not group & members] + [members.union(*joined)]
    return [tuple(sorted(group)) for group in groups if len(group) > 1]
