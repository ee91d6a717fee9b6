"""Tables in Parquet and MATLAB files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from identikit.errors import DataError, need
from identikit.measurement._hdf5_file import read_hdf5_file
from identikit.measurement._reading import Reading
from identikit.measurement._table import Table
from identikit.measurement._vectors import matrix_columns, table_of_vectors, vectors_in


def read_parquet_file(path: Path, reading: Reading) -> list[Table]:
    """Read a table from a Parquet file through pyarrow (the extra `parquet`); nulls are missing values."""
    reading.refuse_columns(str(path))
    reading.refuse_sheets(str(path))
    pa, parquet = need("pyarrow", extra="parquet"), need("pyarrow.parquet", extra="parquet")
    try:
        # One file, its own columns: folder names such as run=1 must not add any.
        arrow = parquet.ParquetFile(path).read()
    except (pa.lib.ArrowException, OSError, ValueError) as error:
        raise DataError(f"{path} cannot be read as a Parquet file: {error}. Write it again, or as CSV.") from error
    numeric = (pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean, pa.types.is_decimal)
    contents: list[NDArray[np.float64] | Sequence[str]] = []
    for column in arrow.columns:
        kind = column.type
        if pa.types.is_boolean(kind):
            column = column.cast(pa.int8())
        if any(test(kind) for test in numeric):
            contents.append(np.array(column.cast(pa.float64(), safe=False).to_numpy(), dtype=np.float64))
        else:
            contents.append(["" if value is None else str(value) for value in column.to_pylist()])
    return [Table.from_columns(path, list(arrow.column_names), contents)]


def read_mat_file(path: Path, reading: Reading) -> list[Table]:
    """Read the vectors of a MATLAB file, or of the one struct in it, as columns; version 7.3 is HDF5 and read as such.

    Scalars and texts are left aside; the vectors must all have the same length. A matrix is read if names for its
    columns are given.
    """
    from scipy.io import loadmat

    try:
        content: dict[str, Any] = loadmat(str(path), simplify_cells=True)
    except NotImplementedError:
        return read_hdf5_file(path, reading)
    except Exception as error:  # scipy's reader fails in many ways on a damaged file
        raise DataError(f"{path} cannot be read as a MATLAB file: {error}. Save it again, or as CSV.") from error
    reading.refuse_sheets(str(path))
    variables = {name: value for name, value in content.items() if not name.startswith("__")}
    structs = [value for value in variables.values() if isinstance(value, Mapping)]
    for arrays in (variables, *(structs if len(structs) == 1 else ())):
        named = matrix_columns(arrays, reading)
        vectors = named or vectors_in(arrays)
        if vectors and not named:
            reading.refuse_columns(str(path))
        if vectors:
            return [table_of_vectors(str(path), vectors, {})]
    found = ", ".join(variables) or "nothing"
    raise DataError(
        f"{path} holds no vectors of numbers (found: {found}). Expected one vector per quantity, such as t and theta, "
        "all of the same length, at the top level or in one struct; a matrix needs names for its columns."
    )
