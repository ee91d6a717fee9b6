"""Sensitivities against central differences of an independent integrator, through reversals and sticks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from identikit.model import Model, dynamics_of, library_model
from identikit.simulation import Integrator, Pieces, parameter_vector, sampled
from reference import Switch, event_driven, horizontal_pendulum, smooth

Reference = Callable[[np.ndarray, np.ndarray], np.ndarray]


def _ours(
    model: Model,
    free: Sequence[str],
    times: np.ndarray,
    start: Sequence[float],
    values: dict[str, float],
    pieces: Pieces | None = None,
    tolerance: float = 1e-11,
) -> tuple[np.ndarray, np.ndarray]:
    """States [times, states] and derivatives [times, states, initial states then free parameters]."""
    pieces = pieces or Pieces.constant([item.value for item in model.inputs])
    integrator = Integrator(dynamics_of(model, free), tuple(range(len(model.states))), True, tolerance)
    p = parameter_vector(model, values)
    run = integrator.run(times[:1], times[-1:], np.array([start]), p, pieces, np.zeros(1, int))
    X = run.sample(times, np.array([0, len(times)]))
    return X[:, :, 0], X[:, :, 1:]


def _differences(reference: Reference, start: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Central differences with two steps, extrapolated: [times, states, columns]."""
    point = np.concatenate([start, values])
    n = len(start)
    columns = []
    for j in range(len(point)):
        estimates = []
        for step in (1e-3, 5e-4):  # smaller ones show the reference's own error of 1e-11 at events
            shift = np.zeros(len(point))
            shift[j] = step * max(abs(point[j]), 0.3)
            up, down = point + shift, point - shift
            change = reference(up[:n], up[n:]) - reference(down[:n], down[n:])
            estimates.append(change / (2 * shift[j]))
        columns.append((4 * estimates[1] - estimates[0]) / 3)
    return np.stack(columns, axis=-1).transpose(1, 0, 2)


def _check(
    found: np.ndarray, expected: np.ndarray, times: np.ndarray, events: Sequence[float], tolerance: float
) -> None:
    """Relative to each derivative's largest value, but not within 20 ms of an event, where it jumps."""
    clear = np.ones(len(times), bool)
    for event in events:
        clear &= np.abs(times - event) > 2e-2
    assert clear.mean() > 0.5
    size = np.abs(expected[clear]).max(axis=0)
    assert (size > 1e-6).all()  # every derivative is there to be compared
    assert (np.abs(found - expected)[clear].max(axis=0) / size).max() < tolerance


def test_forced_duffing_for_all_parameters_and_initial_states() -> None:
    model = library_model("duffing")
    times = np.linspace(0, 15, 151)
    values = {"m": 1.1, "c": 0.1, "k": 1.0, "k3": 0.5, "F": 0.7, "Omega": 1.33}

    def reference(start: np.ndarray, v: np.ndarray) -> np.ndarray:
        m, c, k, k3, F, w = v
        return smooth(
            lambda t, x: (x[1], (-c * x[1] - k * x[0] - k3 * x[0] ** 3 + F * np.cos(w * t)) / m), start, times
        )

    states, found = _ours(model, list(values), times, (1.5, 0.4), values)
    expected = _differences(reference, np.array([1.5, 0.4]), np.array(list(values.values())))
    np.testing.assert_allclose(states.T, reference(np.array([1.5, 0.4]), np.array(list(values.values()))), atol=1e-7)
    _check(found, expected, times, (), 1e-6)


def test_free_pendulum_through_reversals_until_it_sticks() -> None:
    """All four parameters and both initial states, and exactly zero velocity sensitivity at rest."""
    model = library_model("horizontal_pendulum")
    times = np.linspace(0, 14, 281)
    values = {"zeta": 0.02, "mu_c": 0.2, "mu_q": 0.05, "k": 20.0}
    start = np.array([0.5, 0.3])

    def reference(start: np.ndarray, v: np.ndarray) -> np.ndarray:
        return horizontal_pendulum(times, start, *v)[0]

    events = [event[0] for event in horizontal_pendulum(times, start, **values)[1]]
    states, found = _ours(model, list(values), times, start, values)
    stuck = times > events[-1]
    assert stuck.sum() > 10
    assert states[stuck, 1].max() == 0
    assert not found[stuck, 1].any()
    assert (found[stuck, 0] == found[-1, 0]).all()
    assert np.abs(found[-1, 0]).min() > 0  # where it stops still depends on everything
    _check(found, _differences(reference, start, np.array(list(values.values()))), times, events, 1e-5)


def test_stick_slip_under_a_sampled_force() -> None:
    model = library_model("horizontal_pendulum")
    times, samples = np.linspace(0, 8, 161), np.linspace(0, 8, 81)
    force = 0.25 * np.sin(3 * samples)
    spline = CubicSpline(samples, force, bc_type="natural")
    values = {"zeta": 0.3, "mu_c": 0.15, "mu_q": 0.05, "k": 20.0}
    start = np.array([0.1, 0.3])
    pieces = sampled(samples, {"q_h": 0 * samples, "q_v": force}, "cubic")

    def run(start: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, list[tuple[float, int, float]]]:
        return horizontal_pendulum(times, start, *v, q_v=lambda t: float(spline(t)))

    numbers = np.array(list(values.values()))
    events = run(start, numbers)[1]
    assert sum(mode == 0 for _, _, mode in events) >= 3
    _, found = _ours(model, list(values), times, start, values, pieces)
    expected = _differences(lambda s, v: run(s, v)[0], start, numbers)
    _check(found, expected, times, [event[0] for event in events], 3e-5)


