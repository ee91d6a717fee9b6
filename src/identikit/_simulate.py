"""The front door for synthetic records."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike

import numpy as np
from numpy.typing import ArrayLike

from identikit.errors import DataError, OptionError, UnitError
from identikit.measurement import Channel, Record, load
from identikit.model import TIME, Model, Program, parse, symbol
from identikit.problem import coverage
from identikit.question import ModelLike, Question, find_model
from identikit.result import Result
from identikit.simulation import Pieces, parameter_vector, sampled, stepped, synthesize
from identikit.simulation import simulate as integrate
from identikit.units import convert

MOST_SIMULATED = 50_000_000  # samples: 400 MB per column
FEWEST_SAMPLES = 3  # of which a record can be made


def simulate(
    model: ModelLike,
    times: ArrayLike | None = None,
    *,
    duration: float | None = None,
    dt: float | None = None,
    parameters: Mapping[str, float] | None = None,
    initial: Mapping[str, float] | None = None,
    inputs: Mapping[str, str] | None = None,
    inputs_from: str | PathLike[str] | Record | None = None,
    hold: str | None = None,
    noise: Mapping[str, float] | None = None,
    snr: float | None = None,
    snr_kind: str = "ac",
    seed: int = 0,
    smooth_friction: float | None = None,
) -> Record:
    """A synthetic record of a model: its outputs with noise, and its inputs, under the model's own names and units.

    Whatever is not given is that of the model's example experiment, noise included.

    Arguments:
        model: a Model, a library name, a TOML file, or a Result, whose model is meant.
        times: when to sample; or `duration` and `dt` between samples, in the model's time unit.
        parameters, initial: values of parameters and initial states that differ from the model's own.
        inputs: {input: expression of t}; inputs_from: a file or Record with columns named like the inputs.
        hold: how these columns are interpolated between samples; None = as the model says.
        noise: {output: standard deviation} of white noise, {} = none; or `snr` in dB for every output, where `snr_kind`
            says of what: "raw" the mean square, "ac" the variance, "unit" one.
        seed: of the noise.
        smooth_friction: width w; sign(v) becomes tanh(v/w).

    `identikit.simulation.simulate` gives all states, without noise.
    """
    found = find_model(model)
    if smooth_friction is not None:
        found = found.with_smooth_friction(smooth_friction)
    for name in noise or {}:
        found.output(name)  # refuses an unknown one before the work
    expressions = dict(inputs or {})
    if isinstance(model, Result):
        expressions = {**Question.of(model).input_expressions(found), **expressions}
    elif found.ready is not None and inputs_from is None:
        expressions = {**found.ready.inputs, **expressions}
    reduced = found.with_input_expressions(expressions)
    columns = None if inputs_from is None else _sampled_inputs(inputs_from, reduced, hold)
    time = np.asarray(times, float) if times is not None else _times(duration, dt, found, columns)
    steps = stepped(found, expressions) if columns is None else None
    formulas = {} if steps is not None else _formulas(found, expressions, parameters or {}, time)
    driven = found if steps is not None else reduced
    solution = integrate(driven, time, parameters, initial, columns.pieces if columns else steps)
    if noise is None and snr is None and found.ready is not None:
        noise = found.ready.noise
    record = synthesize(driven, solution, noise, snr, snr_kind, seed)
    channels = dict(record.channels)
    for item in found.inputs:  # in the model's order, whether a column or an expression
        channel = channels.pop(item.name, None) if item.name not in found.output_names else None
        if item.name in formulas:
            channel = Channel(formulas[item.name], item.unit)
        if channel is not None:
            channels[item.name] = channel
    return record.with_step("simulated", channels=channels)


@dataclass(frozen=True)
class _SampledInputs:
    """Inputs in columns, and which stretch of time they cover how finely, in the model's time unit."""

    pieces: Pieces
    begin: float
    end: float
    spacing: float
    source: str


