"""The averaged solution of the pendulum: the formula, the fit, and the limits of both."""

from __future__ import annotations

import numpy as np
import pytest

import identikit as ik
import reference
from identikit.method.averaging import Averaging
from identikit.method.balance._averaged import averaged_motion
from identikit.problem import Problem
from identikit.result import Code, Result

W0, MU, SIGMA = 11.8, 0.005, 0.0047
TIME = np.arange(3000) / 300


def pendulum(degrees: float, time: np.ndarray = TIME, mu: float = MU, rate: float = 0.0) -> np.ndarray:
    return reference.smooth(
        lambda t, x: [x[1], -2 * mu * W0 * x[1] - W0**2 * np.sin(x[0])], [np.radians(degrees), rate], time
    )[0]


def fit(values: np.ndarray, time: np.ndarray = TIME, **other: object) -> Result:
    record = ik.Record.from_arrays(time, theta=values)
    return ik.fit(record, "pendulum", method="averaging", **other)  # type: ignore[arg-type]


def noise(count: int = len(TIME), seed: int = 0) -> np.ndarray:
    return SIGMA * np.random.default_rng(seed).standard_normal(count)


def error_norm(result: Result) -> float:
    return float(np.hypot(result.value("w0") / W0 - 1, result.value("mu") / MU - 1) / np.sqrt(2))


def test_the_formula_is_the_printed_one_and_near_the_exact_motion_for_small_swings() -> None:
    a = np.radians(10)
    printed = a * np.exp(-MU * W0 * TIME) * np.cos(W0 * TIME + a**2 / (32 * MU) * (np.exp(-2 * MU * W0 * TIME) - 1))
    found, _ = averaged_motion(TIME, 2 * MU * W0, W0, a, 0.0)
    assert found == pytest.approx(printed, abs=1e-12)
    assert np.abs(found - pendulum(10)).max() < 0.01 * a
    # negative control: without the shift of frequency the phase runs away
    assert np.abs(a * np.exp(-MU * W0 * TIME) * np.cos(W0 * TIME) - pendulum(10)).max() > 0.05 * a


def test_derivatives_are_those_of_the_formula_also_without_damping() -> None:
    for damping in (0.0, 1e-7, 0.12):
        q = np.array([damping, W0, 0.6, 0.3])
        _, slopes = averaged_motion(TIME, *q)
        for i, step in enumerate((1e-5, 1e-6, 1e-6, 1e-6)):
            shift = np.eye(4)[i] * step
            difference = (averaged_motion(TIME, *(q + shift))[0] - averaged_motion(TIME, *(q - shift))[0]) / (2 * step)
            assert slopes[:, i] == pytest.approx(difference, abs=1e-6 * max(1.0, np.abs(difference).max()))


def test_small_swings_are_fitted_well_and_large_ones_no_better_than_the_source_says() -> None:
    """Measured before with other code, from rest: E_p 0.0045 at 10 degrees, 0.025 at 60, 0.064 at 100."""
    small, middle, large = (fit(pendulum(d) + noise(), options={"from_rest": "yes"}) for d in (10, 60, 100))
    assert error_norm(small) < 0.01
    assert error_norm(middle) == pytest.approx(0.025, rel=0.15)
    assert error_norm(large) == pytest.approx(0.064, rel=0.15)


def test_deviations_hold_what_averaging_leaves_out() -> None:
    for degrees in (20, 60, 100):
        result = fit(pendulum(degrees) + noise(seed=degrees))
        for name, true in (("w0", W0), ("mu", MU)):
            found = result.parameters[name]
            assert found.value is not None and found.std is not None
            assert abs(found.value - true) < 3 * found.std
            assert found.std < 0.2 * true


def test_no_start_is_needed_however_often_the_phase_has_wrapped() -> None:
    time = np.arange(4000) / 100  # 75 oscillations
    clean = pendulum(15, time, mu=0.001)
    result = fit(clean + noise(len(time)), time)
    assert result.value("w0") == pytest.approx(W0, rel=1e-3)
    assert result.value("mu") == pytest.approx(0.001, rel=0.05)
    # negative control: bounds that leave the frequency out
    assert not fit(clean + noise(len(time)), time, bounds={"w0": (15.0, 30.0)}).ok


def test_a_swing_that_starts_with_a_push_and_a_sensor_zero_are_no_hindrance() -> None:
    result = fit(pendulum(5, rate=1.5) + 0.3 + noise(), free=["w0", "mu", "offset"])
    assert not result.diagnostics["averaging"]["from_rest"]
    assert fit(pendulum(5) + noise()).diagnostics["averaging"]["from_rest"]
    assert result.value("offset") == pytest.approx(0.3, abs=0.002)
    assert result.value("w0") == pytest.approx(W0, rel=0.002)
    assert result.value("mu") == pytest.approx(MU, rel=0.04)


@pytest.mark.parametrize(
    ("model", "output", "options", "words"),
    [
        ("duffing", "x", {}, "another|averaged solution is that of a pendulum"),
        ("pendulum", "theta", {"free": ["w0", "mu", "mu_c"]}, "without further forces"),
        ("magnetic_pendulum", "theta", {}, "without further forces"),
        ("lorenz", "x", {}, "averaged solution is that of a pendulum"),
    ],
)
def test_other_systems_are_refused_in_words(model: str, output: str, options: dict[str, object], words: str) -> None:
    record = ik.Record.from_arrays(TIME[:300], {output: np.sin(TIME[:300])})
    problem = Problem.pose(ik.library_model(model), record, **options)  # type: ignore[arg-type]
    found = Averaging().objections(problem)
    assert len(found) == 1
    assert found[0].code == "not_a_pendulum"
    assert any(part in found[0].text for part in words.split("|"))


def test_any_model_of_this_form_is_recognised() -> None:
    model = ik.Model.from_text(
        "my pendulum",
        equations={"q": "s", "s": "-(b*s + m*g*l*sin(q))/(m*l**2)"},
        parameters={"b": 0.01, "l": 0.07, "m": 1.0, "g": 9.81},
        outputs={"angle": "2*q"},
    )
    length, damping = 9.81 / W0**2, 2 * MU * W0
    record = ik.Record.from_arrays(TIME, angle=2 * (pendulum(10) + noise()))
    found = ik.fit(record, model, method="averaging", free=["b", "l"], bounds={"l": (0.001, 10.0)})
    assert found.status.code is Code.OK
    assert found.value("l") == pytest.approx(length, rel=0.002)
    assert found.value("b") == pytest.approx(damping * length**2, rel=0.03)
