"""Tables in HDF5 files, MATLAB 7.3 files among them: a group of datasets is a table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from identikit.errors import DataError, need
from identikit.measurement._reading import Reading
from identikit.measurement._table import Table
from identikit.measurement._vectors import matrix_columns, table_of_vectors, vectors_in

_UNIT_ATTRIBUTES = ("unit", "units", "Unit", "Units", "UNIT", "UNITS")
_MATLAB_OWN = "#"  # how the names of what MATLAB keeps for itself begin
_ROOT = "/"


def read_hdf5_file(path: Path, reading: Reading) -> list[Table]:
    """Read groups of an HDF5 file through h5py (the extra `hdf5`).

    A group that holds one-dimensional datasets of numbers is a table; so is a dataset of records with named fields.
    The attribute `unit` or `units` of a dataset is its unit. Scalars and texts are left aside; a matrix is read if
    names for its columns are given.
    """
    h5py = need("h5py", extra="hdf5")
    try:
        with h5py.File(path, "r") as file:
            groups = {name: found for name, found in _groups(h5py, file, _ROOT) if _holds_table(found, reading)}
    except (OSError, RuntimeError, KeyError, ValueError, TypeError) as error:
        raise DataError(f"{path} cannot be read as an HDF5 file: {error}. Write it again, or as CSV.") from error
    if not groups:
        raise DataError(
            f"{path} holds no group with vectors of numbers. Expected one dataset per quantity, such as t and theta, "
            "all of the same length; a matrix needs names for its columns.",
            remedy="name_columns",
        )
    chosen = reading.chosen_sheets(list(groups), str(path), "group")
    return [_table(path, name if len(groups) > 1 else "", *groups[name], reading) for name in chosen]


def _groups(h5py: Any, group: Any, name: str) -> Iterator[tuple[str, tuple[dict[str, Any], dict[str, str]]]]:
    """Every group by its path, with its arrays and their units; a dataset with fields counts as one."""
    arrays: dict[str, Any] = {}
    units: dict[str, str] = {}
    inner = []
    for key, item in group.items():
        if key.startswith(_MATLAB_OWN) or item is None:
            continue
        below = key if name == _ROOT else f"{name}/{key}"
        if isinstance(item, h5py.Group):
            inner.append((item, below))
        elif isinstance(item, h5py.Dataset) and item.dtype.names:
            content = item[()]
            yield below, ({field: np.asarray(content[field]) for field in item.dtype.names}, {})
        elif isinstance(item, h5py.Dataset) and item.dtype.kind in "fiub" and item.ndim in (1, 2):
            if _text(item.attrs.get("MATLAB_class")) == "char":
                continue
            arrays[key], units[key] = item[()], _unit(item)
    if arrays:
        yield name, (arrays, units)
    for item, below in inner:
        yield from _groups(h5py, item, below)


def _holds_table(found: tuple[dict[str, Any], dict[str, str]], reading: Reading) -> bool:
    return bool(vectors_in(found[0]) or matrix_columns(found[0], reading))


def _table(path: Path, part: str, arrays: dict[str, Any], units: dict[str, str], reading: Reading) -> Table:
    source = f"{path}, group {part}" if part else str(path)
    named = matrix_columns(arrays, reading)
    if not named:
        reading.refuse_columns(source)
    return table_of_vectors(source, named or vectors_in(arrays), {} if named else units, part)


def _unit(dataset: Any) -> str:
    return next((_text(dataset.attrs[name]) for name in _UNIT_ATTRIBUTES if name in dataset.attrs), "")


def _text(value: Any) -> str:
    if isinstance(value, np.ndarray):
        value = value.ravel()[0] if value.size else ""
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value or "")
