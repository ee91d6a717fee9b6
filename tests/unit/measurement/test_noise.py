"""Noise level and whiteness, over seeds, each with a negative control."""

from __future__ import annotations

import functools
import time

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.signal import lfilter

from identikit.errors import DataError, OptionError
from identikit.measurement import Record, noise_level, whiteness

Series = NDArray[np.float64]


@functools.cache
def swing(samples_per_period: int, count: int, amplitude: float = 1.0) -> tuple[Series, Series]:
    """A damped pendulum, small-swing period 2 pi."""
    t = np.arange(count) * 2 * np.pi / samples_per_period
    solution = solve_ivp(
        lambda _, x: [x[1], -np.sin(x[0]) - 0.02 * x[1]],
        (0.0, t[-1]),
        [amplitude, 0.0],
        t_eval=t,
        rtol=1e-12,
        atol=1e-13,
        method="DOP853",
    )
    return t, solution.y[0]


def white(seed: int, count: int) -> Series:
    return np.random.default_rng(seed).standard_normal(count)


def autoregressive(seed: int, count: int, rho: float = 0.3) -> Series:
    """Unit-variance noise with correlation rho from sample to sample."""
    return np.asarray(lfilter([np.sqrt(1 - rho**2)], [1, -rho], white(seed, count + 200))[200:])


@pytest.mark.parametrize(
    ("samples_per_period", "count", "amplitude", "sigma", "tolerance"),
    [
        (100, 2000, 1.0, 0.01, 0.05),
        (100, 2000, 2.8, 0.002, 0.05),
        (100, 2000, 1.0, 0.3, 0.05),
        (400, 3000, 1.0, 0.01, 0.05),
        (20, 400, 1.0, 0.01, 0.15),
        (20, 1000, 2.8, 0.01, 0.15),
    ],
)
def test_white_noise_on_a_pendulum_is_measured(
    samples_per_period: int, count: int, amplitude: float, sigma: float, tolerance: float
) -> None:
    t, theta = swing(samples_per_period, count, amplitude)
    ratios = [noise_level(t, theta + sigma * white(seed, count)).sigma / sigma for seed in range(20)]
    assert max(abs(ratio - 1) for ratio in ratios) < tolerance
    assert abs(np.mean(ratios) - 1) < 0.02


@pytest.mark.parametrize(("samples_per_period", "amplitude"), [(100, 1.0), (100, 2.8), (20, 1.0)])
def test_the_signal_does_not_inflate_tiny_noise(samples_per_period: int, amplitude: float) -> None:
    t, theta = swing(samples_per_period, 2000, amplitude)
    for seed in range(5):
        estimate = noise_level(t, theta + 1e-6 * white(seed, 2000))
        assert estimate.sigma == pytest.approx(1e-6, rel=0.15)


def test_a_signal_without_noise_has_next_to_none() -> None:
    t, theta = swing(100, 2000)
    assert noise_level(t, theta).sigma < 1e-9


def test_irregular_times_missing_values_and_pauses_do_no_harm() -> None:
    generator = np.random.default_rng(5)
    t = np.cumsum(0.01 + generator.exponential(0.04, 3000)) + 1.7e9
    t[1500:] += 1000.0
    values = np.sin(t - t[0]) + 0.01 * generator.standard_normal(3000)
    values[generator.random(3000) < 0.2] = np.nan
    estimate = noise_level(t, values)
    assert estimate.sigma == pytest.approx(0.01, rel=0.06)
    assert estimate.white


def test_outliers_do_not_inflate_the_level() -> None:
    t, theta = swing(100, 2000)
    for seed in range(5):
        values = theta + 0.01 * white(seed, 2000)
        values[np.random.default_rng(seed).choice(2000, 20, replace=False)] += 1.0
        assert noise_level(t, values).sigma == pytest.approx(0.01, rel=0.06)


def test_white_noise_on_a_pendulum_is_called_white() -> None:
    t, theta = swing(100, 1000)
    calls = [noise_level(t, theta + 0.01 * white(seed, 1000)).white for seed in range(200)]
    assert np.mean(calls) >= 0.97


def test_coloured_noise_on_a_pendulum_is_called_coloured() -> None:
    """Negative control of the test above."""
    t, theta = swing(100, 2000)
    estimates = [noise_level(t, theta + 0.01 * autoregressive(seed, 2000)) for seed in range(40)]
    assert np.mean([estimate.white for estimate in estimates]) <= 0.03
    assert np.mean([estimate.autocorrelation[0] for estimate in estimates]) > 0.15


