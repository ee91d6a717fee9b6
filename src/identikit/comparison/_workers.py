"""Methods side by side, each in a process that can be ended: one that hangs or crashes takes no other with it.

Processes rather than threads, since a thread can neither be ended nor outlive a crash of native code. The price is a
second import of everything, some three seconds of processor time for each process (docs/compare.md has the figures);
so a process answers for one method after another.
"""

from __future__ import annotations

import pickle
import queue
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from identikit.comparison._answer import Answer, Fitted, Task, asked, failed, without_prediction
from identikit.method import Cost
from identikit.numerics import CORES
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress, ProgressEvent
from identikit.worker_process import WorkerProcess

SECONDS_BETWEEN = 0.1  # looks at where the work is
COSTS = tuple(Cost)  # from the cheapest on
STOPPED = "the comparison was stopped"  # why an answer that was there already has no prediction


@dataclass(frozen=True)
class Rules:
    """How tasks are done: whether a part is held out, and how many seconds one may take in a process of its own."""

    held_out: bool
    time_limit: float


def answers(problem: Problem, tasks: Sequence[Task], rules: Rules, progress: Progress) -> list[Answer]:
    """What every task comes to, in no particular order; where the listener asks to stop, what was done until then.

    Cheap methods come first, but for one core, which begins with the dearest: the whole cannot end before that has.
    """
    waiting = sorted(tasks, key=lambda task: COSTS.index(task.method.costs))
    pickled = _pickled(problem)
    apart = [task for task in waiting if pickled is not None and _can_be_sent(task)]
    here = [task for task in waiting if task not in apart]
    done: list[Answer] = []
    share = len(apart) / len(tasks) if tasks else 1.0
    if apart and pickled is not None:
        with tempfile.TemporaryDirectory(prefix="identikit-") as folder:
            file = Path(folder) / "problem"
            file.write_bytes(pickled)
            done += _Crew(file, apart, rules, progress.part(0.0, share)).work()
    for index, task in enumerate(here):
        if progress.stopped:
            break
        part = progress.part(share + (1 - share) * index / len(here), share + (1 - share) * (index + 1) / len(here))
        done += _asked_here(problem, task, part.stage("comparing", 0.0, 1.0, task.method.name), rules)
    return done


def _asked_here(problem: Problem, task: Task, progress: Progress, rules: Rules) -> list[Answer]:
    """The answer; where the listener asks to stop, what was there before that, if anything."""
    before: list[Fitted] = []
    try:
        answer = asked(problem, task, progress, rules.held_out, before.append)
    except Cancelled:
        pass
    else:
        if not progress.stopped:
            return [answer]
    return [without_prediction(item, STOPPED) for item in before]


def _pickled(thing: Any) -> bytes | None:
    """None of what another process could not read: functions without a name, classes of the script that is run."""
    try:
        found = pickle.dumps(thing)
    except (pickle.PicklingError, AttributeError, TypeError):
        return None
    return None if b"__main__" in found else found


def _can_be_sent(task: Task) -> bool:
    return _pickled(task) is not None


class _Worker:
    """A process, the task that it is at, and how far it is with it: `fitted` once only the prediction is missing."""

    def __init__(self, problem_file: Path, rules: Rules, tell: Callable[[_Worker, Any], None]) -> None:
        held_out = "yes" if rules.held_out else "no"
        self._own = WorkerProcess("identikit.comparison", str(problem_file), held_out, talks=True)
        self.task: Task | None = None
        self.fitted: Fitted | None = None
        self.begun, self.fraction = 0.0, 0.0
        self._listener = threading.Thread(target=self._listen, args=(tell,), daemon=True)
        self._listener.start()

    def begin(self, task: Task) -> None:
        self.task, self.fitted, self.begun, self.fraction = task, None, time.monotonic(), 0.0
        self._own.forget()
        pipe = self._own.process.stdin
        assert pipe is not None
        with suppress(OSError):  # it has ended already, which whoever listens is told
            pickle.dump(task, pipe)
            pipe.flush()

    def how_it_ended(self) -> str:
        return self._own.how_it_ended()

    def end(self) -> None:
        self._own.end()
        self._listener.join()

    def _listen(self, tell: Callable[[_Worker, Any], None]) -> None:
        """In a thread of its own: hand on what the process says, and None when it says no more."""
        pipe = self._own.process.stdout
        assert pipe is not None
        while True:
            try:
                said = pickle.load(pipe)
            except Exception:  # reading what somebody printed, or what cannot be imported here, may fail in any way
                tell(self, None)
                return
            tell(self, said)


class _Crew:
    """As many workers as cores, and the tasks that wait for them."""

    def __init__(self, problem_file: Path, tasks: Sequence[Task], rules: Rules, progress: Progress) -> None:
        self._file, self._rules, self._progress = problem_file, rules, progress
        self._waiting, self._total = list(tasks), len(tasks)
        self._said: queue.Queue[tuple[_Worker, Any]] = queue.Queue()
        self._workers: list[_Worker] = []
        self._done: list[Answer] = []

    def work(self) -> list[Answer]:
        """All tasks done, or as many as there was time for."""
        try:
            for index in range(min(CORES, self._total)):
                self._hire(dearest=index > 0 and index == min(CORES, self._total) - 1)
            while self._workers:
                self._hear()
                self._end_overdue()
                if self._tell() is False:
                    self._done += [without_prediction(one.fitted, STOPPED) for one in self._workers if one.fitted]
                    break
        finally:
            for worker in self._workers:
                worker.end()
        return self._done

    def _hire(self, dearest: bool = False) -> None:
        worker = _Worker(self._file, self._rules, lambda one, said: self._said.put((one, said)))
        self._workers.append(worker)
        worker.begin(self._waiting.pop(-1 if dearest else 0))

    def _hear(self) -> None:
        """What was said since the last look."""
        wait = True
        while True:
            try:
                worker, said = self._said.get(timeout=SECONDS_BETWEEN) if wait else self._said.get_nowait()
            except queue.Empty:
                return
            wait = False
            if worker not in self._workers:
                continue
            if isinstance(said, ProgressEvent):
                worker.fraction = said.fraction
            elif isinstance(said, Fitted):
                worker.fitted = said
            elif isinstance(said, Answer):
                self._done.append(said)
                self._next(worker)
            else:
                self._lost(worker, f"its process ended without an answer ({worker.how_it_ended()})")

    def _next(self, worker: _Worker) -> None:
        if self._waiting:
            worker.begin(self._waiting.pop(0))
        else:
            self._workers.remove(worker)
            worker.end()

    def _lost(self, worker: _Worker, why: str) -> None:
        """A worker that will not answer: its task has failed, unless only a prediction is missing; another follows."""
        assert worker.task is not None
        fitted = worker.fitted
        self._done.append(failed(worker.task.method, why) if fitted is None else without_prediction(fitted, why))
        self._workers.remove(worker)
        worker.end()
        if self._waiting:
            self._hire()

    def _end_overdue(self) -> None:
        limit = self._rules.time_limit
        for worker in [one for one in self._workers if time.monotonic() - one.begun > limit]:
            self._lost(worker, f"it did not end within {limit:g} s")

    def _tell(self) -> bool | None:
        names = [worker.task.method.name for worker in self._workers if worker.task is not None]
        reached = (len(self._done) + sum(worker.fraction for worker in self._workers)) / self._total
        now = f", now {' and '.join(names)}" if names else ""
        return self._progress.part(0.0, 1.0, "comparing")(reached, f"{len(self._done)} of {self._total} done{now}")
