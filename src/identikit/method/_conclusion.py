"""From the end of an iteration to a Result: uncertainty, identifiability, fit, status and provenance.

Covariance is the inverse Fisher information at the estimate, with the noise level found in the residuals; for an
estimate by maximum likelihood that is also the Cramer-Rao bound. If the residuals are not white it is widened to
the sandwich (J'J)^-1 (sum over segments g g') (J'J)^-1, with g a segment's score.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from identikit import __version__
from identikit.diagnose import (
    Combination,
    Identifiability,
    fit_quality,
    identifiability,
    identified_combinations,
    residual_colour,
)
from identikit.method._curves import curve_artifacts
from identikit.method.multiple_shooting._lifted import Lifted, Outcome
from identikit.method.multiple_shooting._scores import segment_scores
from identikit.problem import Problem
from identikit.result import Code, FitQuality, NoiseFound, ParameterEstimate, Result, Status

POOR_FIT = 50.0  # per cent: below, the model misses most of what was measured


@dataclass(frozen=True)
class Given:
    """What a method says beyond the iteration's end: its own deviations, artifacts, times."""

    method: str
    seconds: Mapping[str, float]
    options: Mapping[str, Any]
    seed: int
    deviation: np.ndarray | None = None  # None: maximum likelihood, the deviation follows from the information
    diagnostics: Mapping[str, Any] | None = None
    artifacts: Mapping[str, dict[str, Any]] | None = None
    status: Status | None = None  # the method's own verdict; None: the trajectory's
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
    notes: tuple[str, ...] = ()
    history: tuple[np.ndarray, ...] = ()


def conclude(problem: Problem, solver: Lifted, outcome: Outcome, given: Given) -> Result:
    """The result of an iteration with integrated segments."""
    details = {
        "rounds": outcome.rounds,
        "segments": len(solver.segments.layout.begin),
        "widest_gap": solver.widest(outcome.best),
    }
    evidence = Evidence(
        outcome.best.p,
        outcome.linear.parameter_rows[:, :-1],
        outcome.best.evaluation.residual,
        outcome.sigma,
        _initial_states(problem, solver, outcome),
        outcome.converged,
        outcome.stopped,
        details,
        tuple(solver.notes),
        tuple(outcome.history),
    )
    return conclude_from(problem, evidence, given, lambda: sandwich(outcome, solver))


def conclude_from(
    problem: Problem, evidence: Evidence, given: Given, widened: Callable[[], np.ndarray] | None = None
) -> Result:
    """Build the result; `widened` gives deviations that allow for coloured residuals."""
    p = evidence.p
    typical = {name: problem.model.parameter(name).value for name in problem.free}
    noise, quality, tests = _residuals(problem, evidence)
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
    status = given.status or _status(evidence, judged, quality, noise, combinations)
    diagnostics = {
        "identifiability": {
            "problems": list(judged.problems),
            "warnings": list(judged.warnings),
            "combinations": {item.text: {"value": item.value, "std": item.std} for item in combinations},
            "correlation": {
                a: {b: float(judged.correlation[i, j]) for j, b in enumerate(problem.free)}
                for i, a in enumerate(problem.free)
            },
            "condition": judged.condition,
        },
        "residuals": tests,
        **evidence.details,
        "stopped_early": evidence.stopped,
        "warnings": [*problem.notes, *evidence.notes],
        **(given.diagnostics or {}),
    }
    return Result(
        model=problem.model.name,
        method=given.method,
        status=status,
        parameters=_parameters(problem, p, deviation, bound, judged, white or given.deviation is not None),
        initial_states=evidence.initial_states,
        noise=noise,
        fit=quality,
        artifacts=_artifacts(problem, evidence, given.history) | dict(given.artifacts or {}),
        diagnostics=diagnostics,
        seconds=given.seconds,
        provenance=provenance(problem, given.options, given.seed),
    )


