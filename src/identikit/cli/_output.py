"""Files a command writes: refused before the work if that cannot be done, or would overwrite what is read."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from identikit.atomic_write import is_special, resolved, same_file
from identikit.errors import OptionError

STDOUT = "-"
STDIN = "/dev/stdin"


def check_ending(path: str, option: str, endings: Sequence[str]) -> None:
    """Refuse a file name whose ending no writer knows."""
    ending = Path(path).suffix.lower()
    if ending not in endings and not is_special(Path(path)):
        known = ", ".join(item for item in endings if item)
        found = f"the ending '{ending}' is not known" if ending else "the name has no ending"
        raise OptionError(f"{option} {path}: {found}: expected one of {known}")


def check_files(outputs: Sequence[tuple[str, str]], read: Sequence[str | None]) -> None:
    """Refuse, before any work, outputs that cannot be written, share a file, or would replace a file that is read.

    Arguments:
        outputs: pairs of the option and the path it names.
        read: everything that a command reads: data, model, inputs; None where there is none.
    """
    taken = [(STDIN if path == STDOUT else path, f"{path}, which is read") for path in read if path is not None]
    for option, path in outputs:
        for other, what in taken:
            if same_file(path, other):
                raise OptionError(f"{option} {path}: is the same file as {what}: name another file to write to")
        _check_writable(path, option)
        taken.append((path, f"{option} {path}"))


def model_file(model: str | None) -> str | None:
    """The file of a model that is given as one; None for a model of the library."""
    return model if model is not None and model.endswith(".toml") else None


def _check_writable(path: str, option: str) -> None:
    """Find out whether the file can be written; leaves nothing behind."""
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
