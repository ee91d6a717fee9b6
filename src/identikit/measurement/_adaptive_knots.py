"""Knots that lie close where a record is quick and far apart where it is slow.

A relaxation oscillation creeps for most of its period and jumps in a hundredth of it. Knots at equal distances that
resolve the jump follow the noise on the creep, where the derivative is then a hundred times more noise than signal. So
intervals are halved where, and only where, the residual exceeds the noise; neighbouring intervals differ by a factor of
two at most. (Knot insertion where residuals are largest: P. Dierckx, Curve and Surface Fitting with Splines, Oxford
1993, chapter 5.)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from identikit.measurement._spline_fit import SplineFit
from identikit.progress import poll

_FIRST_PIECES = 8  # of equal length, to begin with
_SHORTEST = 4  # samples between knots: fewer would follow the noise
_EXCESS = 3.0  # standard deviations of its mean square by which an interval's residual may exceed the noise
_MOST_HALVINGS = 16  # halvings


def adaptive_edges(
    time: NDArray[np.float64], values: NDArray[np.float64], sigma: float, degree: int
) -> NDArray[np.float64]:
    """Positions of the knots, counted in samples: 0 ... len(time) - 1."""
    last = len(time) - 1
    edges = np.unique(np.round(np.linspace(0, last, min(_FIRST_PIECES, max(last // _SHORTEST, 1)) + 1)).astype(int))
    for _ in range(_MOST_HALVINGS):
        poll()
        residual = values - SplineFit(time, edges.astype(float), degree).fitted(values)
        count = np.diff(edges)
        squares = np.add.reduceat(residual[:-1] ** 2, edges[:-1]) / (sigma**2 * count)
        split = (squares > 1 + _EXCESS * np.sqrt(2 / count)) & (count >= 2 * _SHORTEST)
        if not split.any():
            break
        edges = _graded(_halved(edges, split))
    return edges.astype(float)


def _halved(edges: NDArray[np.intp], split: NDArray[np.bool_]) -> NDArray[np.intp]:
    return np.union1d(edges, ((edges[:-1] + edges[1:]) // 2)[split])


def _graded(edges: NDArray[np.intp]) -> NDArray[np.intp]:
    """Long intervals beside short ones halved, until none is more than about twice as long as its neighbour."""
    while True:
        count = np.diff(edges)
        beside = np.minimum(np.append(count[1:], count[-1]), np.append(count[0], count[:-1]))
        split = count > 2 * beside + 1
        if not split.any():
            return edges
        edges = _halved(edges, split)
