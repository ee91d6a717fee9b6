"""Noise that remembers: an autoregressive process fitted to residuals, what it makes of a sum, and draws of it.

    e_i = phi_1 e_(i-1) + ... + phi_n e_(i-n) + w_i,      w_i independent of one another

Coefficients follow from the correlations of the series by Levinson and Durbin's recursion (Yule and Walker's
equations), the order from Schwarz's criterion. So few numbers describe the whole spectrum that the residuals of a fit
tell it well, though the fit took its share of them just at the frequencies that matter.

References: J. Durbin, Revue de l'Institut International de Statistique 28 (1960) 233; G. Schwarz, Annals of
Statistics 6 (1978) 461.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

MOST_ORDER = 30  # beyond, a pattern is a motion and no noise
VALUES_PER_ORDER = 20  # samples that each coefficient is estimated from, at least
GIVING_BACK = 3  # of giving back what a fit took, which depends on the process found
FORGOTTEN = 1e-3  # of a memory: less is as good as nothing
LONGEST_MEMORY = 5000  # samples that a process is followed back


@dataclass(frozen=True)
class Autoregression:
    """A stationary process: its coefficients phi [order] and the standard deviation of the innovations w."""

    coefficients: np.ndarray
    innovation: float

    @classmethod
    def of(cls, series: Sequence[np.ndarray], taken: Sequence[np.ndarray] = ()) -> Autoregression:
        """The process nearest to some stretches of one noise of mean zero, NaN where there is no sample.

        Arguments:
            series: residuals of a fit.
            taken: for each series the directions, orthonormal columns [samples, directions], that the fit has taken
                out of it. What the noise had there is given back: with memory, far more than one sample's share.
        """
        present = [np.isfinite(part) for part in series]
        filled = [np.where(known, part, 0.0) for part, known in zip(series, present, strict=True)]
        count = sum(int(known.sum()) for known in present)
        most = max(0, min(MOST_ORDER, count // VALUES_PER_ORDER, *(len(part) - 1 for part in series)))
        left = np.array([_covariance(filled, present, lag) for lag in range(most + 1)])
        found = cls._solved(left, count)
        for _ in range(GIVING_BACK if taken else 0):
            missing = np.zeros(most + 1)
            for directions in taken:
                power = found.variance(directions)
                missing += [power @ np.sum(lagged(directions, lag), axis=0) for lag in range(most + 1)]
            found = cls._solved(left + missing / max(count, 1), count)
        return found

    @classmethod
    def _solved(cls, covariance: np.ndarray, count: int) -> Autoregression:
        """From covariances at lags 0, 1, ...; orders are compared by n log(variance left) + order log n."""
        if not covariance[0] > 0:
            return cls(np.zeros(0), 0.0)
        correlation = covariance[1:] / covariance[0]
        phi, variance = np.zeros(0), 1.0
        best, least = (phi, variance), 0.0
        for order in range(1, len(covariance)):
            partial = (correlation[order - 1] - phi @ correlation[: order - 1][::-1]) / variance
            partial = float(np.clip(partial, -1 + FORGOTTEN, 1 - FORGOTTEN))
            phi = np.append(phi - partial * phi[::-1], partial)
            variance *= 1 - partial**2
            score = count * np.log(variance) + order * np.log(count)
            if score < least:
                best, least = (phi, variance), score
        return cls(best[0], float(np.sqrt(covariance[0] * best[1])))

    @property
    def memory(self) -> int:
        """Samples after which an innovation is forgotten."""
        if not len(self.coefficients):
            return 0
        radius = float(np.abs(np.roots(np.append(1.0, -self.coefficients))).max(initial=0.0))
        return min(int(np.log(FORGOTTEN) / np.log(min(max(radius, 1e-3), 1 - 1e-9))) + 1, LONGEST_MEMORY)

    def innovations(self, series: np.ndarray) -> np.ndarray:
        """w of a series, NaN where it is not known."""
        found = np.array(series, float)
        for lag, phi in enumerate(self.coefficients, start=1):
            found[lag:] -= phi * series[:-lag]
        found[: len(self.coefficients)] = np.nan
        return found

    def driven(self, innovations: np.ndarray) -> np.ndarray:
        """The series that innovations [samples, ...] drive, from rest; leave its first `memory` samples out."""
        if not len(self.coefficients):
            return np.array(innovations, float)
        from scipy.signal import lfilter

        return np.asarray(lfilter([1.0], np.append(1.0, -self.coefficients), innovations, axis=0))

    def variance(self, weights: np.ndarray) -> np.ndarray:
        """Variance of sum_i weights_i e_i, for weights [samples, ...]: that of what the weights make of each w."""
        padded = np.concatenate([np.zeros((self.memory, *weights.shape[1:])), weights])
        return np.asarray(self.innovation**2 * np.sum(self.driven(padded[::-1]) ** 2, axis=0))


def lagged(values: np.ndarray, lag: int) -> np.ndarray:
    """Products of values `lag` rows apart."""
    return np.asarray(values[lag:] * values[: len(values) - lag])


def _covariance(filled: Sequence[np.ndarray], present: Sequence[np.ndarray], lag: int) -> float:
    """Mean product of values `lag` apart, lowered as if all pairs had been there: only so it is that of a process."""
    pairs = sum(int(lagged(known, lag).sum()) for known in present)
    share = sum(len(part) - lag for part in filled) / sum(map(len, filled))
    return share * sum(float(lagged(part, lag).sum()) for part in filled) / max(pairs, 1)
