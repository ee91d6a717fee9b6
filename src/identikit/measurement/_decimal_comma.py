"""Whether the comma is the decimal mark of a table.

A cell such as 0,5 or 12,3456 can be nothing else; 1,234 may also be one thousand two hundred and thirty-four. The comma
counts as the decimal mark if at least one cell leaves no doubt; if all are doubtful the user is asked. Thousands
separators are never read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from identikit.errors import DataError

_WITH_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
_DOUBTFUL = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
_WITH_POINT = re.compile(r"[+-]?\d*\.\d+(?:[eE][+-]?\d+)?")
# 1.234,5 and 1'234.5: a group of three digits and another mark after it; 1,234,567: two groups.
_GROUPED = re.compile(r"[+-]?\d{1,3}([,. '’\u00a0\u202f])\d{3}(?:(?:\1\d{3})*[.,]\d+|(?:\1\d{3})+)")
_SPACED = re.compile(r"[+-]?\d{1,3}(?:[ '’\u00a0\u202f]\d{3})+")


def is_number_with_comma(cell: str) -> bool:
    """Whether a cell is a number if the comma is its decimal mark: 0,5 or 1,5e-3."""
    return _WITH_COMMA.fullmatch(cell) is not None


def comma_is_decimal(cells: Iterable[str], asked: str | None, source: str) -> bool:
    """Whether the comma is the decimal mark of these cells.

    Arguments:
        cells: of the whole table, quotes removed.
        asked: the decimal mark that the user states, or None.
        source: the file, for the message.
    """
    if asked is not None:
        return asked == ","
    doubtful = ""
    for cell in cells:
        if "," in cell and is_number_with_comma(cell):
            if not _DOUBTFUL.fullmatch(cell):
                return True
            doubtful = doubtful or cell
    if doubtful:
        raise DataError(
            f"{source}: is the comma in '{doubtful}' a decimal mark, or does it separate thousands? No cell decides "
            "it: say that it is the decimal mark, or write the numbers without separators.",
            remedy="say_decimal",
        )
    return False


def with_points(cells: Sequence[str], source: str) -> list[str]:
    """A column of a table with decimal commas as Python writes numbers; one that mixes both marks stays as it is."""
    commas = any(is_number_with_comma(cell) for cell in cells if "," in cell)
    points = [cell for cell in cells if "." in cell and _WITH_POINT.fullmatch(cell)]
    if commas and not points:
        return [cell.replace(",", ".") if is_number_with_comma(cell) else cell for cell in cells]
    if points and not commas and all(_DOUBTFUL.fullmatch(cell.replace(".", ",")) for cell in points):
        raise DataError(
            f"{source}: other columns have decimal commas, so the point in '{points[0]}' may separate thousands. Write "
            "the numbers without separators."
        )
    return list(cells)


def fault_hint(cell: str) -> str:
    """What a cell that is no number may have been meant as, in parentheses; empty if nothing is known."""
    if _GROUPED.fullmatch(cell) or _SPACED.fullmatch(cell):
        return " (thousands separators are not read: write the number without them)"
    if is_number_with_comma(cell):
        return " (a decimal comma, where other cells have decimal points: write all in one way)"
    return ""
