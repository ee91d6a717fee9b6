"""From what was evaluated to rows of unit noise: residuals and slopes as independent draws, reduced segment by segment.

Where noise remembers the samples before, the first samples of a segment are predicted from the end of the segment
before. Their rows hold both segments' nodes; the elimination takes them up where it ties the two segments.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from identikit.likelihood._layout import Layout
from identikit.likelihood._noise_model import NoiseModel, before_segment, filtered, pull
from identikit.likelihood._rounded import rounded_pull
from identikit.likelihood._segments import Evaluation
from identikit.likelihood._settings import LIKELIHOOD
from identikit.numerics import side_by_side, single_threaded


@dataclass(frozen=True)
class Compressed:
    """Data rows of every segment reduced to triangular form: [segments, m, states + free + 1], right side last.

    `cost` is -2 log likelihood of the draws but for constants, for normal noise the sum of their squares; `squares` the
    sum of squares of the right side. `across` [segments, m, 2 states + free + 1] are the rows of samples whose noise
    remembers the segment before: columns this node, the node before, free, right side; None without memory.
    """

    rows: np.ndarray
    cost: np.ndarray
    squares: np.ndarray
    count: int
    across: np.ndarray | None = None


def compress(evaluation: Evaluation, layout: Layout, noise: NoiseModel, sigma: np.ndarray) -> Compressed:
    """Turn residuals into draws of unit size, given the noise and its levels `sigma` [outputs], and reduce each
    segment's rows by QR."""
    *sets, samples, outputs, columns = evaluation.slope.shape
    table = np.empty((*sets, samples, outputs, columns + 1))
    weight = sigma[..., None, :]
    with np.errstate(invalid="ignore", over="ignore"):  # what is not finite is taken out below
        np.divide(noise.scaled_slope(evaluation.residual, evaluation.slope), weight[..., None], out=table[..., :-1])
        table[..., -1] = noise.scaled(evaluation.residual) / weight
    missing = ~np.isfinite(table[..., -1])
    if missing.any():
        table[missing] = 0.0
    across: np.ndarray | None = None
    excess: np.ndarray | float = 0.0
    if not noise.plain:
        across, excess = _independent(table, missing, layout, noise, sigma, evaluation.transition.shape[-2])
    squares = np.einsum("...ij,...ij->...", table[..., -1], table[..., -1])
    if across is not None:
        squares = squares + np.einsum("...ij,...ij->...", across[..., -1], across[..., -1])
    counts = np.diff(layout.first_sample) * outputs
    flat = table.reshape(*sets, samples * outputs, columns + 1)
    height = max(int(counts.max()), columns + 1)
    if (counts == height).all():
        stacked = flat.reshape(*sets, len(counts), height, columns + 1)
    else:
        stacked = np.zeros((*sets, len(counts), height, columns + 1))
        for k, (a, b) in enumerate(zip(layout.first_sample[:-1], layout.first_sample[1:], strict=True)):
            stacked[..., k, : counts[k], :] = flat[..., a * outputs : b * outputs, :]
    counted = (missing.size - int(missing.sum())) // max(int(np.prod(sets)), 1)
    return Compressed(_triangles(stacked), squares + excess, squares, counted, across)


def _triangles(stacked: np.ndarray) -> np.ndarray:
    """R of every segment's QR decomposition; halves of the segments side by side where there is much to do."""
    half = stacked.shape[-3] // 2
    with single_threaded():
        if stacked.size < LIKELIHOOD.large_table or not half:
            return np.asarray(np.linalg.qr(stacked, mode="r"))
        parts = [stacked[..., :half, :, :], stacked[..., half:, :, :]]
        return np.concatenate(side_by_side(lambda part: np.asarray(np.linalg.qr(part, mode="r")), parts), axis=-3)


def _independent(
    table: np.ndarray, missing: np.ndarray, layout: Layout, noise: NoiseModel, sigma: np.ndarray, states: int
) -> tuple[np.ndarray | None, np.ndarray | float]:
    """Make the rows of `table` independent draws, in place.

    Rows of samples that are predicted from the segment before leave the table: they are returned, [segments, m, 2
    states + free + 1], with what the cost exceeds the sum of squares by.
    """
    *sets, samples, _, width = table.shape
    segment = np.repeat(np.arange(len(layout.begin)), np.diff(layout.first_sample))
    offset = np.arange(samples) - layout.first_sample[segment]
    breaks = noise.breaks.copy()
    breaks[layout.first_sample[:-1][np.append(True, np.diff(layout.chain) != 0)]] = True
    reach = offset + np.append(0, np.diff(layout.first_sample))[segment]  # no further than the segment before
    reaching, excess = [], np.zeros(tuple(sets))
    for j, item in enumerate(noise.noise):
        one = table[..., j, :]
        present = ~missing[..., j].reshape(-1, samples)[0]
        later, before = np.zeros(0, int), np.zeros((*sets, 0, width))
        if item.memory:
            history = np.minimum(noise.history(j, present, breaks), reach)
            later = np.nonzero(history > offset)[0]
            before = before_segment(one, item.memory, history, offset, later)
            one = filtered(one, item.memory, history, offset)
        if np.isfinite(item.freedom):
            z = one[..., -1].copy()
            z[..., later] += before[..., -1]
            psi, cost, efficiency = pull(np.where(present, z, np.nan), item.freedom)
            a = np.sqrt(efficiency)[..., None]
            side = np.where(present, psi / a, 0.0)
            excess = excess + np.nansum(cost, axis=-1) - np.sum(side**2, axis=-1)
            one, before = one * a[..., None], before * a[..., None]
            one[..., -1] = side
            one[..., later, -1], before[..., -1] = side[..., later], 0.0
        if item.step:
            level = sigma[..., j]
            psi, information, log_probability = rounded_pull(one[..., -1] * level[..., None], item.step, level)
            a = np.sqrt(information)
            side = np.where(present, psi / a, 0.0)
            excess = excess - 2 * np.sum(np.where(present, log_probability, 0.0), axis=-1) - np.sum(side**2, axis=-1)
            one = one * a[..., None]
            one[..., -1] = side
        reaching.append((later, one[..., later, :].copy(), before))
        one[..., later, :] = 0.0
        table[..., j, :] = one
    total = [len(later) for later, _, _ in reaching]
    if not sum(total):
        return None, excess
    into = np.concatenate([segment[later] for later, _, _ in reaching])
    own = np.concatenate([part for _, part, _ in reaching], axis=-2)
    before = np.concatenate([part for _, _, part in reaching], axis=-2)
    place = np.array([np.sum(into[:i] == k) for i, k in enumerate(into)])
    across = np.zeros((*sets, len(layout.begin), int(place.max()) + 1, states + width))
    across[..., into, place, :states] = own[..., :states]
    across[..., into, place, states : 2 * states] = before[..., :states]
    across[..., into, place, 2 * states :] = own[..., states:] + before[..., states:]
    return across, excess
