"""How far a flat valley goes: a parameter is moved along it, everything else fitted again.

Where a state is never seen, parameters and its unknown beginning can make up for each other over a long, curved valley
that the information at one point of it knows nothing of: the standard error is small, the truth far away. So a doubtful
parameter is put three standard errors off, and further while the misfit rises by much less than the square of the
distance says. The furthest place that explains the record as well is another explanation. This is the likelihood
profile of one parameter, in a few coarse steps (W. Q. Meeker, L. A. Escobar, The American Statistician 49 (1995) 48).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from identikit.likelihood import LIKELIHOOD, Outcome, Preparation
from identikit.method.multiple_shooting._settings import SHOOTING
from identikit.numerics import Information
from identikit.progress import Progress


def furthest(preparation: Preparation, best: Outcome, i: int, as_good: float, progress: Progress) -> list[Outcome]:
    """The furthest places of parameter i, to either side, that explain the record as well; none if the information at
    the best one tells the truth. A lower place that is met on the way ends the search and comes last."""
    found: list[Outcome] = []
    own = replace(preparation, layout=best.layout)
    covariance = Information.of_rows(best.information_rows).covariance
    std = float(np.sqrt(covariance[i, i]))
    low, high = preparation.problem.limits
    for side in (-1.0, 1.0):
        distance, last, here = SHOOTING.first_distance, None, best
        for _ in range(SHOOTING.most_places):
            value = float(np.clip(best.p[i] + side * distance * std, low[i], high[i]))
            dp = covariance[:, i] / covariance[i, i] * (value - here.p[i])
            p = np.clip(here.p + dp, low, high)
            nodes = here.nodes + here.node_step(p - here.p)
            outcome = own.solver(nodes, pinned={i: value}).run(
                p, nodes, best.sigma, progress, LIKELIHOOD.tightest_tether, grows=False
            )
            if outcome is None or not outcome.converged:
                break
            rise, reached = outcome.misfit - best.misfit, abs(value - best.p[i]) / std
            if rise < -1.0:
                return [*found, outcome]
            if rise > min(as_good, SHOOTING.shallow * reached**2):
                break
            last = here = outcome
            if value in (low[i], high[i]):
                break
            distance *= SHOOTING.further
        if last is not None:
            found.append(last)
    return found


def descended(preparation: Preparation, best: Outcome, progress: Progress) -> Outcome:
    """Down a valley that is too narrow and curved for free steps: the parameter that a free step would move most is
    pinned where that step leads, everything else is fitted again, and so on until no free step is left to take."""
    low, high = preparation.problem.limits
    own = replace(preparation, layout=best.layout)
    share = 1.0
    for _ in range(SHOOTING.most_descents):
        step = best.iteration.with_limits(low, high).step(best.point, best.linear, 0.0)[0]
        std = best.standard_errors
        wanted = np.where(np.isfinite(std) & (std > 0), np.abs(step) / np.where(std > 0, std, 1.0), 0.0)
        i = int(np.argmax(wanted))
        if wanted[i] < LIKELIHOOD.bottom_step:
            return replace(best, converged=True, iteration=best.iteration.with_limits(low, high))
        value = float(np.clip(best.p[i] + share * step[i], low[i], high[i]))
        covariance = Information.of_rows(best.information_rows).covariance
        dp = covariance[:, i] / covariance[i, i] * (value - best.p[i])
        by_factor = (low >= 0) & (best.p > 0)
        # one that the record hardly knows is carried along by little: its own direction says nothing
        factor = np.clip(dp / np.where(by_factor, best.p, 1.0), -LIKELIHOOD.largest_factor, LIKELIHOOD.largest_factor)
        moved = np.where(by_factor, best.p * np.exp(np.where(by_factor, factor, 0.0)), best.p + dp)
        p = np.clip(moved, low, high)
        p[i] = value
        nodes = best.nodes + best.node_step(p - best.p)
        outcome = own.solver(nodes, pinned={i: value}).run(
            p, nodes, best.sigma, progress, LIKELIHOOD.tightest_tether, False, SHOOTING.descent_rounds
        )
        if outcome is not None and outcome.converged and outcome.misfit < best.misfit:
            best, share = outcome, min(1.0, 2 * share)
        elif progress.stopped or share < SHOOTING.least_share:
            break
        else:
            share /= 3
    return replace(best, converged=False, iteration=best.iteration.with_limits(low, high))
