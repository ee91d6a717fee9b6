"""Table: the columns of a file, before anything is decided about time, units or segments."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from identikit.errors import DataError
from identikit.measurement._decimal_comma import fault_hint
from identikit.measurement._remark import Remark
from identikit.measurement._time_stamps import why_no_stamp
from identikit.units import split_header

# Besides "nan" in any case, which Python itself reads.
_MISSING = frozenset(("", "na", "n/a", "null", "none"))


@dataclass(frozen=True, eq=False)
class Column:
    """One column: numbers, or the texts of a column that is not all numbers.

    Arguments:
        name: header without its unit.
        unit: unit stated in the header; empty = none.
        values: the numbers, NaN where a cell is empty; None for a text column.
        texts: the cells of a text column, else empty.
    """

    name: str
    unit: str
    values: NDArray[np.float64] | None
    texts: tuple[str, ...] = ()

    def first_fault(self) -> tuple[int, str] | None:
        """Row (from zero) and text of the first cell that is neither a finite number nor missing."""
        if self.values is not None:
            infinite = np.isinf(self.values)
            return (int(infinite.argmax()), f"{self.values[infinite][0]:g}") if infinite.any() else None
        return next((row, text) for row, text in enumerate(self.texts) if parse_cell(text) is None)


@dataclass(frozen=True, eq=False)
class Table:
    """The columns of one file, or of one sheet of it.

    Arguments:
        source: the file, for messages.
        columns: all of the same length, with different names.
        lines: the file's line number of each row, counting comments and header from 1.
        line_word: what a line number counts: "line" in a text file, "row" in others.
        part: which of several tables of the file this is, such as the sheet; empty if there is one.
        remarks: what was decided while it was read.
    """

    source: str
    columns: tuple[Column, ...]
    lines: NDArray[np.int64]
    line_word: str = "line"
    part: str = ""
    remarks: tuple[Remark, ...] = ()

    @classmethod
    def from_columns(
        cls,
        path: str | os.PathLike[str],
        headers: Sequence[str],
        contents: Sequence[NDArray[np.float64] | Sequence[str]],
        part: str = "",
    ) -> Table:
        """What a reader makes of a file that is not lines of text: numbers or texts, one sequence for each header.

        Headers may carry units, ``theta [deg]``; messages count rows from 1. `part` names one of several tables.
        """
        length = len(contents[0]) if contents else 0
        if length == 0:
            raise DataError(f"{path} holds no rows. Export the data again.")
        rows = np.arange(1, length + 1, dtype=np.int64)
        return cls(str(path), make_columns(headers, contents, str(path)), rows, line_word="row", part=part)

    @property
    def names(self) -> list[str]:
        """Column names in file order."""
        return [column.name for column in self.columns]

    def place(self, row: int) -> str:
        """Where a row (from zero) is in the file: 'line 12'."""
        return f"{self.line_word} {self.lines[row]}"

    def fault(self, column: Column) -> str:
        """What is wrong with a column used as numbers, in words; empty if nothing is."""
        found = column.first_fault()
        if found is None:
            return ""
        row, text = found
        return f"{self.place(row)} holds '{text}'{fault_hint(text) or why_no_stamp(text)}"


def make_columns(
    headers: Sequence[str], contents: Sequence[NDArray[np.float64] | Sequence[str]], source: str
) -> tuple[Column, ...]:
    """Name the columns, turn cells into numbers where all of them are, and refuse a name used twice.

    A column without name and content (a trailing separator) is dropped; one with content is called column_N.
    """
    columns: list[Column] = []
    for number, (header, content) in enumerate(zip(headers, contents, strict=True), start=1):
        name, unit = split_header(header)
        if not name:
            if not isinstance(content, np.ndarray) and not any(content):
                continue
            name = f"column_{number}"
        if name in [column.name for column in columns]:
            raise DataError(
                f"{source}: two columns are named '{name}' (units do not count). Columns: "
                f"{', '.join(headers)}. Rename one of them."
            )
        if isinstance(content, np.ndarray):
            columns.append(Column(name, unit, content))
            continue
        values = _parse_cells(content)
        columns.append(Column(name, unit, values, () if values is not None else tuple(content)))
    return tuple(columns)


def parse_cell(text: str) -> float | None:
    """The number in a cell, NaN for a missing value, None for any other text."""
    if text.lower() in _MISSING:
        return float("nan")
    try:
        # Python reads 1_000 as a number; a file that holds it means a name.
        return None if "_" in text else float(text)
    except ValueError:
        return None


def _parse_cells(cells: Sequence[str]) -> NDArray[np.float64] | None:
    if not any("_" in cell for cell in cells):
        try:
            return np.array([float(cell) if cell else np.nan for cell in cells])
        except ValueError:
            pass
    numbers: list[float] = []
    for cell in cells:
        number = parse_cell(cell)
        if number is None:
            return None
        numbers.append(number)
    return np.array(numbers, dtype=np.float64)
