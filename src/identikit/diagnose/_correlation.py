"""Correlation of residuals with themselves and with inputs, and how much of it chance alone would give.

    r_ee(k) = sum e(i) e(i + k) / n_k / (rms e)^2          r_ue(k) = sum u(i) e(i + k) / n_k / (rms u rms e)

n_k is the number of pairs that exist: a pair never reaches from one record into the next, nor over a missing sample.
Of white residuals 95 % of all r_ee lie within 1.96 / sqrt(n_k). Residuals that do not depend on the input have r_ue
within 1.96 sqrt(sum_j r_uu(j) r_ee(j) / n_k), the sum over all lags j of both signs (Bartlett's formula).

Reference: L. Ljung, System Identification, 2nd ed., Prentice Hall 1999, section 16.6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MOST_LAGS = 50  # samples
MOST_CROSS_LAGS = 25  # to either side
FEWEST_PAIRS = 4  # samples per lag: fewer say nothing of the last lags
CONFIDENCE = 1.96  # standard deviations: 95 % of what chance gives
LEAST_VARIANCE = 0.1  # Bartlett's sum is an estimate: it must not make the lines vanish


@dataclass(frozen=True, eq=False)
class Correlation:
    """`values` at `lags` in samples, and the `bound` within which 95 % of them lie by chance, at each lag."""

    lags: NDArray[np.intp]
    values: NDArray[np.float64]
    bound: NDArray[np.float64]


def autocorrelation(residuals: Sequence[NDArray[np.float64]]) -> Correlation | None:
    """Of the residuals of one output, one array for each record, NaN where missing, at lags 1, 2, ...

    The mean is not removed: a constant misfit is a misfit. None where there are too few samples, or nothing left over.
    """
    return _correlation(residuals, residuals, range(1, _most(residuals, MOST_LAGS) + 1))


def cross_correlation(
    inputs: Sequence[NDArray[np.float64]], residuals: Sequence[NDArray[np.float64]]
) -> Correlation | None:
    """Of residuals with an input at the same times, one array for each record; at positive lags the residual is later.

    Correlation at positive lags is what the model has not taken from the input; at negative lags it is feedback. None
    where there are too few samples or one of both does not change.
    """
    u, e = _centred(inputs), _centred(residuals)
    most = _most(residuals, MOST_CROSS_LAGS)
    found = _correlation(u, e, range(-most, most + 1))
    if found is None:
        return None
    own = [_correlation(part, part, range(1, most + 1)) for part in (u, e)]
    variance = 1.0
    if own[0] is not None and own[1] is not None:
        proven = np.where(np.abs(own[1].values) > own[1].bound, own[1].values, 0.0)
        variance = max(1.0 + 2.0 * float(own[0].values @ proven), LEAST_VARIANCE)
    return Correlation(found.lags, found.values, found.bound * np.sqrt(variance))


def _most(series: Sequence[NDArray[np.float64]], limit: int) -> int:
    return min(limit, max((len(part) for part in series), default=0) // FEWEST_PAIRS)


def _centred(series: Sequence[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    known = np.concatenate([part[np.isfinite(part)] for part in series])
    return [part - (known.mean() if len(known) else 0.0) for part in series]


def _correlation(
    first: Sequence[NDArray[np.float64]], second: Sequence[NDArray[np.float64]], lags: range
) -> Correlation | None:
    size = _rms(first) * _rms(second)
    if not len(lags) or not np.isfinite(size) or size == 0.0:
        return None
    values, pairs = np.zeros(len(lags)), np.zeros(len(lags))
    for a, b in zip(first, second, strict=True):
        known = np.isfinite(a).astype(float), np.isfinite(b).astype(float)
        filled = np.nan_to_num(a, posinf=0.0, neginf=0.0), np.nan_to_num(b, posinf=0.0, neginf=0.0)
        values += [_lagged(*filled, lag) for lag in lags]
        pairs += [_lagged(*known, lag) for lag in lags]
    counted = np.maximum(pairs, 1.0)
    return Correlation(np.array(lags), values / counted / size, CONFIDENCE / np.sqrt(counted))


def _lagged(a: NDArray[np.float64], b: NDArray[np.float64], lag: int) -> float:
    """sum a(i) b(i + lag)."""
    if lag < 0:
        return _lagged(b, a, -lag)
    return float(a[: max(len(a) - lag, 0)] @ b[lag:])


def _rms(series: Sequence[NDArray[np.float64]]) -> float:
    known = np.concatenate([part[np.isfinite(part)] for part in series])
    return float(np.sqrt(np.mean(known**2))) if len(known) else 0.0
