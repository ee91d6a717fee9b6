"""Reading any accepted kind of file into a Table."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from identikit.errors import DataError
from identikit.measurement._formats import FORMATS
from identikit.measurement._table import Table

_SPREADSHEETS = (".xlsx", ".xls", ".xlsm", ".ods", ".numbers")


def read_table(path: str | os.PathLike[str], columns: Sequence[str] | None = None) -> Table:
    """Read the columns of a file; its ending decides how.

    Arguments:
        path: a file whose ending is a row of `FORMATS`.
        columns: names for the columns of a text file without header row.
    """
    file = Path(path)
    try:
        if file.is_dir():
            raise DataError(f"{file} is a folder. Name the file(s) in it, for example {file / '*.csv'}.")
        if not file.exists():
            raise DataError(f"There is no file {file} (looked in {Path.cwd()}). Check the name and the folder.")
        return _dispatch(file, columns)
    except OSError as error:
        raise DataError(f"{file} cannot be opened: {error}. Check the name and the permissions.") from error


def _dispatch(file: Path, columns: Sequence[str] | None) -> Table:
    ending = file.suffix.lower()
    if ending in FORMATS:
        return FORMATS.find(ending)(file, columns)
    accepted = ", ".join(known for known in FORMATS if known)
    if ending in _SPREADSHEETS:
        raise DataError(f"{file} is a spreadsheet, which is not read. Save the sheet as CSV; accepted are {accepted}.")
    raise DataError(f"{file} has the ending '{ending}', which is not known. Accepted are {accepted}.")
