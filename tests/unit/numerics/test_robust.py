"""Scales that wild values do not move."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.numerics import finite_median, robust_std


def test_a_third_of_wild_values_moves_the_robust_scale_little_and_the_plain_one_much() -> None:
    values = np.random.default_rng(0).normal(0.0, 0.3, 9000)
    assert robust_std(values) == pytest.approx(0.3, rel=0.03)
    values[::3] = 1e6
    assert robust_std(values) < 0.6
    assert np.std(values) > 1e5


def test_gaps_do_not_count_and_rows_without_values_give_none() -> None:
    rows = np.array([[3.0, np.nan, 1.0, 2.0], [np.nan, 4.0, np.nan, 6.0], [np.nan] * 4])
    assert finite_median(rows)[:2].tolist() == [2.0, 5.0]
    assert np.isnan(finite_median(rows)[2])
    assert finite_median(np.array([1.0, 4.0, 2.0])) == 2.0
    assert robust_std(rows, np.array([2.0, 5.0, 0.0]))[:2] == pytest.approx([1.4826, 1.4826])
