"""How much each candidate would explain, from one evaluation: the record linearised about itself.

Segments begin where the record is, not where the model's trajectory has gone, so that each is short and close to what
was measured; there the model and all candidates are linear to good approximation. Carried from segment to segment,

    ds_{k+1} = G_k ds_k + H_k (dp, c) - d_k,        d_k = s_{k+1} - x_k(end) the gap that the model leaves,

all residuals of the record become linear in the first state, the parameters and the candidates' coefficients:

    r = Z ds_0 + P dp + C c + what is left.

A candidate alone, everything else adjusted, explains (c_i' r)^2 / |c_i|^2 of the sum of squares, with c_i and r
cleared of Z and P (the score test, with the parameters' own directions projected out). Where residuals are coloured,
the scores c_i * e of blocks of the record count as draws (see `numerics.sandwich`).

References: C. R. Rao, Proc. Cambridge Phil. Soc. 44 (1948) 50 (score test); R. Frisch, F. V. Waugh, Econometrica 1
(1933) 387 (projection).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from identikit.likelihood import Layout, Point
from identikit.method.missing._settings import MISSING
from identikit.numerics import FLOOR, block_sums, column_sizes, pseudo_inverse
from identikit.problem import Problem


@dataclass(frozen=True)
class Explained:
    """What a set of candidates would do, to first order.

    `change` [parameters of the problem + all candidates] is zero for candidates that are not chosen; `deviation`
    [chosen] are standard errors of the coefficients if what is `left` of the sum of squares were white, and
    `inflation` says how many times coloured residuals overstate what is known of them.
    """

    chosen: tuple[int, ...]
    change: np.ndarray
    deviation: np.ndarray
    left: float
    inflation: float


@dataclass(frozen=True)
class Screening:
    """Rows of the whole record: `table` [rows, unknowns + 1], the right side last; the unknowns are the first states
    of all parts, then the free parameters, then the candidates. `block` [rows] says which block of time a row is of,
    `count` how many measured values there are."""

    table: np.ndarray
    block: np.ndarray
    candidates: int
    parameters: int
    count: int

    @classmethod
    def of(cls, problem: Problem, point: Point, layout: Layout, candidates: int) -> Screening:
        """From segments evaluated where the record is; the last `candidates` free parameters are the candidates."""
        states = point.nodes.shape[1]
        free = len(problem.free)
        evaluation = point.evaluation
        rows, blocks, parts = [], [], 0
        carries: list[tuple[int, np.ndarray, np.ndarray, np.ndarray]] = []
        for chain in range(layout.chains):
            own = layout.of_chain(chain)
            known = np.array([item.known for item in problem.initial[layout.record[own[0]]].values()])
            first = np.where(known, 0.0, 1.0) if own[0] in layout.first_of_record else np.ones(states)
            start, by_p, offset = np.diag(first), np.zeros((states, free)), np.zeros(states)
            for k in own:
                carries.append((parts, start, by_p, offset))
                g, h = evaluation.transition[k][:, :states], evaluation.transition[k][:, states:]
                if k == own[-1]:
                    parts += 1
                    break
                start, by_p = g @ start, g @ by_p + h
                offset = g @ offset - (point.nodes[k + 1] - evaluation.final[k])
                if np.abs(start).max() > MISSING.growth:
                    parts += 1
                    start, by_p, offset = np.eye(states), np.zeros((states, free)), np.zeros(states)
        for k, (part, start, by_p, offset) in enumerate(carries):
            a = point.compressed.rows[k]
            table = np.zeros((len(a), parts * states + free + 1))
            table[:, part * states : (part + 1) * states] = a[:, :states] @ start
            table[:, parts * states : -1] = a[:, :states] @ by_p + a[:, states:-1]
            table[:, -1] = a[:, -1] - a[:, :states] @ offset
            rows.append(table)
            blocks.append(np.full(len(a), k * MISSING.blocks // len(carries)))
        rows += [cls._prior(problem, parts * states, free, point)]
        blocks += [np.full(len(rows[-1]), MISSING.blocks - 1)]
        return cls(np.concatenate(rows), np.concatenate(blocks), candidates, free - candidates, point.compressed.count)

    @staticmethod
    def _prior(problem: Problem, first: int, free: int, point: Point) -> np.ndarray:
        """Rows of what is known of parameters beforehand."""
        rows = np.zeros((len(problem.priors), first + free + 1))
        for row, (name, (mean, std)) in zip(rows, problem.priors.items(), strict=True):
            place = problem.free.index(name)
            row[first + place], row[-1] = 1 / std, (mean - point.p[place]) / std
        return rows

    @property
    def _first(self) -> int:
        """The column of the first candidate."""
        return self.table.shape[1] - 1 - self.candidates

    @cached_property
    def _sizes(self) -> np.ndarray:
        return column_sizes(self.table[:, :-1])

    @cached_property
    def _cleared(self) -> np.ndarray:
        """Candidates and right side [rows, candidates + 1] without what first states and parameters can do."""
        own = self.table[:, : self._first] / self._sizes[: self._first]
        u, s, _ = np.linalg.svd(own, full_matrices=False)
        basis = u[:, s > FLOOR * s.max(initial=0.0)]
        rest = self.table[:, self._first :].copy()
        rest[:, :-1] /= self._sizes[self._first :]
        return rest - basis @ (basis.T @ rest)

    @cached_property
    def separable(self) -> np.ndarray:
        """Candidates [some] whose effect the model's own parameters cannot take over."""
        size = np.linalg.norm(self._cleared[:, :-1], axis=0)
        return np.nonzero(size > MISSING.inseparable)[0]

    def left_of(self, chosen: Sequence[int]) -> float:
        """Sum of squares that the model leaves at its best, with these candidates; quicker than `with_candidates`."""
        right = self._cleared[:, -1]
        if not chosen:
            return float(right @ right)
        gram, score = self._gram[np.ix_(chosen, chosen)], self._score[list(chosen)]
        return float(right @ right - score @ np.linalg.lstsq(gram, score, rcond=1e-12)[0])

    @cached_property
    def _gram(self) -> np.ndarray:
        return np.asarray(self._cleared[:, :-1].T @ self._cleared[:, :-1])

    @cached_property
    def _score(self) -> np.ndarray:
        return np.asarray(self._cleared[:, :-1].T @ self._cleared[:, -1])

    def with_candidates(self, chosen: Sequence[int]) -> Explained:
        """The model with these candidates, everything adjusted."""
        columns, right = self._cleared[:, list(chosen)], self._cleared[:, -1]
        sizes = self._sizes[self._first :][list(chosen)]
        value = np.linalg.lstsq(columns, right, rcond=FLOOR)[0]
        e = right - columns @ value
        left = float(e @ e)
        # each column cleared of the others, so that its scores tell of its own coefficient
        inverse = pseudo_inverse(columns).T
        plain = left / max(self.count - self.table.shape[1], 1) * np.einsum("ij,ij->j", inverse, inverse)
        scores = block_sums(inverse * e[:, None], self.block)
        draws = len(scores)
        spare = max(draws - self.parameters - len(chosen), draws / 2)
        robust = np.einsum("ij,ij->j", scores, scores) * draws / spare
        change = np.zeros(self.parameters + self.candidates)
        change[[self.parameters + i for i in chosen]] = value / sizes
        change[: self.parameters] = self._own_change(change)
        inflation = max(float(np.max(robust / np.maximum(plain, 1e-300))), 1.0)
        return Explained(tuple(chosen), change, np.sqrt(plain) / sizes, left, inflation)

    def _own_change(self, change: np.ndarray) -> np.ndarray:
        """How the parameters follow the coefficients."""
        return np.asarray(self._followed[:, -1] - self._followed[:, :-1] @ change[self.parameters :])

    @cached_property
    def _followed(self) -> np.ndarray:
        """Changes of the parameters [parameters, candidates + 1] that stand in for each candidate, and for the right
        side; first states follow too."""
        own, sizes = self.table[:, : self._first], self._sizes[: self._first]
        found = np.linalg.lstsq(own / sizes, self.table[:, self._first :], rcond=FLOOR)[0] / sizes[:, None]
        return np.asarray(found[self._first - self.parameters :])
