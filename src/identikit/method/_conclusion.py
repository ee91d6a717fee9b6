"""From the end of an iteration to a Result: uncertainty, identifiability, fit, status and provenance.

Covariance is the inverse Fisher information at the estimate, with the noise level found in the residuals; for an
estimate by maximum likelihood that is also the Cramer-Rao bound. If the residuals are not white it is widened to
the sandwich (J'J)^-1 (sum over segments g g') (J'J)^-1, with g a segment's score.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from identikit import __version__
from identikit.diagnose import (
    Identifiability,
    identifiability,
    identified_combinations,
    still_determined,
)
from identikit.likelihood import FittedMotion, Outcome
from identikit.method._curves import FittedCurve, curve_artifacts
from identikit.method._registry import settings_of
from identikit.method._residual_check import by_chance, likelihood_facts, residual_tests
from identikit.method._status import STOPPED, STOPPED_EARLY, Check, decide
from identikit.numerics import Information, block_sums, symmetric_inverse
from identikit.numerics import sandwich as robust_covariance
from identikit.problem import Problem
from identikit.progress import Cancelled
from identikit.result import (
    Code,
    Finding,
    NoiseFound,
    ParameterEstimate,
    Result,
    Status,
    Verdict,
    finding,
    joined,
    ranked,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


@dataclass(frozen=True)
class MethodReport:
    """What a method says beyond the iteration's end: its own standard errors, verdict, findings, artifacts, times."""

    method: str
    seconds: Mapping[str, float]
    options: Mapping[str, Any]
    seed: int
    deviation: np.ndarray | None = None  # None: maximum likelihood, the standard error follows from the information
    diagnostics: Mapping[str, Any] | None = None
    artifacts: Mapping[str, dict[str, Any]] | None = None
    verdict: Verdict | None = None  # on its own work; None: it ends in the very curve that is judged here
    findings: tuple[Finding, ...] = ()  # warnings and notes besides those of the verdict
    others: tuple[tuple[np.ndarray, np.ndarray], ...] = ()  # other explanations as good: parameters, information rows
    history: bool = True


@dataclass(frozen=True)
class Evidence:
    """What a verdict needs of an estimate, however the states that belong to it were found.

    `information` are rows A with Fisher information A'A of the parameters; `residual` [samples of all records,
    outputs] is measured minus modelled; `details` go to the diagnostics as they are.
    """

    p: np.ndarray
    information: np.ndarray
    residual: np.ndarray
    sigma: np.ndarray
    initial_states: tuple[dict[str, dict[str, float | None]], ...]
    converged: bool
    stopped: bool
    details: Mapping[str, Any]
    findings: tuple[Finding, ...] = ()
    history: tuple[np.ndarray, ...] = ()


def conclude(problem: Problem, outcome: Outcome, given: MethodReport) -> Result:
    """The result of an iteration with integrated segments."""
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
        _initial_states(problem, outcome),
        outcome.converged,
        outcome.stopped,
        details,
        outcome.findings,
        outcome.history,
    )
    return conclude_from(problem, evidence, given, lambda: sandwich(outcome), outcome.motion)


def conclude_from(
    problem: Problem,
    evidence: Evidence,
    given: MethodReport,
    widened: Callable[[], np.ndarray] | None = None,
    motion: FittedMotion | None = None,
) -> Result:
    """Build the result; `widened` gives standard errors for coloured residuals, `motion` the model's curve."""
    p = evidence.p
    typical = {name: problem.model.parameter(name).value for name in problem.free}
    noise, quality, tests = residual_tests(problem, evidence.residual, evidence.sigma)
    white = all(item.white for item in noise.values())
    wide = None if white or widened is None or given.deviation is not None else widened()
    judged = identifiability(
        problem.free, p, evidence.information, problem.bounds, typical, widened=wide, others=given.others
    )
    bound = judged.deviation
    if given.deviation is not None:
        deviation = np.maximum(given.deviation, bound)  # no unbiased estimate is better than the bound
    else:
        deviation = np.maximum(np.maximum(bound, judged.reach), 0.0 if wide is None else wide)
    everything = dict(problem.fixed) | dict(zip(problem.free, map(float, p), strict=True))
    combinations = identified_combinations(
        problem.model, problem.free, everything, evidence.information, judged.identifiable
    )
    check = Check(
        evidence.converged,
        evidence.stopped,
        judged.problems,
        quality,
        noise,
        by_chance(problem, evidence.residual, evidence.sigma),
    )
    verdict, status, decisive = decide(given.verdict, check)
    # the method's own equations know better than a trajectory what they determine
    determined = tuple(f for f in decisive if f.code == "still_determined") or still_determined(combinations)
    if status.code is Code.NOT_IDENTIFIABLE and determined:
        status = Status(status.code, f"{status.message}. Still determined: {joined(determined)}")
    parameters, at_bounds = _parameters(problem, p, deviation, bound, judged, white or given.deviation is not None)
    remarks = (*problem.findings, *evidence.findings, *given.findings)
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
        "likelihood": likelihood_facts(problem, evidence.residual, evidence.sigma),
        **evidence.details,
        "stopped_early": evidence.stopped,
        "warnings": [item.text for item in remarks],
        **(given.diagnostics or {}),
    }
    told = np.isfinite(deviation) & np.isfinite(bound) & (bound > 0)
    widening = np.where(told, deviation, 1.0) / np.where(told, bound, 1.0)
    curve = None if motion is None else _fitted_curve(motion, widening)
    return Result(
        model=problem.model.name,
        method=given.method,
        status=status,
        parameters=parameters,
        initial_states=evidence.initial_states,
        noise=noise,
        fit=quality,
        artifacts=_artifacts(problem, evidence, given.history, curve) | dict(given.artifacts or {}),
        diagnostics=diagnostics,
        seconds=given.seconds,
        provenance=provenance(problem, given.options, given.seed, settings_of(given.method)),
        covariance=_covariance(problem.free, deviation, judged.correlation),
        findings=ranked(
            dict.fromkeys((*decisive, *judged.warnings, *remarks, *at_bounds, *_coloured(noise), *determined))
        ),
        verdict=verdict,
    )


