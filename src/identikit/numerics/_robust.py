"""Location and scale that a few wild values do not move."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

NORMAL = 1.4826  # standard deviation of a normal distribution over its median absolute deviation


def finite_median(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Median of the finite values along the last axis; NaN where there is none."""
    ordered = np.sort(values, axis=-1)  # puts NaN last
    count = np.isfinite(ordered).sum(axis=-1, keepdims=True)
    # With no finite value both indices are 0, where the sorted row holds NaN.
    middle = np.concatenate([np.maximum(count - 1, 0) // 2, np.minimum(count // 2, values.shape[-1] - 1)], axis=-1)
    return np.asarray(np.take_along_axis(ordered, middle, axis=-1).mean(axis=-1))


def robust_std(values: NDArray[np.float64], about: NDArray[np.float64] | float = 0.0) -> NDArray[np.float64]:
    """1.4826 times the median absolute distance from `about`, along the last axis: the standard deviation of normal
    noise, whatever less than half of the values are.

    Reference: F. R. Hampel, Journal of the American Statistical Association 69 (1974) 383.
    """
    return NORMAL * finite_median(np.abs(values - np.asarray(about)[..., None]))


def present_mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean of the finite values along the first axis; zero where there is none: an output may be missing over a part of
    a record."""
    finite = np.isfinite(values)
    return np.asarray(np.sum(np.where(finite, values, 0.0), axis=0) / np.maximum(finite.sum(axis=0), 1))
