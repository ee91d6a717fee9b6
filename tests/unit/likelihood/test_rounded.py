"""Readings rounded to coarse levels: the likelihood of intervals, and what it saves a fit from."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, truncnorm

import identikit as ik
from identikit.likelihood import Likelihood, NoiseModel
from identikit.problem import Noise, Problem
from reference import smooth

STEP = 1.0
LINE = ik.Model.from_text("line", equations={"x": "a"}, parameters=[ik.Parameter("a", 0.0)], outputs=["x"])


def model_of(residual: np.ndarray) -> NoiseModel:
    """White noise, rounded, on so many samples of one output."""
    return NoiseModel.alike(Noise().rounded(STEP), np.zeros((len(residual), 1)))


def information(residual: np.ndarray, sigma: float) -> float:
    """What readings off x = a t by these residuals tell of a: the sum of t^2 times what each tells of its value."""
    values = np.array([0.0, *residual, np.nan, np.nan])
    record = ik.Record.from_arrays(np.arange(float(len(values))), x=values)
    problem = Problem.pose(LINE, record, initial={"x": 0.0}, noise={"x": sigma})
    rounded = problem.with_noise({"x": problem.noise["x"].rounded(STEP)})
    return float(Likelihood(rounded).information(np.zeros(1))[0, 0])


@pytest.mark.parametrize("sigma", [0.15, 0.25, 0.5, 2.0])
def test_a_reading_pulls_by_the_mean_noise_in_its_interval(sigma: float) -> None:
    residual = np.array([-1.3, -0.4, 0.0, 0.2, 0.9])
    model, level = model_of(residual), np.array([sigma])
    psi = model.judged(residual[:, None], level)[:, 0]
    log_probability = model.log_densities(residual[:, None], level)[:, 0]
    low, high = (residual - STEP / 2) / sigma, (residual + STEP / 2) / sigma
    inside = truncnorm(low, high)
    np.testing.assert_allclose(psi, inside.mean(), atol=1e-9)
    told = np.clip(1 - inside.var(), 1e-6, 1.0) / sigma**2
    for i in range(1, len(residual) + 1):  # one reading after the other
        assert information(residual[:i], sigma) == pytest.approx(np.arange(1, i + 1) ** 2 @ told[:i], rel=1e-5)
    np.testing.assert_allclose(np.exp(log_probability), norm.cdf(high) - norm.cdf(low), rtol=1e-9)


def test_far_out_it_pulls_like_a_plain_residual_and_stays_finite() -> None:
    residual = np.array([-60.0, 60.0])
    model, level = model_of(residual), np.array([0.5])
    psi = model.judged(residual[:, None], level)[:, 0]
    np.testing.assert_allclose(psi, [-119.0, 119.0], rtol=1e-3)  # the nearer end of the interval
    assert np.all(np.isfinite(model.log_densities(residual[:, None], level)))
    assert 0 < information(residual[:1], 0.5) <= 1 / 0.5**2 and 0 < information(residual, 0.5) <= (1 + 4) / 0.5**2


@pytest.mark.parametrize("sigma", [0.25, 0.4, 1.0])
def test_the_noise_before_rounding_is_found_again(sigma: float) -> None:
    random = np.random.default_rng(0)
    motion = random.uniform(-20, 20, 40_000)
    residual = np.round(motion + sigma * random.standard_normal(motion.size)) - motion
    assert float(model_of(residual).levels(residual[:, None])[0]) == pytest.approx(sigma, rel=0.02)
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