BELT = Model.from_text(
    "belt",
    equations={"x": "v", "v": "-k*x - c*v - mu/(1 + 2*abs(v - b))*sign(v - b)"},
    parameters={"k": 1.0, "c": 0.02, "mu": 1.0, "b": 0.3},
)


def test_a_switch_that_depends_on_a_parameter() -> None:
    """Stick-slip on a belt: the belt's speed b stands in the switch itself."""
    times = np.linspace(0, 12, 241)
    values = {"k": 1.0, "c": 0.02, "mu": 1.0, "b": 0.3}
    start = np.array([0.2, 0.1])

    def run(start: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, list[tuple[float, int, float]]]:
        k, c, mu, b = v
        return event_driven(
            lambda t, x, s: (x[1], -k * x[0] - c * x[1] - mu / (1 + 2 * abs(x[1] - b)) * s[0]),
            [Switch(lambda t, x: x[1] - b, lambda t, x: (-k * x[0] - c * b) / mu, pinned=1, level=b)],
            start,
            times,
        )

    numbers = np.array(list(values.values()))
    events = [event[0] for event in run(start, numbers)[1]]
    assert len(events) >= 3
    _, found = _ours(BELT, list(values), times, start, values)
    _check(found, _differences(lambda s, v: run(s, v)[0], start, numbers), times, events, 1e-5)


def test_what_is_held_from_the_start_follows_the_switch_and_forgets_its_velocity() -> None:
    """On the belt from the start x = x0 + b t: dx/db = t, dv/db = 1, whatever the initial velocity."""
    times = np.linspace(0, 2, 21)
    states, found = _ours(BELT, ["b", "mu"], times, (0.0, 0.3), {})
    np.testing.assert_allclose(states[:, 0], 0.3 * times, atol=1e-12)
    x0, v0, b, mu = range(4)
    np.testing.assert_allclose(found[1:, 0, b], times[1:], atol=1e-11)
    np.testing.assert_allclose(found[1:, 1, b], 1.0, atol=1e-11)
    np.testing.assert_allclose(found[1:, 0, x0], 1.0, atol=1e-11)
    np.testing.assert_allclose(found[1:, :, [v0, mu]], 0.0, atol=1e-11)


def test_a_step_in_time_moves_with_its_parameter() -> None:
    """x' = heaviside(t - d): dx/dd = -1 after the step and 0 before."""
    model = Model.from_text("late", equations={"x": "a*heaviside(t - d)"}, parameters={"a": 2.0, "d": 1.0})
    times = np.array([0.0, 0.5, 0.99, 1.01, 2.0, 3.0])
    _, found = _ours(model, ["a", "d"], times, (0.0,), {})
    after = times > 1
    np.testing.assert_allclose(found[:, 0, 1], np.where(after, times - 1, 0), atol=1e-12)
    np.testing.assert_allclose(found[:, 0, 2], np.where(after, -2.0, 0), atol=1e-12)


def test_a_function_model_has_the_sensitivities_of_its_equations() -> None:
    text = Model.from_text("s", equations={"x": "v", "v": "-k*x - c*v"}, parameters={"k": 4.0, "c": 0.2})
    same = Model.from_function(
        "f",
        lambda t, x, u, p: [x["v"], -p["k"] * x["x"] - p["c"] * x["v"]],
        states=["x", "v"],
        parameters={"k": 4.0, "c": 0.2},
    )
    times = np.linspace(0, 5, 26)
    ours, theirs = (_ours(model, ["k", "c"], times, (1.0, 0.0), {})[1] for model in (text, same))
    assert theirs == pytest.approx(ours, abs=1e-11)


@pytest.mark.parametrize("tolerance", [1e-7, 1e-8, 1e-9, 1e-10])
def test_a_stiff_stretch_does_not_spoil_the_derivatives(tolerance: float) -> None:
    """A slow stretch of van der Pol's oscillator: x has settled on x' = -x/(mu (x^2 - 1)), so that the steps that x
    needs are too long for a derivative to stay bounded. On it, ln x - x^2/2 - t/mu is constant."""
    mu, times = 60.0, np.linspace(0.0, 40.0, 81)
    values = {"mu": mu, "w0": 1.0}
    states, found = _ours(library_model("van_der_pol"), ["mu"], times, (2.02, -0.057), values, tolerance=tolerance)
    x = states[1:, 0]
    moved = times[1:] / mu**2 / (x - 1 / x)  # dx/dmu at constant ln x - x^2/2 - t/mu
    np.testing.assert_allclose(found[1:, 0, 2], moved, rtol=0.01, atol=5e-6)
    assert np.abs(found[1:, 0, 1]).max() < 1.0 / mu  # whatever the first velocity was is forgotten at once
