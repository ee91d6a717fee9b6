"""A call that the main thread waits for without being deaf to Ctrl-C; left alone, it ends in the background."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from collections.abc import Callable
from functools import cache
from typing import Any

ATTENTIVE = 0.05  # seconds between two polls of whoever waits
STACK = 16 * 2**20  # bytes: a thread's own default is half a megabyte on some systems, too little for deep expressions
INTERRUPTED = 130  # exit code after Ctrl-C, as shells have it

_UNDER_WAY: set[threading.Thread] = set()


class Background:
    """Runs a function in a thread of its own, begun at once."""

    def __init__(self, function: Callable[[], Any]) -> None:
        self._function, self._done = function, threading.Event()
        self._found: Any = None
        self._error: BaseException | None = None
        _wait_at_exit()
        thread = threading.Thread(target=self._run, name="identikit-background", daemon=True)
        _UNDER_WAY.add(thread)
        usual = threading.stack_size(STACK)
        try:
            thread.start()
        finally:
            threading.stack_size(usual)

    def wait(self, poll: Callable[[], None]) -> None:
        """Until the function has ended; `poll`, called again and again, may end the waiting by an exception."""
        while not self._done.wait(ATTENTIVE):
            poll()

    def result(self) -> Any:
        """What the function returned or raised."""
        if self._error is not None:
            raise self._error
        return self._found

    def _run(self) -> None:
        try:
            self._found = self._function()
        except BaseException as error:
            self._error = error
        finally:
            _UNDER_WAY.discard(threading.current_thread())
            self._done.set()


@cache
def _wait_at_exit() -> None:
    """An interpreter that ends under a compiler aborts: wait for it, or after Ctrl-C leave without tidying up."""

    @atexit.register
    def leave() -> None:
        if _UNDER_WAY and getattr(sys, "last_type", None) is KeyboardInterrupt:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(INTERRUPTED)
        for thread in list(_UNDER_WAY):
            thread.join()
