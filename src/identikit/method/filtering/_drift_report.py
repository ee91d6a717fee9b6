"""What is told of parameters that drift: a curve with its band instead of one number."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from identikit.method.filtering._smoothed_states import state_deviations
from identikit.method.filtering._smoother import Smoothed
from identikit.problem import Problem
from identikit.result import Finding, ParameterEstimate, Result, finding, ranked


def with_drift(result: Result, problem: Problem, smoothed: Smoothed, names: list[str]) -> Result:
    """The result with the parameters that were states back in their place; `problem` is the one that was posed."""
    if not names:
        return result
    spread = state_deviations(smoothed)
    order = smoothed.smoother.blocks.problem.model.state_names
    parameters, artifacts, notes = dict(result.parameters), dict(result.artifacts), []
    for name in names:
        place = order.index(name)
        values, std = smoothed.point.nodes[:, place], spread[:, place]
        artifacts |= _curves(problem, smoothed, name, values, std)
        notes.append(_told(problem, name, values, std))
        parameters[name] = ParameterEstimate(
            float(values.mean()),
            problem.model.parameter(name).unit,
            note="drifts: the mean of its curve, which tells how well it is known",
        )
    return replace(
        result,
        model=problem.model.name,
        parameters={name: parameters[name] for name in problem.model.parameter_names},
        initial_states=tuple(
            {name: value for name, value in states.items() if name not in names} for states in result.initial_states
        ),
        artifacts=artifacts,
        findings=ranked((*result.findings, *notes)),
    )


def _curves(
    problem: Problem, smoothed: Smoothed, name: str, values: np.ndarray, std: np.ndarray
) -> dict[str, dict[str, Any]]:
    layout, made = smoothed.smoother.blocks.layout, {}
    for index, record in enumerate(problem.records):
        own = layout.record == index
        made[f"{name} over time, {record.name}"] = {
            "kind": "history",
            "what": "drift",
            "parameter": name,
            "record": record.name,
            "unit": problem.model.parameter(name).unit,
            "time_unit": problem.model.time_unit,
            "t": layout.begin[own],
            "values": values[own],
            "std": std[own],
        }
    return made


def _told(problem: Problem, name: str, values: np.ndarray, std: np.ndarray) -> Finding:
    unit = problem.model.parameter(name).unit
    change, known = abs(values[-1] - values[0]), float(np.hypot(std[0], std[-1]))
    how = "drifts" if change > 2 * known else "does not drift by more than it is uncertain:"
    text = (
        f"{name} {how} from {values[0]:.4g} (std {std[0]:.2g}) at the beginning to {values[-1]:.4g} (std "
        f"{std[-1]:.2g}) at the "
        f"end{f', in {unit}' if unit else ''}"
    )
    return finding("parameter_drifts", text, name)
