"""Constants of a law refined by whole trajectories, and the result that is believed: fit, residuals, prediction."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from identikit.method._base import ObjectionError, fewest_samples
from identikit.method._early_end import marked_stopped, not_applicable, provenance, without_values
from identikit.method.shooting import Shooting
from identikit.method.sparse._found_law import FoundLaw
from identikit.method.sparse._held_out import held_out
from identikit.method.sparse._law_report import law_artifacts, law_findings
from identikit.method.sparse._own_law import OwnLaw
from identikit.method.sparse._settings import SPARSE
from identikit.model import as_numbers, derivative, symbol
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress
from identikit.result import Code, Finding, ParameterEstimate, Result, Severity, Status, finding, of_severity, ranked

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

SEEKING = 0.5  # of the progress: finding the law; refining its constants is the rest


@dataclass(frozen=True)
class Asked:
    """What was asked of a method, for the result's provenance."""

    method: str
    options: Mapping[str, Any]
    seed: int
    settings: tuple[DataclassInstance, ...]
    begun: float  # on the performance counter


def law_result(problem: Problem, law: FoundLaw, asked: Asked, progress: Progress) -> Result:
    """The result whose parameters are the law's own constants."""
    own = law.posed(problem)
    chosen = time.perf_counter()
    result = _shot(own, asked.seed, progress)
    refined = result.parameters
    told = _told(law, refined, own, result, chosen, asked, progress)
    constants = {name: item.value for name, item in refined.items()}
    parameters = tuple(
        replace(item, value=item.value if constants[item.name] is None else constants[item.name])
        for item in law.model.parameters
    )
    return replace(told, discovered=replace(law.model, parameters=parameters).to_toml())


def own_result(problem: Problem, law: FoundLaw, own: OwnLaw, asked: Asked, progress: Progress) -> Result:
    """The result in the model's own parameters: those that the law makes zero are told as such."""
    reduced = replace(problem.fixed_at(dict.fromkeys(own.zero, 0.0)), start=dict(own.values))
    chosen = time.perf_counter()
    result = _shot(reduced, asked.seed, progress.of(reduced.free))
    told = _told(law, _constants(law, own, result), reduced, result, chosen, asked, progress)
    note = "not in the law that was found"
    parameters = {
        name: replace(item, role="free", note=note) if name in own.zero else item
        for name, item in result.parameters.items()
    }
    rows = [[name, value, own.deviation[name]] for name, value in own.values.items()]
    unrefined = {"kind": "table", "columns": ["parameter", "unrefined", "unrefined std"], "rows": rows}
    findings = told.findings
    if own.zero:
        text = f"the record does not ask for {', '.join(own.zero)}: not in the law that was found, so zero"
        findings = ranked((*findings, finding("terms_left_out", text, *own.zero)))
    values = {name: item.value for name, item in result.parameters.items()}
    model = replace(
        problem.model,
        parameters=tuple(
            replace(p, value=0.0, bounds=(min(p.bounds[0], 0.0), max(p.bounds[1], 0.0)), fixed=True)
            if p.name in own.zero
            else replace(p, value=p.value if values[p.name] is None else values[p.name])
            for p in problem.model.parameters
        ),
    )
    return replace(
        told,
        parameters=parameters,
        findings=findings,
        artifacts={**told.artifacts, "unrefined parameters": unrefined},
        discovered=model.to_toml(),
    )


def foreign_result(problem: Problem, law: FoundLaw, asked: Asked, progress: Progress) -> Result:
    """The result where the law is another than the model's: its parameters have no values, `discovered` is the law."""
    found = law_result(problem, law, asked, progress)
    words = "; ".join(f"{state}' = {text}" for state, text in found.artifacts["law"]["equations"].items())
    text = f"the record asks for another law than the model's: {words}"
    about = tuple(problem.free)
    unknown = {
        p.name: ParameterEstimate(None, p.unit, note="the law that was found has other terms")
        if p.name in problem.free
        else ParameterEstimate(problem.fixed[p.name], p.unit, role="fixed")
        for p in problem.model.parameters
    }
    refused = finding("another_law", text, *about)
    stopped = of_severity(found.findings, Severity.REFUSAL)
    code = found.status.code if found.status.code is Code.NOT_CONVERGED else Code.MISFIT
    return replace(
        found,
        model=problem.model.name,
        status=Status(code, "; ".join(item.text for item in (refused, *stopped))),
        parameters=unknown,
        covariance=None,
        findings=ranked((refused, *found.findings)),
    )


