"""Least squares with unknowns that cannot be negative agrees with SciPy's solver."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from identikit.numerics import nonnegative_least_squares


def test_it_agrees_with_an_independent_solver() -> None:
    for seed in range(40):
        generator = np.random.default_rng(seed)
        table, target = generator.standard_normal((12, 4)), generator.standard_normal(12)
        bounded = lsq_linear(table, target, bounds=([-np.inf, 0, 0, 0], np.inf), tol=1e-12)
        assert nonnegative_least_squares(table, target, free=1) == pytest.approx(bounded.x, abs=1e-5)


def test_without_a_way_down_everything_stays_at_zero() -> None:
    assert nonnegative_least_squares(np.eye(3), -np.ones(3)).tolist() == [0, 0, 0]
