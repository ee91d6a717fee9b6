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
    """Scores with the nodes eliminated: d(segment start)/d(first node, p) is carried forward by the transitions.

    None where that recursion overflows (chaos over many Lyapunov times).
    """
    rows, across = compressed.rows, compressed.across
    states = transition.shape[1]
    free = rows.shape[2] - states - 1
    size = layout.chains * states + free
    scores, information = [], np.zeros((size, size))
    for chain in range(layout.chains):
        carry = np.zeros((states, size))
        carry[:, chain * states : (chain + 1) * states] = np.eye(states)
        select = np.zeros((free, size))
        select[:, layout.chains * states :] = np.eye(free)
        before = carry
        for k in layout.of_chain(chain):
            together = rows[k][:, :-1] @ np.concatenate([carry, select])
            side = rows[k][:, -1]
            if across is not None:
                own = across[k][:, :-1] @ np.concatenate([carry, before, select])
                together, side = np.concatenate([together, own]), np.append(side, across[k][:, -1])
            scores.append(together.T @ side)
            information += together.T @ together
            before = carry
            carry = transition[k][:, :states] @ carry + transition[k][:, states:] @ select
            if not np.isfinite(carry).all() or np.abs(carry).max() > LIKELIHOOD.score_overflow:
                return None
    return Scores(np.array(scores), information, layout.chains * states)
