"""A method that fails, crashes or hangs takes no other with it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
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
SAMPLES = 40


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


class CrashesWithWords(Answers):
    name = "crashes_with_words"

    def objections(self, problem: Problem) -> list[Finding]:
        print("no licence is left", file=sys.stderr, flush=True)
        os._exit(7)


class CrashesAtTheSecondFit(Answers):
    name = "crashes_later"

    def objections(self, problem: Problem) -> list[Finding]:
        if problem.records[0].time.size < SAMPLES:
            os._exit(7)
        return []


class HangsAtTheSecondFit(Answers):
    name = "hangs_later"

    def estimate(
        self, problem: Problem, *, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Result:
        if problem.records[0].time.size < SAMPLES:
            progress(1.0, "nearly done")
            time.sleep(600)
        return super().estimate(problem, options=options, seed=seed, progress=progress)


class Hangs(Answers):
    name = "hangs"

    def objections(self, problem: Problem) -> list[Finding]:
        time.sleep(600)
        return []


@pytest.fixture(scope="module")
def problem() -> Problem:
    times = np.arange(SAMPLES) * 0.1
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


def test_the_last_words_of_a_process_that_crashed_are_told(problem: Problem) -> None:
    """And those of the method before it in the same process are not: `Answers` prints."""
    found = answers(problem, [task(Answers), task(CrashesWithWords), task(Crashes)], Rules(False, 300.0), silent)
    failures = {item.method: item.failure for item in found}
    assert failures["crashes_with_words"] == "its process ended without an answer (exit code 7: no licence is left)"
    assert failures["crashes"] == "its process ended without an answer (exit code 7)"


def test_what_is_printed_before_a_process_is_ready_is_no_reason_to_wait(
    problem: Problem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text("print('welcome to this cluster', flush=True)")
    monkeypatch.syspath_prepend(tmp_path)
    (found,) = answers(problem, [task(Answers)], Rules(False, 300.0), silent)
    # the process may have begun with its method before it is ended, and then its last words follow
    assert found.failure.startswith("its process ended without an answer (what it wrote could not be read")


def test_a_fit_is_not_lost_with_the_second_one(problem: Problem) -> None:
    (found,) = answers(problem, [task(CrashesAtTheSecondFit)], Rules(True, 300.0), silent)
    assert found.result is not None and found.result.value("k") == 4.0 and not found.failure
    cut_off = "its fit to the first 70 % was cut off: its process ended without an answer (exit code 7)"
    assert found.unpredicted.startswith(cut_off[:-1])


def test_a_fit_whose_second_one_takes_too_long_is_kept(problem: Problem) -> None:
    with watched(lambda event: event.fraction < 0.8) as run:  # the first fit ends at 0.6
        (found,) = answers(problem, [task(HangsAtTheSecondFit)], Rules(True, 300.0), run)
    assert found.result is not None and found.result.value("k") == 4.0
    assert found.unpredicted == "its fit to the first 70 % was cut off: the comparison was stopped"


def test_an_output_without_samples_in_the_last_part_leaves_the_others_their_score() -> None:
    both = ik.Model.from_text(
        "spring",
        equations={"x''": "-k*x"},
        parameters=(ik.Parameter("k", bounds=(0, 20)),),
        outputs={"x": "x", "force": "k*x"},
    )
    times = np.arange(SAMPLES) * 0.1
    x = np.cos(2 * times)
    force = np.where(np.arange(SAMPLES) < 20, 4 * x, np.nan)
    posed = Problem.pose(both, ik.Record.from_arrays(times, {"x": x, "force": force}))

    class Local(Answers):
        name = "local"

    (found,) = answers(posed, [task(Local)], Rules(True, 300.0), silent)
    assert not found.unpredicted and list(found.unseen) == ["x"]
    assert found.unseen["x"] < 1e-3
