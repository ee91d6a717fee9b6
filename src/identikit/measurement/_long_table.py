"""Long tables: one row per time, quantity and value, as measurement tables in the PEtab format are.

    observableId  time  measurement            time  theta  omega
    theta         0     0.5            ->      0     0.5    0.0
    omega         0     0.0                    0.1   0.4    nan
    theta         0.1   0.4

Reference: L. Schmiester et al., PLOS Computational Biology 17 (2021) e1008646 (PEtab).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from identikit.errors import DataError, did_you_mean
from identikit.measurement._reading import Reading
from identikit.measurement._remark import Remark
from identikit.measurement._table import Column, Table
from identikit.measurement._time_column import TimeColumn

_QUANTITIES = ("observableid", "observable", "observable_id", "variable", "quantity", "signal")
_VALUES = ("measurement", "value")
_UNITS = ("unit", "units")
_CONDITION = "simulationConditionId"  # in PEtab, what distinguishes one experiment from another


def long_columns(table: Table, reading: Reading) -> tuple[str, str] | None:
    """The columns with the quantity's name and with its value: those asked for, else found by their usual names."""
    if reading.long is not None:
        for name in reading.long:
            if name not in table.names:
                raise DataError(f"{table.source} has no column '{name}'.{did_you_mean(name, table.names)}")
        return reading.long
    # A column of words beside others may be a remark on each row; alone with time and value it names what was measured.
    told = {column.name.lower() for column in table.columns}
    if "observableid" not in told and len(told - set(_UNITS)) > 3:
        return None
    quantity = [column for column in table.columns if column.name.lower() in _QUANTITIES and column.texts]
    value = [column for column in table.columns if column.name.lower() in _VALUES]
    return (quantity[0].name, value[0].name) if len(quantity) == len(value) == 1 else None


def widened(
    table: Table, names: tuple[str, str], time: TimeColumn, segments: str | None
) -> Iterator[tuple[Table, TimeColumn]]:
    """One table with a column per quantity for each run: its times in order, NaN where a quantity has no value.

    Arguments:
        table: the long table.
        names: of the columns with the quantity's name and with its value.
        time: of the long table.
        segments: the column that tells runs apart; None = PEtab's conditions, if there are several.
    """
    quantity, value = (table.columns[table.names.index(name)] for name in names)
    fault = table.fault(value)
    if fault or value.values is None:
        raise DataError(f"{table.source}: the values in '{value.name}' are not all numbers: {fault}.")
    if not time.name:
        raise DataError(f"{table.source} has one row per time and quantity, so it needs a column with the time.")
    missing = ~np.isfinite(time.values)
    if missing.any():
        raise DataError(f"{table.source}: {table.place(int(missing.argmax()))} has no finite time.")
    kinds = _labels(quantity)
    order = list(dict.fromkeys(kinds))
    units = _units(table, kinds)
    marks, by = _runs(table, segments)
    said = Remark("long_table", f"one row per time and '{quantity.name}' was read as the columns {', '.join(order)}")
    for mark in dict.fromkeys(marks):
        rows = np.array([row for row, own in enumerate(marks) if own == mark], dtype=np.int64)
        wide = _one_run(table, time, rows, np.array(kinds, dtype=object)[rows], value.values, order, units)
        part = f"{by}={mark}" if by else table.part
        times = replace(time, values=np.unique(time.values[rows]))
        yield replace(wide, part=part, remarks=(*table.remarks, said)), times


def _one_run(
    table: Table,
    time: TimeColumn,
    rows: NDArray[np.int64],
    kinds: NDArray[np.object_],
    values: NDArray[np.float64],
    order: list[str],
    units: dict[str, str],
) -> Table:
    times, first, place = np.unique(time.values[rows], return_index=True, return_inverse=True)
    columns = [Column(time.name, time.unit, times)]
    for kind in order:
        own = kinds == kind
        at = place[own]
        repeated = np.flatnonzero(np.bincount(at, minlength=len(times)) > 1)
        if len(repeated):
            again = rows[own][at == repeated[0]]
            raise DataError(
                f"{table.source}: {table.place(int(again[0]))} and {table.place(int(again[1]))} both give '{kind}' at "
                f"the time {times[repeated[0]]:g}. Repeated runs are records of their own: name the column that "
                "numbers them as segments.",
                remedy="name_segments",
            )
        full = np.full(len(times), np.nan)
        full[at] = values[rows[own]]
        columns.append(Column(kind, units.get(kind, ""), full))
    return Table(table.source, tuple(columns), table.lines[rows[first]], table.line_word)


def _labels(column: Column) -> list[str]:
    """The marks in a column as texts."""
    if column.values is not None:
        return [f"{value:.12g}" for value in column.values]
    return list(column.texts)


def _units(table: Table, kinds: list[str]) -> dict[str, str]:
    """The unit of each quantity, if a column says it."""
    found = next((column for column in table.columns if column.name.lower() in _UNITS and column.texts), None)
    if found is None:
        return {}
    pairs = dict(zip(kinds, found.texts, strict=True))
    for kind, unit in zip(kinds, found.texts, strict=True):
        if pairs[kind] != unit:
            raise DataError(
                f"{table.source}: '{kind}' has the units '{unit}' and '{pairs[kind]}'. Convert one of them."
            )
    return pairs


def _runs(table: Table, segments: str | None) -> tuple[list[str], str]:
    """The mark of the run of each row, and the column it is from; empty = there is one run."""
    if segments is not None:
        if segments not in table.names:
            raise DataError(
                f"{table.source} has no column '{segments}' for the segments.{did_you_mean(segments, table.names)}"
            )
        return _labels(table.columns[table.names.index(segments)]), segments
    if _CONDITION in table.names:
        marks = _labels(table.columns[table.names.index(_CONDITION)])
        if len(set(marks)) > 1:
            return marks, _CONDITION
    return [""] * len(table.lines), ""
