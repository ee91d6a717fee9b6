"""From segments that each follow their own data to one trajectory: the tether is tightened step by step.

It starts loose, so that the problem is nearly a regression; each stage begins where the one before ended. Where short
segments do not come to one trajectory, longer ones are tried (the growth of segments made continuous).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from identikit.likelihood._iteration import Iteration
from identikit.likelihood._point import Point, Trace
from identikit.likelihood._settings import LIKELIHOOD
from identikit.progress import Progress


class StageOutcome(NamedTuple):
    """The end of one tightening: the point, the noise level there, how it ended, and the segments it ended with."""

    point: Point
    sigma: np.ndarray
    converged: bool
    stopped: bool
    iteration: Iteration


def tighten(
    iteration: Iteration, point: Point, sigma: np.ndarray, progress: Progress, tether: float, trace: Trace
) -> StageOutcome:
    """Stages of ever tighter tether, with the segments as they are."""
    damping = LIKELIHOOD.first_damping
    tether = tether if len(point.gaps) else LIKELIHOOD.tightest_tether
    for stage in range(1, LIKELIHOOD.most_stages + 1):
        final = tether == LIKELIHOOD.tightest_tether
        shortened = 0
        for _ in range(LIKELIHOOD.final_rounds if final else LIKELIHOOD.stage_rounds):
            found = iteration.noise(point)
            if np.max(np.abs(found / sigma - 1)) > LIKELIHOOD.reweight_change:
                sigma, point = found, iteration.reweighted(point, found)
            left = ", ".join(f"{s:.4g}" for s in sigma)
            sentence = f"round {trace.rounds}: residual {left}, widest gap {point.widest_gap:.1e}"
            trace.latest = StageOutcome(point, sigma, False, True, iteration)
            if progress(1 - 0.6**stage, sentence, point.p) is False or trace.rounds > trace.most_rounds:
                return trace.latest
            moved = iteration.advance(point, sigma, tether, damping, trace)
            if moved is None:
                break
            new, dp, lighter = moved
            shortened = shortened + 1 if final and lighter >= damping else 0
            damping = lighter
            done = iteration.has_converged(point, new, dp, tether)
            point = new
            trace.lowest = min(trace.lowest, iteration.misfit(point) + point.prior_cost)
            trace.history.append(point.p)
            trace.losses.append((float(point.compressed.cost), float(np.sum((point.gaps / tether) ** 2))))
            if done:
                if final:
                    return StageOutcome(point, sigma, True, False, iteration)
                break
            if shortened >= trace.patience:
                break
        if final:
            break
        tether = (
            _tighter(iteration, point, tether) if stage < LIKELIHOOD.most_stages - 1 else LIKELIHOOD.tightest_tether
        )
    return StageOutcome(point, sigma, iteration.at_bottom(point), False, iteration)


def _tighter(iteration: Iteration, point: Point, tether: float) -> float:
    """The next tether: such that the present gaps would weigh as much as the data do."""
    typical = float(np.sqrt(np.mean(point.gaps**2)))
    share = np.sqrt(len(iteration.links) * len(iteration.sizes) / point.compressed.count)
    tighter = min(tether / 10, typical * share)
    return (
        LIKELIHOOD.tightest_tether
        if point.widest_gap < LIKELIHOOD.closed_gap or tighter < 10 * LIKELIHOOD.tightest_tether
        else tighter
    )


def join(
    iteration: Iteration, point: Point, sigma: np.ndarray, progress: Progress, tether: float, trace: Trace
) -> StageOutcome:
    """Tighten, and if that does not come to an end, tighten with longer segments."""
    attempts = progress.attempts()
    while True:
        reached = tighten(iteration, point, sigma, next(attempts), tether, trace)
        if reached.converged or reached.stopped or not len(iteration.links):
            return reached
        grown, keep = iteration.segments.layout.grown(LIKELIHOOD.segment_growth)
        iteration = iteration.with_segments(iteration.segments.with_layout(grown))
        longer = iteration.at(reached.point.p, reached.point.nodes[keep], reached.sigma, trace, None)
        if longer is None:
            return reached
        point, sigma = longer, reached.sigma
