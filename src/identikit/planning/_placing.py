"""Where samples should lie: which stretches of the runs are worth sampling, if samples are few.

Every run is cut into stretches; each may hold as many samples as the spacing allows. The shares w that make the
criterion best under sum(w) = samples are found by conditional gradients (Frank and Wolfe): the slope of the criterion
with respect to the samples of a stretch says what they would add, the best stretches are filled, and the shares move
towards that. The optimum of such a bounded design samples a stretch densely or not at all.

Reference: H. P. Wynn, in Optimum Design and Analysis of Experiments, North-Holland 1977; V. V. Fedorov, Statistics 20
(1989) 403.

Not where the noise has a memory: samples close together then tell less than is counted here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from identikit.planning._ensemble import eliminated
from identikit.planning._search import ChosenRun, Search
from identikit.planning._settings import DESIGN


@dataclass(frozen=True)
class Placing:
    """Windows [(begin, end), ...] of every run in which to sample, and the time between samples there."""

    windows: tuple[tuple[tuple[float, float], ...], ...]
    spacing: float


def placed(search: Search, runs: Sequence[ChosenRun]) -> Placing:
    """The best stretches of some runs, which may go on for the longest time."""
    budget = search.budget
    length = budget.longest / DESIGN.cells
    # with few samples they lie further apart than the shortest spacing: else all would be used up in few stretches
    even = budget.samples / (len(runs) * DESIGN.cells)
    room = max(min(length / budget.spacing, DESIGN.densest * even), 1.0)
    told = _stretches(search, runs)
    free = len(search.criterion.names)
    shares = np.full(len(runs) * DESIGN.cells, min(even, room))
    best, least = shares, np.inf
    for turn in range(DESIGN.placing_rounds):
        slopes = _slopes(search, told, shares.reshape(-1, DESIGN.cells))
        slopes[:, 0] = np.inf  # how a run begins is always seen: one sample there, alone, is no record to start from
        filled = _filled(slopes.ravel(), room, budget.samples)
        score = _score(search, told, filled.reshape(-1, DESIGN.cells), free)
        if score < least:
            best, least = filled, score
        shares = shares + 2.0 / (turn + 3.0) * (filled - shares)
    shares[:: DESIGN.cells] = np.inf
    rounded = _filled(shares, room, budget.samples)
    score = _score(search, told, rounded.reshape(-1, DESIGN.cells), free)
    if score < least:
        best, least = rounded, score
    windows = tuple(_windows(row, room, length) for row in best.reshape(-1, DESIGN.cells))
    return Placing(windows, max(float(f"{length / room:.3g}"), budget.spacing))


def sample_times(windows: Sequence[tuple[float, float]], spacing: float) -> np.ndarray:
    """Sample times in some windows, and at zero, where the run begins."""
    parts = [np.arange(np.ceil(begin / spacing), np.ceil(end / spacing)) for begin, end in windows]
    return np.asarray(np.round(np.unique(np.concatenate([[0.0], *parts])) * spacing, 12))


def _stretches(search: Search, runs: Sequence[ChosenRun]) -> np.ndarray:
    """Information of one sample in each stretch [runs, draws, cells, k, k], beginnings included."""
    step = search.budget.longest / DESIGN.grid
    times = (np.arange(DESIGN.grid) + 0.5) * step
    initial, p = search.space.lanes(np.array([run.point for run in runs]), search.draws)
    rows = search.ensemble.rows(initial, p, search.pieces, times)
    per_cell = rows.reshape(len(runs), len(search.draws), DESIGN.cells, -1, *rows.shape[2:])
    return np.asarray(np.einsum("rdctoi,rdctoj->rdcij", per_cell, per_cell, optimize=True) / per_cell.shape[3])


def _score(search: Search, told: np.ndarray, shares: np.ndarray, free: int) -> float:
    total = np.einsum("rdcij,rc->rdij", told, shares)
    return float(search.criterion.judged(eliminated(total, free).sum(axis=0)))


def _slopes(search: Search, told: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """What one more sample in each stretch would gain [runs, cells], over the draws as the criterion judges them."""
    free = len(search.criterion.names)
    total = np.einsum("rdcij,rc->rdij", told, shares)
    known = eliminated(total, free).sum(axis=0)
    scores = search.criterion.scores(known)
    weights = (scores == scores.max()).astype(float) if search.criterion.worst else np.ones(len(scores))
    gains = np.zeros(shares.shape)
    others = total.shape[-1] - free
    for d, weight in enumerate(weights):
        if not weight:
            continue
        slope = search.criterion.slope(known[d])
        for r in range(len(shares)):
            # what the parameters lose to the unknown beginning is removed from every sample
            cross = (
                np.linalg.pinv(total[r, d, :others, :others], rcond=1e-12, hermitian=True)
                @ total[r, d, :others, others:]
            )
            reduce = np.concatenate([-cross, np.eye(free)])
            gains[r] += weight * np.einsum("ij,cij->c", reduce @ slope @ reduce.T, told[r, d])
    return gains


def _filled(worth: np.ndarray, room: float, samples: int) -> np.ndarray:
    """The worthiest stretches filled, as far as samples reach."""
    order = np.argsort(-worth, kind="stable")
    shares = np.zeros(len(worth))
    shares[order] = np.clip(samples - room * np.arange(len(worth)), 0.0, room)
    return shares


def _windows(shares: np.ndarray, room: float, length: float) -> tuple[tuple[float, float], ...]:
    """Stretches next to each other joined; one that is filled in part is shortened."""
    found: list[tuple[float, float]] = []
    for cell, share in enumerate(shares):
        if share < 1.0:
            continue
        begin, end = cell * length, (cell + min(share / room, 1.0)) * length
        if found and abs(found[-1][1] - begin) < 1e-9 * length:
            begin = found.pop()[0]
        found.append((begin, end))
    return tuple((float(f"{begin:.4g}"), float(f"{end:.4g}")) for begin, end in found)
