"""The front door for the next experiment: which one tells what is wanted?"""

from __future__ import annotations

import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from os import PathLike, fspath
from typing import Any

import numpy as np

from identikit import __version__
from identikit.errors import OptionError, did_you_mean
from identikit.method import method_named
from identikit.model import Model
from identikit.planning import (
    DESIGN,
    PRESENT,
    Budget,
    Choice,
    Expected,
    Plan,
    PresentGiven,
    Reach,
    Task,
    check_moves,
    checked_limits,
    choices,
    drawn_parameters,
    findings_of,
    instructions,
    judged,
    noise_taken,
    planned_experiment,
    planned_motion,
    present_plan,
    present_uncertainty,
    recommended,
    simulated_fits,
    tells,
    usual_limits,
    visited,
    wanted_criterion,
    with_sensors,
)
from identikit.problem import Problem
from identikit.progress import Cancelled, Listener, Progress, shielded, watched
from identikit.question import ModelLike, Question, find_model, text_of
from identikit.result import (
    Code,
    DesignCheck,
    DesignReport,
    Finding,
    Result,
    Severity,
    Status,
    WantedParameter,
    finding,
    joined,
    of_severity,
    ranked,
)

Limits = Mapping[str, tuple[float, float]]


def design(
    model: ModelLike | None = None,
    *,
    fit: Result | str | PathLike[str] | None = None,
    parameters: Mapping[str, float] | None = None,
    free: Sequence[str] | None = None,
    known: Sequence[str] = (),
    initial: Mapping[str, float] | None = None,
    duration: float | None = None,
    dt: float | None = None,
    noise: Mapping[str, float] | None = None,
    inputs: Mapping[str, str] | None = None,
    limits: Limits | None = None,
    input_limits: Limits | None = None,
    sensors: Mapping[str, float] | None = None,
    samples: int | None = None,
    longest: float | None = None,
    runs: int = 3,
    reach: Reach | None = None,
    criterion: str | None = None,
    spread: float = 0.0,
    worst: bool = False,
    fits: int = DESIGN.fits,
    seed: int = 0,
    progress: Listener | None = None,
) -> DesignReport:
    """The experiment to make next: where to begin, how long, when to sample, how to drive, what to measure.

    The present experiment, which the others are compared with, is that of a fit, or the model's example experiment;
    `initial`, `duration`, `dt`, `noise` and `inputs` change it.

    Arguments:
        model: a Model, a library name or a TOML file; not needed with a fit.
        fit: a Result or a saved one: its values and their uncertainty, noise, record and model are taken.
        parameters: expected values; free: parameters to estimate; known: states known when a run begins.
        limits: {initial state or fixed parameter: (low, high)}; without, from minus to plus the present beginning.
        input_limits: {input: (low, high)} of inputs that may be chosen (multisine, sweep or steps).
        sensors: {output or state: standard deviation} of what could be measured besides.
        samples, longest, runs: most samples in all, longest run, most runs; dt is the shortest time between samples.
        reach: {parameter: wanted standard error}, absolute or as "1%".
        criterion: "determinant", "average", "largest", "goal", or a parameter; None = "goal" if there is one, else
            "largest" (the largest relative standard error).
        spread: relative standard deviation of the expected values, such as 0.2; that of a fit is its own.
        worst: judge by the worst of the values drawn from that uncertainty, not by the mean.
        fits: simulated records that the recommended experiment is checked with; 0 = none.
        seed: of the search and of the simulated noise.
        progress: called often with a ProgressEvent; returning False stops the work with the best so far.

    Returns a DesignReport, also when the goal is out of reach: look at `report.status`.
    Raises InputError (see identikit.errors) when something given is wrong.
    """
    begun = clock.perf_counter()
    result = Result.load(fspath(fit)) if isinstance(fit, str | PathLike) else fit
    if result is None and model is None:
        raise OptionError("neither a model nor a fit is given: name one")
    found = find_model(model if model is not None else result)
    told, notes = _fitted_inputs(found, result, inputs or {})
    given = PresentGiven(parameters or {}, free, known, initial or {}, duration, dt, noise or {}, told)
    present = present_plan(found, given, result)
    _check_sensors(present, sensors or {})
    _check_inputs(present, input_limits or {})
    wanted = wanted_criterion(criterion, present, reach or {}, worst)
    if limits is None:
        limits = usual_limits(present.model, present.runs[0].initial, visited(present))
        notes.append(_assumed(limits))
    if not limits and not input_limits:
        check_moves(present)
    if result is not None and not noise:
        notes += noise_taken(present, result)
    budget = _budget(present, samples, longest, dt, runs)
    root = None if result is None else present_uncertainty(result, present, wanted.sizes)
    task = Task(
        present.thinned(budget.samples),
        checked_limits(present.model, present.free, limits),
        dict(input_limits or {}),
        dict(sensors or {}),
        budget,
        wanted,
        drawn_parameters(present.model, present.free, present.parameters, wanted.sizes, spread, root, seed),
        seed,
    )
    with watched(progress) as run:
        report = _planned(task, notes, fits, run)
    return replace(report, seconds={"total": clock.perf_counter() - begun}, model_text=text_of(found))


