"""Outliers are found, and nothing that a motion does is taken for one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from identikit.measurement import outliers, quantisation
from motions import SIGMA, TIMES, autoregressive, driven_duffing, dry, van_der_pol, viscous, white


@pytest.mark.parametrize("share", [0.001, 0.01, 0.05])
def test_isolated_gross_samples_are_found_and_no_others(share: float) -> None:
    for seed in range(5):
        generator = np.random.default_rng(seed)
        y = viscous() + SIGMA * white(seed + 100)
        wrong = np.flatnonzero(generator.random(len(y)) < share)
        y[wrong] += 25 * SIGMA * generator.choice([-1, 1], len(wrong)) * (1 + generator.random(len(wrong)))
        found = outliers(TIMES, y)
        assert set(found.index) <= set(wrong)
        assert len(found) >= 0.9 * len(wrong)


def test_two_and_three_wrong_samples_in_a_row_are_found() -> None:
    y = viscous() + SIGMA * white(1)
    y[1000:1002] += 0.5
    y[2000:2003] -= 0.5
    assert outliers(TIMES, y).index.tolist() == [1000, 1001, 2000, 2001, 2002]


def test_how_far_an_outlier_is_off_is_measured() -> None:
    y = viscous()
    y[1234] += 0.3
    found = outliers(TIMES, y)
    assert found.index.tolist() == [1234]
    assert found.distance[0] == pytest.approx(0.3, rel=0.01)


@pytest.mark.parametrize("noise", [0.0, SIGMA])
@pytest.mark.parametrize(
    "motion",
    [
        viscous,
        dry,
        lambda: dry(friction=0.9),
        lambda: van_der_pol(50.0, 10.0),
        lambda: van_der_pol(5.0, 5.0),
        driven_duffing,
    ],
    ids=["viscous", "dry", "sticking", "relaxation", "van der Pol", "chaos"],
)
def test_no_motion_is_taken_for_outliers(motion: Callable[[], np.ndarray], noise: float) -> None:
    """Negative control."""
    assert len(outliers(TIMES, motion() + noise * white(2))) == 0


def test_regular_spikes_are_signal() -> None:
    """The velocity of a relaxation oscillation: spikes narrower than the sampling."""
    velocity = np.gradient(van_der_pol(50.0, 10.0), TIMES)
    assert len(outliers(TIMES, velocity)) == 0


def test_quantised_and_coloured_noise_has_no_outliers() -> None:
    """Negative control."""
    for seed in range(5):
        y = np.round((viscous() + SIGMA * white(seed)) / (4 * SIGMA)) * 4 * SIGMA
        grid = quantisation(y)
        assert grid is not None
        assert len(outliers(TIMES, y, grid.step)) == 0
        assert len(outliers(TIMES, viscous() + SIGMA * autoregressive(seed, 0.9))) == 0


def test_missing_samples_and_gaps_are_passed_over() -> None:
    y = viscous() + SIGMA * white(3)
    y[::7] = np.nan
    y[500] = 3.0
    kept = (TIMES < 10) | (TIMES > 20)
    assert outliers(TIMES[kept], y[kept]).index.tolist() == [500]
    assert len(outliers(TIMES[:5], y[:5])) == 0
