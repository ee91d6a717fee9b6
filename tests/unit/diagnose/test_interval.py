"""An interval says where bounds cut it, and an estimate is at a bound only where it is."""

from __future__ import annotations

import math

import pytest

from identikit.diagnose import interval


def test_an_interval_inside_its_bounds_is_symmetric_and_without_remarks() -> None:
    found = interval(1.0, 0.1, (0.0, 10.0))
    assert found.ends == pytest.approx((0.804, 1.196))
    assert (found.at, found.cut, found.remarks) == (None, (), ())


def test_at_a_bound_it_is_one_sided() -> None:
    found = interval(0.0, 0.1, (0.0, 10.0), typical=0.05)
    assert found.ends == pytest.approx((0.0, 0.196))
    assert found.remarks == ("at its lower bound 0",)


def test_a_poorly_known_value_far_from_its_bound_is_not_at_it() -> None:
    """k3 = 800 with a standard error of a million, bounded below by zero."""
    found = interval(800.0, 1e6, (0.0, math.inf), typical=1.0)
    assert found.at is None
    assert found.remarks == ("interval cut at its lower bound 0",)


def test_an_error_beyond_both_bounds_is_said_to_be_cut() -> None:
    found = interval(0.32, 113.0, (0.0, 5.0))
    assert found.ends == (0.0, 5.0)
    assert found.remarks == ("interval cut at both its bounds",)


def test_without_an_error_there_is_no_interval_but_the_bound_is_seen() -> None:
    found = interval(0.0, math.inf, (0.0, 10.0))
    assert found.ends is None
    assert found.remarks == ("at its lower bound 0",)
