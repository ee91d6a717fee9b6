"""Problem: an experiment meets a model. The only place where data meet equations."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from identikit.errors import ProblemError, UnitError, did_you_mean
from identikit.measurement import Experiment, Record
from identikit.model import Model, outside_domain
from identikit.simulate import Pieces, sampled, stepped
from identikit.units import convert


@dataclass(frozen=True)
class Observed:
    """One record in the model's words: times, measured outputs [samples, outputs] (NaN = not measured),
    inputs."""

    name: str
    time: np.ndarray
    values: np.ndarray
    pieces: Pieces


@dataclass(frozen=True)
class Problem:
    """What is free, what is fixed, and which output is which channel; made by `Problem.pose`."""

    model: Model
    experiment: Experiment
    outputs: tuple[str, ...]
    records: tuple[Observed, ...]
    free: tuple[str, ...]
    fixed: Mapping[str, float]
    start: Mapping[str, float]
    bounds: Mapping[str, tuple[float, float]]
    channels: Mapping[str, str]
    guessed: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What was decided for the user: outputs read from columns of another name, samples that cannot be used."""
        guessed = [
            f"{output} was read from column '{column}'"
            for output, column in self.channels.items()
            if column in self.guessed
        ]
        outside = [
            f"{record.name}: {count} of {len(record.time)} samples break {condition}, which the equations need; "
            "methods that evaluate the equations at measured values leave them out"
            for record in self.records
            for condition, count in outside_domain(self.model, self.outputs, record.values).items()
        ]
        return (*guessed, *outside)

    @classmethod
    def pose(
        cls,
        model: Model,
        experiment: Experiment | Record,
        *,
        free: Sequence[str] | None = None,
        fix: Mapping[str, float] | None = None,
        start: Mapping[str, float] | None = None,
        bounds: Mapping[str, tuple[float, float]] | None = None,
        outputs: Mapping[str, str] | None = None,
        inputs: Mapping[str, str] | None = None,
        hold: str | None = None,
    ) -> Problem:
        """Check everything against everything, convert units once, and put the records in the model's words.

        Arguments:
            free: parameters to estimate; None = the model's default ones, without those in `fix`.
            fix: values for parameters that are not estimated.
            start: starting values for free parameters, optional.
            bounds: bounds that replace the model's own.
            outputs: {output: channel}; a channel named like an output needs no entry.
            inputs: {input: channel or expression of time}; a channel named like an input needs no entry.
            hold: how sampled inputs go on between samples: "linear", "zero_order" or "cubic"; None = as the model says.
        """
        records = Experiment((experiment,)) if isinstance(experiment, Record) else experiment
        fix, start = dict(fix or {}), dict(start or {})
        names = list(free) if free is not None else [name for name in model.default_free if name not in fix]
        _check_parameters(model, names, fix, start)
        limits = _bounds(model, names, bounds or {})
        _check_inside(fix, {name: model.parameter(name).bounds for name in fix}, "fixed value")
        _check_inside(start, limits, "starting value")
        channel_names = list(records.records[0].channels)
        expressions = {n: c for n, c in (inputs or {}).items() if c not in channel_names and not _names_a_channel(c)}
        for name, channel in (inputs or {}).items():
            if name not in model.input_names:
                raise ProblemError(
                    f"model '{model.name}' has no input '{name}'.{did_you_mean(name, model.input_names)}"
                )
            if name not in expressions and channel not in channel_names:
                raise ProblemError(
                    f"input '{name}' is mapped to '{channel}', which is neither a column nor "
                    f"an expression of t."
                    f"{did_you_mean(channel, channel_names)}"
                )
        steps = {n: e for n, e in expressions.items() if stepped(model, {n: e}) is not None}
        reduced = model.with_input_expressions({n: e for n, e in expressions.items() if n not in steps})
        chosen, guessed = _match_outputs(reduced, records, outputs or {})
        columns = {name: (inputs or {}).get(name, name) for name in reduced.input_names if name not in steps}
        observed = tuple(_observe(reduced, record, chosen, columns, hold, steps) for record in records)
        values = {}
        for parameter in reduced.parameters:
            if parameter.name in names:
                continue
            value = fix.get(parameter.name, parameter.value)
            if value is None:
                raise ProblemError(
                    f"parameter '{parameter.name}' is neither free nor fixed and the model gives no value: "
                    f"add it to --free or give --fix {parameter.name}=VALUE"
                )
            values[parameter.name] = float(value)
        return cls(reduced, records, tuple(chosen), observed, tuple(names), values, start, limits, chosen, guessed)

    def vector(self, free_values: Sequence[float] | np.ndarray) -> np.ndarray:
        """All parameters in the model's order, given the free ones."""
        known = dict(self.fixed) | dict(zip(self.free, free_values, strict=True))
        return np.array([known[name] for name in self.model.parameter_names])

    @property
    def samples(self) -> int:
        """Measured values in all records."""
        return int(sum(np.isfinite(record.values).sum() for record in self.records))


