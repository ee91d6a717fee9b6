"""Which parameters damp and by which law, the rates that an amplitude follows, and where an oscillator rests."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import identikit as ik
from identikit.model import equations_of_motion
from identikit.oscillation import (
    AmplitudeLoss,
    amplitude_curve,
    amplitude_rates,
    damped_model,
    damping_parameters,
    rest_position,
)


def test_damping_parameters_are_seen_in_the_equation() -> None:
    pendulum = damped_model(ik.library_model("pendulum"))
    assert dict(pendulum.parameters) == {"viscous": ("mu",), "dry": ("mu_c",), "drag": ("mu_q",)}
    assert pendulum.added == ()
    # negative control: a negative damping (van der Pol) and a frequency that scales one are none
    assert damped_model(ik.library_model("van_der_pol")).added == ("viscous", "dry", "drag")
    assert sp.Symbol("drag", real=True) in damped_model(ik.library_model("duffing")).model.equations[1].free_symbols


def test_a_factor_may_depend_on_the_position_but_not_on_the_speed() -> None:
    equation = "-k*x - a*(1 + x**2)*x' - b*abs(x)*sign(x') - c*x'*sqrt(x'**2)/m - d*tanh(x') - e**2*x' - f*(x + x')"
    model = ik.Model.from_text("swing", equations={"x''": equation}, parameters=dict.fromkeys("kabcdefm", 1.0))
    found = damping_parameters(equations_of_motion(model)[0], model.parameter_names)
    laws = {name: law for name, (law, _) in found.items()}
    assert laws == {"a": "viscous", "b": "dry", "c": "drag", "d": "other", "e": "other", "m": "other"}
    assert str(found["a"][1]) == "x**2 + 1"


def harmonic_loss(frequency: float, largest: float) -> AmplitudeLoss:
    """That of a straight restoring force, for c v + f sign(v) + q v|v|."""
    a = np.linspace(0.0, largest, 400)[1:]
    rates = {
        "viscous": a / 2,
        "dry": 2 / (np.pi * frequency) * np.ones_like(a),
        "drag": 4 * frequency / (3 * np.pi) * a**2,
    }
    return AmplitudeLoss(a, rates, np.zeros_like(a))


def test_amplitudes_follow_each_law_and_give_its_rate_back() -> None:
    times = np.arange(0, 30, 0.01)
    decays = {
        "viscous": np.exp(-0.05 * times),
        "dry": 1 - 0.02 * times,
        "drag": 1 / (1 + 0.1 * times),
    }
    rate = {"viscous": 0.1, "dry": 0.02 * np.pi * 5 / 2, "drag": 0.1 * 3 * np.pi / (4 * 5)}
    for mechanism, amplitude in decays.items():
        found = amplitude_curve(times, 2 + amplitude * np.cos(5 * times))
        assert found is not None and found.middle == pytest.approx(2, abs=0.002)
        loss = harmonic_loss(frequency=5.0, largest=1.0)
        assert amplitude_rates([found], (mechanism,), loss)[0][mechanism] == pytest.approx(rate[mechanism], rel=0.01)
    assert amplitude_curve(times[:100], np.cos(5 * times[:100])) is None


def test_a_position_of_rest_is_found_from_nearby_and_a_hilltop_only_if_asked_for() -> None:
    def pendulum(x: float) -> tuple[float, float]:
        return -np.sin(x), -np.cos(x)

    assert rest_position(pendulum, 0.4) == pytest.approx(0.0, abs=1e-12)
    assert rest_position(pendulum, 3.0) == 3.0  # negative control: the force pushes away
    assert rest_position(pendulum, 3.0, hilltops=True) == pytest.approx(np.pi)
    assert rest_position(lambda x: (np.nan, -1.0), 0.4) == 0.4
