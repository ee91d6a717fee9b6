"""Poincaré sections: a motion seen once per period, or whenever it crosses a level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from identikit.errors import ModelError, OptionError, did_you_mean
from identikit.model import Model
from identikit.simulate import Pieces, simulate


@dataclass(frozen=True)
class PoincareSection:
    """Times and states [states, points] of the section."""

    time: np.ndarray
    states: np.ndarray


def poincare_section(
    model: Model,
    parameters: Mapping[str, float] | None = None,
    *,
    points: int = 500,
    period: float | None = None,
    crossing: tuple[str, float] | None = None,
    spacing: float | None = None,
    initial: Mapping[str, float] | None = None,
    transient: float = 0.0,
    inputs: Pieces | None = None,
    tolerance: float = 1e-9,
) -> PoincareSection:
    """The states once per `period` of the forcing, or where a state rises through a level.

    Give one of `period` (2 pi over the forcing's frequency) and `crossing`, such as ("x", 0.0), the latter with
    the `spacing` of samples between which at most one crossing lies: it is run for `points` of these samples.
    Crossings are located by the cubic through the states at both ends and their neighbours, to about the fourth power
    of the spacing. What happens before `transient` is left out.

    Reference: J. Guckenheimer, P. Holmes, Nonlinear Oscillations, Dynamical Systems, and Bifurcations of Vector
    Fields, Springer 1983, section 1.5.
    """
    if (period is None) == (crossing is None):
        raise OptionError("a section needs one of period and crossing")
    step = period if period is not None else spacing
    if step is None or not step > 0:
        raise OptionError("a section needs a positive period, or a crossing with a positive spacing")
    if points < 1:
        raise OptionError(f"{points} points are asked for: expected at least one")
    time = transient + step * np.arange(points)
    asked = time if time[0] == 0 else np.concatenate([[0.0], time])
    states = simulate(model, asked, parameters, initial, inputs, tolerance).states[:, -points:]
    return PoincareSection(time, states) if crossing is None else _crossings(model, time, states, crossing)


def _crossings(model: Model, time: np.ndarray, states: np.ndarray, crossing: tuple[str, float]) -> PoincareSection:
    from scipy.interpolate import CubicSpline

    name, level = crossing
    if name not in model.state_names:
        raise ModelError(f"model '{model.name}' has no state '{name}'.{did_you_mean(name, model.state_names)}")
    if len(time) < 4:
        raise OptionError(f"{len(time)} samples are too few to find crossings: expected at least 4")
    row = states[model.state_names.index(name)] - level
    spline = CubicSpline(time, row)
    begins = np.nonzero((row[:-1] < 0) & (row[1:] >= 0))[0]
    low, high = time[begins], time[begins + 1]
    for _ in range(60):  # bisection, all crossings at once
        middle = (low + high) / 2
        below = spline(middle) < 0
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return PoincareSection(high, CubicSpline(time, states, axis=1)(high))
