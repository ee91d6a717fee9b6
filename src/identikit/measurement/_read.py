"""Reading any accepted kind of file into tables."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from identikit.errors import DataError, did_you_mean_file
from identikit.measurement._formats import FORMATS
from identikit.measurement._reading import Reading
from identikit.measurement._table import Table

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
