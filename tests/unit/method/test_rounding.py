"""Samples on a grid are recognised, and their mean error is what drawing noise and rounding gives."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.method._rounding import Rounding

TIME = np.linspace(0, 20, 2000)
MOTION = np.sin(TIME)


def read(step: float, sigma: float, seed: int = 1, offset: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Rounded samples, and what they are off the motion."""
    noisy = MOTION + sigma * np.random.default_rng(seed).standard_normal(len(TIME))
    values = offset + step * np.round((noisy - offset) / step)
    return values, values - MOTION


@pytest.mark.parametrize("offset", [0.0, 0.017])
def test_the_grid_and_the_noise_before_rounding_are_found(offset):
    found = Rounding.of(*read(0.1, 0.025, offset=offset))
    assert found is not None
    assert abs(found.step - 0.1) < 1e-6
    assert abs(found.sigma - 0.025) < 0.004


def test_fine_steps_and_samples_on_no_grid_are_left_alone():
    assert Rounding.of(*read(0.01, 0.025)) is None
    noise = 0.03 * np.random.default_rng(2).standard_normal(len(TIME))
    assert Rounding.of(MOTION + noise, noise) is None


@pytest.mark.parametrize("sigma", [0.02, 0.04])
def test_the_mean_error_is_that_of_many_draws(sigma):
    rounding = Rounding(0.1, 0.0, sigma)
    at = np.linspace(-0.1, 0.1, 41)
    draws = at + sigma * np.random.default_rng(3).standard_normal((20000, 1))
    seen = np.mean(rounding(draws) - at, axis=0)
    assert np.abs(seen).max() > 0.001
    assert np.abs(rounding.mean_error(at) - seen).max() < 0.0012
