"""Coordinates without edges."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.uncertainty.posterior._coordinates import Coordinates

LOW = np.array([-np.inf, 0.0, -np.inf, 0.0, 0.0, -1e3])
HIGH = np.array([np.inf, np.inf, 5.0, 5.0, 1.0, 1e3])
MIDDLE = np.array([0.3, 0.05, 4.99, 2.0, 0.5, 20.0])


def made() -> Coordinates:
    rows = np.random.default_rng(0).normal(size=(20, 6))
    found = Coordinates.about(MIDDLE, rows.T @ rows, LOW, HIGH)
    assert found is not None
    return found


@pytest.mark.parametrize("seed", range(5))
def test_slope_and_factor_are_those_of_the_way_back(seed: int) -> None:
    c = made()
    q = c.centre + 2 * c.root @ np.random.default_rng(seed).normal(size=6)
    u, slope, factor, change = c.at_flat(q)
    assert (u > LOW).all() and (u < HIGH).all()
    assert c.flat(u) == pytest.approx(q, abs=1e-6)
    assert factor == pytest.approx(float(np.log(slope).sum()))
    for i, step in enumerate(np.diag(1e-6 * c.soft)):
        above, below = c.at_flat(q + step), c.at_flat(q - step)
        assert (above[0][i] - below[0][i]) / (2 * step[i]) == pytest.approx(slope[i], rel=1e-4, abs=1e-7)
        assert (above[2] - below[2]) / (2 * step[i]) == pytest.approx(change[i], rel=1e-3, abs=1e-3)


def test_far_from_a_bound_nothing_is_bent() -> None:
    c = made()
    q = np.array([0.3, 40.0, -50.0, 2.5, 0.5, 20.0])
    u, slope, _, _ = c.at_flat(q)
    near = np.abs(u - q) < 0.05 * c.soft
    assert near[[0, 1, 2, 5]].all() and slope[[0, 1, 2, 5]] == pytest.approx(1.0, abs=1e-3)


def test_a_direction_that_nothing_holds_has_no_coordinates() -> None:
    nothing = np.diag([1.0, 0.0])
    half = np.array([0.0, 0.0]), np.array([np.inf, np.inf])
    assert Coordinates.about(np.ones(2), nothing, *half) is None
    assert Coordinates.about(np.ones(2), nothing, np.zeros(2), np.array([np.inf, 3.0])) is not None
