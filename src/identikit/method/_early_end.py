"""Results of work that came to no checked numbers: it does not apply, could not start, or was stopped."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from identikit import __version__
from identikit.diagnose import interval
from identikit.method._registry import settings_of
from identikit.method._report import MethodReport
from identikit.method._status import STOPPED, STOPPED_EARLY
from identikit.problem import Problem
from identikit.result import Code, Finding, ParameterEstimate, Result, Status, finding, joined, ranked

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def provenance(
    problem: Problem, options: Mapping[str, Any], seed: int, settings: Sequence[DataclassInstance] = ()
) -> dict[str, Any]:
    """Where a result came from; `settings` are the chosen numbers of its method."""
    return {
        "identikit": __version__,
        "data_sha256": problem.digest,
        "records": [record.name for record in problem.records],
        "samples": problem.samples,
        "channels": dict(problem.channels),
        "seed": seed,
        "options": dict(options),
        "settings": echoed(settings),
    }


def echoed(settings: Sequence[DataclassInstance]) -> dict[str, dict[str, Any]]:
    """Chosen numbers as results tell them, by the names of their records: ShootingSettings as "shooting"."""
    return {type(item).__name__.removesuffix("Settings").lower(): asdict(item) for item in settings}


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
        ends = interval(float(p[i]), math.inf if std is None else std, problem.bounds[name]).ends
        note = "stopped before it was checked"
        parameters[name] = replace(parameters[name], value=float(p[i]), std=std, ci95=ends, note=note)
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


def without_process_noise(problem: Problem, result: Result) -> Result:
    """The result of a method that knows no process noise, saying so if the problem has some."""
    noisy = [name for name, noise in problem.process.items() if noise.level is None or noise.level > 0]
    if not noisy:
        return result
    rates = ", ".join(f"{name}'" for name in noisy)
    text = f"process noise on {rates} was not counted with: the method kalman does"
    return replace(result, findings=ranked((*result.findings, finding("process_noise_ignored", text, *noisy))))


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
        provenance=provenance(problem, options, seed, settings_of(method, options)),
        findings=ranked((*why, *problem.findings)),
    )
