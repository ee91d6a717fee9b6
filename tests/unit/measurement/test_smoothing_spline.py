"""Smoothing splines: the curve, the degrees of freedom it uses, and the smoothing that cross-validation chooses."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import make_smoothing_spline

from identikit.measurement import SmoothingSpline

W = 11.8


def swing(count: int = 1500, rate: float = 300.0, sigma: float = 0.005, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    time = np.arange(count) / rate
    return time, np.sin(W * time) + sigma * np.random.default_rng(seed).standard_normal(count)


def velocity_error(curve: SmoothingSpline) -> float:
    inner = curve.time[50:-50]
    return float(np.sqrt(np.mean((curve(inner, 1) - W * np.cos(W * inner)) ** 2))) / W


def test_the_cubic_one_is_the_textbook_smoothing_spline_in_sample_spacings() -> None:
    time, values = swing(400)
    curve = SmoothingSpline(time, values, 2, 100.0)
    textbook = make_smoothing_spline(np.arange(400.0), values, lam=100.0)
    assert np.abs(curve(time) - textbook(np.arange(400.0))).max() < 1e-2 * 0.005
    other = make_smoothing_spline(np.arange(400.0), values, lam=200.0)  # negative control
    assert np.abs(curve(time) - other(np.arange(400.0))).max() > 1e-2 * 0.005


@pytest.mark.parametrize("order", [2, 3, 4])
def test_degrees_of_freedom_are_the_trace_of_the_smoother(order: int) -> None:
    time = np.sort(np.random.default_rng(1).uniform(0, 1, 120))
    curve = SmoothingSpline(time, np.zeros(120), order, 4.0 ** (2 * order))
    smoother = curve.smoothed(np.eye(120))(time)
    assert curve.freedom == pytest.approx(np.trace(smoother), rel=1e-4)
    looser = SmoothingSpline(time, np.zeros(120), order, 3.0 ** (2 * order))
    assert looser.freedom > 1.2 * curve.freedom


@pytest.mark.parametrize("order", [2, 3, 4])
def test_cross_validation_comes_near_the_best_smoothing_whatever_the_unit_of_time(order: int) -> None:
    time, values = swing()
    chosen = SmoothingSpline(time, values, order)
    ladder = [SmoothingSpline(time, values, order, length ** (2 * order)) for length in np.geomspace(1, 30, 12)]
    errors = [np.std(curve(time) - np.sin(W * time)) for curve in ladder]
    assert np.std(chosen(time) - np.sin(W * time)) < 1.2 * min(errors)
    assert max(errors) > 3 * min(errors)  # the choice matters
    assert chosen.sigma == pytest.approx(0.005, rel=0.1)
    in_hours = SmoothingSpline(time / 3600, values, order)
    assert in_hours.smoothing == pytest.approx(chosen.smoothing, rel=1e-3)


def test_a_higher_order_gives_a_better_velocity_of_a_swing() -> None:
    time, values = swing()
    errors = [velocity_error(SmoothingSpline(time, values, order)) for order in (2, 3, 4)]
    assert errors[1] < 0.8 * errors[0]
    assert errors[2] < errors[1]


def test_irregular_times_and_missing_samples_are_fine() -> None:
    random = np.random.default_rng(5)
    time = np.sort(random.uniform(0, 5, 1500))
    values = np.sin(W * time) + 0.005 * random.standard_normal(1500)
    values[random.uniform(size=1500) < 0.2] = np.nan
    curve = SmoothingSpline(time, values)
    assert velocity_error(curve) < 0.02
    assert len(curve.time) == np.isfinite(values).sum()


def test_long_records_are_searched_in_stretches_and_come_out_alike() -> None:
    time, values = swing(40_000)
    long, short = SmoothingSpline(time, values), SmoothingSpline(time[:8000], values[:8000])
    assert long.length == pytest.approx(short.length, rel=0.25)
    assert velocity_error(long) < 0.01
