"""The check of the wheel sees a file that did not get into it."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from wheel_check import SOURCES, missing_files


@pytest.mark.parametrize("package", SOURCES)
def test_a_file_that_the_wheel_lacks_is_named(package: str, tmp_path: Path) -> None:
    source = SOURCES[package]
    files = [path for path in source.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    whole, less = tmp_path / "whole.whl", tmp_path / "less.whl"
    for wheel, left_out in ((whole, ""), (less, "py.typed")):
        with zipfile.ZipFile(wheel, "w") as archive:
            for path in files:
                if path.name != left_out:
                    archive.writestr(path.relative_to(source).as_posix(), "")
    assert missing_files(whole, package) == []
    assert missing_files(less, package) == [f"{package}/py.typed"]
