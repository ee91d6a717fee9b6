"""Points within bounds: where a search begins when nobody has said where, and where it looks next."""

from __future__ import annotations

import math

import numpy as np
import pytest

from identikit.numerics import between, evenly, middle

OPEN = math.inf


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (2.0, 4.0, 3.0),
        (-5.0, 5.0, 0.0),
        (1.0, 50.0, 25.5),  # less than two decades
        (0.001, 10.0, 0.1),  # decades: geometric
        (1e-9, 1e-5, 1e-7),  # small ones too
        (0.0, 10.0, 0.01),  # from zero six decades count
        (-10.0, 1000.0, 495.0),  # not where zero lies inside
        (5.0, OPEN, 10.0),
        (0.25, OPEN, 1.25),
        (-4.0, OPEN, 0.0),
        (-OPEN, 5.0, 0.0),
        (-OPEN, -0.25, -1.25),
        (-OPEN, OPEN, 1.0),
    ],
)
def test_the_middle_is_geometric_where_bounds_span_decades(low: float, high: float, expected: float) -> None:
    assert middle(np.array([low]), np.array([high])) == pytest.approx([expected])


def test_the_middle_of_many_is_that_of_each() -> None:
    assert middle(np.array([2.0, 0.001]), np.array([4.0, 10.0])) == pytest.approx([3.0, 0.1])


@pytest.mark.parametrize(
    ("low", "high", "share", "expected"),
    [
        (2.0, 4.0, 0.25, 2.5),
        (-1500.0, 800.0, 0.5, -350.0),
        (1.0, 50.0, 0.5, 25.5),
        (0.01, 100.0, 0.25, 0.1),
        (1e-9, 1e-5, 0.5, 1e-7),
        (0.0, 100.0, 0.5, 0.1),  # from zero six decades count
        (0.0, 0.0, 0.5, 0.0),
        (0.0, OPEN, 0.5, 1.0),  # to a thousand where there is no end
        (5.0, OPEN, 1 / 3, 50.0),  # or to a thousand times the lower one
        (-2000.0, 1500.0, 1e-9, -1000.0),  # both signs: down to small, and up again
        (-2000.0, 1500.0, 0.25, -1.0),
        (-1200.0, 1500.0, 0.75, 1.0),
        (-1200.0, 1500.0, 1 - 1e-9, 1000.0),
        (-OPEN, OPEN, 0.125, -(10**1.5)),
        (-OPEN, 5.0, 0.875, 5 * 10**-1.5),
        (-5.0, OPEN, 0.25, -0.005),
    ],
)
def test_a_share_of_the_way_is_one_of_logarithms_where_bounds_span_decades(
    low: float, high: float, share: float, expected: float
) -> None:
    assert between(share, low, high) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("bounds", [(2.0, 4.0), (0.0, 100.0), (3.0, OPEN), (-OPEN, OPEN), (-OPEN, -2.0), (-7.0, 1e9)])
def test_every_share_lies_within_the_bounds_and_larger_ones_further_up(bounds: tuple[float, float]) -> None:
    places = np.array([between(share, *bounds) for share in np.linspace(0.001, 0.999, 300)])
    assert (places >= bounds[0]).all() and (places <= bounds[1]).all()
    assert (np.diff(places) >= 0).all()


@pytest.mark.parametrize("dimensions", [1, 2, 5])
def test_even_points_leave_no_gap_in_any_direction(dimensions: int) -> None:
    points = evenly(200, dimensions)
    assert points.shape == (200, dimensions)
    assert (points >= 0).all() and (points < 1).all()
    for column in points.T:
        gaps = np.diff(np.sort(np.append(column, column.min() + 1)))
        assert gaps.max() < 4 / 200  # of independent draws the largest is about 6 / 200
    independent = np.random.default_rng(0).uniform(size=200)
    assert np.diff(np.sort(independent)).max() > 4 / 200  # negative control


def test_even_points_fill_the_square() -> None:
    cells = np.floor(evenly(160, 2) * 4).astype(int)
    counts = np.bincount(4 * cells[:, 0] + cells[:, 1], minlength=16)
    assert counts.min() >= 7 and counts.max() <= 13  # ten each


def test_a_longer_list_begins_with_the_shorter_one_and_a_seed_moves_all() -> None:
    assert evenly(20, 3)[:8] == pytest.approx(evenly(8, 3))
    moved = (evenly(20, 3, seed=1) - evenly(20, 3)) % 1
    assert moved == pytest.approx(np.tile(moved[0], (20, 1)))
    assert np.abs(moved[0] - 0.5).max() < 0.5
