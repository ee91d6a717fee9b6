"""Multiple shooting: fit whole trajectories, with every segment's start free at first and tied at the end."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import numpy as np

from identikit.likelihood import LIKELIHOOD, Outcome, Preparation
from identikit.method._base import Cost, Method, Option, too_few_samples
from identikit.method._conclusion import MethodReport, conclude, not_applicable, not_started
from identikit.method.multiple_shooting._challenge import Candidate, challenged
from identikit.method.multiple_shooting._settings import SHOOTING
from identikit.method.multiple_shooting._start import Start, starts
from identikit.method.regression._settings import REGRESSION
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress, silent
from identikit.result import Finding, Result, finding


class Shooting(Method):
    """Maximum likelihood for white noise on the outputs; attains the Cramer-Rao bound on records long enough.

    Use it whenever the model can be integrated. Not for records whose inputs are unknown, nor for models with
    process noise (shocks, wind): those need a filter.
    """

    name = "shooting"
    title = "Multiple shooting with exact sensitivities"
    costs = Cost.SECONDS
    settings = (SHOOTING, REGRESSION, *Method.settings)
    reference = "H. G. Bock, Recent advances in parameter identification techniques for ODE, Birkhauser 1983"
    options = (
        Option(
            "segment", LIKELIHOOD.segment_length, "number", "segment length in oscillations of the signal", 0.05, 100
        ),
        Option("tolerance", LIKELIHOOD.fit_tolerance, "number", "integration error per step, relative", 1e-13, 1e-3),
    )

    def objections(self, problem: Problem) -> list[Finding]:
        return too_few_samples(problem)

    def estimate(
        self, problem: Problem, *, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Result:
        begun = time.perf_counter()
        progress.stage("smoothing", 0.0, 0.1, "smoothing the record")
        preparation = Preparation.of(problem, None, options["segment"], options["tolerance"])
        if not preparation.shows_motion:
            reason = finding("no_motion", "the record shows no motion above its noise: nothing can be learnt from it")
            return not_applicable(problem, self.name, [reason], options, seed)
        solving = progress.stage("solving", 0.1, 0.7, "starting values")
        found = search(preparation, starts(problem, preparation, seed), solving)
        if found is None:
            return not_started(problem, self.name, options, seed)
        challenging = progress.stage("challenging", 0.7, 0.9, "looking for other explanations")
        end, others = challenged(preparation, Candidate(found.outcome, found.how), challenging)
        seconds = {
            "total": time.perf_counter() - begun,
            "start": found.ready - begun,
            "solve": time.perf_counter() - found.ready,
        }
        progress.stage("judging", 0.9, 1.0, "uncertainty and curves")
        given = MethodReport(self.name, seconds, options, seed, diagnostics={"start": end.how}, others=others)
        return conclude(problem, end.outcome, given)


@dataclass(frozen=True)
class SearchResult:
    """The best end of all starts that were tried; `ready` is the clock when the first start was known."""

    outcome: Outcome
    how: str
    ready: float


def search(preparation: Preparation, candidates: Iterable[Start], progress: Progress) -> SearchResult | None:
    """Fit from one start after the other until a fit is believed; None if none can be integrated.

    The first few are tried with short segments alone, which takes a few seconds each; only if none of them comes to one
    trajectory are longer segments worth their time. Cancelled, it gives the best so far, if there is one.
    """
    best: tuple[float, Outcome, str] | None = None
    ready, spent = 0.0, 0
    source = iter(candidates)
    early = list(islice(source, SHOOTING.early_starts))
    tries = chain(((start, False) for start in early), ((start, True) for start in chain(early, source)))
    for (start, grow), attempt in zip(tries, progress.attempts(), strict=False):
        ready = ready or time.perf_counter()
        try:
            nodes = preparation.nodes(start.p)
            solver = preparation.solver(nodes)
            outcome = solver.run(start.p, nodes, preparation.sigma, attempt, grows=grow)
        except Cancelled:
            if best is None:
                raise
            break
        if outcome is None:
            continue
        # compared in units of what was measured, since each outcome weighs by its own residuals
        spread = np.nanstd(solver.segments.measured, axis=0)
        score = float(np.sum(np.log(outcome.sigma / spread))) + (0.0 if outcome.converged else 10.0)
        if best is None or score < best[0]:
            best = (score, outcome, start.how)
        # down to the record's own noise, or nearly everything explained: another start would not do better
        believed = (outcome.sigma < SHOOTING.near_noise * preparation.sigma) | (
            outcome.sigma < SHOOTING.good_enough * spread
        )
        spent += outcome.rounds
        if outcome.stopped or spent > SHOOTING.most_rounds or (outcome.converged and believed.all()):
            break
    return None if best is None else SearchResult(*best[1:], ready)
