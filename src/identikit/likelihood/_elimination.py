"""One Gauss-Newton step of multiple shooting, by orthogonal elimination of the node states.

Unknowns: the change of every node state ds_k and of the parameters dp. Rows, all in units of one standard
deviation:

    data          J_k ds_k + L_k dp = r_k
    continuity    (G_k ds_k + H_k dp - ds_{k+1} = d_k) / tau

with d_k = s_{k+1} - x_k(end) the gap to be closed. Going backward through a record, a QR factorisation
removes one node after the other and leaves rows in the record's first node and the parameters. This is the
square-root information filter: it stays well conditioned for chaotic and for strongly damped systems alike,
where condensing all nodes onto the first one would not.

Reference: G. J. Bierman, Factorization Methods for Discrete Sequential Estimation, Academic Press 1977.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.linalg.lapack import dgeqrf, dtrtrs

from identikit.likelihood._segments import Evaluation, Layout


@dataclass(frozen=True)
class Compressed:
    """Data rows of every segment reduced to triangular form: [segments, m, states + free + 1], right side
    last."""

    rows: np.ndarray
    cost: float
    count: int


def compress(evaluation: Evaluation, layout: Layout, sigma: np.ndarray) -> Compressed:
    """Weight the residuals by the noise, and reduce each segment's rows by QR."""
    samples, outputs, columns = evaluation.slope.shape
    table = np.empty((samples, outputs, columns + 1))
    table[..., :-1] = evaluation.slope / sigma[:, None]
    table[..., -1] = evaluation.residual / sigma
    missing = ~np.isfinite(evaluation.residual)
    if missing.any():
        table[missing] = 0.0
    cost = float(np.sum(table[..., -1] ** 2))
    counts = np.diff(layout.first_sample) * outputs
    flat = table.reshape(samples * outputs, columns + 1)
    height = max(int(counts.max()), columns + 1)
    if (counts == height).all():
        stacked = flat.reshape(len(counts), height, columns + 1)
    else:
        stacked = np.zeros((len(counts), height, columns + 1))
        for k, (a, b) in enumerate(zip(layout.first_sample[:-1], layout.first_sample[1:], strict=True)):
            stacked[k, : counts[k]] = flat[a * outputs : b * outputs]
    return Compressed(np.asarray(np.linalg.qr(stacked, mode="r")), cost, int((~missing).sum()))


@dataclass(frozen=True)
class LinearProblem:
    """What is left after elimination: `parameter_rows` [m, free + 1] and, per chain, how nodes follow from
    parameters."""

    parameter_rows: np.ndarray
    first_rows: list[np.ndarray]  # per chain: rows in (first node, free, right side)
    following: list[list[tuple[np.ndarray, np.ndarray]]]  # per chain, from the last node down: (R, rest)

    def nodes(self, dp: np.ndarray, layout: Layout, states: int) -> np.ndarray:
        """The change of every node for a given change of the parameters."""
        change = np.zeros((len(layout.begin), states))
        for chain_number, (first, rest) in enumerate(zip(self.first_rows, self.following, strict=True)):
            chain = layout.of_chain(chain_number)
            right = first[:states, -1] - first[:states, states:-1] @ dp
            ds = _solve_upper(first[:states, :states], right)
            change[chain[0]] = ds
            for k, (r, other) in zip(chain[1:], reversed(rest), strict=True):
                # other: columns (previous node, free, right side)
                ds = _solve_upper(r, other[:, -1] - other[:, :states] @ ds - other[:, states:-1] @ dp)
                change[k] = ds
        return change


def eliminate(
    compressed: Compressed,
    evaluation: Evaluation,
    nodes: np.ndarray,
    layout: Layout,
    tau: np.ndarray,
    damping: np.ndarray,
) -> LinearProblem:
    """Remove all nodes. `tau` [states] is the allowed gap, `damping` [states] extra rows holding each node
    back."""
    states = nodes.shape[1]
    free = evaluation.transition.shape[2] - states
    width = states + free + 1
    held = np.zeros((states, width))
    held[:, :states] = np.diag(damping)
    parameter_rows, first_rows, following = [], [], []
    for chain_number in range(int(layout.chain.max()) + 1):
        chain = layout.of_chain(chain_number)
        carried = np.concatenate([compressed.rows[chain[-1]], held])
        rest: list[tuple[np.ndarray, np.ndarray]] = []
        for k in chain[-2::-1]:
            # columns: next node | this node | free | right side
            link = np.empty((states, states + width))
            link[:, :states] = -np.eye(states)
            link[:, states:-1] = evaluation.transition[k]
            link[:, -1] = nodes[k + 1] - evaluation.final[k]
            link /= tau[:, None]
            lower = np.zeros((len(carried), states + width))
            lower[:, :states] = carried[:, :states]
            lower[:, 2 * states :] = carried[:, states:]
            r = triangular(np.concatenate([link, lower]))
            rest.append((r[:states, :states], r[:states, states:]))
            carried = np.concatenate([r[states:, states:], compressed.rows[k], held])
        r = triangular(carried)
        first_rows.append(r)
        following.append(rest)
        parameter_rows.append(r[states:, states:])
    return LinearProblem(np.concatenate(parameter_rows), first_rows, following)


def triangular(rows: np.ndarray) -> np.ndarray:
    """The factor R of rows = Q R. LAPACK directly: these matrices are so small that NumPy's checks would cost
    more."""
    factor = dgeqrf(rows)[0]
    return factor[: rows.shape[1]] * _upper(min(rows.shape), rows.shape[1])


@lru_cache(maxsize=64)
def _upper(height: int, width: int) -> np.ndarray:
    return np.triu(np.ones((height, width)))


def _solve_upper(r: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Back substitution that leaves undetermined directions alone."""
    diagonal = np.abs(np.diagonal(r))
    if diagonal.min() > 1e-13 * diagonal.max():
        solution: np.ndarray = dtrtrs(r, right)[0]
        return solution
    return np.linalg.lstsq(r, right, rcond=1e-13)[0]
