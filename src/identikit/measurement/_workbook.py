"""Tables in Excel workbooks, one for each sheet that is asked for."""

from __future__ import annotations

import datetime
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from identikit.errors import DataError, IdentikitError, need
from identikit.measurement._decimal_comma import comma_is_decimal, with_points
from identikit.measurement._header import Header, found_header, given_header, is_data, no_header
from identikit.measurement._reading import Reading
from identikit.measurement._table import Table, make_columns

Cell = str | float | None


def read_workbook(path: Path, reading: Reading) -> list[Table]:
    """Read sheets of an .xlsx file through openpyxl (the extra `excel`); a formula counts as the value last shown.

    In each sheet, the table begins at the first row with more than one cell; empty rows and columns do not count.
    Sheets without a table are passed over.
    """
    openpyxl = need("openpyxl", extra="excel")
    try:
        with warnings.catch_warnings():  # about styles and extensions, which do not matter here
            warnings.simplefilter("ignore")
            book = openpyxl.load_workbook(path, read_only=True, data_only=True)
            known = [sheet.title for sheet in book.worksheets if _holds_table(sheet)]
            if not known:
                raise DataError(f"{path} holds no table: every sheet is empty. Export the data again.")
            chosen = reading.chosen_sheets(known, str(path), "sheet")
            rows = {title: _filled(book[title].iter_rows(values_only=True)) for title in chosen}
            several = len(book.worksheets) > 1
            book.close()
    except (OSError, IdentikitError):
        raise
    except Exception as error:  # openpyxl lets the errors of zip files, of XML and of its own through
        raise DataError(f"{path} cannot be read as an Excel workbook: {error}. Save it again, or as CSV.") from error
    return [_table(path, title if several else "", rows[title], reading) for title in chosen]


def _holds_table(sheet: Any) -> bool:
    """Whether any row has more than one cell; the rest is not read."""
    rows = sheet.iter_rows(values_only=True)
    return any(sum(_cell(value) is not None for value in row) > 1 for row in rows)


def _filled(rows: Any) -> list[tuple[int, list[Cell]]]:
    """The rows that hold anything, by number, from the first with more than one cell, without empty columns."""
    found = [(number, [_cell(value) for value in row]) for number, row in enumerate(rows, start=1)]
    found = [(number, cells) for number, cells in found if any(cell is not None for cell in cells)]
    while found and sum(cell is not None for cell in found[0][1]) < 2:
        found.pop(0)
    width = max((len(cells) for _, cells in found), default=0)
    full = [(number, cells + [None] * (width - len(cells))) for number, cells in found]
    used = [place for place in range(width) if any(cells[place] is not None for _, cells in full)]
    return [(number, [cells[place] for place in used]) for number, cells in full]


def _cell(value: Any) -> Cell:
    if isinstance(value, bool | int | float):
        return float(value)
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    text = "" if value is None else str(value).strip()
    return text or None


def _table(path: Path, part: str, rows: Sequence[tuple[int, list[Cell]]], reading: Reading) -> Table:
    source = f"{path}, sheet {part}" if part else str(path)
    first = [["" if cell is None else f"{cell}" for cell in cells] for _, cells in rows[:2]]
    header = _header(first, reading, f"{source}, row {rows[0][0]}")
    body = rows[header.rows :]
    if not body:
        raise DataError(f"{source} holds a header ({', '.join(header.names)}) but no data. Export the data again.")
    columns = list(zip(*(cells for _, cells in body), strict=True))
    commas = comma_is_decimal(
        (cell for column in columns for cell in column if isinstance(cell, str) and "," in cell),
        reading.decimal,
        source,
    )
    contents = [_content(column, commas, source) for column in columns]
    numbers = np.array([number for number, _ in body], dtype=np.int64)
    return Table(source, make_columns(header.names, contents, source), numbers, line_word="row", part=part)


def _header(rows: Sequence[Sequence[str]], reading: Reading, where: str) -> Header:
    if reading.columns is not None:
        return given_header(rows, reading.columns, where)
    if is_data(rows[0]):
        raise no_header(f"{where},", ", ".join(rows[0]))
    return found_header(rows)


def _content(cells: Sequence[Cell], commas: bool, source: str) -> NDArray[np.float64] | list[str]:
    """Numbers where all cells are, texts otherwise; an empty cell is a missing value."""
    if not any(isinstance(cell, str) for cell in cells):
        return np.array([np.nan if cell is None else cell for cell in cells], dtype=np.float64)
    texts = ["" if cell is None else str(cell) for cell in cells]
    return with_points(texts, source) if commas else texts
