"""A folder that only this user, and root, can write to; opened once, then read and written through its descriptor.

What lies in it may be believed to be this user's. That takes more than the folder's own mode: whoever can write to a
folder above it can put another one in its place, and a link leads wherever its owner wants. So every folder and link on
the way has to belong to this user or to root, and to be closed to others; a sticky folder such as /tmp may be open,
since nobody can rename there what is not theirs.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

MOST_LINKS = 40  # on the way to a folder: as many as Linux follows
PARTIAL = ".part"  # ending of a file that is being written
ABANDONED = 3600.0  # seconds after which a partial file belongs to nobody any more


class UntrustedFolderError(Exception):
    """Somebody else could have written what lies in a folder: the text says who or how."""


@dataclass(frozen=True)
class Entry:
    """A file of the folder: its name, bytes, and when it was last used (seconds since 1970)."""

    name: str
    size: int
    used: float


class PrivateFolder:
    """An open folder of this user's.

    Made, closed to everybody else, if it is not there. `UntrustedFolderError` where others can write to it, `OSError`
    where it can be neither opened nor made.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        _require_private_way(self.path)
        for folder in (*reversed(self.path.parents), self.path):
            with suppress(FileExistsError):
                folder.mkdir(mode=0o700)
        _require_private_way(self.path)  # what was made meanwhile, by us or by others
        self._descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        status = os.fstat(self._descriptor)
        if status.st_uid != os.geteuid():
            self.close()
            raise UntrustedFolderError(f"{self.path} belongs to another user")
        if status.st_mode & 0o077:
            self.close()
            raise UntrustedFolderError(f"{self.path} is open to others (mode {status.st_mode & 0o777:04o})")

    def close(self) -> None:
        """Give the descriptor back."""
        os.close(self._descriptor)

    def read(self, name: str) -> bytes | None:
        """A file's content; None if it is not there, is no plain file, or could be another user's."""
        try:
            file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=self._descriptor)
        except OSError:
            return None
        try:
            status = os.fstat(file)
            trusted = status.st_uid == os.geteuid() and not status.st_mode & 0o022
            if not (trusted and stat.S_ISREG(status.st_mode)):
                return None
            with os.fdopen(file, "rb", closefd=False) as opened:
                return opened.read()
        except OSError:  # a disk that fails
            return None
        finally:
            os.close(file)

    def mark_used(self, name: str) -> None:
        """Set the time of a file's last use to now; nothing happens in a folder that cannot be written to."""
        with suppress(OSError):
            os.utime(name, dir_fd=self._descriptor, follow_symlinks=False)

    def write(self, name: str, content: bytes) -> None:
        """Put a file in its place whole, instead of any that is there; `OSError` where that cannot be done."""
        self._write_beside(name, content, os.replace)

    def write_first(self, name: str, content: bytes) -> None:
        """The same, but whoever comes first is right: a file that is there already stays as it is."""

        def link(partial: str, target: str, *, src_dir_fd: int, dst_dir_fd: int) -> None:
            with suppress(FileExistsError):
                os.link(partial, target, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

        self._write_beside(name, content, link)

    def _write_beside(self, name: str, content: bytes, settle: object) -> None:
        partial = f".{name}.{os.getpid()}.{secrets.token_hex(4)}{PARTIAL}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            with os.fdopen(os.open(partial, flags, 0o600, dir_fd=self._descriptor), "wb") as opened:
                opened.write(content)
            settle(partial, name, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)  # type: ignore[operator]
        finally:
            with suppress(OSError):
                os.unlink(partial, dir_fd=self._descriptor)

    def entries(self) -> Iterator[Entry]:
        """The plain files, without those that are being written."""
        for name, status in self._files():
            if not name.endswith(PARTIAL):
                yield Entry(name, status.st_size, status.st_mtime)

    def remove(self, name: str) -> None:
        """Delete a file, if it is still there."""
        with suppress(OSError):
            os.unlink(name, dir_fd=self._descriptor)

    def remove_abandoned(self, now: float) -> None:
        """Delete what processes that ended in the middle of writing have left."""
        for name, status in self._files():
            if name.endswith(PARTIAL) and now - status.st_mtime > ABANDONED:
                self.remove(name)

    def _files(self) -> Iterator[tuple[str, os.stat_result]]:
        for name in sorted(os.listdir(self._descriptor)):  # noqa: PTH208 - iterdir takes no descriptor
            with suppress(OSError):
                status = os.stat(name, dir_fd=self._descriptor, follow_symlinks=False)
                if stat.S_ISREG(status.st_mode):
                    yield name, status


def _require_private_way(path: Path) -> None:
    """Whoever owns or can change a folder or link on the way to `path` is this user or root."""
    ahead = list(reversed(path.parts[1:]))
    here, links = Path(path.anchor), 0
    _require_private(here, here.lstat())
    while ahead:
        step = here / ahead.pop()
        try:
            status = step.lstat()
        except FileNotFoundError:
            return
        _require_private(step, status)
        if not stat.S_ISLNK(status.st_mode):
            here = step
            continue
        links += 1
        if not ahead:
            raise UntrustedFolderError(f"{step} is a symbolic link")
        if links > MOST_LINKS:
            raise UntrustedFolderError(f"{path}: too many symbolic links on the way")
        target = step.readlink()
        here = Path(target.anchor) if target.is_absolute() else here
        ahead += [part for part in reversed(target.parts) if part != target.anchor]


def _require_private(path: Path, status: os.stat_result) -> None:
    if status.st_uid not in (0, os.geteuid()):
        raise UntrustedFolderError(f"{path} belongs to another user")
    if not stat.S_ISDIR(status.st_mode) or status.st_mode & stat.S_ISVTX:
        return
    group = status.st_mode & stat.S_IWGRP and not _is_private_group(status.st_gid)
    if group or status.st_mode & stat.S_IWOTH:
        raise UntrustedFolderError(f"others can write to {path} (mode {status.st_mode & 0o777:04o})")


def _is_private_group(group: int) -> bool:
    """Whether a group is this user's alone, as many systems give every user one of the same name, with umask 002."""
    import grp
    import pwd

    try:
        user, entry = pwd.getpwuid(os.geteuid()), grp.getgrgid(group)
    except KeyError:
        return False
    return user.pw_gid == group and entry.gr_name == user.pw_name and set(entry.gr_mem) <= {user.pw_name}
