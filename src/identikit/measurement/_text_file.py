"""Tables in text files: separated by commas, tabs, semicolons or blanks, with comments anywhere."""

from __future__ import annotations

import codecs
import csv
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from identikit.errors import DataError
from identikit.measurement._table import Table, make_columns, parse_cell

_COMMENT_MARKS = ("#", "%")
# In the order of trust: a comma may be part of a name in a tab-separated file, never the other way round.
# None = any run of blanks.
_SEPARATORS: tuple[str | None, ...] = ("\t", ";", ",", None)
_SEPARATORS_IN_WORDS = "commas, semicolons, tabs or blanks"
_LINES_SNIFFED = 20  # to tell the separator and the decimal mark
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0e-\x19\x1b-\x1f]")
_CHARACTERS_INSPECTED = 4096  # to tell text from binary data


def read_text_file(path: Path, columns: Sequence[str] | None = None) -> Table:
    """Read a table from a text file.

    The separator is found from the first lines. Lines that start with ``#`` or ``%`` and blank lines are
    skipped wherever they are. Cells that are empty or hold NaN, NA, N/A, null or none are missing values.
    A header that is the last comment before the numbers (as ``numpy.savetxt`` writes it) counts.

    Arguments:
        path: the file.
        columns: names for the columns of a file without header row; they replace a header that is there.
    """
    source = str(path)
    text = _decode(path.read_bytes(), source)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    content = _first_content(lines)
    if not content:
        raise DataError(f"{source} is empty: it holds no line besides blanks and comments. Export the data again.")
    separator = _sniff([lines[row] for row in content])
    headers, first_row = _headers(lines, content[0], separator, columns, source)
    body = lines[first_row:]
    has_comments = any(mark in text for mark in _COMMENT_MARKS)
    table = None if has_comments else _parse_fast(body, first_row, headers, separator, source)
    if table is not None:
        return table
    rows = [row for row, line in enumerate(body) if _is_content(line)]
    if not rows:
        raise DataError(
            f"{source} holds a header (line {first_row}: {', '.join(headers)}) but no data. Export the data again."
        )
    kept = [body[row] for row in rows]
    numbers = np.array(rows, dtype=np.int64) + first_row + 1
    table = _parse_fast(kept, first_row, headers, separator, source)
    if table is not None:
        return Table(source, table.columns, numbers)
    return _parse_carefully(kept, numbers, headers, separator, source)


def _decode(raw: bytes, source: str) -> str:
    """The text of a file in UTF-8, UTF-16 with a byte order mark, or the usual one-byte Windows code."""
    if not raw.strip():
        raise DataError(f"{source} is empty. Export the data again.")
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encodings = ["utf-16"]
    else:
        encodings = ["utf-8-sig", "cp1252", "latin-1"]
    for encoding in encodings:
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not _CONTROL_CHARACTERS.search(text[:_CHARACTERS_INSPECTED]) and "\0" not in text:
            return text.removesuffix("\x1a")  # the end-of-file mark of old DOS programs
        break
    raise DataError(
        f"{source} is not a text file (it holds binary characters). Expected a table of numbers in text, "
        ".parquet or .mat; export the data as CSV."
    )


def _is_content(line: str) -> bool:
    stripped = line.lstrip("\ufeff \t\f\v\xa0")
    return bool(stripped.strip()) and not stripped.startswith(_COMMENT_MARKS)


def _first_content(lines: Sequence[str]) -> list[int]:
    """Positions of the first lines that are neither blank nor comment."""
    found: list[int] = []
    for row, line in enumerate(lines):
        if _is_content(line):
            found.append(row)
            if len(found) == _LINES_SNIFFED:
                break
    return found


def _cells(line: str, separator: str | None) -> list[str]:
    """The cells of a line, without surrounding blanks and quotes."""
    if '"' in line:
        try:
            if separator is None:
                parts = next(csv.reader([line.replace("\t", " ").strip()], delimiter=" ", skipinitialspace=True))
            else:
                parts = next(csv.reader([line], delimiter=separator, skipinitialspace=True))
        except csv.Error:
            parts = line.split(separator)
    else:
        parts = line.split(separator)
    return [part.strip() for part in parts]


