"""Reading any accepted kind of file into a Table."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from identikit.errors import DataError, OptionError
from identikit.measurement._binary_file import read_mat_file, read_parquet_file
from identikit.measurement._table import Table
from identikit.measurement._text_file import read_text_file

_TEXT_ENDINGS = (".csv", ".tsv", ".txt", ".dat", ".asc", ".tab", "")
_ACCEPTED = ".csv, .tsv, .txt, .dat (text), .parquet and .mat"
_SPREADSHEETS = (".xlsx", ".xls", ".xlsm", ".ods", ".numbers")


def read_table(path: str | os.PathLike[str], columns: Sequence[str] | None = None) -> Table:
    """Read the columns of a file; its ending decides how.

    Arguments:
        path: a .csv, .tsv, .txt or .dat text file, a .parquet or a .mat file.
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
    if ending in _TEXT_ENDINGS:
        return read_text_file(file, columns)
    if ending in _SPREADSHEETS:
        raise DataError(f"{file} is a spreadsheet, which is not read. Save the sheet as CSV; accepted are {_ACCEPTED}.")
    if columns is not None and ending in (".parquet", ".mat"):
        raise OptionError(f"Column names can be given for text files only; {file} has its own names.")
    if ending == ".parquet":
        return read_parquet_file(file)
    if ending == ".mat":
        return read_mat_file(file)
    raise DataError(f"{file} has the ending '{ending}', which is not known. Accepted are {_ACCEPTED}.")
