"""The result of the usual way to train, by Adam, from the regression's values: judged, without an interval."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from identikit.likelihood import Preparation
from identikit.method._judgement import judge
from identikit.method._report import MethodReport
from identikit.method._status import SOLVED, STOPPED
from identikit.method.multiple_shooting import Start
from identikit.method.network._whole_record import WholeTraining
from identikit.problem import Problem
from identikit.result import Ending, Result, Verdict, finding


def usual_result(
    problem: Problem,
    preparation: Preparation,
    start: Start,
    found: WholeTraining,
    given: tuple[str, Mapping[str, Any], int],
    clock: tuple[float, float],
    artifacts: Mapping[str, dict[str, Any]],
    not_following: str,
) -> Result:
    """What Adam came to, with the regression's values beside it.

    Arguments:
        given: the method's name, its options and the seed.
        clock: when the work and when the training began.
        not_following: what is said where the training does not follow the samples.
    """
    method, options, seed = given
    begun, started = clock
    solved = time.perf_counter()
    text = "no interval: Adam ends after a number of steps, not at a minimum, so nothing tells how far off it is"
    lost = Verdict(Ending.FAILED, (finding("not_followed", not_following),))
    report = MethodReport(
        method,
        {"total": solved - begun, "start": started - begun, "solve": solved - started},
        options,
        seed,
        deviation=np.full(len(problem.free), np.nan),
        diagnostics={"start": dict(zip(problem.free, map(float, start.p), strict=True))},
        artifacts=artifacts,
        verdict=STOPPED if found.stopped else SOLVED if found.follows else lost,
        findings=(finding("no_interval", text, *problem.free),),
        history=False,
    )
    return judge(problem, preparation.curves, found.p, report)
