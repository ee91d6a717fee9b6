"""The exponent is that of closed forms, and that of the known chaotic Duffing oscillator."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.errors import OptionError, SimulationError
from identikit.explore import equilibria, lyapunov_exponent
from identikit.model import Model, library_model


def test_a_damped_linear_oscillator_loses_c_over_2m() -> None:
    found = lyapunov_exponent(library_model("duffing"), {"m": 2.0, "c": 0.6, "k3": 0.0}, duration=200)
    assert found.value == pytest.approx(-0.15, abs=2e-3)


def test_a_saddle_grows_by_its_positive_eigenvalue() -> None:
    model = Model.from_text("saddle", equations={"x": "a*x", "y": "-y"}, parameters={"a": 0.3})
    found = lyapunov_exponent(model, duration=50, initial={"x": 0.0, "y": 1.0})
    assert found.value == pytest.approx(0.3, abs=1e-6)
    assert found.history[-1] == pytest.approx(found.value)


def test_the_forced_duffing_oscillator_is_chaotic() -> None:
    values = {"m": 1.0, "c": 0.2, "k": 1.0, "k3": 1.0, "F": 27.0, "Omega": 1.33}
    found = lyapunov_exponent(library_model("duffing"), values, duration=4000, transient=100, interval=2.0)
    assert 0.13 < found.value < 0.16
    assert 0 < found.std < 0.01


def test_impossible_spans_are_refused() -> None:
    with pytest.raises(OptionError, match="positive duration"):
        lyapunov_exponent(library_model("duffing"), duration=0)
    with pytest.raises(OptionError, match="a tenth"):
        lyapunov_exponent(library_model("duffing"), duration=10, interval=5)


def test_the_chosen_duration_tells_the_chaotic_duffing_oscillator() -> None:
    found = lyapunov_exponent(library_model("duffing"), {"c": 0.2, "k3": 1.0, "F": 27.0})
    assert 0.13 < found.value < 0.16
    assert found.time[-1] == pytest.approx(500 * 2 * np.pi / 1.33)
    assert "chaos" in str(found)


@pytest.mark.parametrize("name", ["tank_reactor", "magnetic_pendulum"])
def test_a_motion_at_rest_has_the_exponent_of_its_slowest_eigenvalue(name: str) -> None:
    """There the motion has no error to choose steps by, so that long pieces would be integrated in one stride."""
    model = library_model(name)
    rest = next(item for item in equilibria(model) if item.stable)
    slowest = float(rest.eigenvalues.real.max())
    found = lyapunov_exponent(model, initial=rest.state, duration=200 / abs(slowest), interval=10 / abs(slowest))
    assert found.value == pytest.approx(slowest, rel=5e-3)


def test_a_motion_that_balances_on_a_hill_is_not_called_chaotic() -> None:
    found = lyapunov_exponent(library_model("duffing"), {"k": -1.0}, initial={"x": 0.0, "v": 0.0}, duration=100)
    assert found.value == pytest.approx(-0.05 + np.sqrt(0.05**2 + 1), rel=1e-6)
    assert found.at_rest and "chaos" not in str(found)


@pytest.mark.parametrize("name", ["lotka_volterra", "van_der_pol"])
def test_a_regular_motion_is_not_called_chaotic(name: str) -> None:
    found = lyapunov_exponent(library_model(name))
    assert abs(found.value) < 2e-3
    assert "cannot be told from zero" in str(found)


BLOCK = Model.from_text(
    "block", equations={"x''": "F*cos(2*t) - k*x - f*sign(x')"}, parameters={"F": 0.0, "k": 1.0, "f": 0.3}
)


def test_a_motion_that_sticks_for_good_is_refused() -> None:
    with pytest.raises(SimulationError, match="dry friction holds model 'block' from t = "):
        lyapunov_exponent(BLOCK, initial={"x": 2.0}, duration=60)


def test_without_the_friction_or_kept_in_motion_there_is_an_exponent() -> None:
    """Negative control. Without damping it is zero; kept moving, friction draws neighbours together."""
    free = lyapunov_exponent(BLOCK, {"f": 0.0}, initial={"x": 2.0}, duration=60)
    assert free.value == pytest.approx(0, abs=1e-6)
    driven = lyapunov_exponent(BLOCK, {"F": 3.0}, initial={"x": 2.0}, duration=60)
    assert driven.value < 1e-3


def test_a_perturbation_that_a_switch_takes_away_is_refused() -> None:
    """x' = -a sign(x) + cos t reaches zero in a finite time and slides there: nothing is left of a perturbation."""
    model = Model.from_text("relay", equations={"x": "-a*sign(x) + cos(t)*x"}, parameters={"a": 1.0})
    with pytest.raises(SimulationError, match=r"dry friction holds|shrinks to nothing"):
        lyapunov_exponent(model, initial={"x": 0.5}, duration=10)
