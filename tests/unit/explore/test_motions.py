"""Sections, portraits and balances of energy agree with what is known of simple motions."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.errors import ModelError, OptionError
from identikit.explore import energy_balance, phase_portrait, poincare_section
from identikit.model import Model, library_model
from identikit.simulation import sampled, simulate

FORCED = {"c": 0.4, "k3": 0.0, "F": 1.0, "Omega": 1.5}


def test_a_linear_oscillator_seen_once_per_period_stands_still() -> None:
    found = poincare_section(library_model("duffing"), FORCED, period=2 * np.pi / 1.5, points=20, transient=200)
    amplitude = 1 / ((1 - 1.5**2) + 0.4j * 1.5)
    assert np.ptp(found.states, axis=1).max() < 1e-7
    phase = amplitude * np.exp(1.5j * found.time[0])
    assert found.states[:, 0] == pytest.approx([phase.real, (1.5j * phase).real], abs=1e-7)


def test_chaos_seen_once_per_period_scatters() -> None:
    chaotic = {"c": 0.2, "k3": 1.0, "F": 27.0, "Omega": 1.33}
    found = poincare_section(library_model("duffing"), chaotic, period=2 * np.pi / 1.33, points=100, transient=100)
    assert len(np.unique(found.states[0].round(3))) > 90


def test_crossings_of_a_free_swing_are_a_period_apart() -> None:
    model = Model.from_text("swing", equations={"x": "v", "v": "-4*x + 0*k"}, parameters={"k": 1.0})
    found = poincare_section(
        model, crossing=("x", 0.0), spacing=0.02, points=1000, initial={"x": 1.0, "v": 0.0}, tolerance=1e-11
    )
    assert found.time == pytest.approx(np.pi * (np.arange(6) + 0.75), abs=1e-7)
    assert found.states[1] == pytest.approx(2.0, abs=1e-6)


def test_a_section_needs_to_know_where() -> None:
    with pytest.raises(OptionError, match="one of period and crossing"):
        poincare_section(library_model("duffing"), period=1.0, crossing=("x", 0.0))
    with pytest.raises(OptionError, match="spacing"):
        poincare_section(library_model("duffing"), crossing=("x", 0.0))
    with pytest.raises(ModelError, match="no state 'y'"):
        poincare_section(library_model("duffing"), crossing=("y", 0.0), spacing=0.1)


def test_arrows_are_the_right_hand_side() -> None:
    box = {"theta": (-3.0, 3.0), "omega": (-5.0, 5.0)}
    values = {"w0": 2.0, "mu": 0.1, "mu_c": 0.3}
    found = phase_portrait(library_model("pendulum"), values, box=box, points=6, starts=[{"theta": 1.0}], duration=2.0)
    x, y = np.meshgrid(found.x, found.y)
    assert found.dx == pytest.approx(y)
    assert found.dy == pytest.approx(-0.4 * y - 0.3 * np.sign(y) - 4 * np.sin(x))
    assert found.motions[0].time[-1] == 2.0
    with pytest.raises(ModelError, match="two of its states"):
        phase_portrait(library_model("pendulum"), box={"theta": (0, 1)})


def test_energy_is_kept_without_damping_and_accounted_for_with_it() -> None:
    time = np.linspace(0, 10, 4001)
    model = library_model("pendulum")
    for mu, lost in ((0.0, 0.0), (0.02, None)):
        balance = energy_balance(model, simulate(model, time, {"mu": mu}), {"mu": mu})
        size = balance.kinetic.max()
        assert np.abs(balance.residual).max() < 1e-6 * size
        if lost is None:
            assert balance.damping[-1] < -0.9 * size
            assert (np.diff(balance.damping) <= 1e-12 * size).all()
        else:
            assert np.abs(balance.damping).max() == lost
        assert np.abs(balance.driving).max() == 0.0


def test_in_steady_vibration_the_forcing_supplies_what_damping_takes() -> None:
    time = np.concatenate([[0.0], 200 + np.linspace(0, 2 * np.pi / 1.5, 1001)])
    model = library_model("duffing")
    solution = simulate(model, time, FORCED)
    cycle = type(solution)(time[1:], solution.states[:, 1:], {}, {})
    balance = energy_balance(model, cycle, FORCED)
    amplitude = abs(1 / ((1 - 1.5**2) + 0.4j * 1.5))
    assert balance.driving[-1] == pytest.approx(np.pi * 0.4 * 1.5 * amplitude**2, rel=1e-5)
    assert balance.damping[-1] == pytest.approx(-balance.driving[-1], rel=1e-5)


def test_work_of_a_shaken_pivot_is_driving() -> None:
    time = np.linspace(0, 5, 5001)
    model = library_model("horizontal_pendulum")
    shaking = {"q_h": 0 * time, "q_v": np.where(time < 2, time, 4 - time)}
    values = {"mu_c": 0.0, "zeta": 0.1}
    solution = simulate(model, time, values, inputs=sampled(time, shaking))
    balance = energy_balance(model, solution, values)
    assert np.abs(balance.driving).max() > 0.01
    assert np.abs(balance.residual).max() < 1e-6


def test_the_chosen_section_of_a_forced_model_is_once_per_period() -> None:
    found = poincare_section(library_model("duffing"), FORCED)
    assert found.period == pytest.approx(2 * np.pi / 1.5)
    assert found.states.shape[1] == 1000
    assert "all in one place: the motion is periodic" in str(found)


def test_the_chosen_section_of_a_limit_cycle_is_one_place() -> None:
    found = poincare_section(library_model("van_der_pol"))
    assert found.crossing == ("x", 0.0) and not found.settles
    assert np.abs(found.states[0]).max() < 1e-6
    assert np.ptp(found.states[1]) < 1e-5
    assert "periodic" in str(found)


def test_the_chosen_section_of_chaos_is_no_place_twice() -> None:
    found = poincare_section(library_model("lorenz"))
    assert found.crossing is not None and found.crossing[0] == "z"
    assert "does not repeat" in str(found)


def test_the_chosen_section_of_a_damped_motion_is_its_way_to_rest() -> None:
    found = poincare_section(library_model("pendulum"))
    assert found.settles
    assert (np.diff(found.states[1]) < 0).all()
    assert "comes to rest" in str(found)


def test_what_does_not_swing_has_no_section() -> None:
    model = Model.from_text("decay", equations={"x": "-a*x"}, parameters={"a": 1.0})
    with pytest.raises(ModelError, match="does not swing"):
        poincare_section(model, initial={"x": 1.0})


def test_the_chosen_portrait_of_two_wells_holds_both() -> None:
    found = phase_portrait(library_model("magnetic_pendulum"))
    assert found.names == ("theta", "omega") and found.complete
    assert [item.stable for item in found.rests] == [True, False, True]
    for item in found.rests:
        assert found.x[0] < item.state["theta"] < found.x[-1]
    assert len(found.motions) > 5
    assert "unstable, a saddle" in str(found)


def test_the_chosen_portrait_of_a_limit_cycle_holds_it() -> None:
    found = phase_portrait(library_model("van_der_pol"))
    assert found.x[0] < -2 and found.x[-1] > 2
    assert found.motions[0].states[0].max() == pytest.approx(2.0, abs=0.05)


def test_a_portrait_of_more_states_or_under_forcing_is_one_motion() -> None:
    found = phase_portrait(library_model("lorenz"))
    assert found.names == ("x", "z") and not found.complete and len(found.motions) == 1
    forced = phase_portrait(library_model("duffing"), FORCED)
    assert not forced.complete and forced.rests == ()


@pytest.mark.parametrize("beside", [1e-12, 1e-9, 1e-6])
def test_the_states_that_are_shown_of_a_chaotic_motion_do_not_hang_on_its_rounding(beside: float) -> None:
    """By symmetry x and y are both uncorrelated with z, in the long run: a tie, which goes to the first."""
    model = library_model("lorenz")
    assert model.ready is not None
    start = {name: value * (1 + beside) for name, value in model.ready.initial.items()}
    assert phase_portrait(model, initial=start).names == ("x", "z")


def test_an_angle_that_repeats_is_known_to() -> None:
    assert phase_portrait(library_model("pendulum")).repeats == (True, False)
    assert phase_portrait(library_model("magnetic_pendulum")).repeats == (False, False)


def test_a_motion_that_leaves_without_bound_is_drawn_as_long_as_it_stays() -> None:
    model = Model.from_text("leaving", equations={"x''": "k*x"}, parameters={"k": 1.0})
    found = phase_portrait(model, initial={"x": 1.0})
    assert np.abs(found.motions[0].states).max() < 1e4
    assert found.motions[0].states[0, -1] > 1


def test_angles_of_a_motion_that_whirls_are_seen_within_a_turn() -> None:
    """A pendulum under a constant torque turns round and round."""
    model = Model.from_text(
        "rotor",
        equations={"theta": "omega", "omega": "M - c*omega - sin(theta) + 0.1*cos(3*t)"},
        parameters={"M": 3.0, "c": 0.5},
        states={"theta": "rad", "omega": "rad/s"},
    )
    found = poincare_section(model, period=2 * np.pi / 3, points=60)
    assert np.abs(found.states[0]).max() <= np.pi
    assert simulate(model, np.array([0.0, 100.0])).states[0, -1] > 100  # it did whirl
    swinging = poincare_section(library_model("double_pendulum"), period=0.1, points=20)
    assert swinging.states[0].max() > np.pi  # and one that only swings beyond pi is left as it is
