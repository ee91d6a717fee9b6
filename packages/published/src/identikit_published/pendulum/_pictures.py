"""Panels that several items of the report share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from identikit_published.pendulum._swing import DAMPINGS, TIME
from identikit.result import Panel, Series

EVERY = 20  # samples: what is drawn of a record
DIGITS = 6  # of what is drawn


def curve(
    label: str, x: Sequence[float] | NDArray[np.float64], y: Sequence[float] | NDArray[np.float64], emphasis: str = ""
) -> Series:
    """A line, with as many digits as can be seen."""
    return Series(label, _short(x), _short(y), emphasis=emphasis)


def over_time(label: str, values: NDArray[np.float64], emphasis: str = "") -> Series:
    """Values at TIME, every so many."""
    return curve(label, TIME[::EVERY], values[::EVERY], emphasis)


def time_response(title: str, measured: NDArray[np.float64], modelled: NDArray[np.float64], label: str) -> Panel:
    """The angle as measured and as a model has it."""
    shown = (over_time("measured", measured, "measured"), over_time(label, modelled, "model"))
    return Panel(title, "time [s]", "angle [rad]", shown)


def phase_portrait(title: str, measured: NDArray[np.float64], states: NDArray[np.float64], label: str) -> Panel:
    """Velocity over angle; `measured` [2, times] may be empty."""
    shown = [curve(label, states[0, ::EVERY], states[1, ::EVERY], "model")]
    if len(measured):
        shown.insert(0, curve("measured", measured[0, ::EVERY], measured[1, ::EVERY], "measured"))
    return Panel(title, "angle [rad]", "velocity [rad/s]", tuple(shown))


def bars(label: str, heights: Sequence[float], emphasis: str = "", reach: Sequence[float] = ()) -> Series:
    """A bar at 0, 1, 2, ...; `reach` is how far an error bar goes to either side."""
    y = _short(heights)
    low = tuple(a - b for a, b in zip(y, reach, strict=True)) if reach else ()
    high = tuple(a + b for a, b in zip(y, reach, strict=True)) if reach else ()
    return Series(label, tuple(map(float, range(len(y)))), y, "bars", low, high, emphasis)


def true_and_estimated(title: str, cases: Sequence[str], estimates: Mapping[str, Mapping[str, float]]) -> Panel:
    """The dampings of cases in groups: the true value and one bar per way, {way: {parameter: value}}."""
    truth = {name: value for case in cases for name, value in DAMPINGS[case].items()}
    shown = [bars("true", list(truth.values()), "faint")]
    shown += [bars(way, [found[name] for name in truth]) for way, found in estimates.items()]
    unit = " [1/s]" if list(truth) == ["zeta"] else ""
    return Panel(title, "parameter", f"value{unit}", tuple(shown), ticks=tuple(truth))


def errors_in_groups(title: str, ticks: Sequence[str], series: Sequence[Series]) -> Panel:
    """Errors in per cent on a logarithmic axis."""
    return Panel(title, "", "error [%]", tuple(series), y_scale="log", ticks=tuple(ticks))


def _short(values: Sequence[float] | NDArray[np.float64]) -> tuple[float, ...]:
    return tuple(float(f"{value:.{DIGITS}g}") for value in values)
