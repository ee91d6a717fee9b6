"""The period of a forcing is that of all its waves together."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.errors import ModelError
from identikit.explore._flow import Flow
from identikit.explore._pace import forcing, rhythm, usual_duration, usual_period
from identikit.model import Model, library_model
from identikit.simulation import simulate


def forced_by(text: str) -> Model:
    return Model.from_text("forced", equations={"x": f"-a*x + {text}"}, parameters={"a": 1.0})


@pytest.mark.parametrize(
    ("text", "period", "wave"),
    [
        ("cos(3*t)", 2 * np.pi / 3, 2 * np.pi / 3),
        ("4*sin(1.3*t) + 2.5*sin(3.1*t + 1)", 2 * np.pi / 0.1, 2 * np.pi / 1.3),
        ("sign(sin(2*pi*t))", 1.0, 1.0),
        ("x*cos(2*t)*cos(3*t)", 2 * np.pi, np.pi),
    ],
)
def test_waves_have_a_common_period(text: str, period: float, wave: float) -> None:
    found = forcing(forced_by(text))
    assert found is not None
    assert (found.period, found.wave) == pytest.approx((period, wave))
    flow = Flow(forced_by(text))
    once, again, earlier = (flow.rate(t, [1.0])[0] for t in (0.3, 0.3 + found.period, 0.3 + 0.37 * found.period))
    assert once == pytest.approx(again, abs=1e-9)
    assert once != pytest.approx(earlier, abs=1e-3)  # and not after a part of it


def test_no_forcing_has_no_period() -> None:
    assert forcing(library_model("duffing")) is None
    assert forcing(library_model("duffing"), {"F": 1.0}) is not None


@pytest.mark.parametrize("text", ["t", "exp(-t)", "cos(t**2)", "cos(t) + cos(sqrt(2)*t)"])
def test_what_never_repeats_is_refused(text: str) -> None:
    with pytest.raises(ModelError, match=r"repeat|no common period"):
        forcing(forced_by(text))


def test_the_rhythm_of_a_swing_is_its_period() -> None:
    model = library_model("pendulum")
    motion = simulate(model, np.linspace(0, 4 * np.pi, 3001), {"mu": 0.0, "w0": 2.0}, {"theta": 0.01})
    found = rhythm(model, motion)
    assert found is not None
    assert (found.name, found.level) == ("theta", 0.0)
    assert found.period == pytest.approx(np.pi, rel=2e-3)
    still = simulate(model, np.linspace(0, 10, 301), initial={"theta": 0.0})
    assert rhythm(model, still) is None


def test_a_model_without_a_ready_experiment_is_followed_for_thirty_turns() -> None:
    model = Model.from_text("spring", equations={"x''": "-k*x"}, parameters={"k": 16.0})
    assert usual_duration(model) == pytest.approx(30 * 2 * np.pi / 4)
    assert usual_period(model, initial={"x": 1.0}) == pytest.approx(np.pi / 2, rel=1e-2)
