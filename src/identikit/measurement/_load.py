"""load: from files to an Experiment."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from identikit.errors import DataError, did_you_mean, did_you_mean_file
from identikit.measurement._experiment import Experiment
from identikit.measurement._formats import FORMATS
from identikit.measurement._frame import NAME, table_of_frame
from identikit.measurement._long_table import long_columns, widened
from identikit.measurement._reading import Reading
from identikit.measurement._record import FEWEST_SAMPLES, Channel, Record, check_unit_names
from identikit.measurement._remark import Remark
from identikit.measurement._table import Column, Table
from identikit.measurement._time_column import TimeColumn, time_of
from identikit.measurement._time_fault import first_time_fault
from identikit.measurement._unit_suffix import clear_unit, unit_remark

_OTHER_SPREADSHEETS = (".xls", ".xlsb", ".ods", ".numbers")


def read_tables(path: str | os.PathLike[str], reading: Reading) -> Sequence[Table]:
    """Read the tables of a file, one for each sheet that is asked for; its ending decides how."""
    file = Path(path)
    try:
        if file.is_dir():
            raise DataError(f"{file} is a folder. Name the file(s) in it, for example {file / '*.csv'}.")
        if not file.exists():
            raise DataError(
                f"There is no file {file} (looked in {Path.cwd()}). Check the name and the folder."
                f"{did_you_mean_file(file)}"
            )
        return _dispatch(file, reading)
    except OSError as error:
        raise DataError(f"{file} cannot be opened: {error}. Check the name and the permissions.") from error


def _dispatch(file: Path, reading: Reading) -> Sequence[Table]:
    ending = file.suffix.lower()
    if ending in FORMATS:
        return FORMATS.find(ending)(file, reading)
    accepted = ", ".join(known for known in FORMATS if known)
    if ending in _OTHER_SPREADSHEETS:
        raise DataError(f"{file} is a spreadsheet of a kind that is not read. Save it as .xlsx or .csv.")
    raise DataError(f"{file} has the ending '{ending}', which is not known. Accepted are {accepted}.")


FilePath = str | os.PathLike[str]


def load(
    paths: FilePath | Sequence[FilePath] | Any,
    *,
    name: str | None = None,
    time: str | None = None,
    segments: str | None = None,
    units: Mapping[str, str] | None = None,
    columns: Sequence[str] | None = None,
    rate: float | None = None,
    dt: float | None = None,
    sheet: str | Sequence[str] | None = None,
    decimal: str | None = None,
    long: tuple[str, str] | None = None,
) -> Experiment:
    """Load one or more files as an Experiment with one record per file, or per sheet or run within a file.

    All numeric columns become channels under their names without the unit; nothing is converted yet, except that
    date-times and times since 1970 become seconds from the first. What was decided is in each record's `remarks`.

    Arguments:
        paths: one file or several; text (.csv, .tsv, .txt, .dat), .xlsx, .h5, .parquet or .mat; or a DataFrame, or
            {name: values}.
        name: name of the records for reports; None = the file's.
        time: name of the time column; None = ``t``, ``time``, or a name such as ``t_s``, ``time_ms``, ``timestamp``.
        segments: name of a column whose consecutive equal values mark separate runs, each its own record.
        units: unit by column name, overriding the headers (``theta[deg]``) and suffixes (``theta_deg``).
        columns: names for the columns of a table without header row.
        rate: samples per second, for a table without time column; or dt, the seconds between samples.
        sheet: sheet(s) of a workbook or group(s) of an HDF5 file, each its own record; "all" = every one.
        decimal: the decimal mark, "," or "."; None = found from the cells.
        long: in a table with one row per time and quantity, the columns (quantity, value); None = found by their names.

    Files with different hardware do not belong in one call: the records of an experiment share parameters.
    """
    sheets = () if not sheet else (sheet,) if isinstance(sheet, str) else tuple(sheet)
    reading = Reading(time, segments, dict(units or {}), columns, rate, dt, sheets, decimal, long)
    if hasattr(paths, "columns") or isinstance(paths, Mapping):
        return Experiment(tuple(_records(table_of_frame(paths), name or "", reading)))
    files: list[FilePath] = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    if not files:
        raise DataError("No file was given. Name at least one file to load.")
    labels = _labels(files, name)
    records: list[Record] = []
    for file, label in zip(files, labels, strict=True):
        for table in read_tables(file, reading):
            records.extend(_records(table, label, reading))
    return Experiment(tuple(records))


def _labels(files: Sequence[FilePath], name: str | None) -> list[str]:
    """One name per file: the given one (numbered), else the file's, with its folder if two are the same."""
    if name is not None:
        return [name] if len(files) == 1 else [f"{name}[{number}]" for number in range(len(files))]
    stems = [Path(file).stem for file in files]
    return [stem if stems.count(stem) == 1 else str(file) for stem, file in zip(stems, files, strict=True)]


def _records(table: Table, label: str, reading: Reading) -> Iterator[Record]:
    """The records of a table: one, or one for each run in it."""
    time = time_of(table, reading)
    if time.name and reading.segments == time.name:
        raise DataError(f"{table.source}: '{time.name}' is the time column and cannot also mark the segments.")
    names = long_columns(table, reading)
    if names is None:
        check_unit_names(reading.units, table.names, table.source)
        yield from _runs_of(table, time, label, reading)
        return
    alone = replace(reading, segments=None)
    for wide, times in widened(table, names, time, reading.segments):
        check_unit_names(reading.units, [*wide.names, *table.names], table.source)
        yield from _runs_of(wide, times, label, alone)


def _runs_of(table: Table, time: TimeColumn, label: str, reading: Reading) -> Iterator[Record]:
    segments = reading.segments
    channels = [column for column in table.columns if column.name not in (time.name, segments)]
    if not channels:
        raise DataError(
            f"{table.source} has no column besides the time ('{time.name}'). Expected at least one "
            "measured quantity, in columns separated by commas, semicolons, tabs or blanks."
        )
    faults = {column.name: table.fault(column) for column in channels}
    units, remarks = _units(channels, reading.units)
    named = f"{label}[{table.part}]" if table.part else label
    for start, end, mark in _runs(table, segments):
        title = f"{named}[{segments}={mark}]" if segments else named
        where = f"{table.source} ({segments}={mark})" if segments else table.source
        _check_time(table, time.values[start:end], start, where, time.name)
        yield Record(
            time=time.values[start:end],
            channels={
                column.name: Channel(column.values[start:end], units[column.name])
                for column in channels
                if column.values is not None and not faults[column.name]
            },
            time_unit=time.unit,
            name=title,
            source="" if table.source == NAME else where,
            unreadable={column: words for column, words in faults.items() if words},
            remarks=(*table.remarks, *time.remarks, *remarks),
        )


def _units(columns: Sequence[Column], given: Mapping[str, str]) -> tuple[dict[str, str], tuple[Remark, ...]]:
    """The unit of every column: as given, else of its header, else at the end of its name, which is worth a remark."""
    units, remarks = {}, []
    for column in columns:
        units[column.name] = given.get(column.name) or column.unit
        read = clear_unit(column.name)
        if not units[column.name] and read:
            units[column.name] = read
            remarks.append(unit_remark(column.name, read))
    return units, tuple(remarks)


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