def _coloured(noise: Mapping[str, NoiseFound]) -> tuple[Finding, ...]:
    names = [name for name, item in noise.items() if item.white is False]
    text = (
        f"the residuals of {', '.join(names)} are correlated from sample to sample, so the model misses something or "
        "the noise is coloured"
    )
    return (finding("coloured_residuals", text, *names),) if names else ()


def provenance(
    problem: Problem, options: Mapping[str, Any], seed: int, settings: Sequence[DataclassInstance] = ()
) -> dict[str, Any]:
    """Where a result came from; `settings` by the names of their records, ShootingSettings as "shooting"."""
    return {
        "identikit": __version__,
        "data_sha256": problem.digest,
        "records": [record.name for record in problem.records],
        "samples": problem.samples,
        "channels": dict(problem.channels),
        "seed": seed,
        "options": dict(options),
        "settings": {type(item).__name__.removesuffix("Settings").lower(): asdict(item) for item in settings},
    }


def not_applicable(
    problem: Problem, method: str, objections: Sequence[Finding], options: Mapping[str, Any], seed: int
) -> Result:
    """The result of a method that does not apply: no numbers, only the reasons."""
    return _without_numbers(problem, method, Code.NOT_APPLICABLE, objections, options, seed)


def not_started(problem: Problem, method: str, options: Mapping[str, Any], seed: int) -> Result:
    """The result when the model cannot be integrated from any start that was tried."""
    text = (
        "the model could not be integrated from any starting values that were tried: give starting values, or narrower "
        "bounds"
    )
    return _without_numbers(problem, method, Code.NOT_CONVERGED, [finding("not_started", text)], options, seed)


def without_values(problem: Problem, method: str, options: Mapping[str, Any], seed: int) -> Result:
    """The result of work that was stopped before it came to any values."""
    text = "stopped on request, before there were any values"
    why = [finding("stopped_early", text)]
    return replace(_without_numbers(problem, method, Code.NOT_CONVERGED, why, options, seed), verdict=STOPPED)


def unchecked(problem: Problem, p: np.ndarray, given: MethodReport) -> Result:
    """The result of an estimate that was stopped before it was checked: what the method itself knows of it."""
    result = marked_stopped(_without_numbers(problem, given.method, Code.OK, (), given.options, given.seed))
    parameters = dict(result.parameters)
    for i, name in enumerate(problem.free):
        std = None if given.deviation is None else float(given.deviation[i])
        std = std if std is not None and math.isfinite(std) else None
        interval = None if std is None else (float(p[i]) - 1.96 * std, float(p[i]) + 1.96 * std)
        note = "stopped before it was checked"
        parameters[name] = replace(parameters[name], value=float(p[i]), std=std, ci95=interval, note=note)
    return replace(
        result,
        parameters=parameters,
        artifacts=dict(given.artifacts or {}),
        diagnostics={"stopped_early": True, **(given.diagnostics or {})},
        seconds=given.seconds,
        findings=ranked((*result.findings, *given.findings)),
    )


def marked_stopped(result: Result) -> Result:
    """The result of work that was asked to stop before it was complete, if it does not say so already."""
    if any(item.code == "stopped_early" for item in result.findings) or result.status.code is Code.NOT_APPLICABLE:
        return result
    status = Status(Code.NOT_CONVERGED, STOPPED_EARLY.text)
    return replace(result, status=status, findings=ranked((STOPPED_EARLY, *result.findings)), verdict=STOPPED)


