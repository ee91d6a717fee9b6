"""Progress on a terminal: one line on stderr that rewrites itself. In a pipe: nothing."""

from __future__ import annotations

import shutil
import time
from types import TracebackType
from typing import TextIO

from identikit.cli._terminal import VisibleStream, one_line

SECONDS_BETWEEN = 0.1  # two lines: faster would only flicker
BAR = 20  # characters


class ProgressLine:
    """Called with a fraction and a sentence; a context manager that wipes its line at the end.

    with ProgressLine(sys.stderr, quiet=False) as progress:
        fit(..., progress=progress)
    """

    def __init__(self, stream: TextIO, quiet: bool) -> None:
        self._stream = stream.stream if isinstance(stream, VisibleStream) else stream
        self._shows = not quiet and stream.isatty()
        self._latest = -SECONDS_BETWEEN
        self._drawn = False

    def __call__(self, fraction: float, sentence: str) -> None:
        now = time.monotonic()
        if not self._shows or now - self._latest < SECONDS_BETWEEN:
            return
        self._latest = now
        done = min(max(fraction, 0.0), 1.0)
        filled = round(done * BAR)
        line = f"[{'#' * filled}{'.' * (BAR - filled)}] {100 * done:3.0f} %  {one_line(sentence)}"
        self._write(line[: shutil.get_terminal_size().columns - 1])
        self._drawn = True

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._drawn:
            self._write("")

    def _write(self, line: str) -> None:
        self._stream.write(f"\r\x1b[2K{line}")
        self._stream.flush()
