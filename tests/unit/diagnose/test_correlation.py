"""Correlation of residuals stays within its lines by chance alone, and leaves them when something was missed."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.diagnose import autocorrelation, cross_correlation


def outside(found) -> float:
    return float(np.mean(np.abs(found.values) > found.bound))


def slow(random: np.random.Generator, samples: int, pole: float = 0.95) -> np.ndarray:
    made, value = np.empty(samples), 0.0
    for i, kick in enumerate(random.standard_normal(samples)):
        value = pole * value + kick
        made[i] = value
    return made


def test_white_residuals_are_outside_the_lines_one_time_in_twenty() -> None:
    random = np.random.default_rng(1)
    rate = np.mean([outside(autocorrelation([random.standard_normal(500)])) for _ in range(40)])
    assert 0.03 < rate < 0.07


def test_coloured_residuals_are_outside_as_a_negative_control() -> None:
    found = autocorrelation([slow(np.random.default_rng(2), 500, 0.7)])
    assert found is not None
    assert found.values[0] == pytest.approx(0.7, abs=0.1)
    assert abs(found.values[0]) > 5 * found.bound[0]


@pytest.mark.parametrize("pole", [0.0, 0.7])
def test_residuals_independent_of_a_slow_input_are_within_its_lines_whatever_their_colour(pole: float) -> None:
    random = np.random.default_rng(3)
    rate = np.mean(
        [outside(cross_correlation([slow(random, 1000, 0.8)], [slow(random, 1000, pole)])) for _ in range(60)]
    )
    assert 0.02 < rate < 0.09


def test_an_input_that_was_missed_is_outside_at_its_lag_as_a_negative_control() -> None:
    random = np.random.default_rng(4)
    u = random.standard_normal(800)
    e = random.standard_normal(800)
    e[3:] += 0.5 * u[:-3]
    found = cross_correlation([u], [e])
    assert found is not None
    assert found.lags[np.argmax(np.abs(found.values))] == 3
    assert found.values[found.lags == 3][0] > 3 * found.bound[found.lags == 3][0]


def test_pairs_do_not_reach_over_missing_samples_nor_into_the_next_record() -> None:
    first, second = np.array([1.0, 1.0, np.nan, 1.0] * 5), np.array([-1.0, -1.0] * 10)
    found = autocorrelation([first, second])
    assert found is not None
    assert np.allclose(found.values, 1.0)
    pairs = np.isfinite(first[1:] * first[:-1]).sum() + 19
    assert found.bound[0] == pytest.approx(1.96 / np.sqrt(pairs))


@pytest.mark.parametrize("residual", [np.zeros(100), np.full(100, np.nan), np.ones(2)])
def test_where_nothing_is_left_over_there_is_no_correlation(residual: np.ndarray) -> None:
    assert autocorrelation([residual]) is None
    assert cross_correlation([np.arange(len(residual), dtype=float)], [residual]) is None