def _header_cells(line: str, separator: str | None) -> list[str]:
    if separator is None and '"' not in line:
        # "t [s]  theta [deg]": the blank before a unit does not separate columns.
        line = re.sub(r"\s+(\[[^\]]*\]|\([^)]*\))", r"\1", line)
    return _cells(line, separator)


def _sniff(sample: Sequence[str]) -> str | None:
    """The separator by which most of the first lines have the same number (two or more) of cells."""
    best: tuple[int, str | None] = (0, ",")
    for separator in _SEPARATORS:
        counts = Counter(len(_header_cells(line, separator)) for line in sample)
        counts.pop(1, None)
        counts.pop(0, None)
        agreeing = max(counts.values(), default=0)
        if agreeing > best[0]:
            best = (agreeing, separator)
    return best[1]


def _headers(
    lines: Sequence[str],
    first: int,
    separator: str | None,
    columns: Sequence[str] | None,
    source: str,
) -> tuple[list[str], int]:
    """The column headers and the position of the line after them."""
    cells = _header_cells(lines[first], separator)
    numeric = all(parse_cell(cell) is not None for cell in cells)
    if columns is not None:
        if len(columns) != len(cells):
            raise DataError(
                f"{source}, line {first + 1} has {len(cells)} cells, but {len(columns)} column names were "
                f"given ({', '.join(columns)}). Give one name per column; separators are "
                f"{_SEPARATORS_IN_WORDS}."
            )
        return list(columns), first if numeric else first + 1
    if not numeric:
        return cells, first + 1
    if first > 0 and lines[first - 1].strip().startswith(_COMMENT_MARKS):
        commented = _header_cells(lines[first - 1].strip().lstrip("".join(_COMMENT_MARKS)), separator)
        if len(commented) == len(cells) and all(parse_cell(cell) is None for cell in commented):
            return commented, first
    raise DataError(
        f"{source} has no header row: its first line of data (line {first + 1}) holds only numbers "
        f"({lines[first].strip()[:60]}). Add a first line that names the columns, such as 't,theta' "
        "(in Python: columns=['t', 'theta'])."
    )


def _parse_fast(
    body: list[str], first_row: int, headers: Sequence[str], separator: str | None, source: str
) -> Table | None:
    """The table if every line is a clean row of numbers; None if it takes a careful look."""
    while body and not body[-1].strip():
        body = body[:-1]
    if not body:
        return None
    try:
        data = np.loadtxt(body, delimiter=separator, comments=None, ndmin=2)
    except ValueError:
        return None
    # numpy skips empty lines silently, which would shift the line numbers.
    if data.shape != (len(body), len(headers)):
        return None
    contents: list[NDArray[np.float64]] = [np.ascontiguousarray(column) for column in data.T]
    lines = np.arange(len(body), dtype=np.int64) + first_row + 1
    return Table(source, make_columns(headers, contents, source), lines)


def _parse_carefully(
    body: Sequence[str],
    numbers: NDArray[np.int64],
    headers: Sequence[str],
    separator: str | None,
    source: str,
) -> Table:
    """The table row by row: empty cells, quotes and text columns are understood, ragged rows are refused."""
    width = len(headers)
    rows: list[list[str]] = []
    for line, number in zip(body, numbers, strict=True):
        cells = _cells(line, separator)
        if len(cells) == width + 1 and not cells[-1]:
            cells.pop()  # a separator at the end of the line
        if len(cells) != width:
            advice = "Is it cut off? Then delete it" if number == numbers[-1] else "Correct the line"
            raise DataError(
                f"{source}, line {number} has {len(cells)} cell(s) ('{line.strip()[:60]}'), but the header "
                f"names {width} columns: {', '.join(headers)}. {advice}; "
                f"separators are {_SEPARATORS_IN_WORDS}."
            )
        rows.append(cells)
    return Table(source, make_columns(headers, [list(cells) for cells in zip(*rows, strict=True)], source), numbers)
