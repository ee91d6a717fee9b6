"""Draws of noise that know the motion are a pattern: more power than chance where the motion has its own."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.likelihood._noise_choice import knows_motion

TIME = np.arange(1000) * 0.05
MOTION = np.sin(3.0 * TIME) * np.exp(-0.02 * TIME)
ONE = np.zeros(1000, int)


def white(seed: int, count: int = 1000) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(count)


def test_independent_draws_do_not_but_for_one_in_a_hundred() -> None:
    known = [knows_motion(white(seed), MOTION, ONE) for seed in range(400)]
    assert 0 <= sum(known) <= 14


@pytest.mark.parametrize("seed", range(5))
def test_draws_with_a_swing_of_the_motion_do_wherever_it_begins(seed: int) -> None:
    assert knows_motion(white(seed) + 0.5 * np.cos(3.0 * TIME + seed), 5.0 + 7 * MOTION, ONE)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("frequency", [1.0, 5.0, 40.0])
def test_a_swing_of_another_frequency_is_not_the_motions(frequency: float, seed: int) -> None:
    assert not knows_motion(white(seed) + 0.5 * np.cos(frequency * TIME), MOTION, ONE)


@pytest.mark.parametrize("seed", range(5))
def test_a_pattern_that_swells_and_fades_has_neighbouring_frequencies(seed: int) -> None:
    """Without an envelope of its own the motion is one line, and the pattern lies beside it."""
    swells = np.sin(2 * np.pi * TIME / 50) * np.cos(3.0159 * TIME)
    assert knows_motion(white(seed) + 0.8 * swells, np.sin(3.0159 * TIME), ONE)


@pytest.mark.parametrize("seed", range(5))
def test_every_record_is_compared_with_its_own_motion(seed: int) -> None:
    """The second moves twice as fast; each pattern is one of its own record, or of the other."""
    record = np.repeat([0, 1], 500)
    motion = np.where(record == 0, np.sin(3.0 * TIME), np.sin(6.0 * TIME))
    other = np.where(record == 0, np.sin(6.0 * TIME), np.sin(3.0 * TIME))
    assert knows_motion(white(seed) + 0.8 * motion, motion, record)
    assert not knows_motion(white(seed) + 0.8 * other, motion, record)


def test_missing_samples_count_as_nothing() -> None:
    draws, measured = white(0) + 0.7 * MOTION, MOTION.copy()
    draws[300:400], measured[300:400] = np.nan, np.nan
    assert knows_motion(draws, measured, ONE)


def test_a_motion_that_fills_the_band_leaves_nothing_to_compare_with() -> None:
    assert not knows_motion(white(1) + 2.0 * white(2), white(2), ONE)


def test_memory_that_is_bent_to_the_motion_is_seen_in_what_lies_below_and_a_little_above() -> None:
    """Slow draws: more power at the motion than far above, and less than below it, which is what counts."""
    slow = np.convolve(white(3, 1040), np.ones(41) / 41, "valid") * 6 + 0.3 * white(4)
    assert not knows_motion(slow, MOTION, ONE)
