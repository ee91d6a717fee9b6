"""Many data sets of one shape fitted at once: what an estimate would have been with other noise.

All start from the estimate of the record itself. There the motion and its sensitivities are the same for all, so that
the first step of every data set is linear algebra; the evaluations that follow are made for many sets at once, each at
its own parameters and initial states. Gaps between segments are closed to first order in every round, as for the
likelihood itself.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from identikit.likelihood._band import FittedMotion
from identikit.likelihood._heights import linear_heights
from identikit.likelihood._profile import Anchor, Profiler
from identikit.likelihood._segments import Evaluation
from identikit.likelihood._settings import LIKELIHOOD
from identikit.numerics import Heights, Summits, ascents, standard_errors
from identikit.progress import Progress, silent


def refitted(profiler: Profiler, p: np.ndarray, measured: np.ndarray, progress: Progress = silent) -> Summits:
    """The likeliest parameters, priors counted, of every data set `measured` [n, samples, outputs], from p [free].

    A set without parameters that its motion can be integrated with has not settled.
    """
    motion = profiler.motion(p)
    if motion is None:
        lost = np.zeros(len(measured), bool)
        return Summits(np.tile(p, (len(measured), 1)), np.full(len(measured), -np.inf), lost)
    anchor = Anchor.of(motion)
    low, high = profiler.preparation.problem.limits
    spread = standard_errors(motion.linear.information_rows)
    longest = np.where(np.isfinite(spread), LIKELIHOOD.longest_replicate * spread, 0.0)
    steps = LIKELIHOOD.replicate_growth, LIKELIHOOD.replicate_promise, LIKELIHOOD.replicate_rounds
    parts = []
    for first in range(0, len(measured), profiler.most):
        block = measured[first : first + profiler.most]
        progress(first / len(measured), f"replicate {first + 1} of {len(measured)}")
        begun = np.tile(p, (len(block), 1))
        heights = _Block(profiler, motion, anchor, block).heights
        parts.append(ascents(heights, begun, low, high, np.zeros(begun.shape, bool), longest, *steps))
    return Summits(*(np.concatenate([getattr(part, name) for part in parts]) for name in Summits.__annotations__))


class _Block:
    """Some data sets while they are fitted: what each measured, and where its nodes are."""

    def __init__(self, profiler: Profiler, motion: FittedMotion, anchor: Anchor, measured: np.ndarray) -> None:
        self._profiler, self._motion, self._anchor, self._measured = profiler, motion, anchor, measured
        self._nodes = np.repeat(motion.nodes[None], len(measured), axis=0)
        self._at = np.repeat(motion.p[None], len(measured), axis=0)
        self._begun = False

    def heights(self, which: np.ndarray, p: np.ndarray) -> Heights:
        """log L of the sets `which` [m] at p [m, free], each with its own data and its initial states at their best."""
        profiler, free = self._profiler, p.shape[1]
        nodes, evaluation = self._evaluated(which, p)
        value, rough = np.full(len(which), -np.inf), np.zeros(len(which), bool)
        gradient, information = np.zeros((len(which), free)), np.zeros((len(which), free, free))
        noise = replace(profiler.segments.noise, measured=self._measured[which])
        good = np.nonzero(np.asarray(evaluation.ok) & np.isfinite(noise.levels(evaluation.residual)).all(axis=-1))[0]
        if not len(good):
            return Heights(value, gradient, information, rough)
        evaluation, nodes = evaluation.of_set(good), nodes[good]
        noise = replace(noise, measured=self._measured[which[good]])
        sigma = noise.levels(evaluation.residual)
        linear, gaps, squares = profiler.linear(p[good], nodes, evaluation, sigma, noise)
        problem = profiler.preparation.problem
        found = linear_heights(problem, noise, p[good], evaluation.residual, sigma, linear, squares)
        value[good], gradient[good], information[good] = found.value, found.gradient, found.information
        rough[good] = gaps > LIKELIHOOD.replicate_gap
        closing = linear.nodes(np.zeros((len(good), free)), profiler.layout, nodes.shape[-1])
        self._nodes[which[good]] = nodes + profiler.inside(nodes, closing)
        self._at[which[good]] = p[good]
        return Heights(value, gradient, information, rough)

    def _evaluated(self, which: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, Evaluation]:
        """Nodes and all segments there, with the residuals of each set's own data."""
        segments = self._profiler.segments
        if self._begun:
            nodes = self._profiler.begun(p, self._nodes[which] + self._anchor.moved(p - self._at[which]))
            found = segments(p, nodes, self._anchor.step)
        else:  # all are still at the estimate, whose motion is known
            self._begun = True
            nodes, found = self._nodes[which], self._motion.evaluation.repeated(len(which))
        return nodes, replace(found, residual=found.residual + (self._measured[which] - segments.measured))
