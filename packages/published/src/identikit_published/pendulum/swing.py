"""The report's records, the figures that it prints, and panels of both.

The pendulum:           theta'' + 2 zeta theta' + mu_c sign(theta') + mu_q theta'|theta'| + k theta - cos theta = 0
The straight spring:    x'' + 2 zeta x' + mu_c sign(x') + mu_q x'|x'| + k x = 0

The report says that its topological formulas hold for the latter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from identikit.model import Model, Parameter
from identikit.result import Panel, Series
from identikit.simulation import simulate
from identikit_published import independent

Array = NDArray[np.float64]

MODEL = "horizontal_pendulum"
STIFFNESS = 20.0  # k, in units of m g L
RELEASED = float(np.pi / 6)  # rad
NOISE = 0.002  # rad
TIME: Array = np.arange(30001, dtype=np.float64) * 0.002  # s
REST = 0.0499377  # rad, where k theta = cos theta
FREQUENCY = float(np.sqrt(STIFFNESS + np.sin(REST)))  # rad/s, of small swings about it
PERIOD = 2 * np.pi / FREQUENCY  # s
FIRST = RELEASED - REST  # rad, the first amplitude
DAMPINGS = {"viscous": {"zeta": 0.05}, "Coulomb": {"mu_c": 0.03}, "quadratic": {"mu_q": 0.05},
            "combined": {"zeta": 0.025, "mu_c": 0.015, "mu_q": 0.025}}  # fmt: skip
SINGLE = ("viscous", "Coulomb", "quadratic")
PARAMETERS = ("zeta", "mu_c", "mu_q")
SETTINGS = {"k": STIFFNESS, "theta0 [deg]": 30, "duration [s]": 60, "dt [s]": 0.002, "noise [rad]": NOISE}


@cache
def swing(case: str) -> Array:
    """Angle and velocity [2, times] of a case, without noise."""
    values = {"zeta": 0.0, "mu_c": 0.0, "mu_q": 0.0, **DAMPINGS[case]}
    found, _ = independent.horizontal_pendulum(
        TIME, zeta=values["zeta"], mu_c=values["mu_c"], mu_q=values["mu_q"], k=STIFFNESS
    )
    return found


def noisy(case: str, seed: int, noise: float = NOISE) -> Array:
    """The angle as it is measured."""
    return swing(case)[0] + noise * np.random.default_rng(seed).standard_normal(len(TIME))


def peaks(angle: Array, time: Array = TIME) -> tuple[Array, ...]:
    """Times and heights of the maxima of a smooth curve, by a parabola through three samples."""
    at = np.flatnonzero((angle[1:-1] > angle[:-2]) & (angle[1:-1] >= angle[2:])) + 1
    before, here, after = angle[at - 1], angle[at], angle[at + 1]
    shift = (before - after) / (2 * (before - 2 * here + after))
    return time[at] + shift * (time[1] - time[0]), here - (before - after) * shift / 4


def amplitudes(angle: Array) -> tuple[Array, ...]:
    """Times of the peaks of a motion over TIME, and half the way from each to the valley after it.

    The heights of the peaks alone would not do: about its rest position the swing is slightly lopsided.
    """
    time, peak = peaks(angle)
    _, valley = peaks(-angle)
    last = min(len(peak), len(valley) - 1)  # the motion begins with a valley, half a swing after its release
    return time[:last], (peak[:last] + valley[1 : last + 1]) / 2


def decay(case: str, as_printed: bool) -> Array:
    """The amplitude over TIME: by the report's formula, or by averaging over a cycle."""
    value = next(iter(DAMPINGS[case].values()))
    if case == "viscous":
        return FIRST * np.exp(-value * (FREQUENCY if as_printed else 1.0) * TIME)
    if case == "Coulomb":
        return FIRST - 2 * value / (np.pi * FREQUENCY) * TIME
    return FIRST / (1 + 4 * value * FREQUENCY * FIRST / (3 * np.pi) * TIME)


@cache
def linear_model() -> Model:
    """The oscillator as a model, its stiffness known."""
    return Model.from_text(
        "straight_spring",
        states={"x": "rad", "v": "rad/s"},
        equations={"x": "v", "v": "-2*zeta*v - mu_c*sign(v) - mu_q*v*abs(v) - k*x"},
        parameters=[*(Parameter(name, 0.01, "1/s" if name == "zeta" else "", (0, 5)) for name in PARAMETERS),
                    Parameter("k", STIFFNESS, "", (0.1, 1e4))],
        outputs=["x"],
    )  # fmt: skip


