"""Neural ODE: parameters, or a network in the place of an unknown term, trained through the integrator."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from identikit.errors import OptionError, need
from identikit.likelihood import Preparation
from identikit.method._base import Cost, Method, ObjectionError, needs_equations, no_motion, too_few_samples
from identikit.method._conclusion import conclude
from identikit.method._early_end import marked_stopped, not_applicable, not_started, without_values
from identikit.method._noise_refit import refitted
from identikit.method._option import Option
from identikit.method._report import MethodReport
from identikit.method._settings import REGRESSION
from identikit.method.expression._operon_engine import EXTRA
from identikit.method.expression._settings import EXPRESSION
from identikit.method.multiple_shooting import search, starts
from identikit.method.multiple_shooting._settings import SHOOTING
from identikit.method.network._training import Entry, Loss, training_artifacts
from identikit.method.unknown_term._learned_result import LearnedTerm, law_result, network_result
from identikit.method.unknown_term._settings import NEURAL_ODE
from identikit.method.unknown_term._term_formula import TermFormula, term_formulas
from identikit.method.unknown_term._term_training import train
from identikit.method.unknown_term._unknown_term import GRAMMAR, NOTHING, PATTERN, unknown_term, variables_objections
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress, silent
from identikit.result import Finding, Result


class NeuralOde(Method):
    """Train what is unknown in a differential equation through its own solution: parameters, or a whole term.

    With the structure known, its parameters are learnt: trajectories in segments, Gauss and Newton. With a term unknown
    (a friction, the terms of a parameter, one more force) a small network stands in its place; what it has learnt is a
    curve with a band, and a formula is sought for it, which makes a model file. Assumes known inputs, and for a term
    that the states it depends on are measured or follow from what is. Not where a formula is known, which `shooting`
    fits sooner; nor for what the record never visited.
    """

    name = "neural_ode"
    title = "Neural ODE: parameters or an unknown term trained through the integrator"
    costs = Cost.SECONDS
    settings = (NEURAL_ODE, EXPRESSION, SHOOTING, REGRESSION, *Method.settings)
    reference = (
        "R. T. Q. Chen, Y. Rubanova, J. Bettencourt, D. Duvenaud, Neural ordinary differential equations, NeurIPS "
        "2018; inside known equations: C. Rackauckas et al., Universal differential equations, arXiv 2001.04385"
    )
    options = (
        Option("unknown", NOTHING, "phrase", "the term that a network stands for", pattern=PATTERN, grammar=GRAMMAR),
        Option("settings", "segments", "choice", "segments: Gauss and Newton over segments", choices=("segments",)),
        Option("formula", True, "switch", "whether a formula is sought for an unknown term"),
    )

    def objections(self, problem: Problem) -> list[Finding]:
        return too_few_samples(problem)

    def estimate(
        self, problem: Problem, *, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Result:
        """Parameters of the model; with a term unknown those that are left, its curve, and a law with a formula.

        The work of a variant of `settings` is called as this is.
        """
        if options["unknown"] != NOTHING:
            found = self._learned(problem, options, seed, progress)
            return found if isinstance(found, Result) else network_result(found, progress.part(0.9, 1.0))
        if variant := self.variant("settings", options):
            return variant.work(problem, options=options, seed=seed, progress=progress)
        begun = time.perf_counter()
        preparation = self._prepared(problem, progress)
        if not preparation.shows_motion:
            return self._without_motion(problem, options, seed)
        training = progress.stage("solving", 0.05, 0.9, "starting values")
        begin = starts(problem, preparation, seed)
        best = search(preparation, begin, training)
        if best is None:
            return not_started(problem, self.name, options, seed)
        judged, outcome = refitted(best.preparation, best.outcome, progress.part(0.9, 0.95))
        history = [
            Entry(0, 1.0, Loss(data, gaps, 0.0), p)
            for p, (data, gaps) in zip(outcome.history, outcome.losses, strict=True)
        ]
        now = time.perf_counter()
        given = MethodReport(
            self.name,
            {"total": now - begun, "start": best.ready - begun, "solve": now - best.ready},
            options,
            seed,
            diagnostics={"start": best.how, "tried": list(best.tried)},
            artifacts=training_artifacts(problem, history, physics="gaps"),
            findings=best.findings,
            history=False,
        )
        return conclude(judged, outcome, best.preparation.sigma, given)

    def discover(
        self, problem: Problem, *, known: bool, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Result:
        """The law with a formula for the term that is unknown: see `Discoverer`."""
        if not known:
            raise OptionError(
                "a neural ODE learns one term of equations that are known otherwise: name the model, or use sindy"
            )
        asked = {**options, "unknown": "friction" if options["unknown"] == NOTHING else options["unknown"]}
        few = self.objections(problem)
        if few:
            return not_applicable(problem, self.name, few, asked, seed)
        try:
            found = self._learned(problem, asked, seed, progress)
            result = found if isinstance(found, Result) else law_result(found, progress.part(0.8, 1.0))
        except Cancelled:
            return without_values(problem, self.name, asked, seed)
        return marked_stopped(result) if progress.stopped else result

    def _prepared(self, problem: Problem, progress: Progress) -> Preparation:
        progress.stage("smoothing", 0.0, 0.05, "smoothing the record")
        return Preparation.of(problem)

    def _without_motion(self, problem: Problem, options: Mapping[str, Any], seed: int) -> Result:
        return not_applicable(problem, self.name, [no_motion()], options, seed)

    def _learned(
        self, problem: Problem, options: Mapping[str, Any], seed: int, progress: Progress
    ) -> LearnedTerm | Result:
        """The trained network and the formulas for it; a result that says why if there is none."""
        begun = time.perf_counter()
        refused = needs_equations(problem)
        try:
            term = None if refused else unknown_term(problem.model, options["unknown"])
        except ObjectionError as error:
            return not_applicable(problem, self.name, [error.finding], options, seed)
        if term is not None:
            refused = variables_objections(problem, term)
        if term is None or refused:
            return not_applicable(problem, self.name, refused, options, seed)
        if options["formula"]:
            need("pyoperon", EXTRA)  # said now, not after the training
        preparation = self._prepared(problem, progress)
        if not preparation.shows_motion:
            return self._without_motion(problem, options, seed)
        started = time.perf_counter()
        training = progress.stage("solving", 0.05, 0.6, "training the network")
        trained = train(problem, preparation, term, seed, training)
        if trained is None:
            return not_started(problem, self.name, options, seed)
        formulas: tuple[TermFormula, ...] = ()
        if options["formula"] and trained.settled:
            formulas = term_formulas(problem, trained, seed, progress.part(0.6, 0.8))
        return LearnedTerm(
            problem, preparation, trained, formulas, self.name, options, seed, self.settings, begun, started
        )
