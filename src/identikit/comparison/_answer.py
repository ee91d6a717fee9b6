"""One method on a problem: its whole result, and what it predicts of a part that it has not seen."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from identikit.errors import IdentikitError
from identikit.method import Cost, Method, Need
from identikit.problem import Problem
from identikit.progress import Progress
from identikit.result import Code, Result
from identikit.selection import SELECTION, predicted_errors

SECOND_FIT = f"its fit to the first {100 * SELECTION.share:.0f} %"


@dataclass(frozen=True)
class Task:
    """A method to ask, and how."""

    method: type[Method]
    options: Mapping[str, Any]
    seed: int


@dataclass(frozen=True)
class Answer:
    """What came of a task.

    Arguments:
        result: None if the method failed, and `failure` then says how.
        objects: whether it failed since it cannot run here, as without a package of its own.
        unseen: {output: rms error on samples that it was not fitted to}; empty if it could not predict them.
        unpredicted: why it could not.
        likeliest, counts_process_noise, smooths: traits of the method that say what its estimate is worth.
    """

    method: str
    title: str
    result: Result | None = None
    failure: str = ""
    objects: bool = False
    seconds: float | None = None
    unseen: Mapping[str, float] = field(default_factory=dict)
    unpredicted: str = ""
    likeliest: bool = False
    counts_process_noise: bool = False
    smooths: bool = False


@dataclass(frozen=True)
class Fitted:
    """An answer that is complete but for its prediction of a part, which takes another fit."""

    answer: Answer


def asked(
    problem: Problem,
    task: Task,
    progress: Progress,
    held_out: bool,
    tell: Callable[[Fitted], None] = lambda fitted: None,
) -> Answer:
    """Let the method answer; whatever goes wrong inside is an answer too.

    The last part of every record is predicted from a second fit, to what lies before, unless the method takes minutes;
    `tell` is called before, so that the first is not lost with the second.
    """
    twice = held_out and task.method.costs is not Cost.MINUTES
    begun = time.perf_counter()
    try:
        method = task.method()
        result = method.run(
            problem, options=task.options, seed=task.seed, progress=progress.part(0.0, 0.6 if twice else 1.0)
        )
    except IdentikitError as error:
        return failed(task.method, str(error), objects=True)
    except Exception as error:  # code of others may fail in any way, and must not take the other methods with it
        return failed(task.method, f"it failed ({type(error).__name__}: {error})")
    answer = Answer(
        method.name,
        method.title,
        result,
        seconds=time.perf_counter() - begun,
        likeliest=method.likeliest,
        counts_process_noise=method.process_noise,
        smooths=Need.ALL_STATES in method.needs,
    )
    if not method.identifies or result.status.code in (Code.NOT_APPLICABLE, Code.NOT_CONVERGED) or not held_out:
        return answer
    if not twice:
        return replace(answer, unpredicted="it takes minutes, so it was not fitted a second time")
    if not progress.stopped:  # else it is not the fit that was asked for
        tell(Fitted(answer))
    again = progress.stage("predicting", 0.6, 1.0, f"{method.name}: {SECOND_FIT}")
    unseen, why = _unseen(problem, method, task, again)
    return replace(answer, unseen=unseen, unpredicted=why)


def without_prediction(fitted: Fitted, why: str) -> Answer:
    """The answer of a method whose second fit came to no end."""
    return replace(fitted.answer, unpredicted=f"{SECOND_FIT} was cut off: {why}")


def failed(method: type[Method], why: str, objects: bool = False) -> Answer:
    """The answer of a method that came to no result."""
    return Answer(method.name, method.title, failure=" ".join(why.split()), objects=objects)


def _unseen(problem: Problem, method: Method, task: Task, progress: Progress) -> tuple[dict[str, float], str]:
    """The rms errors on the last part of every record; where there are none, why."""
    try:
        first, _ = problem.split(SELECTION.share)
        part = method.run(first, options=task.options, seed=task.seed, progress=progress)
        errors = predicted_errors(problem, part, SELECTION.share)
    except IdentikitError as error:
        return {}, f"{SECOND_FIT} was refused ({' '.join(str(error).split())})"
    except Exception as error:  # an addition to the answer, which stands without it
        return {}, f"{SECOND_FIT} failed ({' '.join(f'{type(error).__name__}: {error}'.split())})"
    if errors is None:
        why = "the motion by its values does not reach the rest" if part.ok else part.status.message
        return {}, f"{SECOND_FIT} came to no prediction ({why})"
    known = {name: column[np.isfinite(column)] for name, column in zip(problem.outputs, errors.T, strict=True)}
    return {name: float(np.sqrt(np.mean(column**2))) for name, column in known.items() if column.size}, ""
