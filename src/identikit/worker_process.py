"""A module of this package in a process of its own, which imports what this one imports and no more."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import suppress

SECONDS_TO_END = 1.0  # for a process that has closed its output; then it is ended


class WorkerProcess:
    """`python -m MODULE WORDS`, begun when it is made.

    The folder that the user is in is where data lie: a `queue.py` among them must not be run. So the process looks for
    modules exactly where this one does (-P keeps Python from adding the folder), and in that folder only if this one
    does, as in an interactive session. What it writes to stderr is kept in a file, since nobody empties a pipe while it
    runs, and `how_it_ended` tells the last line of it.

    Arguments:
        talks: whether there are pipes to its stdin and from its stdout; else stdin is empty, and stdout is dropped.
    """

    def __init__(self, module: str, *words: str, talks: bool = False) -> None:
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the process has ended
        self._heard = 0
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", module, *words],
            stdin=subprocess.PIPE if talks else subprocess.DEVNULL,
            stdout=subprocess.PIPE if talks else subprocess.DEVNULL,
            stderr=self._said,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))},
        )

    @property
    def ended(self) -> bool:
        """Whether it has ended by itself."""
        return self.process.poll() is not None

    def forget(self) -> None:
        """What was written to stderr until now is not about what comes next."""
        self._heard = os.fstat(self._said.fileno()).st_size  # not seek: the process writes where the file stands

    def how_it_ended(self) -> str:
        """Its exit code or signal, and the last line it wrote to stderr. One that still runs is ended."""
        try:
            code = self.process.wait(SECONDS_TO_END)
            how = f"signal {-code}" if code < 0 else f"exit code {code}"
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            how = "what it wrote could not be read"
        last = self.last_line()
        return f"{how}: {last}" if last else how

    def last_line(self) -> str:
        """The last line that it wrote to stderr, once it has ended; empty if there is none."""
        self._said.seek(self._heard)
        lines = self._said.read().decode(errors="replace").strip().splitlines()
        return lines[-1].strip() if lines else ""

    def end(self) -> None:
        """End it, if it has not, and wait until it has."""
        self.process.kill()
        self.process.wait()
        self._said.close()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with suppress(OSError):  # what was not sent yet has nobody to read it
                    pipe.close()
