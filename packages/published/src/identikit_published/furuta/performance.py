"""The paper's two measures of a method: how well its estimate repeats the motion, and what it costs per sample."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def goodness_of_fit(again: NDArray[np.float64], reference: NDArray[np.float64]) -> NDArray[np.float64]:
    """Equation 53: R^2 in per cent of every row [rows, times], 100 (1 - sum (x - x_ref)^2 / sum (x_ref - mean)^2)."""
    left = np.sum((again - reference) ** 2, axis=1)
    return np.asarray(100 * (1 - left / np.sum((reference - reference.mean(axis=1)[:, None]) ** 2, axis=1)))


def normalised_time(seconds: float, duration: float, rate: float) -> float:
    """Equation 54: seconds of computation per sample of a record of this duration, s, and rate, Hz."""
    return seconds / (duration * rate)
