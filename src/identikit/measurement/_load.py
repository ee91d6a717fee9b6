"""load: from files to an Experiment."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from identikit.errors import DataError, did_you_mean
from identikit.measurement._experiment import Experiment
from identikit.measurement._read import read_table
from identikit.measurement._record import FEWEST_SAMPLES, Channel, Record, check_unit_names
from identikit.measurement._table import Column, Table
from identikit.measurement._time_column import time_column
from identikit.measurement._time_fault import first_time_fault

FilePath = str | os.PathLike[str]


def load(
    paths: FilePath | Sequence[FilePath],
    *,
    time: str | None = None,
    segments: str | None = None,
    units: Mapping[str, str] | None = None,
    name: str | None = None,
    columns: Sequence[str] | None = None,
) -> Experiment:
    """Load one or more files as an Experiment with one record per file, or per run within a file.

    All numeric columns become channels under their names without the unit; nothing is converted yet.

    Arguments:
        paths: one file or several; text (.csv, .tsv, .txt, .dat), .parquet or .mat.
        time: name of the time column; None = ``t``, ``time``, or a name such as ``t_s``, ``time_ms``.
        segments: name of a column whose consecutive equal values mark separate runs, each its own record.
        units: unit by column name, overriding the headers (``theta[deg]``) and suffixes (``t_ms``).
        name: name of the records for reports; None = the file's.
        columns: names for the columns of a text file without header row.

    Files with different hardware do not belong in one call: the records of an experiment share parameters.
    """
    files: list[FilePath] = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    if not files:
        raise DataError("No file was given. Name at least one file to load.")
    labels = _labels(files, name)
    records: list[Record] = []
    for file, label in zip(files, labels, strict=True):
        records.extend(_records(read_table(file, columns), label, time, segments, units or {}))
    return Experiment(tuple(records))


def _labels(files: Sequence[FilePath], name: str | None) -> list[str]:
    """One name per file: the given one (numbered), else the file's, with its folder if two are the same."""
    if name is not None:
        return [name] if len(files) == 1 else [f"{name}[{number}]" for number in range(len(files))]
    stems = [Path(file).stem for file in files]
    return [stem if stems.count(stem) == 1 else str(file) for stem, file in zip(stems, files, strict=True)]


def _records(
    table: Table, label: str, time: str | None, segments: str | None, units: Mapping[str, str]
) -> Iterator[Record]:
    position, suffix = time_column(table.names, time, table.source)
    time_of = table.columns[position]
    if segments == time_of.name:
        raise DataError(f"{table.source}: '{segments}' is the time column and cannot also mark the segments.")
    check_unit_names(units, table.names, table.source)
    channels = [column for column in table.columns if column.name not in (time_of.name, segments)]
    if not channels:
        raise DataError(
            f"{table.source} has no column besides the time ('{time_of.name}'). Expected at least one "
            "measured quantity, in columns separated by commas, semicolons, tabs or blanks."
        )
    fault = table.fault(time_of)
    times = time_of.values
    if fault or times is None:
        raise DataError(
            f"{table.source}: the time column '{time_of.name}' is not all numbers: {fault}. "
            "Expected the time as a number, such as seconds since the start."
        )
    faults = {column.name: table.fault(column) for column in channels}
    time_unit = units.get(time_of.name) or time_of.unit or suffix
    for start, end, mark in _runs(table, segments):
        title = f"{label}[{segments}={mark}]" if segments else label
        where = f"{table.source} ({segments}={mark})" if segments else table.source
        _check_time(table, times[start:end], start, where, time_of.name)
        yield Record(
            time=times[start:end],
            channels={
                column.name: Channel(column.values[start:end], units.get(column.name) or column.unit)
                for column in channels
                if column.values is not None and not faults[column.name]
            },
            time_unit=time_unit,
            name=title,
            source=where,
            unreadable={column: words for column, words in faults.items() if words},
        )


def _check_time(table: Table, times: NDArray[np.float64], start: int, where: str, name: str) -> None:
    """Refuse too short a run and times that do not increase, by the file's own line numbers."""
    if len(times) < FEWEST_SAMPLES:
        raise DataError(
            f"{where} has {len(times)} row(s) of data ({table.place(start)}); at least {FEWEST_SAMPLES} "
            "are needed. Check that the file is complete and that the right column marks the segments."
        )
    fault = first_time_fault(times)
    if fault is not None:
        words = fault.describe(lambda index: table.place(start + index))
        raise DataError(f"{where}, column '{name}': {words}", remedy="name_segments" if fault.backwards else "")


def _runs(table: Table, segments: str | None) -> Iterator[tuple[int, int, str]]:
    """First row, row after the last, and mark of every run of equal values in the segment column."""
    if segments is None:
        yield 0, len(table.lines), ""
        return
    if segments not in table.names:
        raise DataError(
            f"{table.source} has no column '{segments}' for the segments.{did_you_mean(segments, table.names)}"
        )
    marks = _marks(table, table.columns[table.names.index(segments)])
    edges = [0, *(np.flatnonzero(marks[1:] != marks[:-1]) + 1).tolist(), len(marks)]
    seen: dict[str, int] = {}
    for start, end in itertools.pairwise(edges):
        mark = marks[start] if isinstance(marks[start], str) else f"{marks[start]:.12g}"
        seen[mark] = seen.get(mark, 0) + 1
        # A mark that comes back later is another run, which needs its own name.
        yield start, end, mark if seen[mark] == 1 else f"{mark}#{seen[mark]}"


def _marks(table: Table, column: Column) -> NDArray[np.generic]:
    if column.values is None:
        return np.array(column.texts, dtype=object)
    missing = ~np.isfinite(column.values)
    if missing.any():
        raise DataError(
            f"{table.source}: the segment column '{column.name}' has no finite value at "
            f"{table.place(int(missing.argmax()))}. Give every row the mark of its run."
        )
    return column.values
