"""Tables in text files: separated by commas, tabs, semicolons or blanks, with comments anywhere."""

from __future__ import annotations

import codecs
import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from identikit.errors import DataError
from identikit.measurement._decimal_comma import comma_is_decimal, is_number_with_comma, with_points
from identikit.measurement._header import Header, found_header, given_header, is_data, no_header
from identikit.measurement._reading import Reading
from identikit.measurement._remark import Remark
from identikit.measurement._table import Table, make_columns, parse_cell

_COMMENT_MARKS = ("#", "%")
# In the order of trust: a comma may be part of a name in a tab-separated file, never the other way round.
# None = any run of blanks.
_SEPARATORS: tuple[str | None, ...] = ("\t", ";", ",", None)
_SEPARATORS_IN_WORDS = "commas, semicolons, tabs or blanks"
_DECIMAL_COMMA = Remark("decimal_comma", "the comma was read as the decimal mark")
_LINES_SNIFFED = 20  # to tell the separator and the decimal mark
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0e-\x19\x1b-\x1f]")
_CHARACTERS_INSPECTED = 4096  # to tell text from binary data


def read_text_file(path: Path, reading: Reading) -> list[Table]:
    """Read a table from a text file.

    The separator is found from the first lines. Lines that start with ``#`` or ``%`` and blank lines are
    skipped wherever they are, and so are titles before the header, without any separator. Cells that are empty or hold
    NaN, NA, N/A, null or none are missing values. A header that is the last comment before the numbers (as
    ``numpy.savetxt`` writes it) counts; so does a row of units under the header. The comma is a decimal mark where the
    cells show that it is.
    """
    source = str(path)
    reading.refuse_sheets(source)
    text = _decode(path.read_bytes(), source)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    content = _first_content(lines)
    if not content:
        raise DataError(f"{source} is empty: it holds no line besides blanks and comments. Export the data again.")
    separator = _sniff([lines[row] for row in content])
    content, skipped = _without_titles(lines, content, separator)
    header = _header(lines, content, separator, reading, source)
    first_row = content[header.rows - 1] + 1 if header.rows else content[0]
    body = _Body(lines[first_row:], first_row, header.names, separator, source)
    has_comments = any(mark in text for mark in _COMMENT_MARKS)
    table = None if has_comments else body.parsed_fast()
    if table is None:
        body = body.content_only()
        table = body.parsed_fast() or body.parsed_with_commas(reading.decimal) or body.parsed_carefully(reading.decimal)
    return [replace(table, remarks=(*skipped, *table.remarks))]


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
        f"{source} is not a text file (it holds binary characters). Expected a table of numbers as text; "
        "workbooks, HDF5, MATLAB and Parquet files are known by their endings, .xlsx, .h5, .mat and .parquet. Export "
        "the data as CSV, or correct the ending."
    )


def _is_content(line: str) -> bool:
    stripped = line.strip("\ufeff \t\f\v\xa0")
    return bool(stripped) and not stripped.startswith(_COMMENT_MARKS) and not stripped.isspace()


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
    """The separator by which most of the first lines have the same number (two or more) of cells.

    Where two do equally well, the one that leaves more numbers: the comma in 0,5 0,7 is none.
    """
    best: tuple[int, int, str | None] = (0, 0, ",")
    for separator in _SEPARATORS:
        rows = [_header_cells(line, separator) for line in sample]
        counts = Counter(len(cells) for cells in rows)
        counts.pop(1, None)
        counts.pop(0, None)
        agreeing = max(counts.values(), default=0)
        # Judged by the last line, which is no header.
        readable = sum(parse_cell(cell) is not None or is_number_with_comma(cell) for cell in rows[-1])
        share = round(100 * readable / max(len(rows[-1]), 1))
        if (agreeing, share) > best[:2]:
            best = (agreeing, share, separator)
    return best[2]


def _without_titles(
    lines: Sequence[str], content: list[int], separator: str | None
) -> tuple[list[int], tuple[Remark, ...]]:
    """The positions of the first lines without those above the header that hold no separator, and a word on these."""
    titles = 0
    if any(len(_header_cells(lines[row], separator)) > 1 for row in content):
        while len(_header_cells(lines[content[titles]], separator)) == 1:
            titles += 1
    if not titles:
        return content, ()
    words = f"'{lines[content[0]].strip()[:40]}' in line {content[0] + 1} was taken for a title above the table"
    return content[titles:], (Remark("title_skipped", words),)