def provenance(problem: Problem, options: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """Where a result came from."""
    return {
        "identikit": __version__,
        "data_sha256": problem.experiment.digest(),
        "records": [record.name for record in problem.records],
        "samples": problem.samples,
        "channels": dict(problem.channels),
        "seed": seed,
        "options": dict(options),
    }


def not_applicable(
    problem: Problem, method: str, objections: list[str], options: Mapping[str, Any], seed: int
) -> Result:
    """The result of a method that does not apply: no numbers, only the reasons."""
    return _without_numbers(problem, method, Status(Code.NOT_APPLICABLE, "; ".join(objections)), options, seed)


def not_started(problem: Problem, method: str, options: Mapping[str, Any], seed: int) -> Result:
    """The result when the model cannot be integrated from any start that was tried."""
    message = (
        "the model could not be integrated from any starting values that were tried: "
        "give starting values with --start, or narrower bounds"
    )
    return _without_numbers(problem, method, Status(Code.NOT_CONVERGED, message), options, seed)


def _without_numbers(problem: Problem, method: str, status: Status, options: Mapping[str, Any], seed: int) -> Result:
    parameters = {}
    for parameter in problem.model.parameters:
        if parameter.name in problem.free:
            parameters[parameter.name] = ParameterEstimate(None, parameter.unit, note="not estimated")
        else:
            parameters[parameter.name] = ParameterEstimate(problem.fixed[parameter.name], parameter.unit, role="fixed")
    return Result(problem.model.name, method, status, parameters, provenance=provenance(problem, options, seed))


def sandwich(outcome: Outcome, solver: Lifted) -> np.ndarray:
    """Standard deviations robust to coloured residuals; each segment's score counts as one draw.

    Where the scores cannot be had (chaos over many Lyapunov times) zeros are returned: the plain deviations then count.
    """
    scores = segment_scores(outcome, solver)
    if scores is None:
        return np.zeros(len(outcome.best.p))
    information, table = scores.information, scores.table
    free, size = len(outcome.best.p), len(information)
    scale = 1.0 / np.sqrt(np.maximum(np.diag(information), 1e-300))
    bread = np.linalg.pinv(information * np.outer(scale, scale), rcond=1e-12, hermitian=True) * np.outer(scale, scale)
    # neighbouring segments are summed: correlation may reach across their border
    paired = table[: len(table) // 2 * 2].reshape(-1, 2, size).sum(axis=1) if len(table) > 20 else table
    meat = paired.T @ paired * len(paired) / max(len(paired) - free, 1)
    return np.sqrt(np.maximum(np.diag(bread @ meat @ bread), 0.0))[scores.first_parameter :]


def _residuals(
    problem: Problem, evidence: Evidence
) -> tuple[dict[str, NoiseFound], dict[str, FitQuality], dict[str, Any]]:
    noise, quality, tests = {}, {}, {}
    residual = evidence.residual
    measured = np.concatenate([record.values for record in problem.records])
    for j, name in enumerate(problem.outputs):
        white, test = residual_colour(residual[:, j])
        noise[name] = NoiseFound(float(evidence.sigma[j]), white)
        quality[name] = fit_quality(measured[:, j], residual[:, j])
        tests[name] = {
            "whiteness_p": test.p_value,
            "autocorrelation": [float(value) for value in test.autocorrelation[:5]],
        }
    return noise, quality, tests


def _parameters(
    problem: Problem,
    p: np.ndarray,
    deviation: np.ndarray,
    bound: np.ndarray,
    judged: Identifiability,
    white: bool,
) -> dict[str, ParameterEstimate]:
    made: dict[str, ParameterEstimate] = {}
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
        if not judged.identifiable[i]:
            notes.append("not identifiable from this record")
        if not math.isfinite(std):
            inseparable = math.isfinite(judged.alone[i])
            reason = (
                "it cannot be separated from other parameters" if inseparable else "the record does not depend on it"
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
    return made


def _initial_states(
    problem: Problem, solver: Lifted, outcome: Outcome
) -> tuple[dict[str, dict[str, float | None]], ...]:
    states = len(problem.model.states)
    found: list[dict[str, dict[str, float | None]]] = []
    for record in range(len(problem.records)):
        layout = solver.segments.layout
        first = int(np.nonzero(layout.record == record)[0][0])
        rows = outcome.linear.first_rows[layout.chain[first]][:, :-1]
        # the record's own rows in (first node, p), with what the other records say about p
        own = np.zeros((len(outcome.linear.parameter_rows), rows.shape[1]))
        own[:, states:] = outcome.linear.parameter_rows[:, :-1]
        both = np.concatenate([rows[:states], own])
        scale = np.sqrt(np.einsum("ij,ij->j", both, both))
        safe = np.where(scale > 0, scale, 1.0)
        _, singular, vt = np.linalg.svd(both / safe, full_matrices=False)
        inverse = vt.T / np.maximum(singular, 1e-12 * singular.max(initial=1e-300))
        spread = np.sqrt(np.einsum("ij,ij->i", inverse, inverse)) / safe
        found.append(
            {
                name: {"value": float(outcome.best.nodes[first, i]), "std": float(spread[i])}
                for i, name in enumerate(problem.model.state_names)
            }
        )
    return tuple(found)


def _artifacts(problem: Problem, evidence: Evidence, history: bool) -> dict[str, dict[str, Any]]:
    made = curve_artifacts(problem, evidence)
    if history and evidence.history:
        made["iterations"] = {
            "kind": "history",
            "parameters": {name: [float(p[i]) for p in evidence.history] for i, name in enumerate(problem.free)},
        }
    return made


def _status(
    evidence: Evidence,
    judged: Identifiability,
    quality: Mapping[str, FitQuality],
    noise: Mapping[str, NoiseFound],
    combinations: Sequence[Combination],
) -> Status:
    if evidence.stopped:
        return Status(Code.NOT_CONVERGED, "stopped on request; these are the best values so far")
    # what cannot be told may also keep an iteration from settling: then that is the news, if all is explained
    explained = all(item.white for item in noise.values())
    if not evidence.converged and not (judged.problems and explained):
        return Status(
            Code.NOT_CONVERGED,
            "the iteration did not settle: the model may not describe this record, or the start was too far off; "
            "look at the plot, give starting values with --start, or fix parameters you know",
        )
    if judged.problems:
        return Status(
            Code.NOT_IDENTIFIABLE,
            "; ".join(judged.problems)
            + f": fix {'one of them' if any('apart' in item for item in judged.problems) else 'it'}, "
            "or take a record with more variety (other amplitudes, other inputs)" + _known(combinations),
        )
    # what is left over may be noise, however much of it there is; only a pattern in it speaks against the fit
    poor = [
        f"{name} ({item.fit_percent:.0f} %)"
        for name, item in quality.items()
        if item.fit_percent < POOR_FIT and noise[name].white is False
    ]
    if poor:
        return Status(
            Code.NOT_CONVERGED,
            f"the iteration settled on a fit that explains little of {', '.join(poor)}: it may be a wrong minimum "
            "or the wrong model for this record; look at the plot, or give starting values with --start",
        )
    return Status(Code.OK, "converged")


def _known(combinations: Sequence[Combination]) -> str:
    if not combinations:
        return ""
    written = ", ".join(f"{item.text} = {item.value:.6g} +- {item.std:.2g}" for item in combinations)
    return f". Known all the same: {written}"
