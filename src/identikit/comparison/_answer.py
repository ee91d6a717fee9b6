"""One method on a problem: its whole result, and what it predicts of a part that it has not seen."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from identikit.errors import IdentikitError
from identikit.method import Cost, Method, Need
from identikit.problem import Problem
from identikit.progress import Progress
from identikit.result import Code, Result
from identikit.selection import SELECTION, predicted_errors


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


def asked(problem: Problem, task: Task, progress: Progress, held_out: bool) -> Answer:
    """Let the method answer; whatever goes wrong inside is an answer too.

    The last part of every record is predicted from a second fit, to what lies before, unless the method takes minutes.
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
    seconds = time.perf_counter() - begun
    unseen, why = dict[str, float](), ""
    if method.identifies and result.status.code not in (Code.NOT_APPLICABLE, Code.NOT_CONVERGED):
        if twice:
            unseen, why = _unseen(problem, method, task, progress.part(0.6, 1.0))
        elif held_out:
            why = "it takes minutes, so it was not fitted a second time"
    return Answer(
        method.name,
        method.title,
        result,
        seconds=seconds,
        unseen=unseen,
        unpredicted=why,
        likeliest=method.likeliest,
        counts_process_noise=method.process_noise,
        smooths=Need.ALL_STATES in method.needs,
    )


def failed(method: type[Method], why: str, objects: bool = False) -> Answer:
    """The answer of a method that came to no result."""
    return Answer(method.name, method.title, failure=" ".join(why.split()), objects=objects)


def _unseen(problem: Problem, method: Method, task: Task, progress: Progress) -> tuple[dict[str, float], str]:
    """The rms errors on the last part of every record; where there are none, why."""
    begun = f"its fit to the first {100 * SELECTION.share:.0f} %"
    try:
        first, _ = problem.split(SELECTION.share)
        part = method.run(first, options=task.options, seed=task.seed, progress=progress)
        errors = predicted_errors(problem, part, SELECTION.share)
    except IdentikitError as error:
        return {}, f"{begun} was refused ({' '.join(str(error).split())})"
    except Exception as error:  # an addition to the answer, which stands without it
        return {}, f"{begun} failed ({' '.join(f'{type(error).__name__}: {error}'.split())})"
    if errors is None:
        return {}, f"{begun} came to no prediction ({part.status.message})"
    squares = np.nanmean(errors**2, axis=0)
    return {name: float(np.sqrt(value)) for name, value in zip(problem.outputs, squares, strict=True)}, ""
