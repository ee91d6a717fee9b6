"""What a verdict needs of smoothed states and parameters."""

from __future__ import annotations

from typing import Any

import numpy as np

from identikit.likelihood import Trace
from identikit.method._report import Evidence
from identikit.method.filtering._innovations import Innovations, innovations
from identikit.method.filtering._smoother import Smoothed, state_deviations
from identikit.problem import Problem
from identikit.result import Finding, finding


def kalman_evidence(problem: Problem, smoothed: Smoothed, own_noise: np.ndarray, trace: Trace) -> Evidence:
    """Of the problem as it was posed: residuals at every one of its samples."""
    seen = innovations(smoothed) if smoothed.smoother.disturbed else None
    findings = [*trace.findings, *_levels_found(smoothed)]
    diverged = seen is not None and not seen.consistent
    if seen is not None and diverged:
        findings.append(_diverged(problem, seen))
    return Evidence(
        smoothed.p,
        smoothed.linear.information_rows,
        _residual(problem, smoothed),
        smoothed.smoother.sigma,
        _initial_states(problem, smoothed),
        smoothed.converged and not diverged,
        smoothed.stopped,
        {"rounds": trace.rounds, "blocks": len(smoothed.point.nodes)},
        tuple(findings),
        tuple(trace.history),
        own_noise,
        None if seen is None else seen.draws,
        -0.5 * smoothed.misfit if smoothed.smoother.disturbed else None,
    )


def told_of_noise(smoothed: Smoothed) -> dict[str, Any]:
    """Levels of process noise, for programs."""
    names = smoothed.smoother.blocks.problem.model.state_names
    return {"process_noise": dict(zip(names, map(float, smoothed.smoother.intensity), strict=True))}


def _residual(problem: Problem, smoothed: Smoothed) -> np.ndarray:
    """Measured minus smoothed [samples, outputs], at all samples of the problem."""
    blocks = smoothed.smoother.blocks
    if problem is blocks.problem:
        return smoothed.point.residual
    full = blocks.resampled(problem)
    return full.measured - full.outputs(smoothed.p, smoothed.point.nodes)


def _initial_states(problem: Problem, smoothed: Smoothed) -> tuple[dict[str, dict[str, float | None]], ...]:
    spread = state_deviations(smoothed)
    found: list[dict[str, dict[str, float | None]]] = []
    for record, first in enumerate(smoothed.smoother.blocks.layout.first_of_record):
        known = problem.initial[record]
        found.append(
            {
                name: {
                    "value": float(smoothed.point.nodes[first, i]),
                    "std": 0.0 if known[name].known else float(spread[first, i]),
                }
                for i, name in enumerate(problem.model.state_names)
            }
        )
    return tuple(found)


def _levels_found(smoothed: Smoothed) -> list[Finding]:
    """A note on every state that process noise moves."""
    model = smoothed.smoother.blocks.problem.model
    found = []
    drifts = [model.symbolic and equation == 0 for equation in model.equations] or [False] * len(model.states)
    for state, level, drifting in zip(model.states, smoothed.smoother.intensity, drifts, strict=True):
        if level > 0 and not drifting:
            unit = f" {state.unit}/sqrt({model.time_unit})" if state.unit else ""
            text = (
                f"process noise moves {state.name}: {level:.3g}{unit} on its rate, so that no single trajectory "
                f"follows the "
                "record; shown is the smoothed one"
            )
            found.append(finding("process_noise", text, state.name))
    return found


def _diverged(problem: Problem, seen: Innovations) -> Finding:
    text = (
        f"the filter diverges: its innovations are {seen.nis**0.5:.3g} times as large as it expects them to be, so "
        f"what it "
        "says of its own errors is wrong; let levels of noise be found, or doubt the model"
    )
    return finding("filter_diverged", text, *problem.outputs)
