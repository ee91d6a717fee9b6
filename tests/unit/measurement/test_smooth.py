"""Smooth curves: values, derivatives, and how much of the samples' noise is in them."""

import numpy as np
import pytest

from identikit.measurement import SmoothCurve, SplineFit


def test_variance_of_a_functional_is_that_of_its_gradient_towards_the_samples():
    random = np.random.default_rng(0)
    time = np.sort(random.uniform(0, 10, 300))
    grid = np.linspace(0.5, 9, 50)
    weights = [random.normal(size=50) * size for size in (1.0, 0.1, 0.01)]
    fit = SplineFit(time, 15, 5)

    def functional(samples):
        curve, total = fit.spline(samples), 0.0
        for weight in weights:
            total += weight @ curve(grid)
            curve = curve.derivative()
        return total

    gradient = np.array([functional(sample) for sample in np.eye(300)])
    assert fit.variance(grid, weights) == pytest.approx(gradient @ gradient, rel=1e-9)
    # a wrong derivative order must show
    assert fit.variance(grid, weights[::-1]) != pytest.approx(gradient @ gradient, rel=0.1)


def test_a_curve_follows_an_oscillation_and_its_velocity_within_the_noise():
    time = np.linspace(0, 10, 2000)
    noise = 0.01 * np.random.default_rng(1).standard_normal(2000)
    curve = SmoothCurve(time, np.sin(3 * time) + noise)
    inner = time[100:-100]
    assert np.abs(curve(inner) - np.sin(3 * inner)).max() < 0.01
    assert np.abs(curve(inner, 1) - 3 * np.cos(3 * inner)).max() < 0.06
    assert curve.time_scale == pytest.approx(2 * np.pi / 3, rel=0.02)
    spread = np.sqrt(curve.variance(inner[[900]], [np.ones(1)]))
    assert 0.0005 < spread < 0.005  # far below one sample's noise, far above zero


@pytest.mark.parametrize("share", [1.0, 0.9, 0.7])
def test_a_noise_level_taken_too_small_does_not_make_the_curve_follow_the_noise(share):
    """At 0.9 and below no residual is ever at the stated noise; the search used to end at the finest curve."""
    time = np.linspace(0, 10, 1500)
    for seed in range(6):
        noise = 0.02 * np.random.default_rng(seed).standard_normal(len(time))
        curve = SmoothCurve(time, np.sin(3 * time) + noise, sigma=share * 0.02)
        inner = time[100:-100]
        assert np.abs(curve(inner, 2) + 9 * np.sin(3 * inner)).max() < 4
    finest = SmoothCurve(time, np.sin(3 * time) + noise, spacing=0.015)  # negative control
    assert np.abs(finest(inner, 2) + 9 * np.sin(3 * inner)).max() > 40
