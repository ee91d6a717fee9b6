"""Multiple shooting: fit whole trajectories, with every segment's start free at first and tied at the end."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from identikit.likelihood import LIKELIHOOD, Preparation
from identikit.method._base import Cost, Method, no_motion, too_few_samples
from identikit.method._conclusion import conclude
from identikit.method._early_end import not_applicable, not_started
from identikit.method._noise_refit import refitted
from identikit.method._option import Option
from identikit.method._report import MethodReport
from identikit.method._settings import REGRESSION
from identikit.method.missing import MISSING, explained, term_for_memory
from identikit.method.multiple_shooting._challenge import Candidate, challenged
from identikit.method.multiple_shooting._fast_start import without_fast_start
from identikit.method.multiple_shooting._search import search
from identikit.method.multiple_shooting._settings import SHOOTING
from identikit.method.multiple_shooting._start import starts
from identikit.problem import Problem
from identikit.progress import Progress, silent
from identikit.result import Finding, Result


class Shooting(Method):
    """Maximum likelihood for white noise on the outputs; attains the Cramer-Rao bound on records long enough.

    Use it whenever the model can be integrated. Not for records whose inputs are unknown, nor for models with
    process noise (shocks, wind): those need a filter.
    """

    name = "shooting"
    title = "Multiple shooting with exact sensitivities"
    costs = Cost.SECONDS
    likeliest = True
    settings = (SHOOTING, REGRESSION, MISSING, *Method.settings)
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
            return not_applicable(problem, self.name, [no_motion()], options, seed)
        problem, refused = without_fast_start(preparation)
        solving = progress.stage("solving", 0.1, 0.7, "starting values")
        found = search(preparation, starts(problem, preparation, seed), solving)
        if found is None:
            return not_started(problem, self.name, options, seed)
        challenging = progress.stage("challenging", 0.7, 0.9, "looking for other explanations")
        end, others = challenged(found.preparation, Candidate(found.outcome, found.how), challenging)
        problem, outcome = refitted(found.preparation, end.outcome, challenging)
        lacking = term_for_memory(found.preparation.problem, problem, end.outcome, challenging)
        if lacking is not None:
            problem, outcome = refitted(found.preparation, end.outcome, challenging, memory=False)
        seconds = {
            "total": time.perf_counter() - begun,
            "start": found.ready - begun,
            "solve": time.perf_counter() - found.ready,
        }
        progress.stage("judging", 0.9, 0.95, "uncertainty and curves")
        told = {"start": end.how, "tried": list(found.tried)}
        given = MethodReport(
            self.name, seconds, options, seed, diagnostics=told, findings=(*refused, *found.findings), others=others
        )
        result = conclude(problem, outcome, preparation.sigma, given)
        explaining = progress.stage("explaining", 0.95, 1.0, "looking at what the model leaves over")
        return explained(problem, outcome, result, explaining, lacking)
