"""Tables in Parquet and MATLAB files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from identikit.errors import DataError, OptionError, need
from identikit.measurement._table import Table


def read_parquet_file(path: Path, columns: Sequence[str] | None = None) -> Table:
    """Read a table from a Parquet file through pyarrow (the extra `parquet`); nulls are missing values."""
    _refuse_names(columns, path)
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
    return Table.from_columns(path, list(arrow.column_names), contents)


def read_mat_file(path: Path, columns: Sequence[str] | None = None) -> Table:
    """Read the vectors of a MATLAB file (up to version 7.2), or of the one struct in it, as columns.

    Scalars, matrices and texts are left aside; the vectors must all have the same length.
    """
    _refuse_names(columns, path)
    from scipy.io import loadmat

    try:
        content: dict[str, Any] = loadmat(str(path), simplify_cells=True)
    except NotImplementedError as error:
        raise DataError(
            f"{path} is a MATLAB 7.3 (HDF5) file, which is not read. Save it again in MATLAB with "
            "save(..., '-v7'), or export CSV with writetable."
        ) from error
    except Exception as error:  # scipy's reader fails in many ways on a damaged file
        raise DataError(f"{path} cannot be read as a MATLAB file: {error}. Save it again, or as CSV.") from error
    variables = {name: value for name, value in content.items() if not name.startswith("__")}
    vectors = _vectors(variables)
    if not vectors:
        structs = [value for value in variables.values() if isinstance(value, Mapping)]
        if len(structs) == 1:
            vectors = _vectors(structs[0])
    if not vectors:
        found = ", ".join(variables) or "nothing"
        raise DataError(
            f"{path} holds no vectors of numbers (found: {found}). Expected one vector per quantity, such as "
            "t and theta, all of the same length, at the top level or in one struct."
        )
    if len({len(vector) for vector in vectors.values()}) > 1:
        lengths = ", ".join(f"{name} ({len(vector)})" for name, vector in vectors.items())
        raise DataError(
            f"{path} holds vectors of different lengths: {lengths}. Save only those that belong to one time vector."
        )
    return Table.from_columns(path, list(vectors), list(vectors.values()))


def _vectors(variables: Mapping[str, Any]) -> dict[str, NDArray[np.float64]]:
    arrays = {name: np.asarray(value) for name, value in variables.items() if isinstance(value, np.ndarray)}
    return {
        name: array.astype(np.float64)
        for name, array in arrays.items()
        if array.ndim == 1 and array.dtype.kind in "fiub" and len(array) > 1
    }


def _refuse_names(columns: Sequence[str] | None, path: Path) -> None:
    if columns is not None:
        raise OptionError(f"Column names can be given for text files only; {path} has its own names.")
