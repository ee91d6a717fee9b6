"""Writing a file whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from identikit.errors import DataError


def atomic_write(path: str | Path, content: bytes) -> None:
    """Write beside the target first and then rename, so that the file is never half-written."""
    target = Path(path)
    try:
        if is_special(target):
            target.write_bytes(content)
            return
        # A link stays a link: what it points to is replaced.
        target = resolved(target)
        partial = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            partial.write_bytes(content)
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise DataError(f"{path}: cannot be written ({error.strerror})") from None


def resolved(path: Path) -> Path:
    """The place that would really be written: the end of a link, else the path itself."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path.absolute()


def same_file(path: str | Path, other: str | Path) -> bool:
    """Whether writing one would change the other: the same spelling, another spelling, a link or a hard link."""
    if is_special(Path(path)):
        return False
    try:
        return Path(path).samefile(other)
    except (OSError, ValueError):  # one of them is not there yet
        return os.path.realpath(path) == os.path.realpath(other)


def is_special(path: Path) -> bool:
    """A device or pipe, such as /dev/null, which must be written to and never replaced."""
    return path.exists() and not path.is_file() and not path.is_dir()
