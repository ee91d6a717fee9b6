"""Least squares of few unknowns, some of which cannot be negative."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray


def nonnegative_least_squares(
    table: NDArray[np.float64], target: NDArray[np.float64], free: int = 0
) -> NDArray[np.float64]:
    """minimise |table x - target| with x_j >= 0 for all but the first `free` unknowns.

    Every set of unknowns held at zero is tried, which is exact and quick for up to some eight; importing SciPy's
    optimisers takes a hundred times longer than this. Not for many unknowns.

    Reference: C. L. Lawson and R. J. Hanson, Solving Least Squares Problems (1974), chapter 23: the solution is the
    unconstrained one of some such set.
    """
    unknowns = table.shape[1]
    best, least = np.zeros(unknowns), np.inf
    for held in itertools.product((False, True), repeat=unknowns - free):
        used = [*range(free), *(free + j for j, zero in enumerate(held) if not zero)]
        x = np.zeros(unknowns)
        if used:
            x[used] = np.linalg.lstsq(table[:, used], target, rcond=None)[0]
        cost = float(np.sum((table @ x - target) ** 2))
        if np.all(x[free:] >= 0) and cost < least:
            best, least = x, cost
    return best
