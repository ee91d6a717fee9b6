"""Parameters and initial states of a result: values with standard errors, intervals and notes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy as sp

from identikit.diagnose import Identifiability, interval
from identikit.likelihood import Outcome
from identikit.problem import Problem
from identikit.result import Finding, ParameterEstimate, finding


def covariance_of(names: Sequence[str], std: np.ndarray, correlation: np.ndarray) -> dict[str, Any] | None:
    """Of the parameters whose uncertainty is known: their standard errors with the information's correlations."""
    known = np.isfinite(std)
    if not known.any():
        return None
    matrix = correlation[np.ix_(known, known)] * np.outer(std[known], std[known])
    return {"names": [name for name, has in zip(names, known, strict=True) if has], "matrix": matrix.tolist()}


def parameter_estimates(
    problem: Problem,
    p: np.ndarray,
    deviation: np.ndarray,
    bound: np.ndarray,
    judged: Identifiability,
    wider: Sequence[str],
    reach: float,
) -> tuple[dict[str, ParameterEstimate], list[Finding]]:
    """The estimates, and which of them lie at a bound; `wider` says why standard errors are wider than usual, by
    parameter."""
    made: dict[str, ParameterEstimate] = {}
    at_bounds = []
    for parameter in problem.model.parameters:
        name = parameter.name
        if name not in problem.free:
            made[name] = ParameterEstimate(problem.fixed[name], parameter.unit, role="fixed")
            continue
        i = problem.free.index(name)
        value, std, limit = float(p[i]), float(deviation[i]), float(bound[i])
        between = interval(value, std, problem.bounds[name], parameter.value, reach)
        notes = list(between.remarks)
        if between.at:
            at_bounds.append(finding("at_bound", f"{name} is {notes[0]}", name))
        if not judged.identifiable[i]:
            notes.append("not identifiable from this record")
        if not math.isfinite(std):
            inseparable = math.isfinite(judged.alone[i])
            reason = (
                "the method knows of none that would be true"
                if math.isfinite(limit)
                else "it cannot be separated from other parameters"
                if inseparable
                else "the record does not depend on it"
            )
            notes.append(f"no uncertainty: {reason}")
        elif wider[i]:
            notes.append(wider[i])
        made[name] = ParameterEstimate(
            value,
            parameter.unit,
            std if math.isfinite(std) else None,
            between.ends,
            limit if math.isfinite(limit) else None,
            "free",
            judged.identifiable[i],
            "; ".join(notes),
        )
    return made, at_bounds


def initial_state_estimates(
    problem: Problem, outcome: Outcome, factor: float
) -> tuple[dict[str, dict[str, float | None]], ...]:
    """Value and standard error of every state at the beginning of every record; a known one has the error zero.

    `factor` is what standard errors of few values are multiplied by.
    """
    found: list[dict[str, dict[str, float | None]]] = []
    for record, known in enumerate(problem.initial):
        values, spread = outcome.initial_states(record)
        states: dict[str, dict[str, float | None]] = {}
        for name, value, std in zip(problem.model.state_names, values, spread, strict=True):
            told = known[name].value
            moves = isinstance(told, sp.Expr) and any(str(item) in problem.free for item in told.free_symbols)
            exact = float(told) if known[name].known and isinstance(told, float) else float(value)
            states[name] = {"value": exact, "std": 0.0 if known[name].known and not moves else factor * float(std)}
        found.append(states)
    return tuple(found)
