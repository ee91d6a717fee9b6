"""Files a command writes: refused before the work if that cannot be done."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from identikit.atomic_write import is_special, resolved
from identikit.errors import OptionError

STDOUT = "-"


def check_ending(path: str, option: str, endings: Sequence[str]) -> None:
    """Refuse a file name whose ending no writer knows."""
    ending = Path(path).suffix.lower()
    if ending not in endings and not is_special(Path(path)):
        known = ", ".join(item for item in endings if item)
        raise OptionError(f"{option} {path}: the ending '{ending}' is not known: expected one of {known}")


def check_writable(path: str, option: str) -> None:
    """Find out before any work whether the file can be written; leaves nothing behind."""
    target = Path(path)
    if target.is_dir():
        raise OptionError(f"{option} {path}: is a folder: expected the name of a file")
    if is_special(target):
        return
    folder = resolved(target).parent
    if not folder.is_dir():
        raise OptionError(f"{option} {path}: there is no folder {folder}: create it first, or name another")
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise OptionError(
            f"{option} {path}: the folder {folder} cannot be written to ({error.strerror}): name another"
        ) from None
    if target.exists() and not os.access(target, os.W_OK):
        raise OptionError(f"{option} {path}: the file exists and is write-protected: name another")


def check_distinct(outputs: Sequence[tuple[str, str]], inputs: Sequence[str]) -> None:
    """Refuse two outputs in one file, and an output that would overwrite what is read."""
    seen = {Path(path).resolve(): f"the input {path}" for path in inputs}
    for option, path in outputs:
        place = Path(path).resolve()
        if place in seen and not is_special(place):
            raise OptionError(f"{option} {path}: is the same file as {seen[place]}: name another")
        seen[place] = f"{option} {path}"