def _sampled_inputs(source: str | PathLike[str] | Record, model: Model, hold: str | None) -> _SampledInputs:
    record = source if isinstance(source, Record) else load(source)[0]
    found = [name for name in model.input_names if name in record.channels or name in record.unreadable]
    if not found:
        wanted = ", ".join(model.input_names) or "none"
        raise DataError(
            f"{record.title}: no column is named like an input of model '{model.name}' ({wanted}). "
            f"Columns: {', '.join(record.channels)}."
        )
    columns = {}
    column = "time"
    try:
        time = np.asarray(convert(record.time, record.time_unit, model.time_unit))
        for item in model.inputs:
            column = item.name
            if item.name in found:
                channel = record.require(item.name, allow_constant=True)
                columns[item.name] = np.asarray(convert(channel.values, channel.unit, item.unit))
            else:
                columns[item.name] = np.full(len(time), item.value)
    except UnitError as error:
        raise UnitError(f"{record.title}, column '{column}': {error}") from None
    for name in found:
        unknown = coverage(time, columns[name], hold).unknown
        if unknown:
            raise DataError(
                f"{record.title}: the input '{name}' is not known from {max(unknown[0][0], time[0]):g} to "
                f"{min(unknown[0][1], time[-1]):g}: fill in what it was, or use a part of the file"
            )
    pieces = sampled(time, columns, {item.name: hold or item.hold for item in model.inputs})
    return _SampledInputs(pieces, float(time[0]), float(time[-1]), float(np.median(np.diff(time))), record.title)


def _times(duration: float | None, spacing: float | None, model: Model, inputs: _SampledInputs | None) -> np.ndarray:
    """Sample times: as asked, else those of the sampled inputs, else of the example experiment."""
    begin = inputs.begin if inputs else 0.0
    if inputs:
        duration, spacing = duration or inputs.end - inputs.begin, spacing or inputs.spacing
        if begin + duration > inputs.end + 1e-9 * duration:
            raise OptionError(
                f"duration {duration:g} goes beyond the inputs in {inputs.source}, which last "
                f"{inputs.end - inputs.begin:g}: shorten it, or leave it out"
            )
    elif model.ready:
        duration, spacing = duration or model.ready.duration, spacing or model.ready.spacing
    if duration is None or spacing is None:
        missing = " and ".join(word for word, value in (("duration", duration), ("dt", spacing)) if value is None)
        raise OptionError(f"model '{model.name}' has no example experiment: give {missing}")
    intervals = duration / spacing * (1 + 1e-12)
    if not intervals < MOST_SIMULATED:
        raise OptionError(
            f"duration {duration:g} with dt {spacing:g} makes {intervals:.3g} samples: "
            f"at most {MOST_SIMULATED:,} are made; lengthen dt or shorten the duration"
        )
    count = math.floor(intervals) + 1
    if count < FEWEST_SAMPLES:
        raise OptionError(
            f"duration {duration:g} with dt {spacing:g} makes {count} sample(s): "
            f"at least {FEWEST_SAMPLES} are needed; shorten dt or lengthen the duration"
        )
    # Rounded far below the spacing, so that 3*0.1 is written as 0.3.
    decimals = 12 - math.ceil(math.log10(max(abs(begin) + duration, 1e-300)))
    return np.asarray(np.round(begin + np.arange(count) * spacing, decimals), dtype=np.float64)


def _formulas(
    model: Model, expressions: Mapping[str, str], values: Mapping[str, float], time: np.ndarray
) -> dict[str, np.ndarray]:
    """Inputs given by expressions, at the sample times."""
    if not expressions:
        return {}
    known = {name: symbol(name) for name in model.parameter_names}
    parsed = [parse(text, known, f"input '{name}'") for name, text in expressions.items()]
    program = Program(parsed, [TIME, *known.values()])
    with np.errstate(all="ignore"):
        results = program(np, [time, *parameter_vector(model, values)])
    made = {}
    for name, result in zip(expressions, results, strict=True):
        made[name] = np.broadcast_to(np.asarray(result, dtype=float), time.shape)
        wrong = ~np.isfinite(made[name])
        if wrong.any():
            at = time[int(wrong.argmax())]
            raise OptionError(f"input {name} = {expressions[name]} is not finite at t = {at:g}")
    return made
