"""What Figures 5 and 6 share: a training on the viscous record, as printed and ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

import identikit as ik
from identikit.progress import Progress
from identikit_published._base import Outcome
from identikit_published.pendulum._discovered import motion_of
from identikit_published.pendulum._pictures import curve, over_time, true_and_estimated
from identikit_published.pendulum._study import fitted, with_stiffness_known
from identikit_published.pendulum._swing import DAMPINGS, SETTINGS, noisy
from identikit.result import Panel, PublishedFigure

CASE, NAME = "viscous", "zeta"
PINN_STEPS, QUICK_PINN_STEPS = 2000, 100  # of Adam in Table 7 and Figure 5; the text gives none


def trained(
    method: str,
    printed: tuple[float, float],
    steps: int,
    remarks: tuple[str, ...],
    progress: Progress,
    initial: Mapping[str, float] | None = None,
) -> Outcome:
    """One noise draw: losses and the damping, step by step; the motion; the estimate.

    `printed` are the estimate and its error in per cent; `initial` the first state where the printed way knows it.
    """
    measured = noisy(CASE, 0)
    known: dict[str, Any] = with_stiffness_known(CASE)
    progress(0.0, "as printed")
    told = {"initial": initial} if initial else {}
    usual = fitted(CASE, measured, method, options={"settings": "report", "steps": steps}, **known, **told)
    progress(0.8, "ours")
    best = fitted(CASE, measured, method, **known)
    true = DAMPINGS[CASE][NAME]
    bound = best.parameters[NAME].crlb or float("nan")
    values = usual.value(NAME), best.value(NAME)
    errors = 100 * abs(values[0] / true - 1), 100 * abs(values[1] / true - 1)
    figures = [
        PublishedFigure(CASE, NAME, "1/s", printed[0], *values, bound),
        PublishedFigure(CASE, f"error of {NAME}", "%", printed[1], *errors, 100 * bound / true),
    ]  # fmt: skip
    history = usual.artifacts["training"]
    for label, losses in history["losses"].items():
        figures.append(
            PublishedFigure(CASE, f"loss of {label} at the end", "", "not given", float(losses[-1]), None, None,
                            "mean square, as printed; a loss has no bound")
        )  # fmt: skip
    panels = (
        *_losses(usual, "as printed"),
        _parameter(usual, true),
        _motions(measured, usual, motion_of(best)[0]),
        true_and_estimated(
            "estimates",
            [CASE],
            {"printed": {NAME: printed[0]}, "as printed, here": {NAME: values[0]}, "ours": {NAME: values[1]}},
        ),
    )
    settings = {**SETTINGS, "steps of Adam": f"{steps} (not given)", "status as printed": usual.status.code.value}
    return Outcome(tuple(figures), panels, remarks, settings, 1)


def _motions(measured: NDArray[np.float64], usual: ik.Result, ours: NDArray[np.float64]) -> Panel:
    """The record, the printed way's network or trajectory, and ours."""
    drawn = usual.artifacts["training"].get("network")
    own = (
        curve("as printed, here", drawn["time"], drawn["theta"], "printed")
        if drawn
        else over_time("as printed, here", motion_of(usual)[0], "printed")
    )
    shown = (over_time("measured", measured, "measured"), over_time("ours", ours, "model"), own)
    return Panel("time response", "time [s]", "angle [rad]", shown)


def _steps(history: Mapping[str, Any]) -> list[int]:
    count = len(next(iter(history["losses"].values())))
    return [history["every"] * (i + 1) for i in range(count)]


def _losses(result: ik.Result, title: str) -> tuple[Panel, ...]:
    history = result.artifacts["training"]
    curves = tuple(curve(label, _steps(history), values) for label, values in history["losses"].items())
    return (Panel(f"training, {title}", "step of Adam", f"loss, {history['measure']}", curves, y_scale="log"),)


def _parameter(result: ik.Result, true: float) -> Panel:
    history = result.artifacts["training"]
    steps = _steps(history)
    curves = (
        curve("as printed, here", steps, history["parameters"][NAME]),
        curve("true", [steps[0], steps[-1]], [true, true], "bound"),
    )
    return Panel("the damping in training", "step of Adam", f"{NAME} [1/s]", curves)
