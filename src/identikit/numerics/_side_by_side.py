"""The same work on several parts at once, on the processor's cores.

Compiled kernels and NumPy's larger operations let other Python threads run, so threads are enough. What is already
part of such work goes on in its own thread: cores that are all busy gain nothing from more threads.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from typing import TypeVar

CORES = min(os.cpu_count() or 1, 8)  # that work is shared out among

Part = TypeVar("Part")
Found = TypeVar("Found")

_is_part: ContextVar[bool] = ContextVar("is_part", default=False)


def side_by_side(work: Callable[[Part], Found], parts: Sequence[Part]) -> list[Found]:
    """`work` done on every part; in the order of the parts. The calling thread does the first one itself."""
    if len(parts) < 2 or CORES < 2 or _is_part.get():
        return [work(part) for part in parts]

    def begin(part: Part) -> Found:
        _is_part.set(True)
        return work(part)

    with ThreadPoolExecutor(CORES - 1) as pool:
        tasks = [pool.submit(copy_context().run, begin, part) for part in parts[1:]]
        first = copy_context().run(begin, parts[0])
        return [first, *(task.result() for task in tasks)]
