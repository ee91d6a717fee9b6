"""The check of the wheel sees a file that did not get into it."""

from __future__ import annotations

import zipfile
from pathlib import Path

from wheel_check import SOURCE, missing_files


def test_a_file_that_the_wheel_lacks_is_named(tmp_path: Path) -> None:
    files = [path for path in SOURCE.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    whole, less = tmp_path / "whole.whl", tmp_path / "less.whl"
    for wheel, left_out in ((whole, ""), (less, "py.typed")):
        with zipfile.ZipFile(wheel, "w") as archive:
            for path in files:
                if path.name != left_out:
                    archive.writestr(path.relative_to(SOURCE).as_posix(), "")
    assert missing_files(whole) == []
    assert missing_files(less) == ["identikit/py.typed"]
