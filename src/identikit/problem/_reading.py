"""A record read in a model's words: units converted, inputs as pieces, in parts where an input is not known."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from identikit.errors import ProblemError, UnitError, did_you_mean
from identikit.measurement import Record
from identikit.model import Input, Model
from identikit.problem._columns import InputSources
from identikit.problem._drive import Drive, SampledInput
from identikit.problem._input_coverage import GAPS, Coverage, coverage, known_parts, piecewise_constant
from identikit.problem._noise import Noise
from identikit.problem._observed import Observed
from identikit.problem._settings import PROBLEM
from identikit.result import Finding, finding
from identikit.simulation import Pieces, stepped
from identikit.units import convert


@dataclass(frozen=True)
class InputsGiven:
    """What the user says of sampled inputs where the record does not.

    `hold` between samples (None = as the model says, or as the record shows); `before` the first sample, by input;
    `gaps`: "hold" or "linear" (None = a record is split there).
    """

    hold: str | None = None
    before: Mapping[str, float] = field(default_factory=dict)
    gaps: str | None = None

    def check(self, sources: InputSources, channels: Mapping[str, object]) -> None:
        """Raise where something is said of an input that is not sampled, or nothing understandable."""
        if self.gaps is not None and self.gaps not in GAPS:
            raise ProblemError(f"gaps of inputs is '{self.gaps}': expected {' or '.join(GAPS)}")
        names = [name for name, column in sources.columns.items() if column in channels]
        for name, value in self.before.items():
            if name not in names:
                raise ProblemError(
                    f"a value is given for '{name}' before its first sample, but '{name}' is not an input in a "
                    f"column.{did_you_mean(name, names)}"
                )
            if not math.isfinite(value):
                raise ProblemError(f"the value of '{name}' before its first sample is {value}: expected a number")


@dataclass(frozen=True)
class Reading:
    """The parts of a record in which all inputs are known.

    `begins` tells whether the first part begins where the record does, so that what is known of its initial state
    holds.
    """

    parts: tuple[Observed, ...]
    begins: bool
    findings: tuple[Finding, ...] = ()


def read_record(
    sources: InputSources, record: Record, outputs: Mapping[str, str], given: InputsGiven, noise: Mapping[str, Noise]
) -> Reading:
    """The record in the model's units, with its inputs as pieces."""
    model = sources.model
    time = _converted(record, "time", record.time, record.time_unit, model.time_unit)
    columns = []
    for name, channel_name in outputs.items():
        channel = record.require(channel_name)
        columns.append(_converted(record, channel_name, channel.values, channel.unit, model.output(name).unit))
    values = np.stack(columns, axis=1)
    spread = _spread(model, record, noise, values)
    scheduled = stepped(model, sources.steps)
    settled: dict[str, Pieces] = {}
    driven: dict[str, np.ndarray] = {}
    for index, item in enumerate(model.inputs):
        column = sources.columns.get(item.name)
        if scheduled is not None and item.name in sources.steps:
            settled[item.name] = scheduled.of(index)
        elif column is None or column not in record.channels:
            settled[item.name] = Pieces.constant([item.value])
        else:
            channel = record.require(column, allow_constant=True)
            measured = _converted(record, column, channel.values, channel.unit, item.unit)
            if np.ptp(measured) == 0:  # not so with NaN
                settled[item.name] = Pieces.constant([float(measured[0])])
            else:
                driven[item.name] = measured
    covered = {
        name: coverage(time, column, given.hold, given.before.get(name), given.gaps) for name, column in driven.items()
    }
    holds = {item.name: _hold(item, driven[item.name], given) for item in model.inputs if item.name in driven}
    title = record.name or record.source
    parts = known_parts(time, list(covered.values()), record.title)
    kept = [part for part in parts if _tells(values, part, len(model.states))] if len(parts) > 1 else parts
    if not kept:
        raise ProblemError(
            f"{record.title}: there is no stretch long enough in which {', '.join(driven)} is known: say what it was "
            "before its first sample and in gaps",
            remedy="fill_gaps",
        )
    made = []
    for number, part in enumerate(kept, 1):
        begin, end = float(time[part[0]]), float(time[part[-1]])
        inputs = {
            name: SampledInput.over(name, time, column, holds[name], covered[name], begin, end)
            for name, column in driven.items()
        }
        drive = Drive(tuple(model.input_names), inputs, settled, settled=given.hold is not None)
        own = title if len(kept) == 1 else f"{title} (part {number})".lstrip()
        std = None if spread is None else spread[part]
        made.append(Observed(own, time[part], values[part], drive.pieces, drive, std))
    said = _findings(record.title, time, covered, kept, model.time_unit)
    return Reading(tuple(made), bool(kept[0][0] == 0), tuple(said))


