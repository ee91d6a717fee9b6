"""Whatever the parameters: simulation is right, invariant where physics says so, or says that it failed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from identikit.errors import SimulationError
from identikit.model import HOLDS, Model, library_model
from identikit.simulation import sampled, simulate
from reference import Switch, event_driven, horizontal_pendulum

PENDULUM = library_model("horizontal_pendulum")
DUFFING = library_model("duffing")
FEW = settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
SLED = Model.from_text(
    "sled", equations={"x": "v", "v": "F*sin(w*t) + G*sin(3*w*t) - k*x - mu*sign(v)"},
    parameters={"F": 1.0, "G": 0.3, "w": 2.0, "k": 0.5, "mu": 0.8},
)  # fmt: skip


@FEW
@given(
    st.floats(0, 0.3), st.floats(0.01, 1.0), st.floats(0, 0.3), st.floats(5, 40),
    st.floats(-0.6, 0.6), st.floats(-2, 2),
)  # fmt: skip
def test_the_pendulum_with_any_friction_agrees_with_the_reference(
    zeta: float, mu_c: float, mu_q: float, k: float, theta: float, omega: float
) -> None:
    times = np.linspace(0, 8, 81)
    values = {"zeta": zeta, "mu_c": mu_c, "mu_q": mu_q, "k": k}
    found = simulate(PENDULUM, times, values, {"theta": theta, "omega": omega}).states
    expected, _ = horizontal_pendulum(times, (theta, omega), **values)
    np.testing.assert_allclose(found, expected, atol=1e-7 * max(1.0, abs(omega), abs(theta) * np.sqrt(k)))


@FEW
@given(st.floats(0.2, 2), st.floats(0, 1), st.floats(0.5, 6), st.floats(0, 3), st.floats(0.1, 1.5))
def test_a_sled_under_any_two_tones_agrees_with_the_reference(
    F: float, G: float, w: float, k: float, mu: float
) -> None:
    """Grazing amplifies errors, so a few samples may differ by more than 1e-7, but none by 1e-4."""
    times = np.linspace(0, 20, 201)
    found = simulate(SLED, times, {"F": F, "G": G, "w": w, "k": k, "mu": mu}, {"x": 0.0, "v": 0.0}).states

    def force(t: float, x: np.ndarray) -> float:
        return float(F * np.sin(w * t) + G * np.sin(3 * w * t) - k * x[0])

    expected, _ = event_driven(
        lambda t, x, s: (x[1], force(t, x) - mu * s[0]),
        [Switch(lambda t, x: x[1], lambda t, x: force(t, x) / mu, pinned=1)],
        (0.0, 0.0),
        times,
    )
    error = np.abs(found - expected).max(axis=0)
    assert error.max() < 1e-4
    assert np.median(error) < 1e-7


@FEW
@given(st.floats(-1, 1), st.floats(-2, 2), st.floats(0.01, 0.5))
def test_mirrored_motion_is_the_mirror_image(x: float, v: float, mu: float) -> None:
    """Odd forces: (x, v) -> (-x, -v). For the sled without drive, exactly."""
    times = np.linspace(0, 10, 51)
    values = {"F": 0.0, "G": 0.0, "mu": mu}
    one = simulate(SLED, times, values, {"x": x, "v": v}).states
    other = simulate(SLED, times, values, {"x": -x, "v": -v}).states
    np.testing.assert_array_equal(one, -other)


@FEW
@given(
    st.floats(0, 1),
    st.floats(0.1, 10),
    st.floats(0, 3),
    st.floats(-3, 3),
    st.floats(-3, 3),
    st.floats(-1e4, 1e4),
)
def test_an_autonomous_system_does_not_care_when_it_starts(
    c: float, k: float, k3: float, x: float, v: float, shift: float
) -> None:
    times = np.linspace(0, 5, 21)
    values, start = {"c": c, "k": k, "k3": k3}, {"x": x, "v": v}
    now = simulate(DUFFING, times, values, start).states
    later = simulate(DUFFING, times + shift, values, start).states
    size = 1 + np.abs(now).max()
    np.testing.assert_allclose(now, later, atol=1e-7 * size)


@FEW
@given(st.floats(0, 1), st.floats(0.1, 10), st.floats(-3, 3), st.floats(-3, 3), st.integers(1, 19))
def test_stopping_and_going_on_is_the_same_as_going_on(c: float, k: float, x: float, v: float, cut: int) -> None:
    times = np.linspace(0, 5, 21)
    whole = simulate(DUFFING, times, {"c": c, "k": k}, {"x": x, "v": v}).states
    middle = dict(zip(("x", "v"), whole[:, cut], strict=True))
    rest = simulate(DUFFING, times[cut:], {"c": c, "k": k}, middle).states
    np.testing.assert_allclose(rest, whole[:, cut:], atol=1e-7 * (1 + np.abs(whole).max()))


@FEW
@given(*[st.floats(-1e6, 1e6)] * 3, st.floats(-1e3, 1e3), st.floats(-1e3, 1e3))
def test_any_parameters_give_numbers_or_a_simulation_error(c: float, k: float, k3: float, x: float, v: float) -> None:
    try:
        found = simulate(DUFFING, np.linspace(0, 0.05, 11), {"c": c, "k": k, "k3": k3}, {"x": x, "v": v})
    except SimulationError:
        return
    assert np.isfinite(found.states).all()


@FEW
@given(st.lists(st.floats(-1, 1), min_size=3, max_size=40), st.sampled_from(HOLDS))
def test_pieces_go_through_their_samples_whatever_these_are(values: list[float], hold: str) -> None:
    time = np.cumsum(1 + np.abs(values))
    pieces = sampled(time, {"u": np.array(values)}, hold)
    size = np.abs(values).max()
    np.testing.assert_allclose(pieces(time)[0], values, atol=1e-7 * size)
    assert (np.diff(pieces.begins) > 0).all()
    assert pieces.ends[-1] == np.inf


def test_the_references_own_error_is_small() -> None:
    """The yardstick measured: Coulomb friction on a linear spring, in closed form at its turning points."""
    mu, k = 0.1, 4.0
    turns = np.arange(0, 4) * np.pi / 2  # half periods of sqrt(k) = 2
    found, _ = event_driven(
        lambda t, x, s: (x[1], -k * x[0] - mu * s[0]),
        [Switch(lambda t, x: x[1], lambda t, x: -k * x[0] / mu, pinned=1)],
        (1.0, 0.0),
        turns,
    )
    amplitude = 1.0 - 2 * np.arange(4) * mu / k
    assert found[0] == pytest.approx(amplitude * (-1.0) ** np.arange(4), abs=1e-10)
