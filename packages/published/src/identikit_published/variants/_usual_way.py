"""The usual way to train, by Adam from the regression's values: its result is judged, without an interval."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from identikit.likelihood import Preparation
from identikit.method.multiple_shooting import starts
from identikit.method.network import Entry, training_artifacts
from identikit.method.toolkit import SOLVED, STOPPED, MethodReport, judge, no_motion, not_applicable, not_started
from identikit.problem import Problem
from identikit.progress import Progress
from identikit.result import Ending, Result, Verdict, finding


@dataclass(frozen=True)
class UsualTraining:
    """How it ended: parameters, the losses on the way, whether it was stopped, and whether it follows the samples.

    `network`: the trained network's own curves of the first record, {"time": ..., state: ...}; None without a network.
    """

    p: np.ndarray
    history: tuple[Entry, ...]
    stopped: bool
    follows: bool
    network: Mapping[str, list[float]] | None = None


def by_the_usual_way(
    method: str, problem: Problem, train: Callable[[Preparation, np.ndarray, Progress], UsualTraining | None],
    options: Mapping[str, Any], seed: int, progress: Progress, not_following: str, shown: Mapping[str, Any],
) -> Result:  # fmt: skip
    """What Adam comes to, with the regression's values beside it.

    Arguments:
        train: from the smoothed record and the regression's values.
        not_following: what is said where the training does not follow the samples.
        shown: how its history is shown (`training_artifacts`).
    """
    begun = time.perf_counter()
    progress.stage("smoothing", 0.0, 0.05, "smoothing the record")
    preparation = Preparation.of(problem)
    if not preparation.shows_motion:
        return not_applicable(problem, method, [no_motion()], options, seed)
    training = progress.stage("solving", 0.05, 0.7, "starting values")
    start = next(starts(problem, preparation, seed))
    started = time.perf_counter()
    found = train(preparation, start.p, training)
    if found is None:
        return not_started(problem, method, options, seed)
    artifacts = training_artifacts(problem, found.history, "mean square", **shown)
    if found.network is not None:
        artifacts["training"]["network"] = found.network
    solved = time.perf_counter()
    text = "no interval: Adam ends after a number of steps, not at a minimum, so nothing tells how far off it is"
    lost = Verdict(Ending.FAILED, (finding("not_followed", not_following),))
    report = MethodReport(method, {"total": solved - begun, "start": started - begun, "solve": solved - started},
                          options, seed, deviation=np.full(len(problem.free), np.nan),
                          diagnostics={"start": dict(zip(problem.free, map(float, start.p), strict=True))},
                          artifacts=artifacts, verdict=STOPPED if found.stopped else SOLVED if found.follows else lost,
                          findings=(finding("no_interval", text, *problem.free),), history=False)  # fmt: skip
    return judge(problem, preparation.curves, found.p, report)
