"""The front door to identifiability: which parameters can be found, by the equations and by a record?"""

from __future__ import annotations

import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Unpack

import numpy as np
import sympy as sp

from identikit._fit import fit
from identikit.diagnose import residual_colour
from identikit.errors import OptionError, did_you_mean
from identikit.likelihood import Likelihood
from identikit.method import canonical, other_roots
from identikit.model import Model, parse, symbol
from identikit.planning import Plan, PresentGiven, practical, present_plan
from identikit.problem import Problem
from identikit.progress import Cancelled, Listener, Progress, poll, watched
from identikit.question import Asked, Data, ModelLike, Question
from identikit.result import (
    Code,
    Finding,
    IdentifiabilityReport,
    PracticalResult,
    Result,
    Severity,
    Status,
    StructuralResult,
    finding,
    joined,
    listed,
    of_severity,
    ranked,
    remedy_words,
)
from identikit.simulation import Solution, simulate
from identikit.structure import STRUCTURE, NotAnalysableError, StructuralQuestion, structural
from identikit.uncertainty import Fitted

UNTURNED = 1e-3  # in the matrix that turns hidden states into those of a twin: up to which a state stays as it is
MOST_VISITED = 2000  # times of the planned motion at which it is looked at


def identifiability(
    model: ModelLike | Question | None = None,
    data: Data | None = None,
    *,
    parameters: Mapping[str, float] | None = None,
    duration: float | None = None,
    known: Sequence[str] = (),
    progress: Listener | None = None,
    **asked: Unpack[Asked],
) -> IdentifiabilityReport:
    """Which free parameters of a model can be identified: by its equations, and by a planned or given record.

    Arguments:
        model: a Model, a library name, a TOML file, a Result, whose model and values are meant, or a Question.
        data: measured records, as in `fit`; None = a record is planned. Whatever is not said of it is that of the
            model's example experiment.
        parameters: values that are expected, of free parameters too; with data, values of all free parameters to judge
            at, None = those of a fit.
        duration, dt: of the planned record.
        noise: {output: standard deviation}: what is measured, and how well.
        initial: {state: value}: where the planned record begins; with data, states that are known, as in `fit`.
        known: states that will be known at the beginning of the planned record; others count as unknown.
        inputs: {input: expression of t}; with data, columns too.
        free, fix, bounds, and all others: as in `fit`.

    Returns an IdentifiabilityReport; `report.status` is not_identifiable if anything is not. Raises InputError (see
    identikit.errors) when something given is wrong.
    """
    begun = clock.perf_counter()
    question = _asked(model, data, asked)
    found = question.asked_model()
    values = {**_estimates(model), **(parameters or {})}
    for name in values:
        found.parameter(name)
    by_equations: StructuralResult | None = None
    by_record: PracticalResult | None = None
    said: tuple[Finding, ...] = ()
    told: tuple[Finding, ...] = ()
    free = _free(question, found)
    with watched(progress) as run:
        try:
            run(0.0, "reading what is asked")
            if question.data is None:
                case = _planned(question, found, values, duration, known)
            elif duration is not None or known:
                raise OptionError("a record is given, so none is planned: leave out duration and known")
            else:
                own = {name: value for name, value in values.items() if name in free or name in (parameters or {})}
                case = _measured(question, own, run.part(0.0, 0.6))
            free, said = case.structure.free, case.findings
            run.stage("structure", 0.6, 0.7, "expanding the equations")
            poll()
            by_equations, more = _structure(case)
            said = (*said, *more)
            run.stage("record", 0.7, 1.0, "computing what the record tells")
            poll()
            by_record, told = _practical(case)
        except Cancelled:
            told = (finding("stopped_early", "stopped on request, before everything was judged"),)
    if by_equations is not None:  # what no record can tell is not put down to this one
        told = tuple(item for item in told if not _implied(item, by_equations))
    findings = ranked(dict.fromkeys((*said, *told)))
    return IdentifiabilityReport(
        found.name,
        _status(findings, free),
        free,
        by_equations,
        by_record,
        findings,
        {"total": clock.perf_counter() - begun},
        {"settings": asdict(STRUCTURE)},
        question.as_dict(),
    )


@dataclass(frozen=True)
class _Case:
    """What is judged: the equations, and a record if there is one, planned or given."""

    structure: StructuralQuestion
    likelihood: Likelihood | None = None
    values: np.ndarray = field(default_factory=lambda: np.empty(0))
    plan: Plan | None = None
    findings: tuple[Finding, ...] = ()


def _status(findings: Sequence[Finding], free: Sequence[str]) -> Status:
    refusals = of_severity(findings, Severity.REFUSAL)
    if not refusals:
        return Status(Code.OK, f"{listed(free)} can be identified")
    stopped = any(item.code == "stopped_early" for item in refusals)
    return Status(Code.NOT_CONVERGED if stopped else Code.NOT_IDENTIFIABLE, joined(refusals))


def _estimates(model: ModelLike | Question | None) -> dict[str, float]:
    """The values that a result holds."""
    parameters = model.parameters if isinstance(model, Result) else {}
    return {name: item.value for name, item in parameters.items() if item.value is not None}


