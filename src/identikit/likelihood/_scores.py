"""Scores of the segments of a trajectory: how each pulls at the parameters and at the first states.

Where residuals are white the scores are independent draws whose covariance is the information; where they are not,
the difference tells how far the information overstates what the record knows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from identikit.likelihood._layout import Layout
from identikit.likelihood._point import Point
from identikit.likelihood._settings import LIKELIHOOD


@dataclass(frozen=True)
class Scores:
    """`table` [segments, unknowns] and `information` [unknowns, unknowns]; the unknowns are the first states of all
    chains, then the free parameters, which begin at `first_parameter`."""

    table: np.ndarray
    information: np.ndarray
    first_parameter: int


def segment_scores(point: Point, layout: Layout) -> Scores | None:
    """Scores with the nodes eliminated: d(segment start)/d(first node, p) is carried forward by the transitions.

    None where that recursion overflows (chaos over many Lyapunov times).
    """
    states = point.nodes.shape[1]
    rows, across = point.compressed.rows, point.compressed.across
    free = rows.shape[2] - states - 1
    transition = point.evaluation.transition
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