def _without_numbers(
    problem: Problem, method: str, code: Code, why: Sequence[Finding], options: Mapping[str, Any], seed: int
) -> Result:
    parameters = {}
    for parameter in problem.model.parameters:
        if parameter.name in problem.free:
            parameters[parameter.name] = ParameterEstimate(None, parameter.unit, note="not estimated")
        else:
            parameters[parameter.name] = ParameterEstimate(problem.fixed[parameter.name], parameter.unit, role="fixed")
    return Result(
        problem.model.name,
        method,
        Status(code, joined(why)),
        parameters,
        provenance=provenance(problem, options, seed, settings_of(method)),
        findings=ranked((*why, *problem.findings)),
    )


def sandwich(outcome: Outcome) -> np.ndarray:
    """Standard errors robust to coloured residuals; each segment's score counts as one draw.

    Where the scores cannot be had (chaos over many Lyapunov times) zeros are returned: the plain ones then count.
    """
    scores = outcome.scores()
    if scores is None:
        return np.zeros(len(outcome.p))
    # neighbouring segments are summed: correlation may reach across their border
    table = scores.table
    blocks = block_sums(table, np.arange(len(table)) // 2) if len(table) > 20 else table
    wide = np.diag(robust_covariance(scores.information, blocks, unknowns=len(outcome.p)))
    # as a factor: what is known beforehand stands in the plain standard errors and not in the scores
    factor = wide / np.maximum(np.diag(symmetric_inverse(scores.information)), 1e-300)
    plain = np.where(np.isfinite(outcome.standard_errors), outcome.standard_errors, 0.0)
    return plain * np.sqrt(np.maximum(factor[scores.first_parameter :], 0.0))


def _covariance(names: Sequence[str], std: np.ndarray, correlation: np.ndarray) -> dict[str, Any] | None:
    """Of the parameters whose uncertainty is known: their standard errors with the information's correlations."""
    known = np.isfinite(std)
    if not known.any():
        return None
    matrix = correlation[np.ix_(known, known)] * np.outer(std[known], std[known])
    return {"names": [name for name, has in zip(names, known, strict=True) if has], "matrix": matrix.tolist()}


def _parameters(
    problem: Problem,
    p: np.ndarray,
    deviation: np.ndarray,
    bound: np.ndarray,
    judged: Identifiability,
    white: bool,
) -> tuple[dict[str, ParameterEstimate], list[Finding]]:
    """The estimates, and which of them lie at a bound."""
    made: dict[str, ParameterEstimate] = {}
    at_bounds = []
    for parameter in problem.model.parameters:
        name = parameter.name
        if name not in problem.free:
            made[name] = ParameterEstimate(problem.fixed[name], parameter.unit, role="fixed")
            continue
        i = problem.free.index(name)
        low, high = problem.bounds[name]
        notes = []
        value, std, limit = float(p[i]), float(deviation[i]), float(bound[i])
        for edge, word in ((low, "lower"), (high, "upper")):
            near = 1e-3 * min(std, high - low, abs(edge) or math.inf)
            if math.isfinite(std) and math.isfinite(edge) and abs(value - edge) <= near:
                notes.append(f"at its {word} bound {edge:g}")
                at_bounds.append(finding("at_bound", f"{name} is {notes[-1]}", name))
        if not judged.identifiable[i]:
            notes.append("not identifiable from this record")
        if not math.isfinite(std):
            inseparable = math.isfinite(judged.alone[i])
            reason = (
                "the method knows of none that would be true"
                if math.isfinite(limit)
                else "it cannot be separated from other parameters"
                if inseparable
                else "the record does not depend on it"
            )
            notes.append(f"no uncertainty: {reason}")
        elif not white:
            notes.append("std allows for coloured residuals")
        known = math.isfinite(std)
        interval = (max(low, value - 1.96 * std), min(high, value + 1.96 * std)) if known else None
        made[name] = ParameterEstimate(
            value,
            parameter.unit,
            std if known else None,
            interval,
            limit if math.isfinite(limit) else None,
            "free",
            judged.identifiable[i],
            "; ".join(notes),
        )
    return made, at_bounds


def _initial_states(problem: Problem, outcome: Outcome) -> tuple[dict[str, dict[str, float | None]], ...]:
    """Value and standard error of every state at the beginning of every record; a known one has the error zero."""
    found: list[dict[str, dict[str, float | None]]] = []
    for record, known in enumerate(problem.initial):
        values, spread = outcome.initial_states(record)
        states: dict[str, dict[str, float | None]] = {}
        for name, value, std in zip(problem.model.state_names, values, spread, strict=True):
            told = known[name].value
            moves = isinstance(told, sp.Expr) and any(str(item) in problem.free for item in told.free_symbols)
            exact = float(told) if known[name].known and isinstance(told, float) else float(value)
            states[name] = {"value": exact, "std": 0.0 if known[name].known and not moves else float(std)}
        found.append(states)
    return tuple(found)


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