def _check_parameters(model: Model, free: Sequence[str], fix: Mapping[str, float], start: Mapping[str, float]) -> None:
    for name in [*free, *fix, *start]:
        if name not in model.parameter_names:
            raise ProblemError(
                f"model '{model.name}' has no parameter '{name}'.{did_you_mean(name, model.parameter_names)}"
            )
    for name in free:
        if list(free).count(name) > 1:
            raise ProblemError(f"parameter '{name}' is listed twice in --free: list it once")
        if name in fix:
            raise ProblemError(f"parameter '{name}' is both free and fixed: choose one")
    for name in start:
        if name not in free:
            raise ProblemError(
                f"parameter '{name}' has a starting value but is not free: add it to --free, or use --fix"
            )
    if not free:
        raise ProblemError("no parameter is free: name those to estimate with --free a,b")


def _bounds(
    model: Model, free: Sequence[str], given: Mapping[str, tuple[float, float]]
) -> dict[str, tuple[float, float]]:
    for name, (low, high) in given.items():
        if name not in model.parameter_names:
            raise ProblemError(
                f"model '{model.name}' has no parameter '{name}'.{did_you_mean(name, model.parameter_names)}"
            )
        if name not in free:
            raise ProblemError(f"bounds are given for '{name}', which is not free: add it to --free")
        if not low < high:
            raise ProblemError(
                f"bounds of '{name}' are [{low:g}, {high:g}]: expected the lower bound first and below the upper"
            )
    return {name: given.get(name, model.parameter(name).bounds) for name in free}


def _check_inside(values: Mapping[str, float], bounds: Mapping[str, tuple[float, float]], what: str) -> None:
    for name, value in values.items():
        low, high = bounds[name]
        if not math.isfinite(value):
            raise ProblemError(f"{what} of '{name}' is {value}: expected a finite number")
        if not low <= value <= high:
            raise ProblemError(f"{what} of '{name}' is {value:g}, outside its bounds [{low:g}, {high:g}]")


def _names_a_channel(text: str) -> bool:
    """A plain word other than the time is meant as a column, anything else as an expression."""
    try:
        float(text)
    except ValueError:
        return text.isidentifier() and text not in ("t", "pi")
    return False


def _match_outputs(
    model: Model, records: Experiment, mapping: Mapping[str, str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """{output: column}, and the columns among them that were guessed.

    Where no column is named like an output, one that continues an output's name, as theta_rad does, is taken
    if it is the only one.
    """
    columns = list(records.records[0].channels) + list(records.records[0].unreadable)
    for name in mapping:
        if name not in model.output_names:
            raise ProblemError(f"model '{model.name}' has no output '{name}'.{did_you_mean(name, model.output_names)}")
    chosen = {name: mapping.get(name, name) for name in model.output_names if name in mapping or name in columns}
    if chosen:
        return chosen, ()
    for name in model.output_names:
        like = [column for column in columns if column.lower().startswith(f"{name.lower()}_")]
        if len(like) == 1:
            chosen[name] = like[0]
    if not chosen:
        raise ProblemError(
            f"{records.records[0].title}: no column is named like an output of model '{model.name}' "
            f"({', '.join(model.output_names)}): say which column it is with "
            f"--map {model.output_names[0]}=COLUMN. "
            f"Columns: {', '.join(columns)}."
        )
    return chosen, tuple(chosen.values())


def _observe(
    model: Model,
    record: Record,
    outputs: Mapping[str, str],
    inputs: Mapping[str, str],
    hold: str | None,
    steps: Mapping[str, str],
) -> Observed:
    time = _converted(record, "time", record.time, record.time_unit, model.time_unit)
    columns = []
    for name, channel_name in outputs.items():
        channel = record.require(channel_name)
        columns.append(_converted(record, channel_name, channel.values, channel.unit, model.output(name).unit))
    driven = {}
    for item in model.inputs:
        column = inputs.get(item.name)
        if column is not None and column in record.channels:
            channel = record.require(column, allow_constant=True)
            driven[item.name] = _converted(record, column, channel.values, channel.unit, item.unit)
    if any(np.ptp(values) != 0 for values in driven.values()):  # NaN differs from itself, and counts as change
        full = {item.name: driven.get(item.name, np.full(len(time), item.value)) for item in model.inputs}
        pieces = sampled(time, full, {item.name: hold or item.hold for item in model.inputs})
    else:
        pieces = Pieces.constant([driven[item.name][0] if item.name in driven else item.value for item in model.inputs])
    scheduled = stepped(model, steps)
    if scheduled is not None:
        pieces = scheduled.combined(pieces, [item.name in steps for item in model.inputs])
    return Observed(record.name or record.source, time, np.stack(columns, axis=1), pieces)


def _converted(record: Record, column: str, values: np.ndarray, source: str, target: str) -> np.ndarray:
    try:
        return np.asarray(convert(values, source, target))
    except UnitError as error:
        raise UnitError(f"{record.title}, column '{column}': {error}") from None