def _planned(task: Task, notes: Sequence[Finding], fits: int, progress: Progress) -> DesignReport:
    """The report, with what was found until it was stopped."""
    plan = task.present
    report = DesignReport(
        plan.model.name,
        Status(Code.OK, "planned"),
        task.criterion.kind,
        _parameters(task),
        plan.model.time_unit,
        provenance=_provenance(task, fits),
    )
    try:
        found = choices(task, progress.stage("searching", 0.0, 0.6, "beginnings and durations"))
        made, why = judged(task, found, progress.part(0.6, 0.8, "judging"))
    except Cancelled:
        return _without(report, finding("stopped_early", "stopped on request, before there was anything to compare"))
    if not made:
        text = f"neither the present experiment nor any other that was tried tells anything: {why.rstrip('.')}"
        return _without(report, finding("not_freed", text, *plan.free))
    experiments = tuple(planned_experiment(task, choice, told) for choice, told in made)
    chosen = recommended(experiments, [told for _, told in made], task.criterion)
    choice, told = made[experiments.index(chosen)]
    try:
        check = _checked(task, choice, told, fits, progress.part(0.8, 1.0, "checking"))
        said = [*notes, *findings_of(task, choice, told, experiments, check)]
    except Cancelled:
        check, said = None, list(notes)
    if progress.stopped:
        said.append(finding("stopped_early", "stopped on request: what was found by then is shown"))
    shown = [item for item, known in made if item.name in (PRESENT, choice.name) and tells(known)]
    with shielded():  # a simulation of each, to hand over what there is
        curves = [planned_motion(item, run) for item in shown for run in range(len(item.plan.runs))]
    return replace(
        report,
        status=_status(said),
        experiments=experiments,
        recommended=choice.name,
        check=check,
        instructions=instructions(choice.plan.model, chosen),
        curves=tuple(curves),
        findings=ranked(said),
    )


def _status(said: Sequence[Finding]) -> Status:
    refused = of_severity(said, Severity.REFUSAL)
    if not refused:
        return Status(Code.OK, "planned")
    stopped = any(item.code == "stopped_early" for item in refused)
    return Status(Code.NOT_CONVERGED if stopped else Code.NOT_IDENTIFIABLE, joined(refused))


def _without(report: DesignReport, why: Finding) -> DesignReport:
    return replace(report, status=Status(Code.NOT_CONVERGED, why.text), findings=(why,))


# What is given


def _fitted_inputs(
    model: Model, result: Result | None, inputs: Mapping[str, str]
) -> tuple[dict[str, str], list[Finding]]:
    """Inputs as expressions, those of a fit among them; columns cannot be planned with, which is noted."""
    if result is None or result.question is None:
        return dict(inputs), []
    question = Question.of(result)
    told = {**question.input_expressions(model), **inputs}
    lost = [name for name in model.input_names if name not in told and name in result.provenance.get("channels", {})]
    lost += [name for name in question.inputs if name not in told and name not in lost]
    if not lost:
        return told, []
    text = f"the measured input {', '.join(lost)} cannot be repeated in a plan: its usual value was planned with"
    return told, [finding("input_not_planned", text, *lost)]


