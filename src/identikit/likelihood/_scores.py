"""Scores of the segments of a trajectory: how each pulls at the parameters and at the first states.

Where residuals are white the scores are independent draws whose covariance is the information; where they are not,
the difference tells how far the information overstates what the record knows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from identikit.likelihood._compression import Compressed
from identikit.likelihood._layout import Layout
from identikit.likelihood._settings import LIKELIHOOD
from identikit.numerics import block_sums, sandwich, symmetric_inverse


@dataclass(frozen=True)
class Scores:
    """`table` [segments, unknowns] and `information` [unknowns, unknowns]; the unknowns are the first states of all
    chains, then the free parameters, which begin at `first_parameter`."""

    table: np.ndarray
    information: np.ndarray
    first_parameter: int

    @property
    def free(self) -> int:
        return self.table.shape[1] - self.first_parameter

    @property
    def blocks(self) -> np.ndarray:
        """Scores [blocks, unknowns] that count as draws: where there are enough, those of neighbouring segments summed,
        since correlation may reach across their border."""
        pairs = np.arange(len(self.table)) // 2
        return block_sums(self.table, pairs) if len(self.table) > LIKELIHOOD.fewest_single_scores else self.table

    def covariances(self) -> tuple[np.ndarray, np.ndarray]:
        """Covariances [free, free] of the parameters that trust the scores, and the information alone."""
        wide = sandwich(self.information, self.blocks, unknowns=self.free)
        own = slice(self.first_parameter, None)
        return wide[own, own], symmetric_inverse(self.information)[own, own]

    def influence(self) -> np.ndarray:
        """How far [blocks, free] each block pulls the estimate of every parameter."""
        return np.asarray((self.blocks @ symmetric_inverse(self.information))[:, self.first_parameter :])


def segment_scores(compressed: Compressed, transition: np.ndarray, layout: Layout) -> Scores | None:
    """Scores with the nodes eliminated; None where the sensitivities overflow."""
    carried = carried_sensitivities(transition, layout)
    if carried is None:
        return None
    rows, across = compressed.rows, compressed.across
    segments, states, size = carried.shape
    free = rows.shape[2] - states - 1
    first = layout.chains * states
    select = np.broadcast_to(np.eye(free, size, first), (segments, free, size))
    together, side = rows[..., :-1] @ np.concatenate([carried, select], axis=1), rows[..., -1]
    if across is not None:
        before = carried[np.maximum(np.arange(segments) - 1, 0)]  # of no account where a chain begins
        own = across[..., :-1] @ np.concatenate([carried, before, select], axis=1)
        together, side = np.concatenate([together, own], axis=1), np.concatenate([side, across[..., -1]], axis=1)
    flat = together.reshape(-1, size)
    return Scores(np.einsum("kmu,km->ku", together, side), flat.T @ flat, first)


def carried_sensitivities(transition: np.ndarray, layout: Layout) -> np.ndarray | None:
    """d(segment start)/d(first nodes of all chains, p) [segments, states, unknowns], carried by the transitions.

    None where that recursion overflows (chaos over many Lyapunov times).
    """
    segments, states, width = transition.shape
    first = layout.chains * states
    found = np.zeros((segments, states, first + width - states))
    for chain in range(layout.chains):
        own = layout.of_chain(chain)
        found[own[0], :, chain * states : (chain + 1) * states] = np.eye(states)
        for k in own[:-1]:
            found[k + 1] = transition[k][:, :states] @ found[k]
            found[k + 1][:, first:] += transition[k][:, states:]
            if not np.abs(found[k + 1]).max() <= LIKELIHOOD.score_overflow:  # also where it is not a number
                return None
    return found
