"""The kinds of file that are read, by the ending of their names. A new one is a reader and a row here.

A reader takes the path and the names that the user gave for columns without header (None = none given), and returns a
`Table`; it raises DataError with the file and the place for what it cannot read, and OptionError for names that it has
no use for. From outside: `identikit.measurement.FORMATS.register(".xyz", "package.module:reader")`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from identikit.errors import DataError
from identikit.measurement._table import Table
from identikit.registry import Registry

Reader: TypeAlias = Callable[[Path, Sequence[str] | None], Table]

_TEXT = "identikit.measurement._text_file:read_text_file"

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
    },
    group="identikit.formats",
    error=DataError,
)
