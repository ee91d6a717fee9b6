"""Dry friction that really sticks, slips and reverses, against an event-driven reference and closed forms."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq

from identikit.model import Model, library_model
from identikit.simulation import Pieces, sampled, simulate
from reference import Switch, event_driven, horizontal_pendulum

PENDULUM = library_model("horizontal_pendulum")
REST = brentq(lambda theta: 20 * theta - np.cos(theta), 0, 1, xtol=1e-15)
SHAKEN = {"zeta": 0.1, "mu_c": 0.15}


def test_the_pendulum_sticks_where_and_when_it_should_and_then_rests() -> None:
    """mu_c = 0.1 sticks at t = 33.678 with the offset -0.00333 and agrees with the reference to 1e-7."""
    times = np.linspace(0, 60, 3001)
    found = simulate(PENDULUM, times, {"zeta": 0.0, "mu_c": 0.1}).states
    expected, events = horizontal_pendulum(times, (np.pi / 6, 0.0), mu_c=0.1)
    assert events[-1][0] == pytest.approx(33.678, abs=5e-4)
    assert events[-1][2] == 0
    np.testing.assert_allclose(found, expected, atol=1e-7)
    after = times > 33.6782
    assert found[0, -1] - REST == pytest.approx(-0.00333, abs=5e-6)
    assert np.ptp(found[0, after]) == 0
    assert not found[1, after].any()
    assert found[1, times < 33.67].any()


def test_smooth_friction_never_sticks() -> None:
    """Negative control: tanh(v/0.01) creeps to the equilibrium, whatever the friction."""
    times = np.linspace(0, 60, 601)
    found = simulate(PENDULUM.with_smooth_friction(0.01), times, {"zeta": 0.0, "mu_c": 0.1}).states
    assert abs(found[0, -1] - REST) < 1e-3
    assert found[1, -1] != 0


@pytest.mark.parametrize(("offset", "moves"), [(0.0049, False), (-0.0049, False), (0.0051, True), (-0.0051, True)])
def test_a_mass_at_rest_leaves_only_if_the_force_exceeds_the_band(offset: float, moves: bool) -> None:
    """The band is mu_c/w^2 = 0.1/20.05 = 0.00499 either side of the equilibrium."""
    times = np.linspace(0, 2, 41)
    found = simulate(PENDULUM, times, {"zeta": 0.0, "mu_c": 0.1}, {"theta": REST + offset, "omega": 0.0}).states
    if moves:
        assert np.ptp(found[0]) > 1e-4
        assert abs(found[0, -1] - REST) < abs(offset)
    else:
        assert np.ptp(found[0]) == 0
        assert not found[1].any()


def _force(t: float) -> float:
    return 0.2 * np.sin(3 * t)


def test_stick_slip_under_a_force_by_expression_agrees_with_the_reference() -> None:
    times = np.linspace(0, 40, 2001)
    model = PENDULUM.with_input_expressions({"q_v": "0.2*sin(3*t)", "q_h": "0"})
    found = simulate(model, times, SHAKEN).states
    expected, events = horizontal_pendulum(times, (np.pi / 6, 0.0), q_v=_force, **SHAKEN)
    assert sum(mode == 0 for _, _, mode in events) > 15  # it sticks again and again
    np.testing.assert_allclose(found, expected, atol=1e-7)


@pytest.mark.parametrize("hold", ["linear", "cubic"])
def test_stick_slip_under_a_sampled_force_agrees_with_the_reference(hold: str) -> None:
    times, samples = np.linspace(0, 20, 1001), np.linspace(0, 20, 201)
    spline = CubicSpline(samples, _force(samples), bc_type="natural")
    line: Callable[[float], float] = lambda t: float(np.interp(t, samples, _force(samples)))  # noqa: E731
    pieces = sampled(samples, {"q_h": 0 * samples, "q_v": _force(samples)}, hold)
    found = simulate(PENDULUM, times, SHAKEN, inputs=pieces).states
    drive = line if hold == "linear" else lambda t: float(spline(t))
    breaks = samples if hold == "linear" else ()
    expected, events = horizontal_pendulum(times, (np.pi / 6, 0.0), q_v=drive, breaks=breaks, **SHAKEN)
    assert sum(mode == 0 for _, _, mode in events) > 5
    np.testing.assert_allclose(found, expected, atol=1e-7)


def test_steps_of_an_input_restart_exactly_and_release_what_is_stuck() -> None:
    times, steps = np.linspace(0, 20, 1001), np.arange(0, 22, 2.0)
    levels = np.where(np.arange(11) % 3 == 0, 0.6, np.where(np.arange(11) % 3 == 1, -0.4, 0.0))
    found = simulate(
        PENDULUM,
        times,
        {"zeta": 0.3, "mu_c": 0.3},
        inputs=sampled(steps, {"q_h": 0 * steps, "q_v": levels}, "zero_order"),
    ).states

    def level(t: float) -> float:
        return float(levels[np.searchsorted(steps, t, side="right") - 1])

    expected, events = horizontal_pendulum(times, (np.pi / 6, 0.0), zeta=0.3, mu_c=0.3, q_v=level, breaks=steps)
    assert sum(mode == 0 for _, _, mode in events) > 5
    np.testing.assert_allclose(found, expected, atol=1e-7)
    stuck = found[1] == 0
    assert stuck[(times > 5.5) & (times < 6)].all()
    assert not stuck[(times > 6.01) & (times < 6.3)].any()


@pytest.mark.parametrize("frequency", [3.0, 8.37758, 16.75516, 25.1327])
def test_a_swinging_force_on_a_stuck_mass_is_not_stepped_over(frequency: float) -> None:
    """From rest, nothing moves and the error is zero, yet 1.05 times the friction releases it twice a period.

    At 8.37758 and its multiples the first step tried, a twentieth of the record, is a number of periods.
    """
    times = np.linspace(0, 60, 601)
    model = Model.from_text(
        "sled", equations={"x": "v", "v": "F*sin(w*t) - sign(v)"}, parameters={"F": 1.05, "w": frequency}
    )
    found = simulate(model, times, {"w": frequency}).states
    force: Callable[[float], float] = lambda t: 1.05 * np.sin(frequency * t)  # noqa: E731
    expected, events = event_driven(
        lambda t, x, s: (x[1], force(t) - s[0]),
        [Switch(lambda t, x: x[1], lambda t, x: force(t), pinned=1)],
        (0.0, 0.0),
        times,
    )
    assert len(events) > 100
    np.testing.assert_allclose(found, expected, atol=1e-7)


def test_two_frictions_at_once_stick_and_slip_each_by_itself() -> None:
    """A chain wall-spring-mass-spring-mass with friction under both masses: the stronger one sticks first."""
    times = np.linspace(0, 30, 1501)
    model = Model.from_text(
        "chain",
        equations={"x": "v", "v": "-a*x + b*(y - x) - m*sign(v)", "y": "w", "w": "-b*(y - x) - n*sign(w)"},
        parameters={"a": 3.0, "b": 2.0, "m": 0.3, "n": 0.05},
    )
    found = simulate(model, times, None, {"x": 0.2, "v": 0.0, "y": 1.5, "w": 0.0}).states

    def first(x: np.ndarray) -> float:
        return -3 * x[0] + 2 * (x[2] - x[0])

    def second(x: np.ndarray) -> float:
        return -2 * (x[2] - x[0])

    expected, _ = event_driven(
        lambda t, x, s: (x[1], first(x) - 0.3 * s[0], x[3], second(x) - 0.05 * s[1]),
        [
            Switch(lambda t, x: x[1], lambda t, x: first(x) / 0.3, pinned=1),
            Switch(lambda t, x: x[3], lambda t, x: second(x) / 0.05, pinned=3),
        ],
        (0.2, 0.0, 1.5, 0.0),
        times,
    )
    alone = (np.abs(expected[1]) < 1e-12) & (np.abs(expected[3]) > 1e-3)
    assert alone.sum() > 100  # one sticks while the other slips
    np.testing.assert_allclose(found, expected, atol=1e-7)


def test_a_block_on_a_block_slips_joins_and_stops_as_by_hand() -> None:
    """Friction 2 between the blocks, 1 below; a force 5 on the upper one until t = 1. Accelerations by hand:

    3 and 1; then -2 and +1 until both have 5/3 at t = 5/3; then together -1/2 each until rest at t = 5.
    """
    model = Model.from_text(
        "blocks",
        equations={"v": "F*heaviside(1 - t) - m*sign(v - w)", "w": "m*sign(v - w) - n*sign(w)"},
        parameters={"F": 5.0, "m": 2.0, "n": 1.0},
    )
    times = np.linspace(0, 8, 161)
    found = simulate(model, times).states
    upper = np.interp(times, [0, 1, 5 / 3, 5, 8], [0, 3, 5 / 3, 0, 0])
    lower = np.interp(times, [0, 1, 5 / 3, 5, 8], [0, 1, 5 / 3, 0, 0])
    np.testing.assert_allclose(found, [upper, lower], atol=1e-9)


def test_of_two_blocks_at_rest_only_the_one_that_must_moves() -> None:
    """Both would need more than their friction to stay, but once the upper slips the lower one can."""
    model = Model.from_text(
        "blocks",
        equations={"v": "F*heaviside(1 - t) - m*sign(v - w)", "w": "m*sign(v - w) - n*sign(w)"},
        parameters={"F": 5.0, "m": 2.0, "n": 1.0},
    )
    times = np.linspace(0, 8, 161)
    found = simulate(model, times, {"F": 3.0, "m": 0.5}).states
    np.testing.assert_allclose(found[0], np.interp(times, [0, 1, 6, 8], [0, 2.5, 0, 0]), atol=1e-9)
    assert not found[1].any()


def test_the_sign_of_a_position_is_a_bang_bang_spring() -> None:
    """x'' = -sign(x) from (1, 0): parabolas of quarter period sqrt(2), amplitude kept."""
    times = np.linspace(0, 40, 801)
    model = Model.from_text("bang", equations={"x": "v", "v": "-a*sign(x)"}, parameters={"a": 1.0})
    found = simulate(model, times, None, {"x": 1.0, "v": 0.0}).states
    quarter = np.sqrt(2.0)
    phase = np.mod(times, 4 * quarter)
    folded = np.where(phase > 2 * quarter, 4 * quarter - phase, phase)
    expected = np.where(folded < quarter, 1 - folded**2 / 2, -1 + (2 * quarter - folded) ** 2 / 2)
    np.testing.assert_allclose(found[0], expected, atol=1e-8)


def test_a_sign_of_time_is_a_step_at_its_time() -> None:
    times = np.linspace(0, 5, 101)
    model = Model.from_text("step", equations={"x": "-k*x + (1 + sign(t - d))/2"}, parameters={"k": 1.5, "d": 2.0})
    found = simulate(model, times, None, {"x": 1.0}).states[0]
    step = np.where(times > 2, (1 - np.exp(-1.5 * (times - 2))) / 1.5, 0.0)
    np.testing.assert_allclose(found, np.exp(-1.5 * times) + step, atol=1e-9)


def test_a_square_wave_faster_than_the_motion_is_followed() -> None:
    """x' = sign(sin(w t)): a triangle between 0 and pi/w, though the slope between switches is constant."""
    times = np.linspace(0, 60, 1201)
    model = Model.from_text("square", equations={"x": "sign(sin(w*t))"}, parameters={"w": 8.37758})
    found = simulate(model, times).states[0]
    phase = np.mod(times * 8.37758, 2 * np.pi)
    np.testing.assert_allclose(found, np.minimum(phase, 2 * np.pi - phase) / 8.37758, atol=1e-8)


