"""Named arrays of a binary file as a table: one vector per quantity, all of the same length."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from identikit.errors import DataError
from identikit.measurement._reading import Reading
from identikit.measurement._table import Table

_NUMBERS = "fiub"  # the kinds of number in an array: floating, integer, unsigned, boolean


def is_vector(array: Any) -> bool:
    """Whether an array or dataset is a vector of two or more numbers, or one row or column of them."""
    return bool(array.dtype.kind in _NUMBERS and array.size > 1 and array.size == max(array.shape))


def is_matrix(array: Any) -> bool:
    """Whether an array or dataset has several rows and columns of numbers."""
    return bool(array.dtype.kind in _NUMBERS and array.ndim == 2 and min(array.shape) > 1)


def vectors_in(arrays: Mapping[str, Any]) -> dict[str, NDArray[np.float64]]:
    """The arrays that are vectors; the others are left aside."""
    return {
        name: array.astype(np.float64).ravel()
        for name, array in arrays.items()
        if isinstance(array, np.ndarray) and is_vector(array)
    }


def matrix_columns(arrays: Mapping[str, Any], reading: Reading) -> dict[str, NDArray[np.float64]]:
    """The columns of the one matrix among the arrays under the names that the user gives; empty if there is none."""
    matrices = [array for array in arrays.values() if isinstance(array, np.ndarray) and is_matrix(array)]
    if reading.columns is None or len(matrices) != 1:
        return {}
    names = list(reading.columns)
    matrix = matrices[0] if matrices[0].shape[1] == len(names) else matrices[0].T
    if matrix.shape[1] != len(names):
        return {}
    return {name: np.ascontiguousarray(matrix[:, place], dtype=np.float64) for place, name in enumerate(names)}


def table_of_vectors(
    source: str, vectors: Mapping[str, NDArray[np.float64]], units: Mapping[str, str], part: str = ""
) -> Table:
    """A table of vectors of equal length; DataError with all lengths if they differ."""
    if len({len(vector) for vector in vectors.values()}) > 1:
        lengths = ", ".join(f"{name} ({len(vector)})" for name, vector in vectors.items())
        raise DataError(
            f"{source} holds vectors of different lengths: {lengths}. Save only those that belong to one time vector."
        )
    headers = [f"{name} [{units[name]}]" if units.get(name) else name for name in vectors]
    return Table.from_columns(source, headers, list(vectors.values()), part)
