"""The experiment as it would be made now: that of a fit, or the model's example experiment, or as it is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from identikit.errors import OptionError, did_you_mean
from identikit.model import Model
from identikit.planning._plan import Plan, Run, with_sensors
from identikit.result import Result
from identikit.simulation import initial_vector, parameter_vector


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
    values = dict(zip(model.parameter_names, map(float, vector), strict=True))
    names = tuple(given.free) if given.free is not None else result.free if result else model.default_free
    for name in names:
        model.parameter(name)
    if not names:
        raise OptionError(f"no parameter of model '{model.name}' is free: name some to plan for")
    for name in given.known:
        if name not in model.state_names:
            raise OptionError(
                f"known: model '{model.name}' has no state '{name}'.{did_you_mean(name, model.state_names)}"
            )
    expressions = {**(ready.inputs if ready and result is None else {}), **given.inputs}
    model.with_input_expressions(expressions)  # refuses what cannot be read, before the work
    return Plan(
        *_measured(model, given, result, names, values), _runs(model, given, result), expressions, tuple(given.known)
    )


def _measured(
    model: Model, given: PresentGiven, result: Result | None, free: tuple[str, ...], values: Mapping[str, float]
) -> tuple[Model, tuple[str, ...], Mapping[str, float], Mapping[str, float]]:
    """The model with all that is measured among its outputs, what is asked of it, and the noise of the outputs."""
    levels = dict(given.noise) or (fitted_noise(result) if result else {})
    levels = levels or (dict(model.ready.noise) if model.ready else {})
    if not levels or not all(value > 0 for value in levels.values()):
        raise OptionError("the noise of what is measured is not known: give a standard deviation above zero for it")
    return with_sensors(model, levels), free, values, levels


def fitted_noise(result: Result) -> dict[str, float]:
    """The noise of a fit's outputs, each as one standard deviation in the output's unit: the level that the fit found,
    or the rms of its residuals where that is of another scale."""
    return {name: item.sigma if item.absolute else result.fit[name].rmse for name, item in result.noise.items()}


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
    told = _told(result.initial_states[0]) if result is not None and result.initial_states else {}
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
        made.append(Run(_complete(model, {**_told(states), **initial}), span))
    return tuple(made)


def _told(states: Mapping[str, Mapping[str, float | None]]) -> dict[str, float]:
    """The estimated beginning; what may as well have been zero is taken for it, since nobody begins at 0.003."""
    known = {name: entry for name, entry in states.items() if entry["value"] is not None}
    return {
        name: 0.0 if abs(float(entry["value"] or 0.0)) <= 2 * (entry["std"] or 0.0) else float(entry["value"] or 0.0)
        for name, entry in known.items()
    }


def _complete(model: Model, initial: Mapping[str, float]) -> dict[str, float]:
    return dict(zip(model.state_names, map(float, initial_vector(model, initial)), strict=True))
