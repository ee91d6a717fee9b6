"""Which column of a table is the time, and its values as numbers that increase."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from identikit.errors import DataError, did_you_mean
from identikit.measurement._reading import Reading
from identikit.measurement._remark import Remark
from identikit.measurement._table import Column, Table
from identikit.measurement._time_stamps import Stamps, is_stamp, read_epoch, read_stamps
from identikit.measurement._unit_suffix import has_unclear_time_unit, time_unit, unit_remark

# Tried in this order; a unit may follow after an underscore, t_ms.
_SURE = ("t", "time")
_USUAL = ("timestamp", "time_stamp", "datetime", "date_time", "elapsed_time", "zeit", "zeitstempel", "temps", "tiempo")
_SUFFIXED = re.compile(rf"(?:{'|'.join((*_SURE, *_USUAL))})_(\w+)", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class TimeColumn:
    """When the samples of a table were taken.

    Arguments:
        name: of its column; empty if the table has none and the rate is known.
        values: one number per row, not yet checked to increase.
        unit: empty = not stated.
        remarks: what was decided to get here.
    """

    name: str
    values: NDArray[np.float64]
    unit: str
    remarks: tuple[Remark, ...] = ()


def time_of(table: Table, reading: Reading) -> TimeColumn:
    """The time of a table: its own column, stamps as seconds from the first, or rows at the stated rate."""
    if reading.rate is not None or reading.dt is not None:
        rows = np.arange(len(table.lines), dtype=np.float64)
        return TimeColumn("", rows / reading.rate if reading.rate is not None else rows * (reading.dt or 1.0), "s")
    column = _column(table, reading.time)
    stated = reading.units.get(column.name) or column.unit
    unit = stated or time_unit(column.name)
    if not unit and has_unclear_time_unit(column.name):
        raise DataError(
            f"{table.source}: the unit of the time column '{column.name}' is not clear from its name. Say what it is, "
            "such as s, ms or min.",
            remedy="name_unit",
            about=column.name,
        )
    stamps = _stamps(table, column, unit)
    if stamps is not None:
        text = f"'{column.name}' holds {stamps.kind}: the time is in seconds from the first, {stamps.first}"
        return TimeColumn(column.name, stamps.seconds, "s", (Remark("time_from_stamps", text, (column.name,)),))
    fault = table.fault(column)
    if fault or column.values is None:
        raise DataError(
            f"{table.source}: the time column '{column.name}' is not all numbers: {fault}. Expected numbers, such as "
            "seconds since the start, or date-times such as 2023-04-03T12:00:00.5, all in the same way."
        )
    remarks = () if stated or not unit else (unit_remark(column.name, unit),)
    return TimeColumn(column.name, column.values, unit, remarks)


def _column(table: Table, wanted: str | None) -> Column:
    """By its name; or the only one that holds dates, whatever its name."""
    position = find_time(table.names, wanted, table.source)
    if position is not None:
        return table.columns[position]
    dated = [column for column in table.columns if any(map(is_stamp, column.texts[:1]))]
    if len(dated) == 1:
        return dated[0]
    raise DataError(
        f"{table.source} has no column named 't' or 'time'. Its columns are: {', '.join(table.names)}. Say which one "
        "is the time, or, if there is none, the rate.",
        remedy="name_time",
    )


def _stamps(table: Table, column: Column, unit: str) -> Stamps | None:
    if column.values is not None:
        return read_epoch(column.values, unit)
    found = read_stamps(column.texts)
    if not isinstance(found, int):
        return found
    raise DataError(
        f"{table.source}: the time column '{column.name}' is not all numbers: {table.place(found)} holds "
        f"'{column.texts[found]}', after '{column.texts[found - 1]}'. Expected numbers or date-times such as "
        "2023-04-03T12:00:00.5, all in the same way (all with a time zone, or none)."
    )


def find_time(names: Sequence[str], wanted: str | None, where: str) -> int | None:
    """Position of the time column: the one wanted, else the first whose name means time in any case; None = none does.

    Arguments:
        names: column names without their units.
        wanted: the user's choice, or None.
        where: the file or table, for the message.
    """
    if wanted is not None:
        if wanted not in names:
            raise DataError(f"{where} has no column '{wanted}' for the time.{did_you_mean(wanted, names)}")
        return names.index(wanted)
    for words in (_SURE, _USUAL):
        for position, name in enumerate(names):
            if name.lower() in words or (words is _USUAL and _is_suffixed(name)):
                return position
    return None


def _is_suffixed(name: str) -> bool:
    return _SUFFIXED.fullmatch(name) is not None and (time_unit(name) != "" or has_unclear_time_unit(name))
