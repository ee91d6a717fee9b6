"""From the end of an iteration to a Result: uncertainty, identifiability, fit, status and provenance.

Covariance is the inverse Fisher information at the estimate, with the noise level found in the residuals; for an
estimate by maximum likelihood that is also the Cramer-Rao bound. Where residuals are not white, or parts of the record
disagree, standard errors are wider (`_robustness`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from identikit.diagnose import Combination, degenerate_end, identifiability, still_determined
from identikit.likelihood import FittedMotion, Outcome
from identikit.method._bend import bend_findings
from identikit.method._canonical import canonical
from identikit.method._curves import FittedCurve, curve_artifacts
from identikit.method._early_end import provenance
from identikit.method._estimates import covariance_of, initial_state_estimates, parameter_estimates
from identikit.method._flat_directions import confirmed_combinations, flatness
from identikit.method._misfit import Misfit, noise_findings
from identikit.method._parts_report import drift_findings, parts_artifact
from identikit.method._registry import settings_of
from identikit.method._report import Evidence, MethodReport
from identikit.method._residual_check import by_chance, few_values, likelihood_facts, quantile, residual_tests
from identikit.method._robustness import widening_of
from identikit.method._settings import JUDGEMENT
from identikit.method._status import Check, decide
from identikit.numerics import Information
from identikit.problem import Problem
from identikit.progress import Cancelled
from identikit.result import Code, Finding, Result, Status, joined, ranked


def conclude(problem: Problem, outcome: Outcome, own_noise: np.ndarray, given: MethodReport) -> Result:
    """The result of an iteration with integrated segments; `own_noise` [outputs] is what the record shows without a
    model."""
    details = {
        "rounds": outcome.rounds,
        "segments": len(outcome.layout.begin),
        "widest_gap": outcome.widest_gap,
    }
    evidence = Evidence(
        outcome.p,
        outcome.information_rows,
        outcome.residual,
        outcome.sigma,
        initial_state_estimates(problem, outcome, few_values(problem, outcome.residual, outcome.sigma)),
        outcome.converged,
        outcome.stopped,
        details,
        outcome.findings,
        outcome.history,
        own_noise,
    )
    return conclude_from(problem, evidence, given, outcome)


def conclude_from(
    problem: Problem,
    evidence: Evidence,
    given: MethodReport,
    outcome: Outcome | None = None,
) -> Result:
    """Build the result; `outcome` is the trajectory that belongs to the estimate, if there is one: its parts and
    segments tell what the standard errors are worth, and it is drawn."""
    form = canonical(problem, evidence.p)
    evidence, given = form.applied(evidence, given)
    p = evidence.p
    typical = {name: problem.model.parameter(name).value for name in problem.free}
    noise, quality, tests = residual_tests(problem, evidence.residual, evidence.sigma, evidence.draws)
    left = (evidence.residual, evidence.sigma)
    misfit = Misfit.of(problem, evidence.own_noise, noise, quality)
    widening = widening_of(outcome, given, misfit, form.parameters)
    judged = identifiability(
        problem.free, p, evidence.information, problem.bounds, typical, widened=widening.noise, others=given.others
    )
    bound = judged.deviation
    own = np.maximum(bound, judged.reach) * few_values(problem, *left) if given.deviation is None else given.deviation
    # no unbiased estimate is better than the bound
    deviation = np.maximum(np.maximum(own, bound), 0.0 if widening.std is None else widening.std)
    check = Check(
        evidence.converged,
        evidence.stopped,
        judged.problems,
        quality,
        noise,
        by_chance(problem, evidence.residual, evidence.sigma),
        # a trajectory at another method's estimate may miss the record for want of precision, not of a term
        misfit.refusals(problem, p, widening.agreement) if given.verdict is None else (),
    )
    verdict, status, decisive = decide(given.verdict, check)
    combinations: tuple[Combination, ...] = ()
    something = bool(np.any(evidence.information))  # no combination is told where nothing is
    if something and not all(judged.identifiable) and not check.stopped and not misfit.pattern:
        known = flatness(outcome, not misfit.white)
        combinations = confirmed_combinations(
            problem, p, evidence.information, judged.identifiable, known, form.parameters
        )
    # the method's own equations know better than a trajectory what they determine
    determined = tuple(f for f in decisive if f.code == "still_determined") or still_determined(combinations)
    if status.code is Code.NOT_IDENTIFIABLE and determined:
        status = Status(status.code, f"{status.message}. Still determined: {joined(determined)}")
    notes = [widening.note if wider else "" for wider in deviation > JUDGEMENT.wider * np.maximum(own, bound)]
    reach = quantile(problem, *left)
    parameters, at_bounds = parameter_estimates(problem, p, deviation, bound, judged, notes, reach)
    degenerate = degenerate_end(problem.model, problem.outputs, problem.free, p, problem.bounds)
    remarks = (*problem.findings, *evidence.findings, *given.findings, *noise_findings(problem), *degenerate)
    drifting = drift_findings(problem, p, deviation, widening.agreement)
    bent: tuple[Finding, ...] = ()
    if given.deviation is None and not misfit.pattern:
        bent = bend_findings(problem, outcome, form.parameters, judged.identifiable)
    diagnostics = {
        "identifiability": {
            "problems": [item.text for item in judged.problems],
            "warnings": [item.text for item in judged.warnings],
            "combinations": {item.text: {"value": item.value, "std": item.std} for item in combinations},
            "correlation": {
                a: {b: float(judged.correlation[i, j]) for j, b in enumerate(problem.free)}
                for i, a in enumerate(problem.free)
            },
            "condition": judged.condition,
        },
        "residuals": tests,
        "likelihood": likelihood_facts(problem, evidence.residual, evidence.sigma)
        | ({} if evidence.log_likelihood is None else {"log": evidence.log_likelihood}),
        **evidence.details,
        "stopped_early": evidence.stopped,
        "warnings": [item.text for item in remarks],
        **(given.diagnostics or {}),
    }
    told = np.isfinite(deviation) & np.isfinite(bound) & (bound > 0)
    factor = np.where(told, deviation, 1.0) / np.where(told, bound, 1.0)
    curve = None if outcome is None else _fitted_curve(outcome.motion, form.parameters.unsized(factor))
    return Result(
        model=problem.model.name,
        method=given.method,
        status=status,
        parameters=parameters,
        initial_states=evidence.initial_states,
        noise=noise,
        fit=quality,
        artifacts=_artifacts(problem, evidence, given.history, curve)
        | dict(given.artifacts or {})
        | parts_artifact(problem, p, widening.agreement),
        diagnostics=diagnostics,
        seconds=given.seconds,
        provenance=provenance(problem, given.options, given.seed, settings_of(given.method, given.options)),
        covariance=covariance_of(problem.free, deviation, judged.correlation),
        findings=ranked(
            dict.fromkeys(
                (*decisive, *judged.warnings, *remarks, *at_bounds, *bent, *misfit.findings(), *drifting, *determined)
            )
        ),
        verdict=verdict,
    )


def _fitted_curve(motion: FittedMotion, widening: np.ndarray) -> FittedCurve:
    """The model's curve with standard errors as wide as the parameters' own."""
    covariance = Information.of_rows(motion.linear.information_rows).covariance * np.outer(widening, widening)

    def curve(record: int, times: np.ndarray | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        found = motion.curve(record, times, covariance)
        return found.time, found.values, found.std

    return curve


def _artifacts(
    problem: Problem, evidence: Evidence, history: bool, curve: FittedCurve | None
) -> dict[str, dict[str, Any]]:
    try:
        made = curve_artifacts(problem, evidence, curve)
    except Cancelled:  # what needs no further integration
        made = curve_artifacts(problem, replace(evidence, stopped=True), None)
    if history and evidence.history:
        made["iterations"] = {
            "kind": "history",
            "parameters": {name: [float(p[i]) for p in evidence.history] for i, name in enumerate(problem.free)},
        }
    return made