def test_a_record_and_a_channel_name_are_accepted() -> None:
    t, theta = swing(100, 1000)
    values = theta + 0.01 * white(0, 1000)
    record = Record.from_arrays(t, theta=values, rest=np.ones(1000))
    assert noise_level(record, "theta").sigma == noise_level(t, values).sigma
    with pytest.raises(DataError, match="constant"):
        noise_level(record, "rest")
    with pytest.raises(DataError, match="name the channel"):
        noise_level(record, values)


def test_series_without_enough_values_are_refused() -> None:
    with pytest.raises(DataError, match="at least 12"):
        noise_level(np.arange(11.0), white(0, 11))
    with pytest.raises(DataError, match="empty or constant"):
        noise_level(np.arange(20.0), np.ones(20))
    with pytest.raises(DataError, match="one value per time"):
        noise_level(np.arange(20.0), np.ones(19))
    with pytest.raises(DataError, match="repeats"):
        noise_level(np.zeros(20), white(0, 20))


@pytest.mark.parametrize("count", [12, 13, 16, 21, 30, 50])
def test_short_series_give_a_finite_level(count: int) -> None:
    estimate = noise_level(np.arange(float(count)), white(1, count))
    assert 0.2 < estimate.sigma < 5
    assert 0 <= estimate.p_value <= 1


def test_a_long_series_is_quick() -> None:
    t = np.arange(30000) * 0.01
    values = np.sin(t) + 0.01 * white(0, 30000)
    begin = time.perf_counter()
    assert noise_level(t, values).sigma == pytest.approx(0.01, rel=0.03)
    assert time.perf_counter() - begin < 2.0  # measured 0.17 s


def test_white_residuals_are_called_white() -> None:
    assert np.mean([whiteness(white(seed, 1000)).white for seed in range(200)]) >= 0.97


def test_coloured_residuals_are_called_coloured() -> None:
    """Negative control of the test above."""
    assert not any(whiteness(autoregressive(seed, 1000)).white for seed in range(200))


def test_p_values_of_white_residuals_are_uniform() -> None:
    p_values = np.sort([whiteness(white(seed, 500)).p_value for seed in range(400)])
    distance = np.abs(p_values - (np.arange(400) + 0.5) / 400).max()
    assert distance < 1.63 / np.sqrt(400)  # Kolmogorov-Smirnov, 1 %


def test_missing_residuals_neither_hide_nor_feign_colour() -> None:
    def holed(series: Series, seed: int) -> Series:
        return np.where(np.random.default_rng(seed + 1000).random(len(series)) < 0.3, np.nan, series)

    assert np.mean([whiteness(holed(white(seed, 1000), seed)).white for seed in range(100)]) >= 0.97
    coloured = [whiteness(holed(autoregressive(seed, 2000), seed)) for seed in range(50)]
    assert not any(result.white for result in coloured)
    assert np.mean([result.autocorrelation[0] for result in coloured]) == pytest.approx(0.3, abs=0.02)


def test_whiteness_agrees_with_the_formula_of_ljung_and_box() -> None:
    values = autoregressive(3, 200)
    n, square = len(values), values @ values
    rho = np.array([values[k:] @ values[:-k] / square for k in range(1, 6)])
    from scipy.stats import chi2

    expected = chi2.sf(n * (n + 2) * np.sum(rho**2 / (n - np.arange(1, 6))), 5)
    result = whiteness(values, lags=5)
    assert result.p_value == pytest.approx(expected, rel=1e-9)
    np.testing.assert_allclose(result.autocorrelation * (n - np.arange(1, 6)) / n, rho, rtol=1e-9)


def test_whiteness_of_scaled_and_vanishing_residuals() -> None:
    values = autoregressive(3, 200)
    assert whiteness(values * 1e200).p_value == pytest.approx(whiteness(values).p_value)
    assert whiteness(values * 1e-200).p_value == pytest.approx(whiteness(values).p_value)
    assert whiteness(np.zeros(50)).white
    assert not whiteness(np.ones(50)).white  # a constant misfit is correlation


def test_whiteness_refuses_what_it_cannot_test() -> None:
    with pytest.raises(DataError, match="at least 8"):
        whiteness(np.ones(5))
    with pytest.raises(DataError, match="shape"):
        whiteness(np.ones((10, 2)))
    with pytest.raises(OptionError, match="lags"):
        whiteness(np.ones(50), lags=50)
    with pytest.raises(OptionError, match="lags"):
        whiteness(np.ones(50), lags=0)
