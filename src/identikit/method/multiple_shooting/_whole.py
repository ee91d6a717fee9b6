"""Fit whole records at once, from the best of many places around a start.

Short segments suit a start that is far off and dynamics that magnify errors. A relaxation oscillation is the opposite:
it forgets its beginning within a moment and jumps between slow stretches. A segment's own start then decides when its
jump comes, far more finely than the smoothed record knows it, and between jumps that come at different samples the
misfit has no slope to follow. Whole trajectories have no such starts, and their jumps come at the right samples in a
range of parameters that is narrow but can be hit: many places around a good start are integrated side by side, and the
best of them leads on if it follows the record at all.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from identikit.likelihood import Outcome, Preparation, SegmentModel
from identikit.method.multiple_shooting._settings import SHOOTING
from identikit.method.multiple_shooting._start import Start
from identikit.numerics import evenly
from identikit.progress import Progress


def fitted_whole(preparation: Preparation, start: Start, progress: Progress) -> Outcome | None:
    """The fit with one segment for each chain; None if no place around the start follows the record."""
    nodes = preparation.nodes(start.p)
    layout, keep = preparation.layout.grown(len(nodes))
    short = preparation.solver(nodes)
    solver = replace(short, segments=short.segments.with_layout(layout))
    places, begun = _around(preparation, start.p, nodes[keep], solver.sizes)
    many = max(1, SHOOTING.samples_at_once // len(solver.segments.time))
    parts = np.array_split(np.arange(len(places)), -(-len(places) // many))
    departure = np.concatenate([_departure(solver.segments, places[part], begun[part]) for part in parts])
    best = int(np.argmin(departure))
    if departure[best] > SHOOTING.follows:
        return None
    return solver.run(
        places[best], begun[best], preparation.sigma, progress, grows=False, most_rounds=SHOOTING.attempt_rounds
    )


def _around(
    preparation: Preparation, p: np.ndarray, nodes: np.ndarray, sizes: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Places [places, free] around p at relative distances of all sizes, and beginnings [places, segments, states]
    within the noise; the first is p itself."""
    share = evenly(SHOOTING.places_around, 1 + len(p) + nodes.size)
    share[0, 1:] = 0.5
    away = 2 * share[:, 1:] - 1
    size = SHOOTING.nearest_place * (SHOOTING.farthest_place / SHOOTING.nearest_place) ** share[:, :1]
    measured = np.concatenate([record.values for record in preparation.problem.records])
    noise = float(np.max(preparation.sigma / np.nanstd(measured, axis=0)))
    begun = nodes + noise * sizes * away[:, len(p) :].reshape(-1, *nodes.shape)
    return np.clip(p * np.exp(size * away[:, : len(p)]), *preparation.problem.limits), begun


def _departure(segments: SegmentModel, places: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """How far the trajectory of each place leaves the record [places], over the record's own spread; root mean square,
    infinite where there is no trajectory."""
    found = segments(places, nodes)
    share = found.residual / np.nanstd(segments.measured, axis=0)
    with np.errstate(over="ignore"):
        departure = np.sqrt(np.nanmean(share[found.ok] ** 2, axis=(1, 2)))
    every = np.full(len(places), np.inf)
    every[found.ok] = departure
    return every
