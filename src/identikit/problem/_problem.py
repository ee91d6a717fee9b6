"""Problem: what is asked of a record, checked once; nothing after it looks at a unit or a column name."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from identikit.errors import ProblemError, did_you_mean
from identikit.measurement import Experiment, Record
from identikit.model import Model, state_bounds
from identikit.problem._columns import assumptions, match_inputs, match_outputs
from identikit.problem._computed_columns import with_computed_columns
from identikit.problem._drifting import drifting
from identikit.problem._initial import Initial, InitialGiven, initial_states
from identikit.problem._noise import Noise, NoiseGiven, noise_of_outputs
from identikit.problem._observed import Observed
from identikit.problem._process import ProcessNoise, process_of_states
from identikit.problem._read_columns import expressions_of, read_columns, uses
from identikit.problem._reading import InputsGiven, read_record
from identikit.result import Finding


@dataclass(frozen=True)
class Problem:
    """What is free, fixed, known and measured; made by `Problem.pose`, changed only by its own transformations.

    Arguments:
        outputs: the measured outputs; `records` hold them in this order, in the model's units.
        free, fixed: parameters that are estimated, in this order, and the values of all others.
        start, bounds: of free parameters; a start is optional.
        initial: for every record what is known of each state when it begins.
        noise: what is known of the noise of every measured output, and its shape once that has been chosen.
        process: noise on the rates of states, by state; none is known of those that are left out.
        priors: (mean, standard deviation) of free parameters that are known roughly beforehand.
        channels: which column each output was read from.
        digest: of the data as they were given.
        findings: what was assumed for the user.
    """

    model: Model
    outputs: tuple[str, ...]
    records: tuple[Observed, ...]
    free: tuple[str, ...]
    fixed: Mapping[str, float]
    start: Mapping[str, float]
    bounds: Mapping[str, tuple[float, float]]
    initial: tuple[Mapping[str, Initial], ...]
    channels: Mapping[str, str]
    digest: str
    noise: Mapping[str, Noise]
    priors: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    process: Mapping[str, ProcessNoise] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()

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
        before: Mapping[str, float] | None = None,
        gaps: str | None = None,
        initial: InitialGiven = None,
        noise: Mapping[str, NoiseGiven] | str | None = None,
        priors: Mapping[str, tuple[float, float]] | None = None,
        unwrap: bool = True,
    ) -> Problem:
        """Check everything against everything, convert units once, and put the records in the model's words.

        Arguments:
            free: parameters to estimate; None = the model's default ones, without those in `fix`.
            fix: values for parameters that are not estimated.
            start: starting values for free parameters, optional.
            bounds: bounds that replace the model's own.
            outputs: {output: channel or expression of channels}; a channel named like an output needs no entry.
            inputs: {input: channel or expression of channels or time}; a channel named like an input needs no entry.
            hold: how sampled inputs are interpolated: "linear", "zero_order" or "cubic"; None = as the model says,
                unless the record shows otherwise.
            before: {input: its value before its first sample}; without, a record begins where all inputs are known.
            gaps: how inputs went on where samples are missing: "hold" the last value, or "linear"; None = not known,
                and a record is split there into parts with initial states of their own.
            initial: states known at the beginning, as `InitialGiven` says.
            noise: a kind for all outputs (auto, white, ar, student, lognormal), or {output: kind, known standard
                deviation, column with the standard deviation of every sample, or {"kind", "level", "column"}};
                process noise on the rate of a state x under "x'": its intensity, or auto.
            priors: {parameter: (mean, standard deviation)}.
            unwrap: join angles that jump by a full turn.
        """
        records = Experiment((experiment,)) if isinstance(experiment, Record) else experiment
        fix, start = dict(fix or {}), dict(start or {})
        names = tuple(free) if free is not None else tuple(name for name in model.default_free if name not in fix)
        limits = _checked_parameters(model, names, fix, start, bounds or {})
        given = records
        computed = expressions_of(model, records, outputs or {}, inputs or {})
        kept = [*model.output_names, *model.input_names, *(outputs or {}).values(), *(inputs or {}).values()]
        records = with_computed_columns(records, computed, model.time_unit, kept)
        taken = match_inputs(model, records, inputs or {})
        chosen, guessed = match_outputs(taken.model, records, outputs or {})
        process, told_noise = process_of_states(model.state_names, {} if isinstance(noise, str) else noise or {})
        found = noise_of_outputs(
            tuple(chosen), tuple(records.records[0].channels), noise if isinstance(noise, str) else told_noise
        )
        records, said = read_columns(records, uses(taken, chosen), computed, unwrap)
        driven = InputsGiven(hold, before or {}, gaps)
        driven.check(taken, records.records[0].channels)
        read = [read_record(taken, record, chosen, driven, found) for record in records]
        observed = tuple(part for item in read for part in item.parts)
        told = initial_states(taken.model, initial, [record.name or record.source for record in records])
        unknown = _unknown_initial(taken.model)
        values = {}
        for parameter in taken.model.parameters:
            if parameter.name in names:
                continue
            value = fix.get(parameter.name, parameter.value)
            if value is None:
                raise ProblemError(
                    f"parameter '{parameter.name}' is neither free nor fixed and the model gives no value: "
                    "let it be free, or give it a value",
                    remedy="free_or_fix",
                    about=parameter.name,
                )
            values[parameter.name] = float(value)
        _check_priors(names, priors or {})
        return cls(
            model=taken.model,
            outputs=tuple(chosen),
            records=observed,
            free=names,
            fixed=values,
            start=start,
            bounds=limits,
            initial=tuple(
                states if k == 0 and item.begins else unknown
                for item, states in zip(read, told, strict=True)
                for k in range(len(item.parts))
            ),
            channels=chosen,
            digest=given.digest(),
            noise=found,
            priors={name: (float(mean), float(std)) for name, (mean, std) in (priors or {}).items()},
            process=process,
            findings=(
                *(told for item in read for told in item.findings),
                *assumptions(taken, records, observed, chosen, guessed),
                *said,
            ),
        )

    # Transformations: each gives another problem, as checked as `pose` would.

    def fixed_at(self, values: Mapping[str, float]) -> Problem:
        """The same problem with some free parameters fixed; with all of them, only initial states are left."""
        for name, value in values.items():
            if name not in self.free:
                raise ProblemError(f"parameter '{name}' is not free.{did_you_mean(name, self.free)}")
            if not math.isfinite(value):
                raise ProblemError(f"fixed value of '{name}' is {value}: expected a finite number")
        return replace(
            self,
            free=tuple(name for name in self.free if name not in values),
            fixed={**self.fixed, **{name: float(value) for name, value in values.items()}},
            start={name: item for name, item in self.start.items() if name not in values},
            bounds={name: item for name, item in self.bounds.items() if name not in values},
            priors={name: item for name, item in self.priors.items() if name not in values},
        )

    def restricted(self, bounds: Mapping[str, tuple[float, float]]) -> Problem:
        """The same problem with other bounds for some free parameters; starting values outside them are dropped."""
        limits = {**self.bounds, **_checked_bounds(self.model, self.free, bounds)}
        start = {name: value for name, value in self.start.items() if limits[name][0] <= value <= limits[name][1]}
        return replace(self, bounds=limits, start=start)

    def with_noise(self, noise: Mapping[str, Noise]) -> Problem:
        """The same problem with another noise on some outputs, such as a shape chosen from residuals."""
        for name in noise:
            if name not in self.outputs:
                raise ProblemError(f"noise is given for '{name}', which is not measured")
        return replace(self, noise={**self.noise, **noise})

    def extended(self, model: Model, free: Mapping[str, tuple[float, float]]) -> Problem:
        """The same question about a model with more in it: further parameters are free, within the given bounds.

        The model has the same states, inputs and outputs; a parameter among `free` may have been fixed before.
        """
        old = self.model
        if (old.state_names, old.input_names, old.output_names) != (
            model.state_names,
            model.input_names,
            model.output_names,
        ):
            raise ProblemError("an extended model must have the same states, inputs and outputs as before")
        names = (*self.free, *free)
        _checked_parameters(model, names, {}, self.start, {})
        missing = [n for n in model.parameter_names if n not in names and n not in self.fixed]
        if missing:
            raise ProblemError(f"parameter '{missing[0]}' of the extended model is neither free nor fixed")
        return replace(
            self,
            model=model,
            free=names,
            fixed={name: value for name, value in self.fixed.items() if name not in free},
            bounds={**self.bounds, **_checked_bounds(model, names, free)},
        )

    def with_law(self, model: Model, start: Mapping[str, float] | None = None) -> Problem:
        """The same records under another law: a model of the same states, inputs and outputs, with all its parameters
        free."""
        bare = replace(self, free=(), fixed={}, start={}, bounds={}, priors={})
        found = bare.extended(model, {item.name: item.bounds for item in model.parameters})
        _check_inside(start or {}, found.bounds, "starting value")
        return replace(found, start=dict(start or {}))

    def without_start(self) -> Problem:
        """The same problem with no starting values."""
        return replace(self, start={})

    def with_records(self, records: Sequence[Observed]) -> Problem:
        """The same question about other records, as many and of the same outputs (thinned, smoothed, shortened)."""
        if len(records) != len(self.records) or any(r.values.shape[1] != len(self.outputs) for r in records):
            raise ProblemError("other records must be as many as before, each with a column for every output")
        return replace(self, records=tuple(records))

    def begun(self, known: Mapping[int, Mapping[str, float]]) -> Problem:
        """The same problem with states known when records begin: {record: {state: value}}."""
        given = []
        for k, initial in enumerate(self.initial):
            own = {name: Initial(value, 0.0, initial[name].bounds) for name, value in known.get(k, {}).items()}
            given.append({**initial, **own})
        return replace(self, initial=tuple(given))

    def split(self, share: float) -> tuple[Problem, Problem]:
        """The first `share` of every record in time, and the rest, whose initial states are not known."""
        if not 0 < share < 1:
            raise ProblemError(f"a record is to be split at {share:g} of its length: expected between 0 and 1")
        cut = [r.time[0] + share * (r.time[-1] - r.time[0]) for r in self.records]
        first = [r.between(-np.inf, at) for r, at in zip(self.records, cut, strict=True)]
        last = [r.between(np.nextafter(at, np.inf), np.inf) for r, at in zip(self.records, cut, strict=True)]
        unknown = (_unknown_initial(self.model),) * len(self.records)
        return self.with_records(first), replace(self.with_records(last), initial=unknown)

    def drifting(self, names: Sequence[str]) -> Problem:
        """The same problem with some free parameters as states that nothing but noise moves."""
        return drifting(self, names) if names else self

    def held(self, holds: Mapping[str, str]) -> Problem:
        """The same problem with sampled inputs that go on otherwise between their samples, by input."""
        return replace(self, records=tuple(record.held(holds) for record in self.records))

    def unmeasured_after(self, share: float) -> Problem:
        """The same records with nothing measured after the first `share` of each, for a fit to predict."""
        return self.with_records([r.unmeasured_after(r.time[0] + share * np.ptp(r.time)) for r in self.records])

    # What methods read.

    @property
    def holds(self) -> dict[str, str]:
        """How sampled inputs that vary go on between their samples, where nobody has said so."""
        return {name: hold for record in self.records for name, hold in record.holds.items()}

    def vector(self, free_values: Sequence[float] | np.ndarray) -> np.ndarray:
        """All parameters in the model's order, given the free ones; [n, free] gives [n, parameters]."""
        given = np.asarray(free_values, float)
        found = np.empty((*given.shape[:-1], len(self.model.parameters)))
        for i, name in enumerate(self.model.parameter_names):
            found[..., i] = self.fixed[name] if name in self.fixed else given[..., self.free.index(name)]
        return found

    @property
    def limits(self) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper bounds of the free parameters."""
        table = np.array([self.bounds[name] for name in self.free], float).reshape(len(self.free), 2)
        return table[:, 0].copy(), table[:, 1].copy()

    @property
    def samples(self) -> int:
        """Measured values in all records."""
        return int(sum(np.isfinite(record.values).sum() for record in self.records))


def _unknown_initial(model: Model) -> dict[str, Initial]:
    """Every state free within its own bounds."""
    return {name: Initial(bounds=bounds) for name, bounds in zip(model.state_names, state_bounds(model), strict=True)}


def _checked_parameters(
    model: Model,
    free: Sequence[str],
    fix: Mapping[str, float],
    start: Mapping[str, float],
    bounds: Mapping[str, tuple[float, float]],
) -> dict[str, tuple[float, float]]:
    """The bounds of the free parameters, after everything said about parameters has been checked."""
    for name in [*free, *fix, *start]:
        if name not in model.parameter_names:
            raise ProblemError(
                f"model '{model.name}' has no parameter '{name}'.{did_you_mean(name, model.parameter_names)}"
            )
    for name in free:
        if list(free).count(name) > 1:
            raise ProblemError(f"parameter '{name}' is listed twice among the free ones: list it once")
        if name in fix:
            raise ProblemError(f"parameter '{name}' is both free and fixed: choose one")
    for name in start:
        if name not in free:
            raise ProblemError(
                f"parameter '{name}' has a starting value but is not free: let it be free, or fix it",
                remedy="free_or_fix",
                about=name,
            )
    if not free:
        raise ProblemError("no parameter is free: name those to estimate", remedy="name_free")
    limits = {name: model.parameter(name).bounds for name in free} | _checked_bounds(model, free, bounds)
    _check_inside(fix, {name: model.parameter(name).bounds for name in fix}, "fixed value")
    _check_inside(start, limits, "starting value")
    return limits


def _checked_bounds(
    model: Model, free: Sequence[str], given: Mapping[str, tuple[float, float]]
) -> dict[str, tuple[float, float]]:
    for name, (low, high) in given.items():
        if name not in model.parameter_names:
            raise ProblemError(
                f"model '{model.name}' has no parameter '{name}'.{did_you_mean(name, model.parameter_names)}"
            )
        if name not in free:
            raise ProblemError(
                f"bounds are given for '{name}', which is not free: let it be free", remedy="free", about=name
            )
        if not low < high:
            raise ProblemError(
                f"bounds of '{name}' are [{low:g}, {high:g}]: expected the lower bound first and below the upper"
            )
    return {name: (float(low), float(high)) for name, (low, high) in given.items()}


def _check_inside(values: Mapping[str, float], bounds: Mapping[str, tuple[float, float]], what: str) -> None:
    for name, value in values.items():
        low, high = bounds[name]
        if not math.isfinite(value):
            raise ProblemError(f"{what} of '{name}' is {value}: expected a finite number")
        if not low <= value <= high:
            raise ProblemError(f"{what} of '{name}' is {value:g}, outside its bounds [{low:g}, {high:g}]")


def _check_priors(free: Sequence[str], priors: Mapping[str, tuple[float, float]]) -> None:
    for name, (mean, std) in priors.items():
        if name not in free:
            raise ProblemError(f"a prior is given for '{name}', which is not free.{did_you_mean(name, free)}")
        if not (math.isfinite(mean) and math.isfinite(std) and std > 0):
            raise ProblemError(f"prior of '{name}' is {mean:g} with {std:g}: expected a mean and a positive spread")