def _free(question: Question, model: Model) -> tuple[str, ...]:
    return question.free or tuple(name for name in model.default_free if name not in question.fix)


def _asked(model: ModelLike | Question | None, data: Data | None, asked: Asked) -> Question:
    if isinstance(model, Question):
        return model.changed(**{**asked, "data": data}) if asked or data is not None else model
    given: dict[str, Any] = dict(asked)
    return Question.from_dict({"data": data, "model": model, **given}, "the question")


# A planned record


def _planned(
    question: Question, model: Model, values: Mapping[str, float], duration: float | None, known: Sequence[str]
) -> _Case:
    free = _free(question, model)
    given = PresentGiven(
        {**values, **question.fix},
        free,
        tuple(known),
        _numbers(question.initial, "initial"),
        duration,
        question.dt,
        _numbers(question.noise, "noise"),
        question.inputs,
    )
    _check_names(model, question, free, (*known, *given.initial))
    said = any((duration, question.dt, question.noise))
    if not said and (model.ready is None or any(_value(model, given, name) is None for name in model.parameter_names)):
        if not model.symbolic:
            raise OptionError(
                f"model '{model.name}' is a function, so only a record can be judged: give duration, dt and noise"
            )
        text = "no record is planned, so only the equations were judged: give duration, sampling, noise and values"
        return replace(_unplanned(model, given, free), findings=(finding("nothing_planned", text),))
    plan = present_plan(model, given)
    motion = _motion(plan)
    for name in plan.noise:
        if np.ptp(motion.outputs[name]) == 0:
            raise OptionError(
                f"'{name}' of the planned record stays at {motion.outputs[name][0]:g}: let it begin elsewhere, or be "
                "driven",
                remedy="begin_elsewhere",
            )
    likelihood = plan.likelihood()
    structure = replace(
        _equations(plan.model, likelihood.problem, {**_resting(plan.model), **plan.inputs}),
        states=motion.states.T,
        times=motion.time,
    )
    return _Case(structure, likelihood, plan.centre, plan)


def _unplanned(model: Model, given: PresentGiven, free: tuple[str, ...]) -> _Case:
    """The equations alone."""
    fixed = {name: _value(model, given, name) for name in model.parameter_names if name not in free}
    missing = [name for name, value in fixed.items() if value is None]
    if missing:
        raise OptionError(
            f"parameter '{missing[0]}' is neither free nor fixed and the model gives no value: let it be free, or give "
            "it a value"
        )
    begun: dict[str, Any] = {state.name: state.initial for state in model.states if state.initial is not None}
    begun |= {name: given.initial.get(name) for name in given.known}
    outputs = tuple(given.noise) or model.output_names
    return _Case(
        StructuralQuestion(
            model,
            outputs,
            free,
            {name: float(value) for name, value in fixed.items() if value is not None},
            begun,
            drives=_drives(model, given.inputs),
        )
    )


def _value(model: Model, given: PresentGiven, name: str) -> float | None:
    return given.parameters.get(name, model.parameter(name).value)


def _check_names(model: Model, question: Question, free: Sequence[str], states: Sequence[str]) -> None:
    for name in states:
        if name not in model.state_names:
            raise OptionError(f"model '{model.name}' has no state '{name}'.{did_you_mean(name, model.state_names)}")
    for name in (*free, *question.fix):
        model.parameter(name)
    both = [name for name in free if name in question.fix]
    if both:
        raise OptionError(f"parameter '{both[0]}' is both free and fixed: choose one")


def _numbers(given: Any, what: str) -> dict[str, float]:
    """Numbers by name, as a plan needs them."""
    if not isinstance(given, Mapping | None):
        raise OptionError(f"{what} of a planned record is {given!r}: expected numbers by name")
    for name, value in (given or {}).items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise OptionError(f"{what} of '{name}' is {value!r}: expected a number, since the record is only planned")
    return {name: float(value) for name, value in (given or {}).items()}


# A record at hand


def _measured(question: Question, values: Mapping[str, float], progress: Progress) -> _Case:
    problem = question.problem()
    findings: tuple[Finding, ...] = problem.findings
    if values:
        p = _given_values(problem, values)
        likelihood = Likelihood(problem, near=p)
        open_to = [name for name, noise in problem.noise.items() if noise.plain]
        coloured = [n for n in open_to if not _white(likelihood.residuals(p)[:, problem.outputs.index(n)])]
        if coloured:
            text = (
                f"what these values leave of {listed(coloured)} is not white noise, which standard errors count with: "
                "they are too small"
            )
            findings = (*findings, finding("judged_with_white_noise", text, *coloured))
    else:
        result = fit(question, progress=lambda event: progress(event.fraction, event.sentence))
        if any(result.parameters[name].value is None for name in problem.free):
            raise OptionError(f"no fit gives values to judge at ({result.status.message}): give values")
        fitted = Fitted.of(problem, result)  # with the noise that it found, which may have a memory
        problem, p, likelihood = fitted.problem, fitted.p, fitted.likelihood
        if result.status.code not in (Code.OK, Code.NOT_IDENTIFIABLE):
            text = f"the values are those of a fit that is not to be trusted: {result.status.message}"
            findings = (*findings, finding("judged_at_poor_fit", text))
    return _Case(_equations(problem.model, problem, _drawn(question, problem)), likelihood, p, findings=findings)


