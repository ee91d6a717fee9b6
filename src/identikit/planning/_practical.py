"""What a record tells at given values of the parameters, as it stands in a report."""

from __future__ import annotations

import numpy as np

from identikit.diagnose import UNKNOWN, identified_combinations, still_determined
from identikit.likelihood import Likelihood
from identikit.planning._expected import Expected, expected
from identikit.planning._plan import Plan
from identikit.planning._variants import measured_variants, planned_variants
from identikit.planning._weakest import NOT_AT_ALL, weakest
from identikit.problem import Noise, NoiseKind, Problem
from identikit.result import (
    DeterminedCombination,
    ExpectedParameter,
    Finding,
    JudgedRecord,
    PracticalResult,
    RecordVariant,
    UnknownDirection,
)

WHITE = Noise().title


def practical(
    likelihood: Likelihood, values: np.ndarray, plan: Plan | None
) -> tuple[PracticalResult, tuple[Finding, ...]]:
    """Expected standard errors and verdicts, what is determined all the same, and what variants of it would tell.

    Arguments:
        likelihood: of the record, planned or given.
        values: of its free parameters, at which it is judged.
        plan: of the record; None = it is given.
    """
    problem = likelihood.problem
    told = expected(likelihood, values)
    variants = measured_variants(told, problem) if plan is None else planned_variants(plan, told, problem)
    at = dict(problem.fixed) | dict(zip(problem.free, map(float, told.values), strict=True))
    known = identified_combinations(problem.model, problem.free, at, told.rows, told.identifiable)
    correlation = {
        name: dict(zip(told.names, map(float, row), strict=True))
        for name, row in zip(told.names, told.correlation, strict=True)
    }
    result = PracticalResult(
        _record(problem, likelihood.noise(values), plan),
        {name: _parameter(problem, told, i) for i, name in enumerate(told.names)},
        tuple(DeterminedCombination(item.text, item.value, item.std) for item in known),
        tuple(UnknownDirection(item.changes, _sensible(item.std)) for item in weakest(told)),
        tuple(_variant(name, item) for name, item in variants.items()),
        correlation,
        UNKNOWN,
    )
    return result, (*told.findings, *still_determined(known))


def _record(problem: Problem, levels: np.ndarray, plan: Plan | None) -> JudgedRecord:
    steps = np.concatenate([np.diff(record.time) for record in problem.records])
    return JudgedRecord(
        plan is not None,
        sum(len(record.time) for record in problem.records),
        max(float(np.ptp(record.time)) for record in problem.records),
        float(np.median(steps)),
        problem.model.time_unit,
        dict(zip(problem.outputs, map(float, levels), strict=True)),
        dict(plan.runs[0].initial) if plan else {},
        tuple(name for name, item in problem.initial[0].items() if item.known),
        dict(plan.inputs) if plan else {},
        {name: _noise_words(problem.noise[name], level) for name, level in zip(problem.outputs, levels, strict=True)},
    )


def _noise_words(noise: Noise, level: float) -> str:
    """A level is a standard deviation in the output's unit, unless noise follows the value or a column."""
    if noise.kind is NoiseKind.LOGNORMAL:
        return f"{100 * level:.2g} % of its value"
    words = f"{level:.3g}" if noise.column is None else f"{level:.3g} times column {noise.column}"
    return words if noise.title == WHITE else f"{words} ({noise.title})"


def _parameter(problem: Problem, told: Expected, i: int) -> ExpectedParameter:
    unit = problem.model.parameter(told.names[i]).unit
    relative = _sensible(told.relative[i])
    std = None if relative is None else float(told.std[i])
    return ExpectedParameter(float(told.values[i]), unit, std, relative, told.identifiable[i])


def _variant(name: str, told: Expected | None) -> RecordVariant:
    if told is None:
        return RecordVariant(name, {}, ())
    relative = {key: _sensible(value) for key, value in zip(told.names, told.relative, strict=True)}
    return RecordVariant(name, relative, tuple(n for n, ok in zip(told.names, told.identifiable, strict=True) if ok))


def _sensible(relative: float) -> float | None:
    """A relative standard error; None where it is the rounding of none."""
    return float(relative) if relative < NOT_AT_ALL else None
