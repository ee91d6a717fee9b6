"""The search: many beginnings at once, then finer about the best, then sets of runs by exchange.

For every beginning and every draw of the parameters one integration gives the information of all durations. Single
runs are compared by the criterion; candidates about the best are added in boxes that shrink. A set of runs is built by
adding the run that helps most, and by replacing runs one by one as long as that helps (Fedorov's exchange).

Reference: V. V. Fedorov, Theory of Optimal Experiments, Academic Press 1972, chapter 3; R. D. Cook, C. J. Nachtsheim,
Technometrics 22 (1980) 315.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from identikit.planning._criteria import Criterion
from identikit.planning._ensemble import Ensemble
from identikit.planning._settings import DESIGN
from identikit.planning._space import Space
from identikit.progress import Progress
from identikit.simulation import Pieces


@dataclass(frozen=True)
class Budget:
    """What an experiment may cost: samples in all, the longest run, the shortest time between samples, most runs."""

    samples: int
    longest: float
    spacing: float
    runs: int = 1

    def count(self, duration: float, runs: int = 1) -> int:
        """Samples of one of several runs of that duration."""
        return max(min(self.samples // runs, math.floor(duration / self.spacing * (1 + 1e-9)) + 1), 2)

    def times(self, duration: float, runs: int = 1) -> np.ndarray:
        """When one of several runs is sampled, evenly, at a spacing of three digits."""
        spacing = duration / (self.count(duration, runs) - 1)
        spacing = max(float(f"{spacing:.3g}"), self.spacing)
        count = min(math.floor(duration / spacing * (1 + 1e-9)) + 1, self.count(duration, runs))
        return np.asarray(np.round(np.arange(count) * spacing, 12))

    @property
    def durations(self) -> np.ndarray:
        """Lengths of a run worth trying, the longest last; to three digits."""
        found = np.geomspace(DESIGN.shortest * self.longest, self.longest, DESIGN.durations)
        return np.array([*(float(f"{value:.3g}") for value in found[:-1]), self.longest])


@dataclass(frozen=True)
class ChosenRun:
    """A beginning and how long to go on from there."""

    point: np.ndarray
    duration: float


@dataclass(frozen=True)
class Pool:
    """Candidates: `points` [n, names] and `information` per sample [n, durations, draws, free, free]."""

    points: np.ndarray
    information: np.ndarray

    def joined(self, other: Pool) -> Pool:
        return Pool(np.concatenate([self.points, other.points]), np.concatenate([self.information, other.information]))


@dataclass(frozen=True)
class Search:
    """All that one search needs; `pieces` are the inputs, `draws` [draws, parameters]."""

    ensemble: Ensemble
    space: Space
    draws: np.ndarray
    criterion: Criterion
    budget: Budget
    pieces: Pieces
    seed: int

    def pool(self, points: np.ndarray) -> Pool:
        """What runs from these points tell."""
        initial, p = self.space.lanes(points, self.draws)
        found = self.ensemble.per_sample(initial, p, self.pieces, self.budget.durations)
        shape = (len(points), len(self.draws), *found.shape[1:])
        return Pool(points, np.moveaxis(found.reshape(shape), 1, 2))

    def scores(self, pool: Pool, runs: int = 1) -> np.ndarray:
        """Scores [points, durations] of single runs, of which there are to be several."""
        counts = np.array([self.budget.count(duration, runs) for duration in self.budget.durations])
        return self.criterion.judged(pool.information * counts[:, None, None, None])

    def explored(self, progress: Progress) -> Pool:
        """Candidates over the whole space, and about the best of them; stopped, those there are by then."""
        pool = self.pool(self.space.points(self.seed))
        for zoom in range(DESIGN.zooms if self.space.names else 0):
            scores = self.scores(pool)
            told = f"{len(pool.points)} beginnings tried"
            if progress((zoom + 1) / (DESIGN.zooms + 1), told) is False:
                break
            best = np.argsort(scores.min(axis=1), kind="stable")[: DESIGN.zoomed]
            reach = DESIGN.zoom ** (zoom + 1)
            pool = pool.joined(self.pool(self.space.around(pool.points[best], reach, self.seed + zoom + 1)))
        return pool

    def single(self, pool: Pool) -> tuple[ChosenRun, float]:
        """The best single run and its score."""
        scores = self.scores(pool)
        k, d = np.unravel_index(int(np.argmin(scores)), scores.shape)
        return ChosenRun(pool.points[k], float(self.budget.durations[d])), float(scores[k, d])

    def several(self, pool: Pool, runs: int) -> tuple[tuple[ChosenRun, ...], float]:
        """The best set of so many runs, which share the samples, and its score; settings are those of the first.

        Runs differ in their initial states only: what is set for an experiment is set for all its runs.
        """
        pool = self._alike(pool)
        counts = np.array([self.budget.count(duration, runs) for duration in self.budget.durations])
        scores = self.scores(pool, runs)
        order = np.argsort(scores, axis=None, kind="stable")[: DESIGN.most_exchanged]
        k, d = np.unravel_index(order, scores.shape)
        told = pool.information[k, d] * counts[d][:, None, None, None]
        chosen = [0]
        for _ in range(runs - 1):
            chosen.append(int(np.argmin(self.criterion.judged(told[chosen].sum(axis=0) + told))))
        least = float(self.criterion.judged(told[chosen].sum(axis=0)))
        for _ in range(DESIGN.exchanges):
            before = least
            for place in range(runs):
                rest = told[[c for i, c in enumerate(chosen) if i != place]].sum(axis=0)
                found = self.criterion.judged(rest + told)
                if found.min() < least:
                    chosen[place], least = int(np.argmin(found)), float(found.min())
            if least >= before:
                break
        made = [ChosenRun(pool.points[k[c]], float(self.budget.durations[d[c]])) for c in sorted(chosen)]
        return tuple(made), least

    def worth_sampling(self, point: np.ndarray) -> float:
        """How long a run from a point is worth sampling: to shortly before friction brings it to rest."""
        initial, p = self.space.lanes(point[None], self.draws[:1])
        longest = self.budget.longest
        rest = self.ensemble.rest(initial[0], p[0], self.pieces, longest)
        return longest if rest >= longest else float(f"{DESIGN.before_rest * rest:.3g}")

    def _alike(self, pool: Pool) -> Pool:
        """Of a pool, the candidates that have the settings of the best one."""
        set_here = [i for i, name in enumerate(self.space.names) if name not in self.space.model.state_names]
        if not set_here:
            return pool
        best = int(np.argmin(self.scores(pool).min(axis=1)))
        points = pool.points.copy()
        points[:, set_here] = pool.points[best, set_here]
        return self.pool(np.unique(points, axis=0))
