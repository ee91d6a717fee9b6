"""The kinds of file that are read, by the ending of their names. A new one is a reader and a row here.

A reader takes the path and a `Reading`, what the user says about columns and sheets, and returns a `Table` for each
sheet that is read: one for most. It raises DataError with the file and the place for what it cannot read, and
OptionError for what is said and makes no sense for it (`Reading.refuse_columns`, `Reading.refuse_sheets`). From
outside: `identikit.measurement.FORMATS.register(".xyz", "package.module:reader")`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from identikit.errors import DataError
from identikit.measurement._reading import Reading
from identikit.measurement._table import Table
from identikit.registry import Registry

Reader: TypeAlias = Callable[[Path, Reading], Sequence[Table]]

_TEXT = "identikit.measurement._text_file:read_text_file"
_WORKBOOK = "identikit.measurement._workbook:read_workbook"
_HDF5 = "identikit.measurement._hdf5_file:read_hdf5_file"

FORMATS: Registry[Reader] = Registry(
    "file format",
    {
        ".csv": _TEXT,
        ".tsv": _TEXT,
        ".txt": _TEXT,
        ".dat": _TEXT,
        ".asc": _TEXT,
        ".tab": _TEXT,
        "": _TEXT,
        ".parquet": "identikit.measurement._binary_file:read_parquet_file",
        ".mat": "identikit.measurement._binary_file:read_mat_file",
        ".xlsx": _WORKBOOK,
        ".xlsm": _WORKBOOK,
        ".h5": _HDF5,
        ".hdf5": _HDF5,
        ".hdf": _HDF5,
    },
    group="identikit.formats",
    error=DataError,
)
