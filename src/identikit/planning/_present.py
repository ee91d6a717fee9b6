"""The experiment as it would be made now: that of a fit, or the model's example experiment, or as it is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from identikit.errors import IdentikitError, OptionError, did_you_mean
from identikit.model import Model
from identikit.planning._noise import fitted_noise
from identikit.planning._plan import Plan, Run, with_sensors
from identikit.result import Result
from identikit.simulation import Solution, initial_vector, parameter_vector, simulate

INDISTINCT = 2.0  # standard errors within which a beginning may as well have been zero


@dataclass(frozen=True)
class PresentGiven:
    """What is said of the present experiment; whatever is not is that of the fit, or of the example experiment."""

    parameters: Mapping[str, float] = field(default_factory=dict)
    free: Sequence[str] | None = None
    known: Sequence[str] = ()
    initial: Mapping[str, float] = field(default_factory=dict)
    duration: float | None = None
    dt: float | None = None
    noise: Mapping[str, float] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)


def present_plan(model: Model, given: PresentGiven, result: Result | None = None) -> Plan:
    """The present experiment; `given.inputs` are complete where there is a fit."""
    ready = model.ready
    told = {name: item.value for name, item in result.parameters.items() if item.value is not None} if result else {}
    vector = parameter_vector(model, {**told, **given.parameters})
    _check_inside(model, given.parameters)
    values = dict(zip(model.parameter_names, map(float, vector), strict=True))
    names = tuple(given.free) if given.free is not None else result.free if result else model.default_free
    for name in names:
        model.parameter(name)
        if names.count(name) > 1:
            raise OptionError(f"parameter '{name}' is listed twice among the free ones: list it once")
    if not names:
        raise OptionError(f"no parameter of model '{model.name}' is free: name some to plan for")
    for name in given.known:
        if name not in model.state_names:
            raise OptionError(
                f"known: model '{model.name}' has no state '{name}'.{did_you_mean(name, model.state_names)}"
            )
    expressions = {**(ready.inputs if ready and result is None else {}), **given.inputs}
    model.with_input_expressions(expressions)  # refuses what cannot be read, before the work
    plan = Plan(
        *_measured(model, given, result, names, values), _runs(model, given, result), expressions, tuple(given.known)
    )
    return plan if result is None else _begun_at_zero(plan, result, given.initial)


def check_moves(plan: Plan) -> None:
    """Refuse an experiment in which nothing would move."""
    try:
        motions = [_motion(plan, run) for run in plan.runs]
    except IdentikitError:  # then it moves, too far to be followed
        return
    if not any(np.ptp(motion.states, axis=1).any() for motion in motions):
        raise OptionError(
            "nothing moves in the present experiment, and nothing may be chosen: say where a run begins, or give "
            "limits of initial states or inputs",
            remedy="begin_elsewhere",
        )


def visited(plan: Plan) -> dict[str, tuple[float, float]]:
    """Between which values every state moves in the first run; where it begins, if it cannot be followed."""
    run, names = plan.runs[0], plan.model.state_names
    try:
        states = _motion(plan, run).states
    except IdentikitError:
        states = np.array([[run.initial[name]] for name in names])
    return {name: (float(row.min()), float(row.max())) for name, row in zip(names, states, strict=True)}


def _check_inside(model: Model, values: Mapping[str, float]) -> None:
    for name, value in values.items():
        low, high = model.parameter(name).bounds
        if not low <= value <= high:
            raise OptionError(f"the expected value {value:g} of '{name}' lies outside its bounds [{low:g}, {high:g}]")


def _measured(
    model: Model, given: PresentGiven, result: Result | None, free: tuple[str, ...], values: Mapping[str, float]
) -> tuple[Model, tuple[str, ...], Mapping[str, float], Mapping[str, float]]:
    """The model with all that is measured among its outputs, what is asked of it, and the noise of the outputs."""
    levels = dict(given.noise) or (fitted_noise(result) if result else {})
    levels = levels or (dict(model.ready.noise) if model.ready else {})
    if not levels or not all(value > 0 for value in levels.values()):
        raise OptionError("the noise of what is measured is not known: give a standard deviation above zero for it")
    return with_sensors(model, levels), free, values, levels


def _runs(model: Model, given: PresentGiven, result: Result | None) -> tuple[Run, ...]:
    """The present runs: those that were fitted, or that of the example experiment, or as given."""
    if result is not None and given.duration is None and given.dt is None:
        runs = _fitted_runs(model, result, given.initial)
        if runs:
            return runs
    ready = model.ready
    length = given.duration or (ready.duration if ready else None)
    spacing = given.dt or (ready.spacing if ready else None)
    if length is None or spacing is None:
        raise OptionError(f"model '{model.name}' has no example experiment: give duration and dt of the present one")
    if not 0 < spacing < length:
        raise OptionError(f"duration {length:g} with dt {spacing:g}: expected a dt above zero and below the duration")
    told = _estimated(result.initial_states[0]) if result is not None and result.initial_states else {}
    times = np.round(np.arange(int(length / spacing * (1 + 1e-9)) + 1) * spacing, 12)
    return (Run(_complete(model, {**told, **given.initial}), times),)


def _fitted_runs(model: Model, result: Result, initial: Mapping[str, float]) -> tuple[Run, ...]:
    """The runs of a fit, from the curves that it holds; none if it holds none."""
    spans: dict[str, np.ndarray] = {}
    for item in result.artifacts.values():
        if item.get("kind") == "curve" and "t" in item and item.get("record") not in spans:
            spans[str(item["record"])] = np.array(item["t"], float)
    if not spans or len(spans) != len(result.initial_states):
        return ()
    # long records are thinned in what is saved, but the number of values is known
    values = result.diagnostics.get("likelihood", {}).get("values", 0) / max(len(result.noise), 1)
    thinned = max(values / sum(map(len, spans.values())), 1.0)
    made = []
    for times, states in zip(spans.values(), result.initial_states, strict=True):
        count = int(len(times) * thinned)
        span = times - times[0] if count == len(times) else np.linspace(0.0, times[-1] - times[0], count)
        made.append(Run(_complete(model, {**_estimated(states), **initial}), span))
    return tuple(made)


def _estimated(states: Mapping[str, Mapping[str, float | None]]) -> dict[str, float]:
    return {name: float(entry["value"]) for name, entry in states.items() if entry["value"] is not None}


def _begun_at_zero(plan: Plan, result: Result, given: Mapping[str, float]) -> Plan:
    """States that a fit cannot tell from zero begin there, since nobody begins at 0.003: if it is the same experiment.

    It is another one for a state that cannot go below zero, such as the first infected, and wherever what is measured
    changes by more than its noise.
    """
    bounds = {state.name: state.bounds for state in plan.model.states}
    runs = []
    for run, states in zip(plan.runs, result.initial_states, strict=False):
        for name, entry in states.items():
            value, std = entry["value"], entry["std"] or 0.0
            if name in given or value is None or abs(value) > INDISTINCT * std or 0.0 in bounds[name]:
                continue
            other = replace(run, initial={**run.initial, name: 0.0})
            if _alike(plan, run, other):
                run = other
        runs.append(run)
    return replace(plan, runs=tuple(runs) or plan.runs)


def _alike(plan: Plan, run: Run, other: Run) -> bool:
    """Whether what is measured differs by less than its noise, on average."""
    try:
        one, two = _motion(plan, run), _motion(plan, other)
    except IdentikitError:
        return False
    return all(np.mean((one.outputs[name] - two.outputs[name]) ** 2) < std**2 for name, std in plan.noise.items())


def _motion(plan: Plan, run: Run) -> Solution:
    driven, steps = plan.driven
    return simulate(driven, run.times, plan.parameters, run.initial, steps)


def _complete(model: Model, initial: Mapping[str, float]) -> dict[str, float]:
    return dict(zip(model.state_names, map(float, initial_vector(model, initial)), strict=True))
