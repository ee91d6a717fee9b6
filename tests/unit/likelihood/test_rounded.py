"""Readings rounded to coarse levels: the likelihood of intervals, and what it saves a fit from."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, truncnorm

import identikit as ik
from identikit.likelihood._rounded import rounded_level, rounded_pull
from reference import smooth

STEP = 1.0


@pytest.mark.parametrize("sigma", [0.15, 0.25, 0.5, 2.0])
def test_a_reading_pulls_by_the_mean_noise_in_its_interval(sigma: float) -> None:
    residual = np.array([-1.3, -0.4, 0.0, 0.2, 0.9])
    psi, information, log_probability = rounded_pull(residual, STEP, np.array(sigma))
    low, high = (residual - STEP / 2) / sigma, (residual + STEP / 2) / sigma
    inside = truncnorm(low, high)
    np.testing.assert_allclose(psi, inside.mean(), atol=1e-9)
    np.testing.assert_allclose(information, np.clip(1 - inside.var(), 1e-6, 1.0), atol=1e-6)
    np.testing.assert_allclose(np.exp(log_probability), norm.cdf(high) - norm.cdf(low), rtol=1e-9)


def test_far_out_it_pulls_like_a_plain_residual_and_stays_finite() -> None:
    residual = np.array([-60.0, 60.0])
    psi, information, log_probability = rounded_pull(residual, STEP, np.array(0.5))
    np.testing.assert_allclose(psi, [-119.0, 119.0], rtol=1e-3)  # the nearer end of the interval
    assert np.all(np.isfinite(log_probability)) and np.all((information > 0) & (information <= 1))


@pytest.mark.parametrize("sigma", [0.25, 0.4, 1.0])
def test_the_noise_before_rounding_is_found_again(sigma: float) -> None:
    random = np.random.default_rng(0)
    motion = random.uniform(-20, 20, 40_000)
    residual = np.round(motion + sigma * random.standard_normal(motion.size)) - motion
    assert float(rounded_level(residual, STEP)) == pytest.approx(sigma, rel=0.02)
    assert float(np.std(residual)) > 1.03 * sigma  # negative control: what is left over is not that noise


@pytest.mark.study
def test_coarse_readings_do_not_bias_a_fit_as_least_squares_is_biased() -> None:
    """Lotka-Volterra rounded to steps of 4 standard deviations: small populations are read as one level or the next."""
    time = np.arange(801) * 0.05
    truth = {"alpha": 0.55, "beta": 0.028, "gamma": 0.8, "delta": 0.024}
    clean = smooth(lambda t, x: [0.55 * x[0] - 0.028 * x[0] * x[1], -0.8 * x[1] + 0.024 * x[0] * x[1]], [34, 5.9], time)
    rounded, plain = [], []
    for seed in range(12):
        noise = 2.0 * np.random.default_rng(seed).standard_normal(clean.shape)
        hare, lynx = 8.0 * np.round((clean + noise) / 8.0)
        record = ik.Record.from_arrays(time, hare=hare, lynx=lynx)
        found = ik.fit(record, "lotka_volterra")
        assert found.ok and found.noise["hare"].kind == "white, rounded to steps of 8"
        assert found.noise["hare"].sigma == pytest.approx(2.0, rel=0.15)
        rounded.append(
            [(found.value(name) - value) / (found.parameters[name].std or np.nan) for name, value in truth.items()]
        )
        white = ik.fit(record, "lotka_volterra", noise="white")
        plain.append((white.value("beta") - truth["beta"]) / (found.parameters["beta"].std or np.nan))
    assert np.abs(rounded).max() < 4.0
    assert np.abs(np.mean(rounded, axis=0)).max() < 3.0 / np.sqrt(len(rounded))
    assert abs(np.mean(plain)) > 2.0 / np.sqrt(len(plain))  # negative control
