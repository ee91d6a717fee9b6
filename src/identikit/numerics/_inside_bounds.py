"""Points within bounds: the middle, a share of the way, points that leave no gaps."""

from __future__ import annotations

import numpy as np


def middle(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """A value inside each pair of bounds: geometric where they span decades of one sign, else arithmetic."""
    return np.array([_middle(a, b) for a, b in zip(low, high, strict=True)])


def _middle(low: float, high: float) -> float:
    if not np.isfinite(low) and not np.isfinite(high):
        return 1.0
    if not np.isfinite(high):
        return low + max(1.0, abs(low))
    if not np.isfinite(low):
        return high - max(1.0, abs(high))
    if low >= 0 and high > 100 * max(low, 1e-12):
        return float(np.sqrt(max(low, 1e-6 * high) * high))
    return 0.5 * (low + high)


def between(share: float, low: float, high: float) -> float:
    """The value at a share in (0, 1) of the way between bounds: in logarithms where they span decades."""
    if low >= 0 and high > 100 * max(low, 1e-12):
        top = high if np.isfinite(high) else max(1e3, 1e3 * low)
        bottom = max(low, 1e-6 * top)
        return float(bottom * (top / bottom) ** share)
    if np.isfinite(high - low) and min(-low, high) <= 1e3:
        return low + share * (high - low)
    # both signs and many decades: from the one bound down to small, and up to the other
    size = min(-low, 1e3) * -(10 ** (-12 * share)) if share < 0.5 else min(high, 1e3) * 10 ** (-12 * (1 - share))
    return float(np.clip(size, low, high))


def evenly(count: int, dimensions: int, seed: int = 0) -> np.ndarray:
    """Points [count, dimensions] in the unit cube that leave no gaps, in any single direction least of all.

    The additive recurrence on powers of the generalised golden ratio, x^(d+1) = x + 1 (M. Roberts, 2018).
    """
    ratio = 2.0
    for _ in range(60):
        ratio = (1 + ratio) ** (1 / (dimensions + 1))
    offset = np.random.default_rng(seed).uniform(size=dimensions)
    points: np.ndarray = (offset + np.outer(np.arange(count), ratio ** -np.arange(1.0, dimensions + 1))) % 1.0
    return points
