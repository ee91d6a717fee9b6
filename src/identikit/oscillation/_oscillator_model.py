"""An oscillator for records without equations, with the restoring force that the record asks for."""

from __future__ import annotations

import numpy as np

from identikit.model import Model, Parameter
from identikit.oscillation._settings import OSCILLATION
from identikit.oscillation._turning_points import swing_levels, turning_points

NAME = "oscillator"
OUTPUT = "x"
KAPPA = "kappa"
STRAIGHT = 1e-3
"""kappa times the largest swing, of a sine that is as good as a straight line: its force departs from one by 2e-7. A
smaller one would be as straight, but the derivative of sin(kappa u)/kappa with respect to it nothing but rounding."""
STIFFNESS = (KAPPA, "k2", "k3", "k4", "k5")
"""Parameters by which the restoring force departs from a straight line."""


def oscillator_model(unit: str, time_unit: str, values: np.ndarray) -> Model:
    """x'' + 2 zeta x' + mu_c sign(x') + mu_q x'|x'| + w0^2 sin(kappa u)/kappa + k2 u^2 + ... + k5 u^5 = 0, u = x - x0.

    x is whatever was measured, in its own unit; `values` are a record of it, for its size. The sine is that of a
    pendulum (kappa = 1/rad, if x is its angle in radians) and of whatever else turns; as kappa goes to 0 it is
    straight. Not for motions between several positions of rest: write the model.
    """
    inverse = f"1/{unit}" if unit else ""
    least = straight(values)
    rate = f"1/{time_unit}" if time_unit else ""
    powers = " ".join(f"- k{n}*(x - x0)**{n}" for n in range(2, 6))
    return Model.from_text(
        NAME,
        title="One oscillation about a rest position, three dampings, straight, sine or polynomial restoring force",
        states={"x": unit} if unit else {},
        equations={
            "x''": "-2*zeta*x' - mu_c*sign(x') - mu_q*x'*abs(x') - w0**2*sin(kappa*(x - x0))/kappa " + powers,
        },
        parameters=[
            Parameter("zeta", 0.0, rate, (0, np.inf), meaning="viscous damping: the amplitude falls as exp(-zeta t)"),
            Parameter("mu_c", 0.0, _per(unit, time_unit, 1), (0, np.inf), meaning="dry friction over inertia"),
            Parameter("mu_q", 0.0, inverse, (0, np.inf), meaning="quadratic drag over inertia"),
            Parameter("w0", None, rate, (0, np.inf), meaning="angular frequency of small swings"),
            Parameter("x0", 0.0, unit, meaning="rest position"),
            Parameter(
                KAPPA, least, inverse, (least, np.inf), meaning="angle per unit of x: 1 for a pendulum in radians"
            ),
            *(
                Parameter(f"k{n}", 0.0, _per(unit, time_unit, 1 - n), meaning=f"stiffness of power {n} over inertia")
                for n in range(2, 6)
            ),
        ],
        outputs={OUTPUT: "x"},
        time_unit=time_unit,
    )


def straight(values: np.ndarray) -> float:
    """kappa of a sine that is as good as a straight line for a record."""
    finite = values[np.isfinite(values)]
    size = float(np.ptp(finite)) / 2 if len(finite) else 0.0
    return STRAIGHT / (size or 1.0)


def _per(unit: str, time_unit: str, power: int) -> str:
    """The unit of an acceleration x^power / t^2, empty where nothing is known of either."""
    if not unit and not time_unit:
        return ""
    above = "1" if power == 0 or not unit or power < 0 else unit
    below = [f"{unit}^{-power}" if power < -1 else unit] if unit and power < 0 else []
    below += [f"{time_unit}^2"] if time_unit else []
    return above + "".join(f"/{part}" for part in below)


def oscillator_values(time: np.ndarray, values: np.ndarray) -> dict[str, float]:
    """First values of its parameters: frequency, rest position and decay read off the turning points."""
    points = turning_points(time, values)
    found = dict.fromkeys(("zeta", "mu_c", "mu_q", *STIFFNESS), 0.0) | {KAPPA: straight(values)}
    if len(points.time) < OSCILLATION.fewest_turns:
        # not a decay, which will be said; until then anything will do
        return found | {"w0": 1.0, "x0": float(np.nanmean(values))}
    swings, at = points.swings, (points.time[1:] + points.time[:-1]) / 2
    slope = np.polyfit(at, np.log(swings), 1, w=swings)[0]
    halves = np.diff(points.time)
    return found | {
        "zeta": max(-float(slope), 0.0),
        # the later oscillations are the smaller ones, which the frequency is meant for
        "w0": float(np.pi / np.mean(halves[len(halves) // 2 :])),
        "x0": float(np.median(swing_levels(points.value))),
    }
