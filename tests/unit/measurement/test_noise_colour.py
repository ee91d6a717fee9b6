"""Colour and level of coloured noise under a motion, over seeds, with white noise as the negative control."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.measurement import noise_colour, noise_level
from motions import SIGMA, autoregressive, van_der_pol, viscous, white

LONG = np.arange(10000) * 0.01


@pytest.mark.parametrize("coefficient", [0.5, 0.9, -0.4])
def test_level_and_coefficient_of_coloured_noise_on_an_oscillation_are_found(coefficient: float) -> None:
    found = [
        noise_level(LONG, viscous(LONG, 0.02) + SIGMA * autoregressive(seed, coefficient, 10000)) for seed in range(12)
    ]
    assert not any(estimate.white for estimate in found)
    assert [estimate.sigma / SIGMA for estimate in found] == pytest.approx([1] * 12, abs=0.25)
    assert [estimate.coefficient for estimate in found] == pytest.approx([coefficient] * 12, abs=0.06)


def test_white_noise_is_called_coloured_at_most_once_in_a_hundred_records() -> None:
    """Negative control."""
    found = [noise_level(LONG[:3000], viscous(LONG[:3000]) + SIGMA * white(seed, 3000)) for seed in range(100)]
    assert np.mean([not estimate.white for estimate in found]) <= 0.01


def test_jitter_of_the_clock_feigns_no_colour_and_hides_none() -> None:
    for seed in range(4):
        jittered = np.sort(LONG + 0.003 * np.random.default_rng(seed).uniform(-1, 1, len(LONG)))
        motion = viscous(jittered, 0.02)
        assert noise_level(jittered, motion + 0.001 * white(seed + 50, len(LONG))).white
        found = noise_level(jittered, motion + 0.001 * autoregressive(seed, 0.9, len(LONG)))
        assert found.coefficient == pytest.approx(0.9, abs=0.06)
        assert found.sigma == pytest.approx(0.001, rel=0.25)


def test_missing_samples_and_outliers_feign_no_colour() -> None:
    for seed in range(4):
        holed = viscous(LONG, 0.02) + SIGMA * white(seed, len(LONG))
        holed[np.random.default_rng(seed).random(len(LONG)) < 0.1] = np.nan
        assert noise_level(LONG, holed).white
        wild = viscous(LONG, 0.02) + SIGMA * white(seed, len(LONG))
        wild[np.random.default_rng(seed).random(len(LONG)) < 0.01] += 30 * SIGMA
        assert noise_level(LONG, wild).white


def test_jumps_of_a_relaxation_oscillation_are_no_coloured_noise() -> None:
    """Their spectrum is that of noise with a coefficient near one."""
    found = noise_level(LONG[:4000], van_der_pol(50.0, 10.0) + SIGMA * white(1))
    assert found.coefficient == 0.0
    assert found.sigma == pytest.approx(SIGMA, rel=0.25)


def test_an_uncertain_level_says_so() -> None:
    """Where the signal hides the slow part of the noise, the level is known to a factor only."""
    few = np.arange(500)
    hidden = noise_level(few, np.cos(few / 8) + SIGMA * autoregressive(1, 0.9, 500))
    known = noise_level(LONG, viscous(LONG, 0.02) + SIGMA * autoregressive(1, 0.9, 10000))
    assert known.relative_std < 0.15 < hidden.relative_std


def test_the_correlation_time_follows_from_the_coefficient() -> None:
    found = noise_level(LONG, viscous(LONG) + SIGMA * autoregressive(3, 0.9, 10000))
    assert found.correlation_time == pytest.approx(-1 / np.log(0.9), rel=0.3)
    assert noise_level(LONG, viscous(LONG) + SIGMA * white(3, 10000)).correlation_time == 0.0


def test_too_few_samples_are_not_asked_for_colour() -> None:
    assert noise_colour([white(1, 200)]) is None
    assert noise_colour([]) is None
