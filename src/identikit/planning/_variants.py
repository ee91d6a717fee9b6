"""How much a longer, denser or quieter record would tell."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from identikit.errors import IdentikitError
from identikit.planning._expected import Expected, expected, expected_of_rows
from identikit.planning._plan import Plan, Run
from identikit.problem import Problem

LONGER, DENSER, QUIETER = "twice as long", "twice as dense", "half the noise"
TIMES = 2  # as long, and as dense


def planned_variants(plan: Plan, told: Expected, problem: Problem) -> dict[str, Expected | None]:
    """What variants of a plan would tell; None for one whose motion cannot be computed."""
    return {
        LONGER: _or_none(lambda: _told(_stretched(plan))),
        DENSER: _or_none(lambda: _told(_dense(plan))),
        QUIETER: expected_of_rows(problem, told.values, TIMES * told.rows),
    }


def measured_variants(told: Expected, problem: Problem) -> dict[str, Expected | None]:
    """Of a record at hand: how it would go on is not known, and denser samples of the same motion say as much more,
    unless noise remembers: then they repeat each other."""
    found: dict[str, Expected | None] = {}
    if not any(noise.memory for noise in problem.noise.values()):
        found[DENSER] = expected_of_rows(problem, told.values, math.sqrt(TIMES) * told.rows)
    return {**found, QUIETER: expected_of_rows(problem, told.values, TIMES * told.rows)}


def _told(plan: Plan) -> Expected:
    return expected(plan.likelihood(), plan.centre)


def _or_none(make: Callable[[], Expected]) -> Expected | None:
    try:
        return make()
    except IdentikitError:
        return None


def _stretched(plan: Plan) -> Plan:
    def longer(run: Run) -> Run:
        spacing = float(np.median(np.diff(run.times)))
        return replace(run, times=np.concatenate([run.times, run.times[-1] + spacing + run.times]))

    return replace(plan, runs=tuple(longer(run) for run in plan.runs))


def _dense(plan: Plan) -> Plan:
    def denser(run: Run) -> Run:
        between = (run.times[1:] + run.times[:-1]) / TIMES
        return replace(run, times=np.sort(np.concatenate([run.times, between])))

    return replace(plan, runs=tuple(denser(run) for run in plan.runs))
