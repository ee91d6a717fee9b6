"""Tables in memory: of other libraries, pandas first of all, and arrays by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from identikit.errors import DataError
from identikit.measurement._table import Table

NAME = "The table"  # how messages call it


def table_of_frame(frame: Any) -> Table:
    """The columns of {name: values} or of a DataFrame, anything with ``columns`` and ``frame[column].to_numpy()``
    (its index is not used)."""
    by_name = isinstance(frame, Mapping)
    headers = list(frame) if by_name else list(frame.columns)
    contents = [_content(str(header), frame[header] if by_name else frame[header].to_numpy()) for header in headers]
    lengths = {str(header): len(content) for header, content in zip(headers, contents, strict=True)}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise DataError(f"{NAME} has columns of different lengths: {told}. Give a value of each for every time.")
    return Table.from_columns(NAME, [str(header) for header in headers], contents)


def _content(name: str, values: Any) -> NDArray[np.float64] | Sequence[str]:
    try:
        array = np.asarray(values)
    except ValueError:
        raise DataError(f"'{name}' is no column: expected one value for every time.") from None
    if array.ndim != 1:
        raise DataError(f"'{name}' has {array.ndim} dimensions: expected one value for every time.")
    if array.dtype.kind == "c":
        raise DataError(f"'{name}' holds complex numbers. Give the real and the imaginary part as two channels.")
    if array.dtype.kind == "m":
        return np.where(np.isnat(array), np.nan, array / np.timedelta64(1, "s")).astype(np.float64)
    if array.dtype.kind == "M":
        return [str(text) for text in np.datetime_as_string(array.astype("datetime64[ns]"))]
    try:
        return np.array(array, dtype=np.float64)
    except (TypeError, ValueError):
        return ["" if value is None else str(value).strip() for value in array.tolist()]
