"""The front door for a first look: what is in this file?"""

from __future__ import annotations

import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from identikit.measurement import Channel, Clock, Experiment, Record, clock_of, load, trim
from identikit.result import ColumnLook, ColumnRole, LookReport, Motion, MotionKind
from identikit.survey import (
    SURVEY,
    Moving,
    Surveyed,
    curve_of,
    is_input,
    motion_of,
    remarks,
    suggestions,
    survey_column,
)

if TYPE_CHECKING:
    from identikit.question import Columns, Data

_NOT_FOR_READING = ("outputs", "inputs", "hold")  # they are about a model


def look(data: Data, **columns: Unpack[Columns]) -> LookReport:
    """What is in a record: rate, gaps, noise, resolution, outliers, frequencies, kind of motion, and what to do next.

    Arguments:
        data: a file, several files, a Record, an Experiment, a DataFrame, {name: values}.
        time, segments, units, trim: as in `fit`.
        outputs, inputs: {name: column}; where any are given, only these columns are looked at.

    Of several records the longest is looked at. No model is needed and nothing is changed: what is said is read from
    the numbers alone, and a short record (fewer than some 50 samples) tells little. Raises InputError (see
    identikit.errors) when the data cannot be read.
    """
    begun = clock.perf_counter()
    experiment = _experiment(data, dict(columns))
    record = max(experiment, key=len)
    wanted = list((columns.get("outputs") or {}).values())
    for name in wanted:
        record.require(name, allow_constant=True)
    # an input may also be an expression of time, and of that there is nothing to see
    wanted += [name for name in (columns.get("inputs") or {}).values() if name in record.channels]
    channels = {name: item for name, item in record.channels.items() if not wanted or name in wanted}
    ticks = clock_of(record.time)
    surveyed = _surveyed(record, channels, ticks)
    looks = [item.look for item in surveyed]
    looks += [_unreadable(name, words) for name, words in record.unreadable.items() if not wanted]
    motion = _motion(record, surveyed)
    return LookReport(
        record.name or record.title,
        {item.name or item.title: len(item) for item in experiment},
        len(record),
        float(record.time[0]),
        float(record.time[-1]),
        record.time_unit,
        ticks,
        motion,
        tuple(looks),
        suggestions(looks, motion, {item.look.name: _end(item) for item in surveyed}),
        remarks(record, ticks, looks),
        {item.look.name: curve_of(record.time, channels[item.look.name].values, item) for item in surveyed},
        {"total": clock.perf_counter() - begun},
        {"data_sha256": record.digest(), "records": _sources(experiment), "settings": asdict(SURVEY)},
    )


def _sources(experiment: Experiment) -> list[str]:
    """The files, or what else the records come from."""
    return list(dict.fromkeys(item.source or item.name or item.title for item in experiment))


def _surveyed(record: Record, channels: Mapping[str, Channel], ticks: Clock) -> list[Surveyed]:
    """Every column once: one that repeats another is only said to."""
    first: dict[bytes, str] = {}
    found = []
    for name, channel in channels.items():
        other = first.setdefault(channel.values.tobytes(), name)
        if other != name and np.ptp(channel.values) > 0:
            low, high = float(np.nanmin(channel.values)), float(np.nanmax(channel.values))
            known = int(np.isfinite(channel.values).sum())
            role = ColumnRole.REPEATED
            look = ColumnLook(name, channel.unit, role, known, len(channel) - known, low, high, note=other)
            found.append(Surveyed(look, channel.values))
        else:
            found.append(survey_column(name, channel, record.time, ticks))
    return found


def _experiment(data: Any, columns: dict[str, Any]) -> Experiment:
    """The records; files are read without what a model would need, since importing that takes longer than looking."""
    reading = {name: value for name, value in columns.items() if name not in _NOT_FOR_READING and value is not None}
    if isinstance(data, str | PathLike):
        data = [data]
    if isinstance(data, Record):
        data = Experiment((data,))
    cut = reading.get("trim")
    if isinstance(data, Sequence) and all(isinstance(item, str | PathLike) for item in data):
        data = load(list(data), **{name: value for name, value in reading.items() if name != "trim"})
    if not isinstance(data, Experiment):
        from identikit.question import Question

        return Question.from_dict({"data": data, **reading}, "the question").experiment()
    return data if cut is None else Experiment(tuple(trim(record, *cut) for record in data))


def _end(item: Surveyed) -> float:
    """Where a column ends: the median of its last quarter; NaN without values."""
    last = item.values[-max(len(item.values) // 4, 1) :]
    return float(np.median(last[np.isfinite(last)])) if np.isfinite(last).any() else np.nan


def _unreadable(name: str, words: str) -> ColumnLook:
    return ColumnLook(name, "", ColumnRole.UNREADABLE, 0, 0, np.nan, np.nan, note=words)


def _motion(record: Record, surveyed: Sequence[Surveyed]) -> Motion:
    """Of the columns that are measured and not an input; of all that are measured, if that leaves none."""
    measured = [item for item in surveyed if item.look.role is ColumnRole.MEASURED]
    outputs = [item for item in measured if not is_input(item.look)] or measured
    moving = [
        Moving(
            item.values,
            item.look.noise.sigma if item.look.noise else 0.0,
            item.look.lines,
            item.noise.correlation_time if item.noise else 0.0,
            bool(item.look.clipped),
        )
        for item in outputs
    ]
    commands = [item.look.changes for item in surveyed if item.look.role is ColumnRole.COMMAND]
    motion = motion_of(record.time, moving, max(commands) if commands else None)
    if motion.kind in (MotionKind.STEADY, MotionKind.GROWING) and len(outputs) < len(measured):
        return replace(motion, kind=MotionKind.DRIVEN)  # an input changes too
    return motion