def linear_record(case: str, seed: int, noise: float = NOISE) -> Array:
    """The position as it is measured, let go at the pendulum's first amplitude."""
    return _swing(case) + noise * np.random.default_rng(seed).standard_normal(len(TIME))


@cache
def _swing(case: str) -> Array:
    zeta, mu_c, mu_q = (DAMPINGS[case].get(name, 0.0) for name in PARAMETERS)

    def rate(t: float, x: Array, s: list[float]) -> tuple[float, float]:
        dry = mu_c * s[0] if s else 0.0
        return x[1], -STIFFNESS * x[0] - 2 * zeta * x[1] - mu_q * x[1] * abs(x[1]) - dry

    friction = independent.Switch(lambda t, x: x[1], lambda t, x: -STIFFNESS * x[0] / mu_c, pinned=1)
    return independent.event_driven(rate, [friction] if mu_c else [], (FIRST, 0.0), TIME)[0][0]


def linear_motion(damping: Mapping[str, float]) -> Array:
    """The position over TIME by identikit's integrator."""
    values = {**dict.fromkeys(PARAMETERS, 0.0), "k": STIFFNESS, **damping}
    return simulate(linear_model(), TIME, values, initial={"x": FIRST, "v": 0.0}).outputs["x"]


TOPOLOGICAL = {"viscous": 77.6, "Coulomb": 31.0, "quadratic": 20.0}  # Tables 4, 10 and 12
SINDY = {"viscous": 0.15, "Coulomb": 2.2, "quadratic": 0.24}  # Tables 6 and 10
PINN = {"viscous": 0.15, "Coulomb": 0.41, "quadratic": 0.06}  # Tables 7 and 10
NEURAL_ODE = {"viscous": 0.11, "Coulomb": 0.04, "quadratic": 0.04}  # Tables 8 and 10
SYMBOLIC = {"viscous": 0.15, "Coulomb": 0.39, "quadratic": 0.07}  # Tables 9 and 10
OPTIMIZATION = {"viscous": 0.03, "Coulomb": 0.04, "quadratic": 0.03}  # Tables 10, 11 and 12
ESTIMATES = {  # of Tables 6 to 9 and 11: zeta, mu_c and mu_q of the three records
    "SINDy": {"zeta": 0.0501, "mu_c": 0.0293, "mu_q": 0.0501},
    "PINN": {"zeta": 0.0501, "mu_c": 0.0301, "mu_q": 0.0500},
    "neural ODE": {"zeta": 0.0501, "mu_c": 0.0300, "mu_q": 0.0500},
    "symbolic": {"zeta": 0.0501, "mu_c": 0.0301, "mu_q": 0.0500},
    "optimization": {"zeta": 0.0500, "mu_c": 0.0300, "mu_q": 0.0500},
}
COMBINED_SINDY = {"zeta": 0.026, "mu_c": 0.014, "mu_q": 0.024}  # Table 6, last row, whose error is "5-8 %"
EQUATION_21 = {"theta": -20.13, "v": -0.10, "cos(theta)": 0.97, "sin(theta)": 0.13, "theta^2": -0.006}

EVERY = 20  # samples: what is drawn of a record
DIGITS = 6  # of what is drawn


def curve(label: str, x: Sequence[float] | Array, y: Sequence[float] | Array, emphasis: str = "") -> Series:
    """A line, with as many digits as can be seen."""
    return Series(label, _short(x), _short(y), emphasis=emphasis)


def over_time(label: str, values: Array, emphasis: str = "") -> Series:
    """Values at TIME, every so many."""
    return curve(label, TIME[::EVERY], values[::EVERY], emphasis)


def time_response(title: str, measured: Array, modelled: Array, label: str) -> Panel:
    """The angle as measured and as a model has it."""
    shown = (over_time("measured", measured, "measured"), over_time(label, modelled, "model"))
    return Panel(title, "time [s]", "angle [rad]", shown)


def phase_portrait(title: str, measured: Array, states: Array, label: str) -> Panel:
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


def _short(values: Sequence[float] | Array) -> tuple[float, ...]:
    return tuple(float(f"{value:.{DIGITS}g}") for value in values)