def _budget(plan: Plan, samples: int | None, longest: float | None, dt: float | None, runs: int) -> Budget:
    """What the experiment may cost; what is not said is what the present one costs."""
    most = plan.samples if samples is None else int(samples)
    # a run with no more samples than states tells nothing of the parameters
    shared = max(most // (len(plan.model.states) + 1), 1)
    budget = Budget(
        most,
        float(longest or max(run.duration for run in plan.runs)),
        float(dt or min(float(np.diff(run.times).min()) for run in plan.runs)),
        min(int(runs), shared),
    )
    if budget.samples < plan.fewest_samples:
        raise OptionError(f"{budget.samples} samples: expected at least {plan.fewest_samples} for so many unknowns")
    if budget.runs < 1:
        raise OptionError(f"{budget.runs} runs: expected at least one")
    if not 0 < budget.spacing < budget.longest:
        raise OptionError(
            f"the shortest time between samples is {budget.spacing:g}, the longest run {budget.longest:g}: expected "
            "the first above zero and below the second"
        )
    return budget


def _check_sensors(plan: Plan, sensors: Mapping[str, float]) -> None:
    with_sensors(plan.model, sensors)
    for name, std in sensors.items():
        if not std > 0:
            raise OptionError(f"sensor {name}: its noise is {std:g}: expected a standard deviation above zero")
        if name in plan.noise:
            raise OptionError(f"sensor {name}: it is measured already; give its noise instead")


def _check_inputs(plan: Plan, limits: Limits) -> None:
    for name, (low, high) in limits.items():
        if name not in plan.model.input_names:
            known = plan.model.input_names
            have = f"has no input '{name}'.{did_you_mean(name, known)}" if known else "has no inputs"
            raise OptionError(f"input limits: model '{plan.model.name}' {have}")
        if not (np.isfinite([low, high]).all() and low < high):
            raise OptionError(
                f"limits of input '{name}' are {low:g} and {high:g}: expected two numbers, the smaller first"
            )


def _assumed(limits: Limits) -> Finding:
    ranges = ", ".join(f"{name} from {low:.4g} to {high:.4g}" for name, (low, high) in limits.items())
    text = f"runs were allowed to begin with {ranges}" if ranges else "runs begin as at present"
    return finding("limits_assumed", f"no limits are given, so {text}", *limits)


# What is found


def _checked(task: Task, choice: Choice, told: Expected, count: int, progress: Progress) -> DesignCheck | None:
    """The spread of fits of simulated records beside what is expected; None where nothing can be expected."""
    if count < 1 or not told.all_identifiable or progress.stopped:
        return None
    method = method_named("shooting")
    options = method.resolve_options({})

    def estimate(problem: Problem) -> np.ndarray | None:
        found = method.run(problem, options=options, seed=task.seed)
        values = [found.parameters[name].value for name in problem.free]
        settled = found.status.code not in (Code.NOT_CONVERGED, Code.NOT_APPLICABLE)
        return np.array(values, float) if settled and None not in values else None

    fits = simulated_fits(choice.plan, estimate, count, task.seed, progress)
    spread = fits.spread
    if spread is None:
        return None
    names = choice.plan.free
    return DesignCheck(
        fits.records,
        len(fits.estimates),
        dict(zip(names, map(float, spread), strict=True)),
        {name: float(s / e) for name, s, e in zip(names, spread, told.std, strict=True)},
        float(1 / np.sqrt(2 * (len(fits.estimates) - 1))),
    )


def _parameters(task: Task) -> dict[str, WantedParameter]:
    plan, criterion = task.present, task.criterion
    return {
        name: WantedParameter(
            float(value), plan.model.parameter(name).unit, float(size), float(wanted) if np.isfinite(wanted) else None
        )
        for name, value, size, wanted in zip(plan.free, plan.centre, criterion.sizes, criterion.wanted, strict=True)
    }


def _provenance(task: Task, fits: int) -> dict[str, Any]:
    return {
        "identikit": __version__,
        "seed": task.seed,
        "draws": len(task.draws),
        "worst": task.criterion.worst,
        "fits": fits,
        "limits": {name: list(ends) for name, ends in task.limits.items()},
        "input_limits": {name: list(ends) for name, ends in task.input_limits.items()},
        "sensors": dict(task.sensors),
        "budget": asdict(task.budget),
        "settings": {"design": asdict(DESIGN)},
    }
