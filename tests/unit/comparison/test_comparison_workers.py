"""A method that fails, crashes or hangs takes no other with it."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import identikit as ik
from identikit.comparison import Rules, Task, answers
from identikit.method import Method
from identikit.problem import Problem
from identikit.progress import Progress, ProgressEvent, silent, watched
from identikit.result import Code, Finding, ParameterEstimate, Result, Status

MODEL = ik.Model.from_text("spring", equations={"x''": "-k*x"}, parameters=(ik.Parameter("k", bounds=(0, 20)),))


class Answers(Method):
    """A method that answers at once."""

    name = "answers"
    title = "Answers"
    reference = "none"

    def objections(self, problem: Problem) -> list[Finding]:
        return []

    def estimate(
        self, problem: Problem, *, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Result:
        print("this must not be taken for an answer", flush=True)
        return Result("spring", self.name, Status(Code.OK, "ok"), {"k": ParameterEstimate(4.0)})


class Raises(Answers):
    name = "raises"

    def objections(self, problem: Problem) -> list[Finding]:
        raise ZeroDivisionError("nobody expected this")


class Crashes(Answers):
    name = "crashes"

    def objections(self, problem: Problem) -> list[Finding]:
        os._exit(7)


class Hangs(Answers):
    name = "hangs"

    def objections(self, problem: Problem) -> list[Finding]:
        time.sleep(600)
        return []


@pytest.fixture(scope="module")
def problem() -> Problem:
    times = np.arange(40) * 0.1
    return Problem.pose(MODEL, ik.Record.from_arrays(times, {"x": np.cos(2 * times)}))


def task(method: type[Method]) -> Task:
    return Task(method, {}, 0)


def test_failures_and_crashes_leave_the_others_alone(problem: Problem) -> None:
    tasks = [task(method) for method in (Raises, Crashes, Answers)]
    found = {item.method: item for item in answers(problem, tasks, Rules(False, 300.0), silent)}
    assert found["raises"].failure == "it failed (ZeroDivisionError: nobody expected this)"
    assert found["crashes"].failure == "its process ended without an answer (exit code 7)"
    assert found["answers"].result is not None and found["answers"].result.value("k") == 4.0


def test_a_method_that_hangs_is_ended(problem: Problem) -> None:
    (found,) = answers(problem, [task(Hangs)], Rules(False, 1.0), silent)
    assert found.result is None and found.failure == "it did not end within 1 s"


def test_asked_to_stop_what_is_done_is_kept(problem: Problem) -> None:
    heard: list[ProgressEvent] = []

    def listener(event: ProgressEvent) -> bool:
        heard.append(event)
        return not event.sentence.startswith("1 of 2")

    with watched(listener) as run:
        found = answers(problem, [task(Answers), task(Hangs)], Rules(False, 300.0), run)
        assert run.stopped
    assert [item.method for item in found] == ["answers"]
    assert heard[-1].sentence == "1 of 2 done, now hangs"


def test_what_cannot_be_sent_to_a_process_is_done_here(problem: Problem) -> None:
    class Local(Answers):
        name = "local"

    (found,) = answers(problem, [task(Local)], Rules(False, 300.0), silent)
    assert found.result is not None and found.result.value("k") == 4.0
