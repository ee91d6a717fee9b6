"""What a series is like, read from it alone: its clock, steps, limits, turns and lines."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.measurement import clipping, clock_of, spectrum_of, steps_of, wrapped_angle
from motions import SIGMA, TIMES, autoregressive, dry, van_der_pol, viscous, white


def test_rate_jitter_gaps_and_lost_samples_are_told_apart() -> None:
    regular = clock_of(TIMES)
    assert regular.rate == pytest.approx(100)
    assert regular.regular
    assert regular.gaps == ()
    jittered = clock_of(np.sort(TIMES + 0.001 * np.random.default_rng(0).uniform(-1, 1, len(TIMES))))
    assert jittered.jitter == pytest.approx(0.1 * np.sqrt(2 / 3), rel=0.05)
    assert not jittered.regular
    holed = clock_of(np.delete(TIMES, [100, 500, 501, *range(1000, 1200)]))
    assert holed.lost == 3
    assert holed.regular
    assert [(gap.begin, gap.end) for gap in holed.gaps] == [pytest.approx((9.99, 12.0))]
    assert holed.gaps[0].length == pytest.approx(2.01)


def test_a_command_is_steps_and_a_measurement_is_not() -> None:
    command = np.where(TIMES < 5, np.nan, np.where(TIMES < 20, 1.0, 0.4))
    found = steps_of(command)
    assert found is not None
    assert (found.changes, found.levels, found.marks, found.slow, found.first) == (1, 2, False, False, 500)
    for motion in (viscous(), dry(), van_der_pol(50.0, 10.0)):
        assert steps_of(motion + SIGMA * white(1)) is None
        assert steps_of(np.round(motion / 0.01) * 0.01) is None, "a slow encoder stays on a count too"


def test_marks_of_runs_and_slow_sensors_are_known() -> None:
    runs = steps_of(np.repeat(np.arange(6.0), 700))
    assert runs is not None
    assert runs.marks
    assert runs.levels == 6
    slow = steps_of(np.repeat((viscous() + SIGMA * white(1))[::5], 5))
    assert slow is not None
    assert slow.slow
    assert slow.hold == 5


def test_a_sensor_at_its_limit_is_seen_at_both_ends() -> None:
    found = clipping(np.clip(viscous(rate=0.02), -0.7, 0.6))
    assert [(item.level, item.highest) for item in found] == [(0.6, True), (-0.7, False)]
    assert all(item.places > 3 for item in found)


def test_no_motion_is_called_cut_off() -> None:
    """Negative control: tops of quantised oscillations are flat too, and friction holds a motion still."""
    for motion in (viscous(rate=0.0), dry(), dry(friction=0.9), van_der_pol(2.0, 2.0)):
        for step in (0.01, 0.05):
            assert clipping(np.round(motion / step) * step, step) == ()
        assert clipping(motion + SIGMA * white(1)) == ()


@pytest.mark.parametrize(("unit", "turn"), [("rad", 2 * np.pi), ("deg", 360.0), ("", 2 * np.pi)])
def test_an_angle_that_jumps_by_a_turn_is_seen_and_unwrapped(unit: str, turn: float) -> None:
    angle = turn * (0.4 * TIMES + SIGMA * white(1))
    wrapped = (angle + turn / 2) % turn - turn / 2
    wrapped[1234] = np.nan
    found = wrapped_angle(wrapped, unit)
    assert found is not None
    # noise carries some angles over the edge and back again
    assert len(found.index) >= 16
    assert found.turn == pytest.approx(turn)
    missed = (found.unwrapped(wrapped) - angle) / turn
    assert np.nanmax(np.abs(missed - np.round(missed[0]))) < 1e-9


def test_no_other_jump_is_one_by_a_turn() -> None:
    """Negative control."""
    assert wrapped_angle(viscous(), "rad") is None
    assert wrapped_angle(2 * np.pi * np.sign(np.cos(TIMES)), "rad") is None
    assert wrapped_angle(3 * np.sign(np.cos(3 * TIMES)) + 0.5 * white(1), "rad") is None
    assert wrapped_angle(6 * viscous(), "m") is None


def test_lines_have_the_frequency_and_amplitude_of_the_oscillations() -> None:
    signal = 0.7 * np.cos(3 * TIMES) + 0.2 * np.cos(12.3 * TIMES) + SIGMA * white(1)
    lines = spectrum_of(TIMES, signal, SIGMA).lines
    assert [2 * np.pi * line.frequency for line in lines] == pytest.approx([3, 12.3], abs=0.1)
    assert [line.amplitude for line in lines] == pytest.approx([0.7, 0.2], rel=0.05)


def test_noise_drifts_and_two_cycles_have_no_lines() -> None:
    """Negative control."""
    for seed in range(20):
        assert spectrum_of(TIMES, white(seed), 1.0).lines == ()
        assert spectrum_of(TIMES, autoregressive(seed, 0.9), 1.0, 0.9).lines == ()
    assert spectrum_of(TIMES, np.exp(-TIMES / 5)).lines == ()
    assert spectrum_of(TIMES, np.cos(2 * np.pi * TIMES / 20)).lines == ()


def test_a_gap_feigns_no_slow_oscillation() -> None:
    kept = (TIMES < 10) | (TIMES > 14)
    lines = spectrum_of(TIMES[kept], (viscous() + SIGMA * white(1))[kept], SIGMA).lines
    assert [2 * np.pi * line.frequency for line in lines] == pytest.approx([3], abs=0.1)
