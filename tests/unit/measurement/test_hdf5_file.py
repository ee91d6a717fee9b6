"""Groups of HDF5 files, and MATLAB 7.3 files, which are HDF5."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from identikit.errors import DataError, OptionError
from identikit.measurement import load

h5py = pytest.importorskip("h5py")
T = np.arange(5) * 0.1


def test_the_only_group_with_vectors_is_read_with_its_units(tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    with h5py.File(path, "w") as file:
        group = file.create_group("bench/raw")
        group.create_dataset("t", data=T).attrs["units"] = "s"
        group.create_dataset("theta", data=np.arange(5, dtype=np.int16)).attrs["unit"] = np.bytes_("deg")
        group["rate"] = 10.0
        group["operator"] = "somebody"
        file.create_group("empty")
        file["nothing"] = h5py.Empty("f8")
    (record,) = load(path)
    np.testing.assert_array_equal(record.channels["theta"].values, np.arange(5))
    assert (record.time_unit, record.channels["theta"].unit, record.name) == ("s", "deg", "run")


def test_of_several_groups_one_must_be_named_and_all_are_records(tmp_path: Path) -> None:
    path = tmp_path / "run.hdf5"
    with h5py.File(path, "w") as file:
        for name in ("first", "inner/second"):
            file[f"{name}/t"], file[f"{name}/x"] = T, T**2
    with pytest.raises(DataError, match="holds 2 groups: first, inner/second") as caught:
        load(path)
    assert caught.value.remedy == "name_sheet"
    assert [record.name for record in load(path, sheet="inner/second")] == ["run[inner/second]"]
    assert len(load(path, sheet="all")) == 2
    with pytest.raises(DataError, match="Did you mean 'first'"):
        load(path, sheet="frist")


def test_records_with_fields_and_matrices_with_given_names_are_tables(tmp_path: Path) -> None:
    fields, matrix = tmp_path / "fields.h5", tmp_path / "matrix.h5"
    with h5py.File(fields, "w") as file:
        file["log"] = np.array(list(zip(T, T**2, strict=True)), dtype=[("t", "f8"), ("x", "f4")])
    np.testing.assert_allclose(load(fields)[0].channels["x"].values, T**2, rtol=1e-6)
    with h5py.File(matrix, "w") as file:
        file["data"] = np.stack([T, T**2], axis=1)
    np.testing.assert_array_equal(load(matrix, columns=["t", "x [mm]"])[0].channels["x"].values, T**2)
    for names in (None, ["a", "b", "c"]):
        with pytest.raises(DataError, match="a matrix needs names") as caught:
            load(matrix, columns=names)
        assert caught.value.remedy == "name_columns"
    with pytest.raises(OptionError, match="its own names"):
        load(fields, columns=["t", "x"])


def test_links_that_lead_back_or_nowhere_or_to_other_files_are_not_followed(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "run.h5", "w") as file:
        file["a/t"], file["a/x"] = T, T
        file["a/self"] = file["a"]
        file["nowhere"] = h5py.SoftLink("/lost")
        file["other"] = h5py.ExternalLink("other.h5", "/")
    assert [record.name for record in load(tmp_path / "run.h5")] == ["run"]


def test_vectors_of_different_lengths_are_named(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "run.h5", "w") as file:
        file["t"], file["x"] = T, T[:3]
    with pytest.raises(DataError, match=r"different lengths: t \(5\), x \(3\)"):
        load(tmp_path / "run.h5")


def test_matlab_files_of_version_7_3_are_read(tmp_path: Path) -> None:
    path = tmp_path / "run.mat"
    with h5py.File(path, "w", userblock_size=512) as file:
        file["t"], file["theta"] = T[None, :], (T**2)[:, None]
        file.create_dataset("note", data=np.array([[104, 105]], dtype=np.uint16)).attrs["MATLAB_class"] = np.bytes_(
            "char"
        )
        file["#refs#/a"] = np.arange(9.0)
    content = bytearray(path.read_bytes())
    content[:128] = b"MATLAB 7.3 MAT-file".ljust(124) + b"\x00\x02IM"
    path.write_bytes(content)
    (record,) = load(path)
    assert list(record.channels) == ["theta"]
    np.testing.assert_array_equal(record.channels["theta"].values, T**2)
