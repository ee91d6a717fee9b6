"""Simulate a model, and make synthetic records of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from identikit.errors import ModelError, OptionError, SimulationError, did_you_mean
from identikit.measurement import Record
from identikit.model import Model, dynamics_of, observe, symbol
from identikit.simulation._inputs import Pieces
from identikit.simulation._lanes import DEFAULT_TOLERANCE, Integrator

SNR_KINDS = ("raw", "ac", "unit")


@dataclass(frozen=True)
class Solution:
    """A simulated trajectory: states [states, times], outputs and inputs by name."""

    time: np.ndarray
    states: np.ndarray
    outputs: dict[str, np.ndarray]
    inputs: dict[str, np.ndarray]


def parameter_vector(model: Model, values: Mapping[str, float] | None = None) -> np.ndarray:
    """All parameters in the model's order: the given values, else the model's own."""
    given = dict(values or {})
    for name in given:
        model.parameter(name)
    vector = []
    for parameter in model.parameters:
        value = given.get(parameter.name, parameter.value)
        if value is None:
            raise ModelError(
                f"parameter '{parameter.name}' of model '{model.name}' has no value: give one",
                remedy="set_value",
                about=parameter.name,
            )
        if not np.isfinite(value):
            raise ModelError(f"parameter '{parameter.name}' of model '{model.name}' is {value}: give a finite number")
        vector.append(float(value))
    return np.array(vector)


def initial_vector(model: Model, values: Mapping[str, float] | None = None) -> np.ndarray:
    """The initial state: the given values, else the example experiment's, else zero."""
    given = dict(values or {})
    for name in given:
        if name not in model.state_names:
            raise ModelError(f"model '{model.name}' has no state '{name}'.{did_you_mean(name, model.state_names)}")
        if not np.isfinite(given[name]):
            raise ModelError(f"initial value of '{name}' is {given[name]}: expected a finite number")
    ready = model.ready.initial if model.ready else {}
    return np.array([float(given.get(name, ready.get(name, 0.0))) for name in model.state_names])


def simulate(
    model: Model,
    time: np.ndarray,
    parameters: Mapping[str, float] | None = None,
    initial: Mapping[str, float] | None = None,
    inputs: Pieces | None = None,
    tolerance: float = DEFAULT_TOLERANCE,
) -> Solution:
    """Integrate a model and read it at the given times, increasing; the initial state holds at the first.

    Parameters and initial states that are not given are the model's own. Error per step is at most
    `tolerance` times the size of each state. Raises SimulationError if the solution blows up or needs too
    many steps.
    """
    time = np.asarray(time, float)
    if time.ndim != 1 or not len(time) or not (np.isfinite(time).all() and (np.diff(time) > 0).all()):
        raise OptionError("the times of a simulation must be finite and increasing, at least one of them")
    if not tolerance > 0:
        raise OptionError(f"the tolerance is {tolerance}: expected a positive number")
    p = parameter_vector(model, parameters)
    pieces = inputs or Pieces.constant([item.value for item in model.inputs])
    if pieces.coefficients.shape[1] != len(model.inputs):
        raise OptionError(
            f"{pieces.coefficients.shape[1]} inputs are given, model '{model.name}' has {len(model.inputs)} "
            f"({', '.join(model.input_names) or 'none'}), and they are taken in that order"
        )
    states = len(model.states)
    effective = _without_idle_switches(model, frozenset(np.array(model.parameter_names)[p == 0].tolist()))
    integrator = Integrator(dynamics_of(effective), tuple(range(states)), sensitivities=False, tolerance=tolerance)
    run = integrator.run(time[:1], time[-1:], initial_vector(model, initial)[None], p, pieces, pieces.index(time[:1]))
    if run.failed.any():
        reached = run.begin[-1] + run.length[-1]
        raise SimulationError(
            f"the simulation of '{model.name}' stopped at t = {reached:g} of {time[-1]:g}: "
            "the solution grows without bound or "
            "needs steps that are too small; check the parameters and the initial state"
        )
    x = run.sample(time, np.array([0, len(time)]))[:, :, 0]
    u = pieces(time)
    observation = observe(model, model.output_names)
    y = observation(time, x[:, list(observation.wanted)], u, p)
    return Solution(
        time,
        x.T,
        {name: y[:, i] for i, name in enumerate(model.output_names)},
        {name: u[i] for i, name in enumerate(model.input_names)},
    )


@lru_cache(maxsize=64)
def _without_idle_switches(model: Model, zero: frozenset[str]) -> Model:
    """The model without dry friction or drag whose coefficient is zero: finding its reversals would cost as much as
    if it were there."""
    import sympy as sp

    if not model.symbolic:
        return model

    def switches(equations: tuple[sp.Expr, ...]) -> int:
        return len(set().union(*(equation.atoms(sp.sign, sp.Abs) for equation in equations)))

    equations = model.equations
    for name in sorted(zero):
        reduced = tuple(equation.xreplace({symbol(name): sp.Integer(0)}) for equation in equations)
        if switches(reduced) < switches(equations):
            equations = reduced
    return replace(model, equations=equations)


def noise_deviation(values: np.ndarray, snr: float, kind: str) -> float:
    """Standard deviation of noise at a signal-to-noise ratio in dB.

    `kind` says what the signal's power is: "raw" its mean square, "ac" its variance, "unit" one.
    """
    if kind not in SNR_KINDS:
        raise OptionError(
            f"the kind of signal-to-noise ratio must be one of {', '.join(SNR_KINDS)}. Got '{kind}' instead."
        )
    power = {"raw": float(np.mean(values**2)), "ac": float(np.var(values)), "unit": 1.0}[kind]
    return float(np.sqrt(power * 10 ** (-snr / 10)))


def synthesize(
    model: Model,
    solution: Solution,
    noise: Mapping[str, float] | None = None,
    snr: float | None = None,
    snr_kind: str = "ac",
    seed: int = 0,
) -> Record:
    """A record of a simulated trajectory with white noise, per output by standard deviation or for all by SNR.

    `snr` is in dB, and `snr_kind` says of what: "raw" the mean square of each output, "ac" its variance, "unit" one.
    They differ a lot far from zero: at 40 dB a temperature near 350 K gets 3.5 K of noise "raw", 0.04 K "ac".
    """
    random = np.random.default_rng(seed)
    deviations = dict(noise or {})
    if deviations and snr is not None:
        raise OptionError(
            "noise is given both by standard deviation and by signal-to-noise ratio: expected one of them"
        )
    for name, value in deviations.items():
        model.output(name)
        if not value >= 0:
            raise OptionError(f"noise of '{name}' is {value:g}: expected a standard deviation, zero or more")
    channels: dict[str, np.ndarray] = {}
    for name, values in solution.outputs.items():
        sigma = deviations.get(name, 0.0) if snr is None else noise_deviation(values, snr, snr_kind)
        channels[name] = values + sigma * random.standard_normal(len(values))
    channels |= {name: values for name, values in solution.inputs.items() if name not in channels}
    units = {output.name: output.unit for output in model.outputs} | {item.name: item.unit for item in model.inputs}
    return Record.from_arrays(
        solution.time,
        channels,
        units={name: unit for name, unit in units.items() if unit and name in channels},
        time_unit=model.time_unit,
        name=model.name,
    )
