"""What process noise does to the state at the end of every block.

    dx = f dt + q dW,      Q = integral over a block of  E(s) diag(q^2) E(s)' ds,      E(s) = exp(A s)

with A = df/dx at the block's beginning and s the time left to its end, by Gauss' quadrature with three points: Q is
then a sum of squares, whatever the block's length, and exact for a chain of three integrators. While dry friction
holds a state, noise on its rate moves nothing: there the row of the transition is exactly zero, and so is the noise.
"""

from __future__ import annotations

import numpy as np

from identikit.likelihood import BlockModel, Evaluation
from identikit.model import branch_of, dynamics_of

_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(3)
_LARGEST_DISTURBANCE = (
    10.0  # times what a block does to a disturbance of its beginning: more is not what happens within it
)
_SERIES_ORDER, _SERIES_REACH = 8, 0.25  # of the exponential: 0.25^9/9! is below 1e-11


def _jacobians(blocks: BlockModel, p: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """df/dx [blocks, states, states] at the blocks' beginnings."""
    problem, layout = blocks.problem, blocks.layout
    dynamics = dynamics_of(problem.model)
    t, x, full = layout.begin, list(nodes.T), list(problem.vector(p))
    u = np.empty((len(dynamics.u), len(t)))
    for index, record in enumerate(problem.records):
        own = layout.record == index
        u[:, own] = record.pieces(t[own])
    xp = np
    if not problem.model.symbolic:
        from identikit.simulation import jax

        xp = jax().numpy
    signs, sides = branch_of(dynamics, t, x, list(u), full)
    at = dynamics.linearise(xp, t, x, list(u), list(np.zeros_like(u)), full, signs, sides)
    found = np.zeros((len(t), len(x), len(x)))
    for (i, j), slope in at.state.items():
        found[:, i, j] = slope
    return found


def disturbances(blocks: BlockModel, p: np.ndarray, nodes: np.ndarray, evaluation: Evaluation) -> np.ndarray:
    """B [blocks, states, points, rates]: noise of unit intensity on the rate i disturbs each block's end by B[..., i]
    times independent draws of unit size, one for each point of the quadrature."""
    A = _jacobians(blocks, p, nodes)
    h = blocks.layout.end - blocks.layout.begin
    through = evaluation.transition[..., : nodes.shape[1]]
    moves = np.abs(evaluation.transition).max(axis=-1) > 0
    found = []
    for point, weight in zip(_POINTS, _WEIGHTS, strict=True):
        share = 0.5 * (1 + point)
        grown = _as_far_as_seen(_exponentials(A * (share * h)[:, None, None]), share, through)
        found.append(np.sqrt(0.5 * weight * h)[:, None, None] * grown * moves[:, None])
    return np.stack(found, axis=2)


def _as_far_as_seen(grown: np.ndarray, share: float, through: np.ndarray) -> np.ndarray:
    """exp(A s), or where it grows far beyond what the whole block does to a disturbance, a line to the latter.

    The slope at a block's beginning may be that of friction just turning: held for the whole block it would overflow.
    """
    with np.errstate(invalid="ignore"):
        most = _LARGEST_DISTURBANCE * np.maximum(np.abs(through).max(axis=(1, 2)), 1.0)
        seen = np.abs(grown).max(axis=(1, 2)) <= most
    line = np.eye(grown.shape[-1]) + share * (through - np.eye(grown.shape[-1]))
    return np.where(seen[:, None, None], grown, line)


def process_roots(blocks: int, disturbed: np.ndarray | None, intensity: np.ndarray, floor: np.ndarray) -> np.ndarray:
    """W [blocks, states, states] with W w white, w the disturbance of each block's end; lower triangular.

    Arguments:
        disturbed: as `disturbances` gives it; None where no process noise acts.
        intensity: q [states], in the state's unit per square root of time.
        floor: [states] standard deviation that is let pass at least.
    """
    if disturbed is None or not intensity.any():
        return np.broadcast_to(np.diag(1 / floor), (blocks, len(floor), len(floor)))
    noisy = intensity > 0
    parts = (disturbed[..., noisy] * intensity[noisy]).reshape(blocks, len(floor), -1)
    least = np.broadcast_to(np.diag(floor), (blocks, len(floor), len(floor)))
    # a factor of the sum of squares without forming it: levels may be many powers of ten above the floor
    root = np.asarray(np.linalg.qr(np.swapaxes(np.concatenate([parts, least], axis=2), 1, 2), mode="r"))
    return np.asarray(np.linalg.inv(np.swapaxes(root, 1, 2)))


def _exponentials(matrices: np.ndarray) -> np.ndarray:
    """exp of every matrix [..., n, n], by a series of halved ones and squaring; SciPy's goes one by one."""
    size = float(np.abs(matrices).sum(axis=-1).max(initial=0.0))
    halvings = max(0, int(np.ceil(np.log2(max(size, 1e-300) / _SERIES_REACH))))
    part = matrices / 2.0**halvings
    found = term = np.broadcast_to(np.eye(matrices.shape[-1]), matrices.shape)
    for order in range(1, _SERIES_ORDER + 1):
        term = term @ part / order
        found = found + term
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(halvings):
            found = found @ found
    return np.asarray(found)
