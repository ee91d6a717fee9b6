"""Linear algebra on one thread: what this package decomposes is many small matrices, not one large one.

OpenBLAS shares out even tables of some thousand rows among all cores, and its threads then wait for one another by
spinning: measured on two cores, the QR decompositions of a fit take two to five times as long with two threads as with
one, and up to thirty times on a machine that is busy otherwise.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any


@cache
def _libraries() -> Any:
    """The BLAS libraries of NumPy and SciPy, both loaded."""
    from importlib import import_module

    import_module("scipy.linalg")
    control: Any = import_module("threadpoolctl")  # it has no types
    return control.ThreadpoolController().select(user_api="blas")


class _Holders:
    """How many pieces of work hold the libraries to one thread. The setting is the process's: the first one makes it,
    the last one takes it back."""

    def __init__(self) -> None:
        self._lock, self._count, self._limit = threading.Lock(), 0, None

    def enter(self) -> None:
        with self._lock:
            if not self._count:
                self._limit = _libraries().limit(limits=1)
            self._count += 1

    def leave(self) -> None:
        with self._lock:
            self._count -= 1
            if not self._count and self._limit is not None:
                self._limit.restore_original_limits()


_HOLDERS = _Holders()


@contextmanager
def single_threaded() -> Iterator[None]:
    """Work in which BLAS and LAPACK use one thread each; may be nested, and held by several threads at once."""
    _HOLDERS.enter()
    try:
        yield
    finally:
        _HOLDERS.leave()