def _spread(model: Model, record: Record, noise: Mapping[str, Noise], values: np.ndarray) -> np.ndarray | None:
    """Standard deviations of single samples, for outputs that have a column of them; one missing makes the sample
    missing."""
    if all(item.column is None for item in noise.values()):
        return None
    spread = np.ones_like(values)
    for j, (name, item) in enumerate(noise.items()):
        if item.column is None:
            continue
        channel = record.require(item.column, allow_constant=True)
        spread[:, j] = _converted(record, item.column, channel.values, channel.unit, model.output(name).unit)
        if not np.nanmin(np.where(np.isfinite(values[:, j]), spread[:, j], np.inf), initial=np.inf) > 0:
            raise ProblemError(
                f"{record.title}, column '{item.column}': standard deviations of {name} must be above zero"
            )
    values[~np.isfinite(spread)] = np.nan
    return np.where(np.isfinite(spread), spread, 1.0)


def _hold(item: Input, column: np.ndarray, given: InputsGiven) -> str:
    """As the user says; else a command keeps its level; else as the model says."""
    if given.hold is not None:
        return given.hold
    known = column[np.isfinite(column)]
    return "zero_order" if piecewise_constant(known) or len(known) < PROBLEM.fewest_regular else item.hold


def _tells(values: np.ndarray, part: np.ndarray, states: int) -> bool:
    """Whether a part holds enough of every output that the record holds."""
    count = np.isfinite(values[part]).sum(axis=0)
    return bool((count >= PROBLEM.fewest_part_samples * states).all())


def _findings(
    title: str, time: np.ndarray, covered: Mapping[str, Coverage], kept: Sequence[np.ndarray], unit: str
) -> list[Finding]:
    """What was left out, split or bridged, and why."""
    found = []
    used = np.zeros(len(time), bool)
    used[np.concatenate(kept)] = True
    parts = f"; the record is used in {len(kept)} parts, each with an initial state of its own"
    for name, item in covered.items():
        edges: list[str] = []
        late: list[str] = []
        inner: list[str] = []
        for after, until in item.unknown:
            left = int(np.sum((time > after) & (time < until) & ~used))
            span = min(until, float(time[-1])) - max(after, float(time[0]))
            lost = f", {left} samples left out" if left else ""
            place = f"{_stretch(after, until, unit)} ({span:.4g}{_unit(unit)}{lost})"
            open_end = math.isinf(after) or math.isinf(until)
            short = open_end and span <= PROBLEM.regular * item.spacing
            (edges if short else late if math.isinf(after) else inner).append(place)
        manner = f"{title}: the input {name} is not known"
        if edges:
            found.append(finding("input_edges", f"{manner} {_listed(edges)}", name))
        if late:
            found.append(finding("input_begins_late", f"{manner} {_listed(late)}", name))
        if inner:
            split = parts if len(kept) > 1 else ""
            found.append(finding("input_gap", f"{manner} {_listed(inner)}{split}", name))
        if item.events:
            text = f"{title}: {name} was recorded now and then only, and taken to hold each value until the next"
            found.append(finding("input_bridged", text, name))
        elif item.bridged:
            plural = "s are" if item.bridged > 1 else " is"
            text = f"{title}: {item.bridged} single sample{plural} missing in {name}, bridged by the neighbours"
            found.append(finding("input_bridged", text, name))
    return found


def _listed(places: Sequence[str]) -> str:
    shown, rest = places[: PROBLEM.most_listed], len(places) - PROBLEM.most_listed
    return ", ".join(shown) + (f" and in {rest} more places" if rest > 0 else "")


def _stretch(after: float, until: float, unit: str) -> str:
    if math.isinf(after):
        return f"before its first sample at {until:.6g}{_unit(unit)}"
    if math.isinf(until):
        return f"after its last sample at {after:.6g}{_unit(unit)}"
    return f"between {after:.6g} and {until:.6g}{_unit(unit)}"


def _unit(unit: str) -> str:
    return f" {unit}" if unit else ""


def _converted(record: Record, column: str, values: np.ndarray, source: str, target: str) -> np.ndarray:
    try:
        return np.asarray(convert(values, source, target))
    except UnitError as error:
        raise UnitError(f"{record.title}, column '{column}': {error}") from None
