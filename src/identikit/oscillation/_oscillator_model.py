"""An oscillator for records without equations, with the stiffness that the record asks for."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from identikit.model import Model, Parameter
from identikit.oscillation._mechanisms import MECHANISMS
from identikit.oscillation._settings import OSCILLATION
from identikit.oscillation._turning_points import swing_levels, turning_points

NAME = "oscillator"
OUTPUT = "x"
STIFFNESS = ("k2", "k3")
# what may be left out of the full stiffness, if the record does not ask for it
STIFFNESS_LADDER: tuple[tuple[str, ...], ...] = (("k2",), ("k3",), ("k2", "k3"))


def oscillator_model(unit: str, time_unit: str) -> Model:
    """x'' + 2 zeta x' + mu_c sign(x') + mu_q x'|x'| + w0^2 (x - x0) + k2 (x - x0)^2 + k3 (x - x0)^3 = 0.

    x is whatever was measured, in its own unit. Not for swings so large that the restoring force is no cubic: write
    the model.
    """
    per = f"/{time_unit}^2" if time_unit else ""
    force = f"{unit or '1'}{per}" if unit or per else ""
    inverse = f"1/{unit}" if unit else ""
    rate = f"1/{time_unit}" if time_unit else ""
    return Model.from_text(
        NAME,
        title="One oscillation about a rest position, three dampings, curved stiffness",
        states={"x": unit} if unit else {},
        equations={
            "x''": "-2*zeta*x' - mu_c*sign(x') - mu_q*x'*abs(x') - w0**2*(x - x0) - k2*(x - x0)**2 - k3*(x - x0)**3",
        },
        parameters=[
            Parameter("zeta", 0.0, rate, (0, np.inf), meaning="viscous damping: the amplitude falls as exp(-zeta t)"),
            Parameter("mu_c", 0.0, force, (0, np.inf), meaning="dry friction over inertia"),
            Parameter("mu_q", 0.0, inverse, (0, np.inf), meaning="quadratic drag over inertia"),
            Parameter("w0", None, rate, (0, np.inf), meaning="angular frequency of small swings"),
            Parameter("x0", 0.0, unit, meaning="rest position"),
            Parameter("k2", 0.0, "", meaning="quadratic stiffness over inertia"),
            Parameter("k3", 0.0, "", meaning="cubic stiffness over inertia"),
        ],
        outputs={OUTPUT: "x"},
        time_unit=time_unit,
    )


def oscillator_values(time: np.ndarray, values: np.ndarray) -> dict[str, float]:
    """First values of its parameters: frequency, rest position and decay read off the turning points."""
    points = turning_points(time, values)
    found = dict.fromkeys(("zeta", "mu_c", "mu_q", *STIFFNESS), 0.0)
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


def oscillator_starts(values: dict[str, float], free: tuple[str, ...], size: float) -> Iterator[tuple[np.ndarray, str]]:
    """Free parameters to begin with and where they come from: the decay taken for viscous, dry and drag in turn, which
    are near enough to each other. `size` is the amplitude to begin with."""
    zeta, frequency = values["zeta"], values["w0"]
    # equal loss per cycle at half the first amplitude
    alike = {
        "zeta": zeta,
        "mu_c": zeta * np.pi * frequency * size / 4,
        "mu_q": zeta * 3 * np.pi / (2 * frequency * size),
    }
    for kept, mechanism in zip(alike, MECHANISMS, strict=True):
        chosen = {**values, **{name: value if name == kept else 0.0 for name, value in alike.items()}}
        yield np.array([chosen[name] for name in free]), f"turning points, {mechanism}"
