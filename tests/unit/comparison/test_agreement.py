"""When two estimates of the same record agree: on made-up numbers."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.comparison import COMPARISON, compared, threshold
from identikit.result import ParameterEstimate


def estimate(value: float, std: float | None, crlb: float | None = 1.0, known: bool = True) -> ParameterEstimate:
    return ParameterEstimate(value, std=std, crlb=crlb, identifiable=known)


def z_of(first: ParameterEstimate, second: ParameterEstimate) -> float:
    (found,) = compared({"k": first}, {"k": second})
    return found.z


def test_beside_an_efficient_estimate_the_difference_has_the_difference_of_the_variances() -> None:
    """Hausman: std 5 beside an efficient 3 leaves 4, not hypot(5, 3)."""
    assert z_of(estimate(0.0, 3.0, 3.0), estimate(8.0, 5.0)) == pytest.approx(2.0)


def test_beside_an_estimate_far_from_the_bound_variances_are_added() -> None:
    assert z_of(estimate(0.0, 3.0, 1.0), estimate(10.0, 4.0)) == pytest.approx(2.0)
    assert z_of(estimate(0.0, 3.0, None), estimate(10.0, 4.0)) == pytest.approx(2.0)


def test_estimates_of_equal_std_may_differ_by_what_standard_errors_are_known_to() -> None:
    expected = 1.0 / (COMPARISON.known_variance**0.5)
    assert z_of(estimate(0.0, 1.0), estimate(1.0, 1.0)) == pytest.approx(expected)
    assert z_of(estimate(0.0, 1.0), estimate(1.0, 0.5)) == pytest.approx(expected)  # surer than the bound allows


def test_what_is_not_known_is_not_compared() -> None:
    one = estimate(0.0, 1.0)
    for other in (estimate(9.0, None), estimate(9.0, 1.0, known=False), estimate(9.0, float("nan"))):
        assert compared({"k": one}, {"k": other}) == []
        assert compared({"k": other}, {"k": one}) == []


def test_the_threshold_keeps_its_level_over_many_looks() -> None:
    """Simulated agreement: an efficient mean, and a mean of a part of the same samples, 20 parameters at once."""
    random = np.random.default_rng(0)
    trials, parameters, samples, part = 4000, 20, 64, 32
    draws = random.standard_normal((trials, parameters, samples))
    efficient, other = draws.mean(axis=2), draws[:, :, :part].mean(axis=2)
    std, wide = samples**-0.5, part**-0.5
    z = (other - efficient) / np.sqrt(wide**2 - std**2)
    alarms = (np.abs(z).max(axis=1) > threshold(parameters)).mean()
    assert alarms < 1.6 * COMPARISON.level  # 40 expected of 4000, 64 is four standard deviations
    added = np.abs((other - efficient) / np.hypot(std, wide)).max(axis=1) > threshold(parameters)
    assert added.mean() < 0.1 * COMPARISON.level  # negative control: taken as independent, differences go unseen
