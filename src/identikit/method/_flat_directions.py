"""Whether a combination of parameters is as well known as the information at one point says.

Where single parameters are not known, the information at the estimate still gives standard errors to combinations of
them. Two things make these too small. Residuals that are not white: the scores of the segments tell by how much, for
each combination. And curvature: a product may stay put where the direction hardly known begins, and not along it. So
the parameter that goes furthest in that direction is moved and all others are fitted again; what fits as well there is
another place that a combination must agree with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from identikit.diagnose import Combination, identified_combinations
from identikit.likelihood import LIKELIHOOD, MultipleShootingSolver, Outcome
from identikit.method._settings import JUDGEMENT
from identikit.model import Relabelling
from identikit.numerics import Information
from identikit.problem import Problem
from identikit.progress import silent


@dataclass(frozen=True)
class Flatness:
    """Places [free] that explain the record as well, and covariances [free, free] by scores and by information."""

    places: tuple[np.ndarray, ...] = ()
    robust: np.ndarray | None = None
    plain: np.ndarray | None = None

    def widening(self, gradient: np.ndarray) -> float:
        """Factor, at least one, on the standard error of a combination with this gradient."""
        if self.robust is None or self.plain is None:
            return 1.0
        wide, usual = (float(gradient @ matrix @ gradient) for matrix in (self.robust, self.plain))
        return float(np.sqrt(max(wide / usual, 1.0))) if usual > 0 else 1.0


def flatness(outcome: Outcome | None, coloured: bool) -> Flatness:
    """Of the end of an iteration, if there is one; covariances by scores only where residuals are `coloured`."""
    if outcome is None:
        return Flatness()
    scores = outcome.scores() if coloured else None
    return Flatness(_places(outcome), *(() if scores is None else scores.covariances()))


def confirmed_combinations(
    problem: Problem,
    p: np.ndarray,
    information: np.ndarray,
    identifiable: Sequence[bool],
    flat: Flatness,
    to: Relabelling,
) -> tuple[Combination, ...]:
    """What is known although single parameters are not; p is what `to` makes of the iteration's own estimate."""
    return identified_combinations(
        problem.model,
        problem.free,
        dict(problem.fixed) | dict(zip(problem.free, map(float, p), strict=True)),
        information,
        identifiable,
        widening=lambda gradient: flat.widening(to.unslope(gradient)),
        elsewhere=[to(place) for place in flat.places],
    )


def _places(outcome: Outcome) -> tuple[np.ndarray, ...]:
    p = outcome.p
    known = Information.of_rows(outcome.information_rows)
    size = np.where(p == 0, 1.0, np.abs(p))
    directions, spread, _ = np.linalg.svd(known.root / size[:, None])
    found = []
    for direction, std in zip(directions.T[: JUDGEMENT.most_directions], spread, strict=False):
        if std < JUDGEMENT.hardly_known:
            break
        i = int(np.argmax(np.abs(direction)))
        step = direction / direction[i] * size * min(JUDGEMENT.furthest, float(std))
        found += [place for side in (-1.0, 1.0) if (place := _refitted(outcome, i, side * step)) is not None]
    return tuple(found)


def _refitted(outcome: Outcome, i: int, step: np.ndarray) -> np.ndarray | None:
    """The best place with parameter i moved by its part of the step, if it explains the record as well."""
    iteration = outcome.iteration
    p = np.clip(outcome.p + step, iteration.low, iteration.high)
    low, high = iteration.low.copy(), iteration.high.copy()
    low[i] = high[i] = p[i]
    p, nodes = iteration.with_limits(low, high).carried_on(outcome.point, outcome.linear, p)
    solver = MultipleShootingSolver(iteration.segments, low, high, iteration.sizes)
    end = solver.run(
        p,
        nodes,
        outcome.sigma,
        silent,
        LIKELIHOOD.tightest_tether,
        grows=False,
        most_rounds=JUDGEMENT.most_place_rounds,
    )
    return None if end is None or end.misfit > outcome.misfit + JUDGEMENT.as_good else end.p
