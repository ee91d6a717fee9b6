"""Innovations: what each sample says that those before it did not, by a square-root filter forward through the blocks.

    e = y - h(x predicted),      S = H P H' + sigma^2,      NIS = e^2/S

With the right levels of noise all e/sqrt(S) are independent draws of unit size. The filter runs on departures from the
smoothed trajectory, parameters at their estimate, one measured value after the other (Potter's update), so that missing
ones need no care.

Reference: G. J. Bierman, Factorization Methods for Discrete Sequential Estimation, Academic Press 1977, chapter II;
Y. Bar-Shalom, X. R. Li, T. Kirubarajan, Estimation with Applications to Tracking and Navigation, Wiley 2001, 5.4 (NIS).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from identikit.likelihood import triangular
from identikit.method.filtering._settings import KALMAN
from identikit.method.filtering._smoother import Smoothed
from identikit.progress import poll


@dataclass(frozen=True)
class Innovations:
    """`draws` [samples, outputs] e/sqrt(S), NaN where nothing was measured or too little was known."""

    draws: np.ndarray

    @property
    def nis(self) -> float:
        """Mean normalised innovation squared: one if the filter knows how sure it may be."""
        return float(np.nanmean(self.draws**2))

    @property
    def consistent(self) -> bool:
        """Whether the mean could be that far from one by chance, or is near enough for it not to matter."""
        from scipy.stats import chi2

        count = int(np.isfinite(self.draws).sum())
        low, high = chi2.ppf([KALMAN.consistent, 1 - KALMAN.consistent], count) / count
        return bool(min(low, 1 / KALMAN.diverging) <= self.nis <= max(high, KALMAN.diverging))


def innovations(smoothed: Smoothed) -> Innovations:
    """Of all samples in their order, given the parameters and levels of noise."""
    point, process = smoothed.point, smoothed.iteration.process
    assert process is not None
    layout, sizes = smoothed.smoother.blocks.layout, smoothed.smoother.sizes
    states, noise = len(sizes), smoothed.smoother.blocks.noise
    level = np.broadcast_to(
        smoothed.smoother.sigma * (1.0 if noise.spread is None else noise.spread), noise.measured.shape
    )
    residual, slope = point.residual, point.evaluation.slope[..., :states]
    spread = np.linalg.inv(process)  # of what process noise does in each block
    draws = np.full(residual.shape, np.nan)
    for chain in range(layout.chains):
        poll()
        own = layout.of_chain(chain)
        x, S = np.zeros(states), np.diag(KALMAN.vague * sizes)
        for k in own:
            for i in range(layout.first_sample[k], layout.first_sample[k + 1]):
                for j in np.nonzero(np.isfinite(residual[i]))[0]:
                    e = residual[i, j] - slope[i, j] @ x
                    f = S.T @ slope[i, j]
                    variance = level[i, j] ** 2
                    total = float(f @ f) + variance
                    draws[i, j] = e / np.sqrt(total)
                    gain = S @ f / total
                    x = x + gain * e
                    S = S - np.outer(gain, f) / (1 + np.sqrt(variance / total))
            if k != own[-1]:
                transition = point.evaluation.transition[k][:, :states]
                x = transition @ x - (point.nodes[k + 1] - point.evaluation.final[k])
                both = np.concatenate([(transition @ S).T, spread[k].T])
                S = triangular(both).T
    draws[_settling(draws, layout.first_sample[layout.first_of_record], states)] = np.nan
    return Innovations(draws)


def _settling(draws: np.ndarray, first: np.ndarray, states: int) -> np.ndarray:
    """The first samples of every record, from which its first state was learnt: they had nothing to be compared
    with."""
    return np.unique(np.minimum(first[:, None] + np.arange(2 * states), len(draws) - 1))
