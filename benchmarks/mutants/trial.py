"""One change, tried: a forked process compiles the changed module and runs tests until one of them fails.

The parent has imported the heavy libraries, but nothing of identikit, and started no thread, so that a fork costs
milliseconds. A process that takes far more processor time than its tests usually do counts as killed: it hangs.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import resource
import shutil
import signal
import tempfile
import threading
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from benchmarks.mutants.changes import Change, applied
from benchmarks.mutants.importing import ChangedFinder

HEAVY = (
    "pytest", "numpy", "scipy.linalg", "scipy.optimize", "scipy.stats", "scipy.signal", "scipy.interpolate",
    "scipy.integrate", "sympy", "jax", "jax.numpy", "threadpoolctl",
)  # fmt: skip
SLACK = 3.0  # times the usual seconds of its tests, and
START = 20.0  # seconds more for imports and compilation, may a trial take of the processor
WAIT = 10.0  # times that may it take by the clock: other processes may be busy


class Ended(StrEnum):
    """How a trial ended."""

    KILLED = "killed"  # a test failed
    TIMED_OUT = "timed out"  # far beyond what its tests usually take
    CRASHED = "crashed"  # the process died, or could not begin
    STUCK = "stuck"  # it waits for something, as it does on a machine that is stopped: that proves nothing
    SURVIVED = "survived"  # all tests passed
    UNREACHED = "unreached"  # no test runs the changed statement
    EQUIVALENT = "equivalent"  # not tried: it makes no difference

    @property
    def dead(self) -> bool:
        return self in (Ended.KILLED, Ended.TIMED_OUT, Ended.CRASHED)


@dataclass(frozen=True)
class Outcome:
    """How it ended, after how many seconds, and the tests that failed."""

    ended: Ended
    seconds: float = 0.0
    tests: tuple[str, ...] = ()

    @property
    def test(self) -> str:
        """The one that killed it."""
        return next(iter(self.tests), "")


@dataclass
class Trial:
    """A trial that runs."""

    process: int
    reader: int
    folder: Path
    begun: float
    patience: float
    changed: bool

    def outcome(self) -> Outcome | None:
        """None while it runs."""
        process, status = os.waitpid(self.process, os.WNOHANG)
        seconds = time.monotonic() - self.begun
        if process == 0:
            if seconds < self.patience:
                return None
            os.killpg(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process, signal.SIGKILL)  # what its tests have left behind
        os.set_blocking(self.reader, False)
        with contextlib.suppress(BlockingIOError), open(self.reader, "rb", closefd=False) as file:
            tests = tuple((file.read() or b"").decode().splitlines())
        os.close(self.reader)
        log = (self.folder / "log").read_text(errors="replace")
        shutil.rmtree(self.folder, ignore_errors=True)
        if process == 0:
            return Outcome(Ended.STUCK, seconds)
        if os.WIFSIGNALED(status):
            late = os.WTERMSIG(status) == signal.SIGXCPU
            return Outcome(Ended.TIMED_OUT if late else Ended.CRASHED, seconds)
        if tests:
            return Outcome(Ended.KILLED, seconds, tests)
        if os.WEXITSTATUS(status) != 0 and self.changed:  # not even what the tests share can be imported
            return Outcome(Ended.CRASHED, seconds)
        if os.WEXITSTATUS(status) != 0:
            raise RuntimeError(f"the tests could not be run:\n{log[-3000:]}")
        return Outcome(Ended.SURVIVED, seconds)


def preload() -> None:
    """Import what every trial needs; nothing of it may start a thread, for threads do not survive a fork."""
    for name in HEAVY:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    if threading.active_count() > 1 or len(list(_tasks())) > 1:
        raise RuntimeError("a library has started a thread: set OPENBLAS_NUM_THREADS=1")


def _tasks() -> Iterator[Path]:
    folder = Path("/proc/self/task")
    return folder.iterdir() if folder.is_dir() else iter((folder,))


def begin(change: Change | None, tests: Sequence[str], seconds: float, stop: bool = True) -> Trial:
    """Start a trial of tests that usually take so many seconds; without a change it must find nothing."""
    folder = Path(tempfile.mkdtemp(prefix="mutant-"))
    reader, writer = os.pipe()
    limit = START + SLACK * seconds
    process = os.fork()
    if process:
        os.close(writer)
        return Trial(process, reader, folder, time.monotonic(), WAIT * limit, change is not None)
    code = 70
    try:
        os.close(reader)
        os.setsid()
        log = os.open(folder / "log", os.O_WRONLY | os.O_CREAT)
        os.dup2(log, 1)
        os.dup2(log, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit) + 5))
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # plugins of other packages cost two seconds a trial
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(folder / "hypothesis")
        code = _run(change, tests, folder, writer, stop)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _run(change: Change | None, tests: Sequence[str], folder: Path, writer: int, stop: bool) -> int:
    """In the forked process: the exit code of the tests, and the names of those that failed written to the parent."""
    import pytest

    class Watcher:
        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            if report.failed:
                os.write(writer, f"{report.nodeid}\n".encode())

        def pytest_collectreport(self, report: pytest.CollectReport) -> None:
            if report.failed:
                os.write(writer, f"{report.nodeid or 'collection'}\n".encode())

    if change is not None:
        ChangedFinder({change.module: applied(change)}).install()
    options = ["-p", "no:cacheprovider", f"--basetemp={folder / 'tests'}", *(["-x"] if stop else [])]
    return int(pytest.main([*options, *tests], plugins=[Watcher()]))
