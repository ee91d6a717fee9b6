"""Tables in HDF5 files, MATLAB 7.3 files among them: a group of datasets is a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from identikit.errors import DataError, need
from identikit.measurement._reading import Reading
from identikit.measurement._table import Table
from identikit.measurement._vectors import is_matrix, is_vector, matrix_columns, table_of_vectors, vectors_in

_UNIT_ATTRIBUTES = ("unit", "units", "Unit", "Units", "UNIT", "UNITS")
_MATLAB_OWN = "#"  # how the names of what MATLAB keeps for itself begin
_ROOT = "/"


def read_hdf5_file(path: Path, reading: Reading) -> list[Table]:
    """Read groups of an HDF5 file through h5py (the extra `hdf5`).

    A group that holds one-dimensional datasets of numbers is a table; so is a dataset of records with named fields.
    The attribute `unit` or `units` of a dataset is its unit. Scalars and texts are left aside; a matrix is read if
    names for its columns are given. Links to other files are not followed.
    """
    h5py = need("h5py", extra="hdf5")
    try:
        with h5py.File(path, "r") as file:
            groups = {name: found for name, found in _groups(h5py, file, _ROOT, set()) if _is_table(found, reading)}
            if not groups:
                raise DataError(
                    f"{path} holds no group with vectors of numbers. Expected one dataset per quantity, such as t and "
                    "theta, all of the same length; a matrix needs names for its columns.",
                    remedy="name_columns",
                )
            chosen = reading.chosen_sheets(list(groups), str(path), "group")
            return [_table(path, name if len(groups) > 1 else "", groups[name], reading) for name in chosen]
    except (OSError, RuntimeError, KeyError, ValueError, TypeError) as error:
        raise DataError(f"{path} cannot be read as an HDF5 file: {error}. Write it again, or as CSV.") from error


def _groups(h5py: Any, group: Any, name: str, seen: set[Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every group by its path, with its datasets; a dataset with fields counts as a group of its own.

    `seen` are the groups above and before: a file may link a group to itself.
    """
    if group.id in seen:
        return
    seen.add(group.id)
    datasets: dict[str, Any] = {}
    inner = []
    for key in group:
        if key.startswith(_MATLAB_OWN) or not isinstance(group.get(key, getlink=True), h5py.HardLink):
            continue
        item = group[key]
        below = key if name == _ROOT else f"{name}/{key}"
        if isinstance(item, h5py.Group):
            inner.append((item, below))
        elif not getattr(item, "shape", None):
            continue  # a scalar, nothing at all, or a named type
        elif item.dtype.names:
            yield below, {"": item}
        elif _text(item.attrs.get("MATLAB_class")) != "char":
            datasets[key] = item
    if datasets:
        yield name, datasets
    for item, below in inner:
        yield from _groups(h5py, item, below, seen)


def _is_table(datasets: Mapping[str, Any], reading: Reading) -> bool:
    """Judged by shapes, so that nothing is read but what is asked for."""
    if any(is_vector(item) or (item.dtype.names and item.ndim == 1 and item.size > 1) for item in datasets.values()):
        return True
    shapes = [item.shape for item in datasets.values() if is_matrix(item)]
    return reading.columns is not None and len(shapes) == 1 and len(reading.columns) in shapes[0]


def _table(path: Path, part: str, datasets: Mapping[str, Any], reading: Reading) -> Table:
    source = f"{path}, group {part}" if part else str(path)
    arrays, units = {}, {}
    for key, item in datasets.items():
        if item.dtype.names:
            content = item[()]
            arrays.update({field: np.asarray(content[field]) for field in item.dtype.names})
        elif is_vector(item) or is_matrix(item):
            arrays[key], units[key] = item[()], _unit(item)
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
