"""Poincaré sections: a motion seen once per period, or whenever it crosses a level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from identikit.errors import ModelError, OptionError, did_you_mean
from identikit.explore._box import usual_box
from identikit.explore._equilibria import periodic_angles, wrapped
from identikit.explore._flow import Flow
from identikit.explore._pace import forcing, middle_of, rhythm, usual_duration, usual_times
from identikit.explore._subject import Subject
from identikit.model import Model
from identikit.simulation import Pieces, simulate

SECTION_POINTS = 1000  # of a section that was chosen for the user
FEWEST = 50  # of them, where a common period of many waves is long
TRANSIENT = 50  # periods left out of it
PERIODS = 500  # of the motion, where it is seen at crossings
CROSSING_SAMPLES = 160  # in one of them, between which crossings are interpolated
LOSES = 1e-2  # a motion that has lost so much of its size comes to rest
GONE = 1e-4  # and is looked at until this part of it is left


@dataclass(frozen=True)
class PoincareSection:
    """Times and states [states, points] of the section.

    Either `period` is set, the time between points, or `crossing`, the state and the level it rises through.
    `settles` says that the motion comes to rest, so that the points are its way there.
    """

    subject: Subject
    time: np.ndarray
    states: np.ndarray
    period: float | None = None
    crossing: tuple[str, float] | None = None
    settles: bool = False

    def __str__(self) -> str:
        from identikit.explore._text import section_text

        return section_text(self)


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

    Give `period` (2 pi over the forcing's frequency), or `crossing`, such as ("x", 0.0), with the `spacing` of samples
    between which at most one crossing lies: it is run for `points` of these samples. Crossings are located by the cubic
    through the states at both ends and their neighbours, to about the fourth power of the spacing. What happens before
    `transient` is left out. Angles that repeat after a turn are brought into (-pi, pi] if the motion whirls.

    Without both the section is chosen: a model whose equations hold sines of time is seen once per common period,
    1000 times after 50 periods (less often if that period is made of many waves); any other where the state that swings
    most rises through its mean, for 500 swings after 50, or all the way if the motion comes to rest.

    Reference: J. Guckenheimer, P. Holmes, Nonlinear Oscillations, Dynamical Systems, and Bifurcations of Vector
    Fields, Springer 1983, section 1.5.
    """
    if period is not None and crossing is not None:
        raise OptionError("a section needs one of period and crossing, not both")
    if period is None and crossing is None:
        forced = forcing(model, parameters)
        if forced is None:
            return _usual_crossings(model, parameters, initial, inputs, tolerance)
        period = forced.period
        shorter = forced.wave / period  # a common period of many waves is seen less often
        points, transient = max(FEWEST, round(SECTION_POINTS * shorter)), max(5, round(TRANSIENT * shorter)) * period
    step = period if period is not None else spacing
    if step is None or not step > 0:
        raise OptionError("a section needs a positive period, or a crossing with a positive spacing")
    if points < 1:
        raise OptionError(f"{points} points are asked for: expected at least one")
    time = transient + step * np.arange(points)
    asked = time if time[0] == 0 else np.concatenate([[0.0], time])
    states = simulate(model, asked, parameters, initial, inputs, tolerance).states[:, -points:]
    if crossing is not None:
        return _crossings(model, parameters, time, states, crossing)
    return PoincareSection(Subject.of(model, parameters), time, _turned_back(model, parameters, states), period)


def _usual_crossings(
    model: Model,
    parameters: Mapping[str, float] | None,
    initial: Mapping[str, float] | None,
    inputs: Pieces | None,
    tolerance: float,
) -> PoincareSection:
    first = usual_times(model, usual_duration(model, parameters, initial), parameters, initial)
    found = rhythm(model, simulate(model, first, parameters, initial, inputs, tolerance))
    if found is None:
        raise ModelError(
            f"the motion of model '{model.name}' does not swing: no state rises twice through the middle of its way, "
            "so there is no section. Let it start elsewhere (initial), or say where to look (crossing)"
        )
    time = found.period / CROSSING_SAMPLES * np.arange((TRANSIENT + PERIODS) * CROSSING_SAMPLES)
    states = simulate(model, time, parameters, initial, inputs, tolerance).states
    row = states[model.state_names.index(found.name)]
    tenth = len(row) // 10
    settles = bool(np.ptp(row[-tenth:]) < LOSES * np.ptp(row[:tenth]))
    if settles:
        level = float(np.mean(row[-tenth:]))
        moving = np.nonzero(np.abs(row - level) > GONE * np.abs(row - level).max())[0]
        chosen = slice(0, max(4, int(moving[-1])))
    else:
        chosen = slice(TRANSIENT * CROSSING_SAMPLES, None)
        level = middle_of(row[chosen])
    return _crossings(model, parameters, time[chosen], states[:, chosen], (found.name, level), settles)


def _crossings(
    model: Model,
    parameters: Mapping[str, float] | None,
    time: np.ndarray,
    states: np.ndarray,
    crossing: tuple[str, float],
    settles: bool = False,
) -> PoincareSection:
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
    found = _turned_back(model, parameters, CubicSpline(time, states, axis=1)(high))
    return PoincareSection(Subject.of(model, parameters), high, found, None, crossing, settles)


def _turned_back(model: Model, parameters: Mapping[str, float] | None, states: np.ndarray) -> np.ndarray:
    """Angles after whose full turn everything is the same, brought into (-pi, pi] where they have turned round."""
    if not model.symbolic or not states.size:
        return states
    flow = Flow(model, parameters)
    turns = periodic_angles(flow, usual_box(flow)) & (np.abs(states).max(axis=1) > 2 * np.pi)
    return wrapped(states.T, turns).T
