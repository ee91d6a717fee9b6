"""What is told of parameters that drift: a curve with its band instead of one number."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from identikit.likelihood import Layout
from identikit.method.filtering._smoother import Smoothed, state_deviations
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
        notes += _told(problem, smoothed.smoother.blocks.layout, name, values, std)
        parameters[name] = ParameterEstimate(
            _mean(smoothed.smoother.blocks.layout, values),
            problem.model.parameter(name).unit,
            note="drifts: the mean of its curve over time; the curve tells how well it is known",
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


def _mean(layout: Layout, values: np.ndarray) -> float:
    """Over the time of all records, by straight lines between the nodes at which blocks begin; the last one holds."""
    next_node = np.arange(len(values))
    next_node[layout.links] += 1
    return float(np.average((values + values[next_node]) / 2, weights=layout.end - layout.begin))


def _told(problem: Problem, layout: Layout, name: str, values: np.ndarray, std: np.ndarray) -> list[Finding]:
    """How it goes along every record, from the first node to the last, which lies a block before the record's end."""
    unit, clock = problem.model.parameter(name).unit, problem.model.time_unit
    said = []
    for index, record in enumerate(problem.records):
        own = np.flatnonzero(layout.record == index)
        first, last = own[0], own[-1]
        change, known = abs(values[last] - values[first]), float(np.hypot(std[first], std[last]))
        how = "drifts" if change > 2 * known else "does not drift by more than it is uncertain:"
        ends = [
            f"{values[k]:.4g} (std {std[k]:.2g}) at t = {layout.begin[k]:.4g}{f' {clock}' if clock else ''}"
            for k in (first, last)
        ]
        where = f" in {record.name}" if len(problem.records) > 1 else ""
        text = f"{name} {how} from {ends[0]} to {ends[1]}{where}{f', in {unit}' if unit else ''}"
        said.append(finding("parameter_drifts", text, name))
    return said