def _header(
    lines: Sequence[str], content: Sequence[int], separator: str | None, reading: Reading, source: str
) -> Header:
    """The header, and how many of the lines in `content` it takes."""
    rows = [_header_cells(lines[row], separator) for row in content[:2]]
    first = content[0]
    if reading.columns is not None:
        return given_header(rows, reading.columns, f"{source}, line {first + 1}")
    if not is_data(rows[0]):
        return found_header(rows)
    if first > 0 and lines[first - 1].strip().startswith(_COMMENT_MARKS):
        commented = _header_cells(lines[first - 1].strip().lstrip("".join(_COMMENT_MARKS)), separator)
        if len(commented) == len(rows[0]) and all(parse_cell(cell) is None for cell in commented):
            return Header(tuple(commented), 0)
    raise no_header(f"{source}, line {first + 1},", lines[first].strip())


@dataclass(frozen=True)
class _Body:
    """The lines below the header."""

    lines: list[str]
    first_row: int  # position in the file of the first of them, counting from zero
    headers: tuple[str, ...]
    separator: str | None
    source: str
    numbers: NDArray[np.int64] | None = None  # of the lines in the file, from one; None = all that follow

    def content_only(self) -> _Body:
        """Without blanks and comments."""
        rows = [row for row, line in enumerate(self.lines) if _is_content(line)]
        if not rows:
            raise DataError(
                f"{self.source} holds a header (line {self.first_row}: {', '.join(self.headers)}) but no data. Export "
                "the data again."
            )
        numbers = np.array(rows, dtype=np.int64) + self.first_row + 1
        return replace(self, lines=[self.lines[row] for row in rows], numbers=numbers)

    def parsed_fast(self) -> Table | None:
        """The table if every line is a clean row of numbers; None if it takes a careful look."""
        lines = self.lines
        while lines and not lines[-1].strip():
            lines = lines[:-1]
        if not lines:
            return None
        try:
            data = np.loadtxt(lines, delimiter=self.separator, comments=None, ndmin=2)
        except ValueError:
            return None
        # numpy skips empty lines silently, which would shift the line numbers.
        if data.shape != (len(lines), len(self.headers)):
            return None
        contents: list[NDArray[np.float64]] = [np.ascontiguousarray(column) for column in data.T]
        numbers = self.numbers
        if numbers is None:
            numbers = np.arange(len(lines), dtype=np.int64) + self.first_row + 1
        return Table(self.source, make_columns(self.headers, contents, self.source), numbers)

    def parsed_with_commas(self, decimal: str | None) -> Table | None:
        """The table if every line is a clean row of numbers with decimal commas; None if it takes a careful look."""
        if self.separator == "," or any("." in line for line in self.lines):
            return None
        cells = (cell for line in self.lines if "," in line for cell in _cells(line, self.separator))
        if not comma_is_decimal(cells, decimal, self.source):
            return None
        table = replace(self, lines=[line.replace(",", ".") for line in self.lines]).parsed_fast()
        return None if table is None else replace(table, remarks=(_DECIMAL_COMMA,))

    def parsed_carefully(self, decimal: str | None) -> Table:
        """The table cell by cell: empty cells, quotes, decimal commas and texts are understood, ragged rows refused."""
        assert self.numbers is not None, "only content is looked at carefully"
        columns: list[list[str]] = [list(column) for column in zip(*self._rows(), strict=True)]
        remarks: tuple[Remark, ...] = ()
        if comma_is_decimal((cell for column in columns for cell in column if "," in cell), decimal, self.source):
            columns = [with_points(column, self.source) for column in columns]
            remarks = (_DECIMAL_COMMA,)
        made = make_columns(self.headers, columns, self.source)
        return Table(self.source, made, self.numbers, remarks=remarks)

    def _rows(self) -> Iterator[list[str]]:
        width = len(self.headers)
        assert self.numbers is not None
        for line, number in zip(self.lines, self.numbers, strict=True):
            cells = _cells(line, self.separator)
            if len(cells) == width + 1 and not cells[-1]:
                cells.pop()  # a separator at the end of the line
            if len(cells) != width:
                raise self._ragged(line, int(number), cells)
            yield cells

    def _ragged(self, line: str, number: int, cells: Sequence[str]) -> DataError:
        width = len(self.headers)
        assert self.numbers is not None
        if self.separator == "," and width < len(cells) <= 2 * width and all(map(_is_whole, cells)):
            advice = "If the comma is the decimal mark too, export the table with semicolons between the columns"
        else:
            advice = "Is it cut off? Then delete it" if number == self.numbers[-1] else "Correct the line"
        return DataError(
            f"{self.source}, line {number} has {len(cells)} cell(s) ('{line.strip()[:60]}'), but the header names "
            f"{width} columns: {', '.join(self.headers)}. {advice}; separators are {_SEPARATORS_IN_WORDS}."
        )


def _is_whole(cell: str) -> bool:
    return cell.lstrip("+-").isdigit()