def _constants(law: FoundLaw, own: OwnLaw, result: Result) -> dict[str, ParameterEstimate]:
    """The law's coefficients as functions of the model's parameters at the estimate."""
    known = {name: item.value for name, item in result.parameters.items() if item.value is not None}
    names = list(result.covariance["names"]) if result.covariance else []
    spread = np.array(result.covariance["matrix"], float) if result.covariance else np.zeros((0, 0))
    at = as_numbers({**known, **dict.fromkeys(own.zero, 0.0)})
    found = {}
    for index in law.chosen:
        term = law.library.terms[index]
        value = (term.own or sp.S.Zero).subs(at)
        if value.free_symbols:
            continue
        slopes = np.array([float(derivative(term.own, symbol(name)).subs(at)) for name in names])
        std = float(np.sqrt(slopes @ spread @ slopes)) if slopes.any() else None
        found[term.coefficient] = ParameterEstimate(float(value), term.unit, std)
    return found


def _shot(problem: Problem, seed: int, progress: Progress) -> Result:
    method = Shooting()
    return method.estimate(problem, options=method.resolve_options(), seed=seed, progress=progress.part(0.0, 0.8))


def _told(
    law: FoundLaw,
    refined: Mapping[str, ParameterEstimate],
    problem: Problem,
    result: Result,
    chosen: float,
    asked: Asked,
    progress: Progress,
) -> Result:
    """A fit by shooting with what the law adds to it."""
    values = [result.parameters[name].value for name in problem.free]
    prediction: dict[str, dict[str, float]] = {}
    if all(value is not None for value in values) and not progress.stopped:
        judging = progress.stage("judging", 0.8, 1.0, "predicting the end of the record from its beginning")
        try:
            prediction = held_out(problem, np.array(values, float), judging)
        except Cancelled:
            prediction = {}
    now = time.perf_counter()
    findings: tuple[Finding, ...] = ranked((*result.findings, *law_findings(law)))
    return replace(
        result,
        method=asked.method,
        artifacts={**result.artifacts, **law_artifacts(law, refined)},
        diagnostics={
            **result.diagnostics,
            "law": {"misfit": law.misfit, "terms": len(law.library.terms), "proven": law.proven, **law.details},
            "held_out": prediction,
            "held_out_after": SPARSE.held_out,
        },
        seconds={"total": now - asked.begun, "start": chosen - asked.begun, "solve": now - chosen},
        provenance=provenance(problem, asked.options, asked.seed, asked.settings),
        findings=findings,
    )


def discovered(problem: Problem, asked: Asked, find: Callable[[Progress], FoundLaw], progress: Progress) -> Result:
    """The law that `find` finds, its constants refined; or why there is none, if it raises ObjectionError."""
    fewest = fewest_samples(problem)
    if problem.samples < fewest:
        text = f"{problem.samples} measured values are too few for a law: at least {fewest} are needed; measure more"
        few = finding("record_too_short", text, *problem.outputs)
        return not_applicable(problem, asked.method, [few], asked.options, asked.seed)
    try:
        law = find(progress.part(0.0, SEEKING, "solving"))
        result = law_result(problem, law, asked, progress.part(SEEKING, 1.0, "refining").of(()))
    except ObjectionError as error:
        return not_applicable(problem, asked.method, [error.finding], asked.options, asked.seed)
    except Cancelled:
        return without_values(problem, asked.method, asked.options, asked.seed)
    return marked_stopped(result) if progress.stopped else result