def _given_values(problem: Problem, values: Mapping[str, float]) -> np.ndarray:
    """Of all free parameters [free], within their bounds."""
    for name, value in values.items():
        if name not in problem.free:
            raise OptionError(f"'{name}' is not free, so that the record is judged at its fixed value: fix it instead")
        low, high = problem.bounds[name]
        if not low <= value <= high:
            raise OptionError(f"'{name}' is {value:g}: expected a value within its bounds, {low:g} to {high:g}")
    missing = [name for name in problem.free if name not in values]
    if missing:
        raise OptionError(f"a value of '{missing[0]}' is not given: give those of all free parameters, or of none")
    return np.array([values[name] for name in problem.free])


def _white(residual: np.ndarray) -> bool:
    return residual_colour(residual)[0] is not False


def _drawn(question: Question, problem: Problem) -> dict[str, str]:
    """Inputs of the record that cannot be any function of time: those given as expressions, and constant ones."""
    found = question.input_expressions(problem.model)
    for i, item in enumerate(problem.model.inputs):
        seen = np.concatenate([record.pieces(record.time)[i] for record in problem.records])
        if item.name not in found and np.ptp(seen) == 0:
            found[item.name] = repr(float(seen[0]))
    return found


# The equations


def _equations(model: Model, problem: Problem, inputs: Mapping[str, str]) -> StructuralQuestion:
    """What is asked of the equations, as the problem has it."""
    # of several records the one with most that is known at its beginning: what it tells, all of them do
    initial = max(problem.initial, key=lambda record: sum(item.known for item in record.values()))
    begun = {name: item.value for name, item in initial.items() if item.known}
    drives = _drives(model, inputs)
    return StructuralQuestion(model, problem.outputs, problem.free, problem.fixed, begun, drives=drives)


def _resting(model: Model) -> dict[str, str]:
    """Inputs that nobody drives keep their usual value."""
    return {item.name: repr(float(item.value)) for item in model.inputs}


def _drives(model: Model, inputs: Mapping[str, str]) -> dict[str, sp.Expr]:
    known = {name: symbol(name) for name in model.parameter_names}
    return {name: parse(text, known, f"input '{name}'") for name, text in inputs.items()}


def _motion(plan: Plan) -> Solution:
    """The planned motion."""
    model, steps = plan.driven
    run = plan.runs[0]
    return simulate(model, np.linspace(0.0, run.duration, MOST_VISITED), plan.parameters, run.initial, steps)


def _structure(case: _Case) -> tuple[StructuralResult | None, tuple[Finding, ...]]:
    try:
        found = structural(case.structure)
    except NotAnalysableError as reason:
        text = f"the equations themselves were not analysed: {reason}"
        return None, (finding("structure_not_analysed", text),)
    said = []
    if not found.ok:
        text = f"no record of {listed(found.outputs)} alone can tell {listed(found.unidentified)}"
        reasons = [item.text for item in found.symmetries if set(item.names) & set(found.unidentified)]
        text += f": {'; '.join(reasons)}" if reasons else ""
        said.append(finding("structurally_unidentifiable", text, *found.unidentified))
        if found.remedies:
            names = dict.fromkeys(part.name for item in found.remedies for part in item.parts)
            said.append(finding("would_free", f"{remedy_words(found.remedies)} would free all", *names))
    if case.likelihood is not None:
        said += canonical(case.likelihood.problem, case.values).findings
        said += _twins(case.likelihood, case.values) if found.ok else ()
    return found, tuple(said)


def _twins(likelihood: Likelihood, p: np.ndarray) -> list[Finding]:
    """Values far from these that give the same outputs, with other hidden states."""
    problem = likelihood.problem
    said = []
    for twin in other_roots(problem, p, likelihood.initial_states(p)):
        told = ", ".join(f"{name} = {value:.4g}" for name, value in zip(problem.free, twin.p, strict=True))
        moved = np.flatnonzero(~np.isclose(twin.turn, np.eye(len(twin.turn)), atol=UNTURNED).all(axis=1))
        states = listed([problem.model.state_names[i] for i in moved])
        text = f"{told} give the very same {listed(problem.outputs)}, with other values of {states}, which would decide"
        said.append(finding("twin_values", text, *problem.free))
    return said


# What the record tells


def _practical(case: _Case) -> tuple[PracticalResult | None, tuple[Finding, ...]]:
    return (None, ()) if case.likelihood is None else practical(case.likelihood, case.values, case.plan)


def _implied(item: Finding, found: StructuralResult) -> bool:
    return bool(item.about) and item.severity is Severity.REFUSAL and set(item.about) <= set(found.unidentified)
