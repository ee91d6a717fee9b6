"""The exponent is that of closed forms, and that of the known chaotic Duffing oscillator."""

from __future__ import annotations

import pytest

from identikit.errors import OptionError
from identikit.explore import lyapunov_exponent
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
