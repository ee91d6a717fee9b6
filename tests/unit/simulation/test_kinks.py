"""Steps from kink to kink: |x - c| with a factor that does not vanish there."""

from __future__ import annotations

import numpy as np
import pytest

import reference
from identikit.model import Dynamics, Model, dynamics_of, library_model
from identikit.simulation import Integrator, Pieces, simulate

STOP = {"x": "v", "v": "-k*x - b*(abs(x - gap) + x - gap)/2 - c*v"}
VALUES = {"k": 4.0, "b": 400.0, "gap": 0.3, "c": 0.1}


def spring_with_a_stop() -> Model:
    """A spring that meets a second, much stiffer one beyond a gap."""
    return Model.from_text("stop", equations=STOP, parameters=VALUES)


def stop_force(x: float, gap: float = VALUES["gap"]) -> float:
    return VALUES["b"] * max(x - gap, 0.0)


def run_of(dynamics: Dynamics, end: float, x0: np.ndarray, p: np.ndarray, tolerance: float = 1e-8):  # type: ignore[no-untyped-def]
    integrator = Integrator(dynamics, tuple(range(len(x0))), True, tolerance)
    zero = np.zeros(1)
    return integrator.run(zero, zero + end, x0[None], p, Pieces.constant([]), np.zeros(1, int))


def test_a_kink_is_recognised_by_its_state_and_level() -> None:
    dynamics = dynamics_of(spring_with_a_stop())
    assert [(state, str(level)) for state, level in dynamics.kinks] == [(0, "gap")]
    assert len(dynamics_of(library_model("coupled_chua")).kinks) == 8


@pytest.mark.parametrize("text", ["-x - v*abs(v)", "-x - abs(v)**1.5", "-x - abs(t - 1)", "-x - abs(x*v)", "-x - c*v"])
def test_what_is_smooth_enough_or_no_plain_kink_is_left_alone(text: str) -> None:
    model = Model.from_text("plain", equations={"x": "v", "v": text}, parameters={"c": 1.0} if "c*" in text else {})
    assert dynamics_of(model).kinks == []


def test_sides_follow_the_state_unless_they_are_given() -> None:
    dynamics = dynamics_of(spring_with_a_stop())
    p = [VALUES[name] for name in dynamics.model.parameter_names]
    beyond, before = (dynamics.rate(np, 0.0, [x, 0.0], [], [], p, [])[1] for x in (0.5, 0.1))
    assert beyond == pytest.approx(-4 * 0.5 - stop_force(0.5))
    assert before == pytest.approx(-4 * 0.1)
    extended = dynamics.rate(np, 0.0, [0.1, 0.0], [], [], p, [], [1.0])[1]
    assert extended == pytest.approx(-4 * 0.1 + 400 * 0.2)


def test_motion_across_kinks_agrees_with_an_independent_integrator_restarted_at_each() -> None:
    time = np.linspace(0.0, 10.0, 401)
    switch = reference.Switch(lambda t, x: x[0] - VALUES["gap"])
    exact, events = reference.event_driven(
        lambda t, x, s: [x[1], -4 * x[0] - 0.1 * x[1] - 400 * (x[0] - VALUES["gap"]) * (s[0] > 0)],
        [switch],
        [0.0, 2.0],
        time,
    )
    assert len(events) >= 10
    found = simulate(spring_with_a_stop(), time, initial={"x": 0.0, "v": 2.0}).states
    assert np.abs(found - exact).max() < 1e-8
    rough = simulate(spring_with_a_stop(), time, initial={"x": 0.0, "v": 2.0}, tolerance=1e-4).states
    assert np.abs(rough - exact).max() > 1e-7  # the comparison can fail


def test_sensitivities_across_kinks_are_those_of_finite_differences() -> None:
    model = spring_with_a_stop()
    dynamics = dynamics_of(model, ("k", "gap"))
    p = np.array([VALUES[name] for name in model.parameter_names])
    x0 = np.array([0.0, 2.0])
    exact = run_of(dynamics, 5.0, x0, p, 1e-11).final[0, :, 1:]
    size = 1e-5
    for column in range(4):
        ends = []
        for sign in (1, -1):
            moved_x, moved_p = x0.copy(), p.copy()
            if column < 2:
                moved_x[column] += sign * size
            else:
                moved_p[model.parameter_names.index(("k", "gap")[column - 2])] += sign * size
            ends.append(run_of(dynamics, 5.0, moved_x, moved_p, 1e-12).final[0, :, 0])
        slope = (ends[0] - ends[1]) / (2 * size)
        assert exact[:, column] == pytest.approx(slope, rel=1e-4, abs=1e-4 * np.abs(exact).max())


def test_landing_on_kinks_takes_fewer_steps_than_finding_them_by_failure() -> None:
    """The same system with the kink written so that it is not recognised."""
    hidden = STOP | {"v": STOP["v"].replace("abs(x - gap)", "max(x - gap, gap - x)")}
    plain = Model.from_text("hidden", equations=hidden, parameters=VALUES)
    p = np.array([VALUES[name] for name in plain.parameter_names])
    x0 = np.array([0.0, 2.0])
    assert dynamics_of(plain).kinks == []
    seen, unseen = (len(run_of(dynamics_of(model), 10.0, x0, p).begin) for model in (spring_with_a_stop(), plain))
    assert seen < 0.6 * unseen


def test_beginning_on_a_kink_goes_either_way() -> None:
    time = np.linspace(0.0, 0.2, 21)
    model = spring_with_a_stop()
    for velocity in (1.0, -1.0):
        exact = reference.smooth(
            lambda t, x: [x[1], -4 * x[0] - 0.1 * x[1] - stop_force(x[0])], [VALUES["gap"], velocity], time[:8]
        )
        found = simulate(model, time[:8], initial={"x": VALUES["gap"], "v": velocity}).states
        assert np.abs(found - exact).max() < 1e-8
