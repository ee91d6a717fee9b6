"""Whiteness: whether residuals are uncorrelated from sample to sample."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from identikit.errors import DataError, OptionError

# Called white in 999 of 1000 records whose noise is white.
ALPHA = 0.001
_DEFAULT_LAGS = 10  # that the test counts, if there are five samples for each
_FEWEST_RESIDUALS = 8  # fewer say nothing of their correlation


@dataclass(frozen=True, eq=False)
class Whiteness:
    """Outcome of a test for whiteness.

    Arguments:
        white: whether the residuals pass, at a false-alarm rate of 0.001.
        p_value: probability of so much correlation if the residuals were white.
        autocorrelation: correlation coefficients at lags 1, 2, ... samples (NaN where no pair exists).
    """

    white: bool
    p_value: float
    autocorrelation: NDArray[np.float64]


def whiteness(residuals: ArrayLike, lags: int | None = None) -> Whiteness:
    """Ljung-Box test of residuals for correlation in time.

        Q = n (n + 2) sum_k rho_k^2 / (n - k),  k = 1 ... L;  chi-squared with L degrees of freedom if white

    With missing values (NaN) only the pairs that exist count: n is the number of values and n - k becomes
    the number of pairs. The mean is not removed, so a constant misfit counts as correlation.

    Arguments:
        residuals: in time order, NaN where missing; any unit.
        lags: number of lags L; None = 10, or a fifth of the residuals if that is fewer.

    Parameters fitted to the same data remove a little correlation; with more than about n/20 of them the
    test is too lenient. Lags count samples, so with strongly irregular times it tests order, not time.

    Reference: G. M. Ljung and G. E. P. Box, Biometrika 65 (1978) 297.
    """
    values = np.asarray(residuals, dtype=np.float64)
    present = np.isfinite(values)
    count = int(present.sum())
    if values.ndim != 1 or count < _FEWEST_RESIDUALS:
        raise DataError(
            f"The whiteness test needs one series of at least {_FEWEST_RESIDUALS} residuals; got shape "
            f"{values.shape} with {count} finite values. Use a longer record."
        )
    if lags is None:
        lags = max(1, min(_DEFAULT_LAGS, count // 5))
    if not 1 <= lags < len(values):
        raise OptionError(f"lags must be between 1 and {len(values) - 1} for {len(values)} residuals; got {lags}.")
    filled = np.where(present, values, 0.0)
    # Scaled so that neither huge nor tiny residuals overflow in the squares.
    largest = np.abs(filled).max()
    if largest == 0.0:
        return Whiteness(True, 1.0, np.zeros(lags))
    products = lagged_products(filled / largest, lags)
    pairs = np.round(lagged_products(present.astype(np.float64), lags))
    mean_square = products[0] / count
    autocorrelation = np.full(lags, np.nan)
    exists = pairs[1:] > 0
    autocorrelation[exists] = products[1:][exists] / pairs[1:][exists] / mean_square
    statistic = (count + 2) / count * float(np.sum(pairs[1:][exists] * autocorrelation[exists] ** 2))
    p_value = chi_squared_tail(statistic, float(exists.sum()))
    return Whiteness(p_value > ALPHA, p_value, autocorrelation)


def lagged_products(values: NDArray[np.float64], lags: int) -> NDArray[np.float64]:
    """Sums of values[i] * values[i + k] for k = 0 ... lags, through the FFT."""
    size = 1 << (len(values) + lags).bit_length()
    spectrum = np.fft.rfft(values, size)
    return np.asarray(np.fft.irfft(np.abs(spectrum) ** 2, size)[: lags + 1], dtype=np.float64)


def chi_squared_tail(statistic: float, degrees: float) -> float:
    """Probability that a chi-squared variable exceeds the statistic; 1 without degrees of freedom."""
    from scipy.special import chdtrc

    return float(chdtrc(degrees, statistic)) if degrees > 0 else 1.0
