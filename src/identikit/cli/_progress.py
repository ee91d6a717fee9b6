"""Progress on a terminal, one line on stderr that rewrites itself (in a pipe: nothing), and the answer to Ctrl-C."""

from __future__ import annotations

import _thread
import shutil
import signal
import threading
import time
from types import FrameType, TracebackType
from typing import TextIO

from identikit.cli._terminal import VisibleStream, one_line
from identikit.progress import ProgressEvent

SECONDS_BETWEEN = 0.1  # two lines: faster would only flicker
BAR = 20  # characters
SECONDS_TO_ANSWER = 1.8  # seconds that work may take to come to its best so far
INTERRUPTED = 130  # exit code


class ProgressLine:
    """Listens to the work; a context manager that wipes its line at the end.

    The first Ctrl-C asks the work to stop with its best so far, which the command then shows; a second one ends it at
    once, and so does the first if nothing has come of it for too long.

    with ProgressLine(sys.stderr, quiet=False) as progress:
        fit(..., progress=progress)
    """

    def __init__(self, stream: TextIO, quiet: bool) -> None:
        self._stream = stream.stream if isinstance(stream, VisibleStream) else stream
        self._shows = not quiet and stream.isatty()
        self._latest = -SECONDS_BETWEEN
        self._drawn = False
        self._hurry = threading.Timer(SECONDS_TO_ANSWER, _thread.interrupt_main)  # as if Ctrl-C were pressed once more
        self._hurry.daemon = True
        self.interrupted = False

    def __call__(self, event: ProgressEvent) -> bool:
        now = time.monotonic()
        if self._shows and not now - self._latest < SECONDS_BETWEEN:
            self._latest = now
            filled = round(event.fraction * BAR)
            bar = f"[{'#' * filled}{'.' * (BAR - filled)}] {100 * event.fraction:3.0f} %"
            words = one_line(f"{event.stage}: {event.sentence}")
            self._write(f"{bar}  {words}"[: shutil.get_terminal_size().columns - 1])
            self._drawn = True
        return not self.interrupted

    def __enter__(self) -> ProgressLine:
        # elsewhere than in the main thread, or where signals are handled or ignored already, nothing is changed
        self._handles = (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        )
        if self._handles:
            signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._hurry.cancel()
        if self._handles:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if self._drawn:
            self._write("")

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self.interrupted:
            raise KeyboardInterrupt
        self.interrupted = True
        self._hurry.start()

    def _write(self, line: str) -> None:
        self._stream.write(f"\r\x1b[2K{line}")
        self._stream.flush()
