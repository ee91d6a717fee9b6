"""Noise that remembers: found from its series, and carried to sums as its covariance says."""

from __future__ import annotations

import numpy as np

from identikit.numerics import Autoregression

PHI = 0.9


def process(count: int, seed: int, phi: float = PHI) -> np.ndarray:
    """A series of unit variance, written down sample by sample."""
    random = np.random.default_rng(seed)
    found = [random.standard_normal()]
    for draw in random.standard_normal(count - 1):
        found.append(phi * found[-1] + np.sqrt(1 - phi**2) * draw)
    return np.array(found)


def test_the_coefficient_of_a_first_order_process_is_found_and_white_noise_has_none():
    found = Autoregression.of([process(4000, 1), process(4000, 2)])
    assert abs(found.coefficients[0] - PHI) < 0.02
    assert abs(found.coefficients[1:].sum()) < 0.03
    assert abs(found.innovation - np.sqrt(1 - PHI**2)) < 0.02
    white = Autoregression.of([np.random.default_rng(3).standard_normal(4000)])
    assert len(white.coefficients) == 0
    assert abs(white.innovation - 1) < 0.05


def test_a_sum_has_the_variance_that_the_covariance_matrix_gives_it():
    weights = np.random.default_rng(4).standard_normal((60, 2)).cumsum(axis=0)
    lags = np.abs(np.arange(60)[:, None] - np.arange(60))
    exact = np.einsum("ik,ij,jk->k", weights, PHI**lags, weights)
    found = Autoregression(np.array([PHI]), float(np.sqrt(1 - PHI**2))).variance(weights)
    assert np.allclose(found, exact, rtol=2e-3)


def test_missing_samples_are_passed_over():
    series = process(6000, 5)
    series[::7] = np.nan
    found = Autoregression.of([series])
    assert abs(found.coefficients.sum() - PHI) < 0.04
    assert np.isnan(found.innovations(series)[7])


def test_draws_have_the_memory_that_they_were_made_with():
    made = Autoregression(np.array([PHI]), float(np.sqrt(1 - PHI**2)))
    drawn = made.driven(made.innovation * np.random.default_rng(6).standard_normal(8000 + made.memory))[made.memory :]
    assert abs(np.mean(drawn[1:] * drawn[:-1]) / np.mean(drawn**2) - PHI) < 0.03
    assert abs(np.std(drawn) - 1) < 0.15


def test_what_a_fit_has_taken_out_of_the_noise_is_given_back():
    time = np.linspace(0, 1, 300)
    taken = np.linalg.qr(np.stack([time**0, time, time**2, time**3], axis=1))[0]
    low, right = [], []
    for seed in range(40):
        series = process(300, 100 + seed)
        residual = series - taken @ (taken.T @ series)
        low.append(Autoregression.of([residual]).variance(taken[:, :1])[0])
        right.append(Autoregression.of([residual], [taken]).variance(taken[:, :1])[0])
    lags = np.abs(np.arange(300)[:, None] - np.arange(300))
    exact = float(taken[:, 0] @ PHI**lags @ taken[:, 0])
    assert np.mean(low) < 0.75 * exact  # negative control
    assert 0.8 * exact < np.mean(right) < 1.35 * exact
