"""Information algebra: closed forms, units that differ by many powers of ten, and directions nobody knows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from identikit.numerics import (
    Information,
    block_sums,
    column_sizes,
    long_run,
    pseudo_inverse,
    sandwich,
    standard_errors,
    symmetric_inverse,
    whitening,
)

UNITS = np.array([1e-9, 1.0, 1e9])


def line(count: int = 50) -> np.ndarray:
    """Rows of a straight line through equally spaced points."""
    return np.vander(np.linspace(0.0, 1.0, count), 2, increasing=True)


def rows(seed: int = 0, count: int = 40, columns: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((count, columns))


def test_standard_errors_of_a_straight_line_are_those_of_the_textbook() -> None:
    t = np.linspace(0.0, 1.0, 50)
    spread = np.sum((t - t.mean()) ** 2)
    expected = [np.sqrt(1 / 50 + t.mean() ** 2 / spread), 1 / np.sqrt(spread)]
    assert standard_errors(line()) == pytest.approx(expected, rel=1e-12)


def test_rows_and_their_matrix_tell_the_same() -> None:
    a = rows() * UNITS
    by_rows, by_matrix = Information.of_rows(a), Information.of_matrix(a.T @ a)
    assert by_matrix.standard_errors == pytest.approx(by_rows.standard_errors, rel=1e-9)
    assert by_matrix.correlation == pytest.approx(by_rows.correlation, abs=1e-9)
    assert by_matrix.condition == pytest.approx(by_rows.condition, rel=1e-6)
    assert by_rows.covariance == pytest.approx(np.linalg.inv(rows().T @ rows()) / np.outer(UNITS, UNITS), rel=1e-9)


def test_a_parameter_without_effect_is_unknown_and_harms_no_other() -> None:
    a = np.column_stack([line(), np.zeros(50)])
    assert np.isinf(standard_errors(a)[2])
    assert standard_errors(a)[:2] == pytest.approx(standard_errors(line()), rel=1e-12)
    assert Information.of_rows(a).sizes[2] == 0.0


def test_parameters_that_stand_in_for_each_other_are_unknown_but_not_the_third() -> None:
    a = line()
    twice = np.column_stack([a[:, 0], a[:, 1], -3e9 * a[:, 1]])
    found = Information.of_rows(twice)
    assert np.isinf(found.standard_errors).tolist() == [False, True, True]
    assert len(found.weak) == 1
    assert abs(found.correlation[1, 2]) == pytest.approx(1.0)
    assert found.standard_errors[0] == pytest.approx(standard_errors(a)[0], rel=1e-9)


def test_fewer_rows_than_parameters_leave_some_unknown() -> None:
    assert np.isinf(standard_errors(np.array([[1.0, 1.0]]))).all()
    assert standard_errors(np.array([[2.0, 0.0, 0.0], [0.0, 4.0, 0.0]])).tolist() == [0.5, 0.25, np.inf]


def test_rows_that_say_nothing_leave_all_unknown_without_a_warning() -> None:
    found = Information.of_rows(np.zeros((4, 2)))
    assert np.isinf(found.standard_errors).all()
    assert np.isfinite(found.covariance).all()
    assert found.correlation == pytest.approx(np.eye(2))


def test_a_pseudo_inverse_leaves_a_direction_without_information_alone() -> None:
    a = np.column_stack([line()[:, 1], line()[:, 1]])
    estimate = pseudo_inverse(a) @ (6.0 * line()[:, 1])
    assert estimate == pytest.approx([3.0, 3.0])
    inverse = symmetric_inverse(a.T @ a)
    assert inverse @ a.T @ (6.0 * line()[:, 1]) == pytest.approx([3.0, 3.0])


def test_whitened_errors_have_unit_covariance() -> None:
    covariance = np.linalg.inv(rows().T @ rows()) * np.outer(UNITS, UNITS)
    w = whitening(covariance)
    assert w @ covariance @ w.T == pytest.approx(np.eye(3), abs=1e-9)
    assert w.T @ w == pytest.approx(symmetric_inverse(covariance), rel=1e-9)


def test_draws_have_the_covariance_of_the_information() -> None:
    a = rows() * UNITS
    information = Information.of_rows(a)
    drawn = information.draws(40_000, np.random.default_rng(1)) @ np.diag(UNITS)
    assert np.cov(drawn.T) == pytest.approx(np.linalg.inv(rows().T @ rows()), rel=0.1, abs=1e-3)
    assert drawn.mean(axis=0) == pytest.approx(np.zeros(3), abs=5e-3)


def test_blocks_are_added_up_by_label() -> None:
    scores = np.arange(10.0).reshape(5, 2)
    assert block_sums(scores, np.array([7, 7, 9, 9, 12])).tolist() == [[2, 4], [10, 12], [8, 9]]


def test_lags_with_weights_after_newey_and_west() -> None:
    s = np.array([[1.0], [2.0], [4.0]])
    assert long_run(s) == pytest.approx(21.0)
    assert long_run(s, 1) == pytest.approx(21 + 2 * 0.5 * (2 + 8))
    assert long_run(s, 9) == pytest.approx(21 + 2 * (0.9 * 10 + 0.8 * 4))


def test_a_sandwich_of_white_residuals_is_the_plain_covariance_and_of_coloured_ones_wider() -> None:
    random = np.random.default_rng(3)
    a = line(2000)
    white = random.standard_normal(2000)
    coloured = np.convolve(random.standard_normal(2009), np.ones(10), "valid") / np.sqrt(10)
    plain = np.linalg.inv(a.T @ a)
    blocks = np.arange(2000) // 40
    for residual, low, high in ((white, 0.5, 1.6), (coloured, 5.0, 16.0)):
        robust = sandwich(a.T @ a, block_sums(a * residual[:, None], blocks), unknowns=2, lag=1)
        assert (np.diag(robust) / np.diag(plain) > low).all()
        assert (np.diag(robust) / np.diag(plain) < high).all()


def test_a_column_of_zeros_may_be_divided_by() -> None:
    assert column_sizes(np.array([[3.0, 0.0], [4.0, 0.0]])).tolist() == [5.0, 1.0]


@settings(max_examples=40, deadline=None)
@given(powers=arrays(np.float64, 3, elements=st.floats(-9, 9)), seed=st.integers(0, 1000))
def test_units_do_not_matter(powers: np.ndarray, seed: int) -> None:
    a, unit = rows(seed), 10.0**powers
    scaled, plain = Information.of_rows(a * unit), Information.of_rows(a)
    assert scaled.standard_errors * unit == pytest.approx(plain.standard_errors, rel=1e-9)
    assert scaled.correlation == pytest.approx(plain.correlation, abs=1e-9)
    assert scaled.condition == pytest.approx(plain.condition, rel=1e-9)
    assert pseudo_inverse(a * unit) * unit[:, None] == pytest.approx(pseudo_inverse(a), rel=1e-8, abs=1e-12)
    left, right = symmetric_inverse((a * unit).T @ (a * unit)), symmetric_inverse(a.T @ a)
    assert left * np.outer(unit, unit) == pytest.approx(right, rel=1e-8, abs=1e-12)
