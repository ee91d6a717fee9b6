"""The likelihood of noise levels, with the states of all blocks integrated out pair by pair.

Which state is removed first does not matter, so neighbouring blocks are joined in pairs, then the pairs in pairs: each
time all at once, by one batch of small QR factorisations. What is left are rows in the parameters, and the logarithms
of the pivots that removed the states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from identikit.likelihood import LIKELIHOOD, triangular

if TYPE_CHECKING:
    from identikit.method.filtering._smoother import Smoothed


def marginal_misfit(smoothed: Smoothed) -> float:
    """-2 log likelihood of the levels of noise, states integrated out, parameters at their best."""
    point, iteration, layout = smoothed.point, smoothed.iteration, smoothed.smoother.blocks.layout
    process = iteration.process
    assert process is not None
    states, free = len(smoothed.smoother.sizes), len(point.p)
    tau = LIKELIHOOD.tightest_tether * smoothed.smoother.sizes
    told = iteration.beginnings.rows(point.p, point.nodes, tau) if iteration.beginnings else {}
    pivots, left = 0.0, [_prior_rows(smoothed)]
    for chain in range(layout.chains):
        own = layout.of_chain(chain)
        rows = _rows(smoothed, own, told.get(int(own[0])))
        while len(rows) > 1:
            rows, logs = _joined(rows, states)
            pivots += logs
        # columns: first state | state after the last block, of which nothing is known | free | right side
        first = triangular(np.delete(rows[0], np.s_[states : 2 * states], axis=1))
        pivots += _log_pivots(first[:states, :states])
        left.append(first[states:, states:])
    table = triangular(np.concatenate(left))
    rows, right = table[:, :free], table[:, free]
    best = np.linalg.lstsq(rows, right, rcond=None)[0] if free else np.zeros(0)
    tied = float(np.log(np.abs(np.diagonal(process[iteration.links], axis1=1, axis2=2))).sum())
    return float(np.sum((right - rows @ best) ** 2)) + 2 * pivots - 2 * tied + _log_levels(smoothed)


def _rows(smoothed: Smoothed, own: np.ndarray, told: np.ndarray | None) -> np.ndarray:
    """[blocks, m, 2 states + free + 1]: data of each block, and its tie to the next one."""
    point, process = smoothed.point, smoothed.iteration.process
    assert process is not None
    data = point.compressed.rows[own]
    states = len(smoothed.smoother.sizes)
    extra = 0 if told is None else len(told)
    width = states + data.shape[2]
    rows = np.zeros((len(own), data.shape[1] + states + extra, width))
    rows[:, : data.shape[1], :states] = data[..., :states]
    rows[:, : data.shape[1], 2 * states :] = data[..., states:]
    ties, tie = own[:-1], slice(data.shape[1], data.shape[1] + states)
    link = np.zeros((len(ties), states, width))
    link[..., :states] = point.evaluation.transition[ties][..., :states]
    link[..., states : 2 * states] = -np.eye(states)
    link[..., 2 * states : -1] = point.evaluation.transition[ties][..., states:]
    link[..., -1] = point.nodes[ties + 1] - point.evaluation.final[ties]
    rows[:-1, tie] = process[ties] @ link
    if told is not None:
        rows[0, -extra:, :states], rows[0, -extra:, 2 * states :] = told[:, :states], told[:, states:]
    return rows


def _joined(rows: np.ndarray, states: int) -> tuple[np.ndarray, float]:
    """Neighbours in pairs, the state between them removed; an odd one at the end waits."""
    count, height, width = rows.shape
    pairs = count // 2
    first, second = rows[: 2 * pairs : 2], rows[1 : 2 * pairs : 2]
    # columns: state between | before | after | free and right side
    table = np.zeros((pairs, 2 * height, states + width))
    table[:, :height, :states] = first[..., states : 2 * states]
    table[:, :height, states : 2 * states] = first[..., :states]
    table[:, :height, 3 * states :] = first[..., 2 * states :]
    table[:, height:, :states] = second[..., :states]
    table[:, height:, 2 * states :] = second[..., states:]
    r = np.asarray(np.linalg.qr(table, mode="r"))
    kept = r[:, states:, states:]
    joined = np.zeros((pairs + count % 2, max(kept.shape[1], height * (count % 2)), width))
    joined[:pairs, : kept.shape[1]] = kept
    if count % 2:
        joined[-1, :height] = rows[-1]
    return joined, _log_pivots(r[:, :states, :states])


def _log_pivots(triangles: np.ndarray) -> float:
    return float(np.log(np.abs(np.diagonal(triangles, axis1=-2, axis2=-1)) + 1e-300).sum())


def _prior_rows(smoothed: Smoothed) -> np.ndarray:
    problem, p = smoothed.smoother.blocks.problem, smoothed.point.p
    rows = np.zeros((len(problem.priors), len(p) + 1))
    for row, (name, (mean, std)) in zip(rows, problem.priors.items(), strict=True):
        i = problem.free.index(name)
        row[i], row[-1] = 1 / std, (mean - p[i]) / std
    return rows


def _log_levels(smoothed: Smoothed) -> float:
    """sum log 2 pi sigma^2 over all measured values."""
    noise = smoothed.smoother.blocks.noise
    known = np.isfinite(noise.measured)
    level = smoothed.smoother.sigma * (1.0 if noise.spread is None else noise.spread)
    return float(np.log(2 * np.pi * np.broadcast_to(level, known.shape)[known] ** 2).sum())
