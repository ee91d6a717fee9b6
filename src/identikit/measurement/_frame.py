"""Tables of other libraries, pandas first of all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from identikit.errors import DataError
from identikit.measurement._table import Table

NAME = "The table"  # how messages call it


def table_of_frame(frame: Any) -> Table:
    """The columns of anything with ``columns`` and ``frame[column].to_numpy()``; its index is not used."""
    headers = list(frame.columns)
    contents = [_content(str(header), frame[header].to_numpy()) for header in headers]
    return Table.from_columns(NAME, [str(header) for header in headers], contents)


def _content(name: str, values: Any) -> NDArray[np.float64] | Sequence[str]:
    array = np.asarray(values)
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
