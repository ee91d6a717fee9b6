"""One Gauss-Newton step of multiple shooting, by orthogonal elimination of the node states.

Unknowns: the change of every node state ds_k and of the parameters dp. Rows, all in units of one standard error:

    data          J_k ds_k + L_k dp = r_k
    continuity    (G_k ds_k + H_k dp - ds_{k+1} = d_k) / tau
    beginning     (ds_0 - V dp = v(p) - s_0) / tau or / std, where the first state is known, or known roughly

with d_k = s_{k+1} - x_k(end) the gap to be closed. Going backward through a record, a QR factorisation
removes one node after the other and leaves rows in the record's first node and the parameters. This is the
square-root information filter: it stays well conditioned for chaotic and for strongly damped systems alike,
where condensing all nodes onto the first one would not.

Every array may have one more axis, first, for many sets of parameters at once.

Reference: G. J. Bierman, Factorization Methods for Discrete Sequential Estimation, Academic Press 1977.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.linalg.lapack import dgeqrf, dtrtrs

from identikit.likelihood._compression import Compressed
from identikit.likelihood._layout import Layout
from identikit.likelihood._segments import Evaluation
from identikit.likelihood._settings import LIKELIHOOD


@dataclass(frozen=True)
class LinearProblem:
    """What is left after elimination: rows in the parameters alone and, per chain, how nodes follow from parameters.

    `rows` [m, free + 1] hold the right side last; `first` per chain the rows in (first node, free, right side);
    `following` per chain, from the last node down, the pairs (R, rest) that give a node from the one before it.
    """

    rows: np.ndarray
    first: list[np.ndarray]
    following: list[list[tuple[np.ndarray, np.ndarray]]]

    @property
    def information_rows(self) -> np.ndarray:
        """Rows A with A'A the Fisher information of the parameters, the nodes profiled out."""
        return self.rows[..., :-1]

    @property
    def right_side(self) -> np.ndarray:
        """b in A dp = b: A'b is the gradient of the log-likelihood."""
        return self.rows[..., -1]

    def of_set(self, which: int) -> LinearProblem:
        """One of many."""
        following = [[(r[which], other[which]) for r, other in chain] for chain in self.following]
        return LinearProblem(self.rows[which], [first[which] for first in self.first], following)

    def nodes(self, dp: np.ndarray, layout: Layout, states: int) -> np.ndarray:
        """The change of every node for a given change of the parameters."""
        change = np.zeros((*dp.shape[:-1], len(layout.begin), states))
        for chain_number, (first, rest) in enumerate(zip(self.first, self.following, strict=True)):
            chain = layout.of_chain(chain_number)
            right = first[..., :states, -1] - _times(first[..., :states, states:-1], dp)
            ds = _solve_upper(first[..., :states, :states], right)
            change[..., chain[0], :] = ds
            for k, (r, other) in zip(chain[1:], reversed(rest), strict=True):
                # other: columns (previous node, free, right side)
                right = other[..., -1] - _times(other[..., :states], ds) - _times(other[..., states:-1], dp)
                ds = _solve_upper(r, right)
                change[..., k, :] = ds
        return change


def eliminate(
    compressed: Compressed,
    evaluation: Evaluation,
    nodes: np.ndarray,
    layout: Layout,
    tau: np.ndarray,
    damping: np.ndarray,
    beginnings: Mapping[int, np.ndarray] | None = None,
) -> LinearProblem:
    """Remove all nodes.

    Arguments:
        tau: [states] the allowed gap; or [segments, states, states] W with W times the gap white.
        damping: [states] extra rows that hold each node back.
        beginnings: for segments that begin a record, the rows of what is known there.
    """
    *sets, _, states = nodes.shape
    free = evaluation.transition.shape[-1] - states
    width = states + free + 1
    held = np.zeros((*sets, states, width))
    held[..., :states] = damping[..., None] * np.eye(states)
    parameter_rows, first_rows, following = [], [], []
    for chain_number in range(layout.chains):
        chain = layout.of_chain(chain_number)
        carried = np.concatenate([compressed.rows[..., chain[-1], :, :], held], axis=-2)
        rest: list[tuple[np.ndarray, np.ndarray]] = []
        for k in chain[-2::-1]:
            # columns: next node | this node | free | right side
            link = np.empty((*sets, states, states + width))
            link[..., :states] = -np.eye(states)
            link[..., states:-1] = evaluation.transition[..., k, :, :]
            link[..., -1] = nodes[..., k + 1, :] - evaluation.final[..., k, :]
            link = link / tau[:, None] if tau.ndim == 1 else tau[k] @ link
            lower = np.zeros((*sets, carried.shape[-2], states + width))
            lower[..., :states] = carried[..., :states]
            lower[..., 2 * states :] = carried[..., states:]
            tied = [link, lower] if compressed.across is None else [link, compressed.across[..., k + 1, :, :], lower]
            r = triangular(np.concatenate(tied, axis=-2))
            rest.append((r[..., :states, :states], r[..., :states, states:]))
            carried = np.concatenate([r[..., states:, states:], compressed.rows[..., k, :, :], held], axis=-2)
        if beginnings and chain[0] in beginnings:
            carried = np.concatenate([carried, beginnings[int(chain[0])]], axis=-2)
        r = triangular(carried)
        first_rows.append(r)
        following.append(rest)
        parameter_rows.append(r[..., states:, states:])
    return LinearProblem(np.concatenate(parameter_rows, axis=-2), first_rows, following)


def triangular(rows: np.ndarray) -> np.ndarray:
    """The factor R of rows = Q R; a single one by LAPACK directly, since NumPy's checks would cost more."""
    if rows.ndim > 2:
        return np.asarray(np.linalg.qr(rows, mode="r"))
    factor = dgeqrf(rows)[0]
    return np.asarray(factor[: rows.shape[1]] * _upper(min(rows.shape), rows.shape[1]))


@lru_cache(maxsize=64)
def _upper(height: int, width: int) -> np.ndarray:
    return np.triu(np.ones((height, width)))


def _times(matrix: np.ndarray, vector: np.ndarray) -> np.ndarray:
    return matrix @ vector if matrix.ndim == 2 else np.einsum("...ij,...j->...i", matrix, vector)


def _solve_upper(r: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Back substitution that leaves undetermined directions alone."""
    diagonal = np.abs(np.diagonal(r, axis1=-2, axis2=-1))
    if r.ndim > 2:
        if (diagonal.min(axis=-1) > LIKELIHOOD.singular * diagonal.max(axis=-1)).all():
            return np.asarray(np.linalg.solve(r, right[..., None])[..., 0])
        return np.stack([_solve_upper(one, side) for one, side in zip(r, right, strict=True)])
    if diagonal.min() > LIKELIHOOD.singular * diagonal.max():
        solution: np.ndarray = dtrtrs(r, right)[0]
        return solution
    return np.linalg.lstsq(r, right, rcond=LIKELIHOOD.singular)[0]
