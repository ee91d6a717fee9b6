"""Persistent homology of a series: how long its valleys last as a level rises, and loops of its delay embedding.

Needs GUDHI (the extra `topological`), which is imported only when a function here is called.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from identikit.errors import need
from identikit.oscillation._settings import OSCILLATION
from identikit.oscillation._turning_points import Floats


@dataclass(frozen=True, eq=False)
class Lifespans:
    """Valleys that die as the level rises: index of each valley and of the peak at which it meets a deeper one.

    In a decaying oscillation that is the peak just before it: the valley before that peak is deeper, so it is the elder
    and lives on. The deepest valley never dies and is left out.
    """

    valley: NDArray[np.intp]
    peak: NDArray[np.intp]
    length: Floats


def sublevel_lifespans(values: Floats, shortest: float = 0.0) -> Lifespans:
    """Zero-dimensional persistence of the sets {values <= level}, in the order of time, of lifespans above `shortest`.

    References: H. Edelsbrunner, D. Letscher, A. Zomorodian, Discrete and Computational Geometry 28 (2002) 511 (the
    idea); The GUDHI Project, GUDHI User and Reference Manual (the implementation).
    """
    gudhi = need("gudhi", extra="topological")

    # samples are the vertices, each joined to the next by an edge of the higher of the two values: components of the
    # set below a level are born at valleys and merge at peaks, the younger one dying (the elder rule)
    complex_ = gudhi.CubicalComplex(vertices=np.asarray(values, np.float64))
    complex_.compute_persistence(homology_coeff_field=2, min_persistence=max(shortest, 0.0))
    regular, _ = complex_.vertices_of_persistence_pairs()
    pairs = np.asarray(regular[0], np.intp).reshape(-1, 2) if len(regular) else np.empty((0, 2), np.intp)
    length = values[pairs[:, 1]] - values[pairs[:, 0]]
    kept = length > shortest
    order = np.argsort(pairs[kept, 0])
    return Lifespans(pairs[kept, 0][order], pairs[kept, 1][order], length[kept][order])


def loop_persistence(time: Floats, values: Floats, begin: float, period: float) -> tuple[float, float]:
    """Birth and death of the loop that one cycle from `begin` makes in the plane (x(t), x(t + period/4)).

    One-dimensional persistence of the Vietoris-Rips complex of 48 points. For a closed circle of radius A the loop dies
    at sqrt(3) A; a decaying cycle does not close, so it is born late and dies early. NaN if there is no loop. Of the
    two, the death is the better measure of amplitude: noise makes the loop be born later and later as it shrinks.
    """
    gudhi = need("gudhi", extra="topological")

    at = begin + period * np.arange(OSCILLATION.loop_points) / OSCILLATION.loop_points
    if at[-1] + period / 4 > time[-1]:
        return float("nan"), float("nan")
    points = np.stack([np.interp(at, time, values), np.interp(at + period / 4, time, values)], axis=1)
    tree = gudhi.RipsComplex(points=points).create_simplex_tree(max_dimension=2)
    tree.compute_persistence(homology_coeff_field=2)
    loops = np.asarray(tree.persistence_intervals_in_dimension(1), float).reshape(-1, 2)
    if not len(loops):
        return float("nan"), float("nan")
    longest = loops[np.argmax(loops[:, 1] - loops[:, 0])]
    return float(longest[0]), float(longest[1])
