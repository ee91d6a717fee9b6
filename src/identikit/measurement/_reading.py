"""Reading: what the user says about how files are to be read, beyond what the files say themselves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from identikit.errors import DataError, OptionError, did_you_mean

ALL_SHEETS = "all"  # in place of a sheet's name
DECIMAL_MARKS = (".", ",")


@dataclass(frozen=True)
class Reading:
    """How files are read; everything may be left out.

    Arguments:
        time: name of the time column; None = found by its name.
        segments: name of a column whose values mark separate runs, each its own record.
        units: unit by column name, overriding headers and names.
        columns: names for the columns of a table without header row, or in place of its header.
        rate: samples per second of a table without time column.
        dt: seconds between samples of a table without time column.
        sheet: sheets of a workbook, or groups of an HDF5 file, each its own record; ("all",) = every one.
        decimal: "," or "."; None = found from the cells.
        long: in a table with one row per time and quantity, the columns with the quantity's name and its value.
    """

    time: str | None = None
    segments: str | None = None
    units: Mapping[str, str] = field(default_factory=dict)
    columns: Sequence[str] | None = None
    rate: float | None = None
    dt: float | None = None
    sheet: Sequence[str] = ()
    decimal: str | None = None
    long: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        said = [word for word in ("time", "rate", "dt") if getattr(self, word) is not None]
        if len(said) > 1:
            raise OptionError(f"{' and '.join(said)} are given: each says when samples were taken; give one of them")
        for word in ("rate", "dt"):
            value = getattr(self, word)
            if value is not None and not 0 < value < math.inf:
                raise OptionError(f"{word} is {value:g}: expected a number above zero")
        if self.decimal is not None and self.decimal not in DECIMAL_MARKS:
            raise OptionError(f"decimal is '{self.decimal}': expected '.' or ','")

    def refuse_columns(self, source: str) -> None:
        """For readers of files that name their columns themselves."""
        if self.columns is not None:
            raise OptionError(
                f"Column names can be given for tables without a header only; {source} has its own names."
            )

    def refuse_sheets(self, source: str) -> None:
        """For readers of files that hold one table."""
        if self.sheet:
            raise OptionError(
                f"{source} holds one table, so '{self.sheet[0]}' cannot be chosen in it: sheets are in workbooks, "
                "groups in HDF5 files."
            )

    def chosen_sheets(self, known: Sequence[str], source: str, what: str) -> list[str]:
        """Which of the sheets (or groups, as `what` says) are read: the one there is, or those asked for."""
        if not self.sheet:
            if len(known) == 1:
                return list(known)
            raise DataError(
                f"{source} holds {len(known)} {what}s: {', '.join(known)}. Say which one is meant; several, or "
                f"'{ALL_SHEETS}', become one record each.",
                remedy="name_sheet",
                about=known[0],
            )
        if tuple(self.sheet) == (ALL_SHEETS,) and ALL_SHEETS not in known:
            return list(known)
        for name in self.sheet:
            if name not in known:
                raise DataError(f"{source} has no {what} '{name}'.{did_you_mean(name, known)}")
        return list(self.sheet)