BELT = Model.from_text(
    "belt",
    equations={"x": "v", "v": "-k*x - c*v - mu/(1 + 2*abs(v - b))*sign(v - b)"},
    parameters={"k": 1.0, "c": 0.02, "mu": 1.0, "b": 0.3},
)


def test_a_mass_on_a_moving_belt_sticks_to_the_belts_velocity() -> None:
    times = np.linspace(0, 40, 2001)
    found = simulate(BELT, times, None, {"x": 0.0, "v": 0.0}).states

    def hold(t: float, x: np.ndarray) -> float:
        return -x[0] - 0.02 * 0.3

    expected, events = event_driven(
        lambda t, x, s: (x[1], -x[0] - 0.02 * x[1] - s[0] / (1 + 2 * abs(x[1] - 0.3))),
        [Switch(lambda t, x: x[1] - 0.3, hold, pinned=1, level=0.3)],
        (0.0, 0.0),
        times,
    )
    assert len(events) > 6
    held = np.abs(expected[1] - 0.3) < 1e-13
    assert 0.2 < held.mean() < 0.9
    np.testing.assert_allclose(found, expected, atol=1e-7)
    assert np.abs(found[1, held] - 0.3).max() < 1e-12


def test_a_belt_that_changes_speed_at_once_drags_the_mass_along() -> None:
    """sign(v - u) with u in steps: the switch jumps with its input. Slopes are +-1 until v meets u."""
    model = Model.from_text("drag", equations={"v": "-mu*sign(v - u)"}, parameters={"mu": 1.0}, inputs=["u"])
    steps = np.arange(6.0)
    pieces = sampled(steps, {"u": np.array([0.2, -2.0, 3.0, 0.0, 0.0, 0.0])}, "zero_order")
    times = np.linspace(0, 5, 101)
    found = simulate(model, times, inputs=pieces).states[0]
    corners = [0, 0.2, 1, 2, 3, 3.2, 5], [0, 0.2, 0.2, -0.8, 0.2, 0, 0]
    np.testing.assert_allclose(found, np.interp(times, *corners), atol=1e-9)


def test_friction_switched_on_later_stops_the_motion_only_then() -> None:
    model = Model.from_text("brake", equations={"x": "v", "v": "-mu*heaviside(t - 1)*sign(v)"}, parameters={"mu": 0.5})
    times = np.linspace(0, 5, 101)
    found = simulate(model, times, None, {"x": 0.0, "v": 1.0}).states[1]
    np.testing.assert_allclose(found, np.interp(times, [0, 1, 3, 5], [1, 1, 0, 0]), atol=1e-9)


def test_without_friction_a_switch_changes_nothing() -> None:
    """mu_c = 0 leaves the sign without effect: the same motion as a model without it, also from rest."""
    times = np.linspace(0, 20, 401)
    start = {"theta": REST + 1e-3, "omega": 0.0}
    found = simulate(PENDULUM, times, {"zeta": 0.05, "mu_c": 0.0}, start, Pieces.constant([0.0, 0.0])).states
    expected, _ = horizontal_pendulum(times, (REST + 1e-3, 0.0), zeta=0.05)
    np.testing.assert_allclose(found, expected, atol=1e-10)
