"""Least squares within bounds: known minima, columns without information, units far apart, one iteration for all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from identikit.numerics import (
    FROM_AFAR,
    Descent,
    bounded_least_squares,
    gauss_newton,
    search,
    trust_region,
)
from identikit.progress import ProgressEvent, watched

TIMES = np.linspace(0.0, 2.0, 60)
FREE = np.full(2, np.inf)


def decay(p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Residuals of 3 exp(-1.5 t) against p[0] exp(-p[1] t)."""
    shape = np.exp(-p[1] * TIMES)
    return p[0] * shape - 3.0 * np.exp(-1.5 * TIMES), np.column_stack([shape, -p[0] * TIMES * shape])


def rosenbrock(p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.array([1 - p[0], 10 * (p[1] - p[0] ** 2)]), np.array([[-1.0, 0.0], [-20 * p[0], 10.0]])


def wave(p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Residuals of 2 sin(9 t) against p[0] sin(p[1] t): many minima in the frequency, linear in the amplitude."""
    residual = p[0] * np.sin(p[1] * TIMES) - 2.0 * np.sin(9.0 * TIMES)
    return residual, np.column_stack([np.sin(p[1] * TIMES), p[0] * TIMES * np.cos(p[1] * TIMES)])


def test_a_linear_minimum_inside_the_bounds_is_that_of_no_bounds() -> None:
    random = np.random.default_rng(0)
    a, b = random.standard_normal((30, 4)), random.standard_normal(30)
    expected = np.linalg.lstsq(a, b, rcond=None)[0]
    assert bounded_least_squares(a, b) == pytest.approx(expected, rel=1e-10)
    assert bounded_least_squares(a, b, expected - 1, expected + 1) == pytest.approx(expected, rel=1e-10)


def test_at_a_bound_the_gradient_points_out_of_the_bounds_and_vanishes_along_the_others() -> None:
    random = np.random.default_rng(1)
    a, b = random.standard_normal((30, 4)) * [1e-9, 1.0, 1e9, 1e3], random.standard_normal(30)
    free = bounded_least_squares(a, b)
    low, high = np.full(4, -np.inf), np.full(4, np.inf)
    high[1], low[2] = free[1] - 1.0, free[2] + 1e-9
    x = bounded_least_squares(a, b, low, high)
    assert (x[1], x[2]) == (high[1], low[2])
    gradient = a.T @ (a @ x - b) / np.linalg.norm(a, axis=0)
    assert gradient[1] < 0 < gradient[2]
    assert gradient[[0, 3]] == pytest.approx([0.0, 0.0], abs=1e-9)


def test_what_the_columns_cannot_tell_stays_where_it_is() -> None:
    a = np.column_stack([TIMES, np.zeros(60), TIMES])
    assert bounded_least_squares(a, 4.0 * TIMES) == pytest.approx([2.0, 0.0, 2.0])


@settings(max_examples=40, deadline=None)
@given(powers=arrays(np.float64, 3, elements=st.floats(-9, 9)), seed=st.integers(0, 1000))
def test_the_solution_does_not_depend_on_the_units(powers: np.ndarray, seed: int) -> None:
    random, unit = np.random.default_rng(seed), 10.0**powers
    a, b = random.standard_normal((20, 3)), random.standard_normal(20)
    for low, high in ((np.full(3, -np.inf), np.full(3, np.inf)), (np.full(3, -0.05), np.full(3, 0.1))):
        scaled = bounded_least_squares(a * unit, b, low / unit, high / unit)
        assert scaled * unit == pytest.approx(bounded_least_squares(a, b, low, high), rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("descent", [Descent(), FROM_AFAR, Descent(damping=10.0)])
def test_every_damping_leads_to_the_same_minimum(descent: Descent) -> None:
    for rows, start, minimum in ((decay, [1.0, 0.5], [3.0, 1.5]), (rosenbrock, [-1.2, 1.0], [1.0, 1.0])):
        found = gauss_newton(rows, np.array(start), -FREE, FREE, descent)
        assert found.converged
        assert found.p == pytest.approx(minimum, rel=1e-6)
        assert found.cost == pytest.approx(float(np.sum(rows(found.p)[0] ** 2)), abs=1e-12)
        assert len(found.path) == found.rounds + 1
        assert trust_region(rows, np.array(start), -FREE, FREE).p == pytest.approx(minimum, rel=1e-4)


@settings(max_examples=20, deadline=None)
@given(powers=arrays(np.float64, 2, elements=st.floats(-6, 6)))
def test_an_iteration_takes_the_same_way_in_any_units(powers: np.ndarray) -> None:
    unit = 10.0**powers

    def rows(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        r, slopes = decay(q * unit)
        return r, slopes * unit

    plain = gauss_newton(decay, np.array([1.0, 0.5]), -FREE, FREE)
    scaled = gauss_newton(rows, np.array([1.0, 0.5]) / unit, -FREE, FREE)
    assert scaled.rounds == plain.rounds
    assert np.array(scaled.path) * unit == pytest.approx(np.array(plain.path), rel=1e-6)


def test_too_few_tries_are_not_called_convergence() -> None:
    assert not gauss_newton(decay, np.array([1.0, 0.5]), -FREE, FREE, Descent(tries=1)).converged
    assert not trust_region(decay, np.array([1.0, 0.5]), -FREE, FREE, Descent(tries=2)).converged


def test_an_optimum_outside_the_bounds_ends_at_the_bound_nearest_in_squares() -> None:
    for method in (gauss_newton, trust_region):
        found = method(decay, np.array([1.0, 0.5]), np.zeros(2), np.array([10.0, 1.0]))
        assert found.converged
        assert found.p[1] == pytest.approx(1.0, abs=1e-5)
        shape = np.exp(-found.p[1] * TIMES)
        assert found.p[0] == pytest.approx(3.0 * shape @ np.exp(-1.5 * TIMES) / (shape @ shape), rel=1e-4)


def test_a_start_where_nothing_can_be_evaluated_is_said_to_be_one() -> None:
    def rows(p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.array([np.nan, 1.0]), np.ones((2, 2))

    for method in (gauss_newton, trust_region):
        found = method(rows, np.zeros(2), -np.ones(2), np.ones(2))
        assert not found.converged
        assert found.cost == np.inf
    nothing, one = np.full(2, np.nan), np.ones(2)
    assert search(rows, np.zeros(2), [0, 1], -one, one, given=nothing, count=5, best=1, seed=0) == []


def test_steps_into_where_nothing_can_be_evaluated_are_taken_back() -> None:
    def rows(p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        with np.errstate(all="ignore"):  # the first full step would lead to a negative argument
            return np.array([np.log(p[0]) + 2.0]), 1.0 / p[:, None]

    found = gauss_newton(rows, np.array([5.0]), -FREE[:1], FREE[:1])
    assert found.converged
    assert found.p == pytest.approx([np.exp(-2.0)])


def test_who_stops_gets_the_best_so_far() -> None:
    for method in (gauss_newton, trust_region):
        events: list[ProgressEvent] = []

        def stop(event: ProgressEvent, events: list[ProgressEvent] = events) -> bool:
            events.append(event)
            return len(events) < 4

        with watched(stop) as progress:
            start, low, high = np.array([-1.2, 1.0]), np.full(2, -5.0), np.full(2, 5.0)
            found = method(rosenbrock, start, low, high, progress=progress.of(("a", "b")))
        assert found.stopped
        assert not found.converged
        assert found.cost <= np.sum(rosenbrock(start)[0] ** 2)
        assert next(event.values for event in events) == {"a": -1.2, "b": 1.0}
        assert len(events) == 4


def test_one_start_finds_a_side_minimum_where_a_search_finds_the_lowest() -> None:
    low, high = np.array([-10.0, 1.0]), np.array([10.0, 30.0])
    assert gauss_newton(wave, np.array([1.0, 25.0]), low, high, FROM_AFAR).cost > 1.0
    nothing, base = np.full(2, np.nan), np.array([0.0, 5.0])
    found = search(wave, base, [1], low, high, given=nothing, count=40, best=3, seed=0)
    assert found[0].p == pytest.approx([2.0, 9.0], rel=1e-6)
    assert [item.cost for item in found] == sorted(item.cost for item in found)
    begun = np.array([item.path[0] for item in found])
    assert (begun[:, 1] >= 1.0).all() and (begun[:, 1] <= 30.0).all()
    known = search(wave, base, [1], low, high, given=np.array([np.nan, 25.0]), count=40, best=3, seed=0)
    assert {item.path[0][1] for item in known} == {25.0}


def test_a_trusted_start_goes_on_however_poor_it_looks() -> None:
    low, high, nothing = np.array([-10.0, 1.0]), np.array([10.0, 30.0]), np.full(2, np.nan)
    for trusted in ([], [np.array([0.0, 25.0])]):
        found = search(wave, np.zeros(2), [1], low, high, given=nothing, count=40, best=2, seed=0, trusted=trusted)
        assert any(item.path[0][1] == 25.0 for item in found) == bool(trusted)


def test_a_search_over_nothing_is_one_linear_solve() -> None:
    def rows(p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return p[0] * TIMES - 3.0 * TIMES, TIMES[:, None]

    found = search(rows, np.zeros(1), [], -FREE[:1], FREE[:1], given=np.full(1, np.nan), count=9, best=3, seed=0)
    assert [item.p.tolist() for item in found] == [[pytest.approx(3.0)]]


@pytest.mark.parametrize("unknowns", [3, 8, 12])
def test_within_bounds_nothing_better_is_left(unknowns: int) -> None:
    """At the solution the slope is zero, or leads out of a bound that holds (Karush, Kuhn, Tucker)."""
    random = np.random.default_rng(unknowns)
    for _ in range(200):
        a = random.normal(size=(unknowns + 3, unknowns)) @ np.diag(10 ** random.uniform(-3, 3, unknowns))
        a = a @ np.linalg.qr(random.normal(size=(unknowns, unknowns)))[0]
        b = random.normal(size=unknowns + 3)
        low, high = -random.uniform(0, 1, unknowns), random.uniform(0, 1, unknowns)
        x = bounded_least_squares(a, b, low, high)
        assert ((x >= low) & (x <= high)).all()
        assert np.linalg.norm(a @ x - b) <= np.linalg.norm(b) * (1 + 1e-12)
        slope = a.T @ (a @ x - b)
        size = np.linalg.norm(a, axis=0) * np.linalg.norm(b)
        out = np.where(x <= low, np.minimum(slope, 0.0), np.where(x >= high, np.maximum(slope, 0.0), slope))
        assert np.abs(out / size).max() < 1e-6
