"""Which row names the columns of a table, and whether a row of units follows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from identikit.errors import DataError
from identikit.measurement._decimal_comma import is_number_with_comma
from identikit.measurement._table import parse_cell
from identikit.measurement._time_stamps import is_stamp
from identikit.units import is_unit, split_header


@dataclass(frozen=True)
class Header:
    """Names of the columns, with their units, and how many of the first rows they took."""

    names: tuple[str, ...]
    rows: int


def is_data(cells: Sequence[str]) -> bool:
    """Whether a row holds measurements: numbers, missing values and time stamps, and nothing else."""
    return all(parse_cell(cell) is not None or is_number_with_comma(cell) or is_stamp(cell) for cell in cells)


def given_header(rows: Sequence[Sequence[str]], columns: Sequence[str], where: str) -> Header:
    """The user's names for the columns; they replace a header that is there.

    Arguments:
        rows: the cells of the first row of the table, at least.
        columns: the names.
        where: file and place of the first row, for the message.
    """
    if len(columns) != len(rows[0]):
        raise DataError(
            f"{where} has {len(rows[0])} cells, but {len(columns)} column names were given ({', '.join(columns)}). "
            "Give one name per column, in the order of the file."
        )
    return Header(tuple(columns), 0 if is_data(rows[0]) else found_header(rows).rows)


def found_header(rows: Sequence[Sequence[str]]) -> Header:
    """The first row as header, with the units of the second if that holds nothing but units."""
    names = tuple(rows[0])
    if len(rows) < 2 or len(rows[1]) != len(names):
        return Header(names, 1)
    units = [cell.strip("[]() ") for cell in rows[1]]
    # Asked in this order, since only a text that is no number may need pint to be imported.
    if not any(units) or any(parse_cell(unit) is not None for unit in units if unit) or is_data(rows[1]):
        return Header(names, 1)
    if not all(is_unit(unit) for unit in units if unit):
        return Header(names, 1)
    named = (
        f"{name} [{unit}]" if unit and not split_header(name)[1] else name
        for name, unit in zip(names, units, strict=True)
    )
    return Header(tuple(named), 2)


def no_header(where: str, row: str) -> DataError:
    """The complaint about a table whose first row is data."""
    return DataError(
        f"{where} has no header row: it holds only numbers ({row[:60]}). Name the columns in the order of the file, "
        "such as t, theta, or add a first row that does.",
        remedy="name_columns",
    )
