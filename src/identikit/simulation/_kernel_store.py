"""Where compiled kernels are kept between runs: authenticated, of this user alone, and of limited size.

A kernel is machine code, so whatever is loaded from here runs. Three things have to hold before a byte of a file is
interpreted: nobody else can write to the folder (`PrivateFolder`); the file carries a code that only somebody with this
user's key can have made (HMAC-SHA256); and that code covers the file's name, so that one kernel cannot stand in the
place of another. The key lies apart from the kernels, in the user's folder for program state: kernels that were copied
here with the folder they lie in do not bring the key that would make them believed.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from identikit.private_folder import PrivateFolder, UntrustedFolderError

ROOM = "kernels"  # the folder's name below the one that IDENTIKIT_CACHE names
KEY_FILE = "kernel-key"
KEY_BYTES = 32  # as many as the digest has
MOST_BYTES = 500_000_000  # of all kernels; the one that was not used for longest goes first
HEADER = b"identikit kernel 2\n"
CODE_BYTES = hashlib.sha256().digest_size


@dataclass(frozen=True)
class StoreSize:
    """How many kernels are kept, and their bytes."""

    kernels: int
    size: int


class KernelStore:
    """Compiled kernels by name, in a folder of this user's; no more than `most_bytes` of them."""

    def __init__(self, folder: PrivateFolder, key: bytes, most_bytes: int = MOST_BYTES) -> None:
        self._folder, self._key, self.most_bytes = folder, key, most_bytes

    @property
    def path(self) -> Path:
        """Where the kernels lie."""
        return self._folder.path

    def load(self, name: str) -> bytes | None:
        """What was kept under a name; None if nothing was, or not by this user, or under another name."""
        content = self._folder.read(name)
        if content is None or not content.startswith(HEADER):
            return None
        code, body = content[len(HEADER) :][:CODE_BYTES], content[len(HEADER) + CODE_BYTES :]
        if not hmac.compare_digest(code, self._code(name, body)):
            return None
        self._folder.mark_used(name)
        return body

    def keep(self, name: str, body: bytes) -> None:
        """Keep a kernel; where it cannot be written (a full disk, a folder only to be read), all goes on without."""
        if len(body) > self.most_bytes:
            return
        with suppress(OSError):
            self._make_room(len(body))
            self._folder.write(name, HEADER + self._code(name, body) + body)

    def discard(self, name: str) -> None:
        """Forget a kernel that is of no use."""
        self._folder.remove(name)

    def clear(self) -> StoreSize:
        """Delete every kernel, and say what there was."""
        size = self.size()
        for entry in self._folder.entries():
            self._folder.remove(entry.name)
        return size

    def size(self) -> StoreSize:
        """What is kept now."""
        sizes = [entry.size for entry in self._folder.entries()]
        return StoreSize(len(sizes), sum(sizes))

    def _code(self, name: str, body: bytes) -> bytes:
        return hmac.new(self._key, name.encode() + b"\0" + body, hashlib.sha256).digest()

    def _make_room(self, size: int) -> None:
        self._folder.remove_abandoned(time.time())
        entries = sorted(self._folder.entries(), key=lambda entry: (entry.used, entry.name))
        surplus = sum(entry.size for entry in entries) + size - self.most_bytes
        for entry in entries:
            if surplus <= 0:
                return
            self._folder.remove(entry.name)
            surplus -= entry.size


def kernel_store() -> KernelStore | None:
    """This user's store; None where IDENTIKIT_CACHE is empty, or where nothing can be kept safely.

    The latter is told once, in one line on stderr, if somebody else could have written to the folder.
    """
    folder, state = cache_folder(), _state_folder()
    return None if folder is None or state is None else _opened(folder / ROOM, state)


@lru_cache(maxsize=8)
def _opened(folder: Path, state: Path) -> KernelStore | None:
    try:
        return KernelStore(PrivateFolder(folder), _key_in(PrivateFolder(state)))
    except UntrustedFolderError as refusal:
        print(f"identikit: compiled kernels are not kept: {refusal}.", file=sys.stderr)
    except (OSError, ValueError):
        pass  # no disk to keep anything on, or one that is full or only to be read
    return None


def _key_in(folder: PrivateFolder) -> bytes:
    """The user's key, made at random when it is first needed."""
    key = folder.read(KEY_FILE)
    if key is None:
        folder.write_first(KEY_FILE, secrets.token_bytes(KEY_BYTES))
        key = folder.read(KEY_FILE)
    if key is None or len(key) != KEY_BYTES:
        raise UntrustedFolderError(f"{folder.path / KEY_FILE} is no key of this user's; delete it to have a new one")
    return key


def cache_folder() -> Path | None:
    """The folder that IDENTIKIT_CACHE names, or the usual one; None where it is empty or there is no home."""
    named = os.environ.get("IDENTIKIT_CACHE")
    if named == "":
        return None
    return Path(named) if named else _user_folder("XDG_CACHE_HOME", ".cache")


def _state_folder() -> Path | None:
    return _user_folder("XDG_STATE_HOME", ".local/state")


def _user_folder(variable: str, usual: str) -> Path | None:
    """identikit's folder below the one that a variable names, if it is a full path, else below the home."""
    named = Path(os.environ.get(variable, ""))
    try:
        return (named if named.is_absolute() else Path.home() / usual) / "identikit"
    except RuntimeError:  # a user without a home
        return None
