"""Information that some parameters have none of, as rows and as a matrix."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.numerics import Information

UNITS = np.array([1e-6, 1.0, 1e6])


def test_a_parameter_without_information_is_unknown_by_rows_and_by_matrix() -> None:
    rows = np.array([[2.0, 0.0, 0.0], [0.0, 0.0, 4.0]])
    for found in (Information.of_rows(rows), Information.of_matrix(rows.T @ rows)):
        assert found.standard_errors.tolist() == [0.5, np.inf, 0.25]
        assert found.sizes.tolist() == [2.0, 0.0, 4.0]


def test_a_matrix_and_its_rows_have_the_same_gram() -> None:
    random = np.random.default_rng(0).standard_normal((8, 3)) * UNITS
    found = Information.of_matrix(random.T @ random)
    size = np.outer(found.sizes, found.sizes)
    assert found.rows.T @ found.rows / size == pytest.approx(random.T @ random / size, abs=1e-12)
    assert found.singular[0] >= found.singular[1] >= found.singular[2] > 0


@pytest.mark.parametrize("share", [0.02, 0.2])
def test_a_parameter_is_unknown_if_it_takes_part_in_a_direction_without_information(share: float) -> None:
    """Rows that see nothing along a direction of which the first parameter has that share."""
    blind = np.array([share, np.sqrt((1 - share**2) / 2), np.sqrt((1 - share**2) / 2)])
    rows = np.eye(3) - np.outer(blind, blind)
    rows = rows / np.linalg.norm(rows, axis=0)
    found = Information.of_rows(rows)
    assert len(found.weak) == 1
    unknown = np.isinf(found.standard_errors)
    assert unknown[1:].all() and unknown[0] == (share > 0.1)


def test_draws_follow_the_covariance_and_a_known_combination_stays_known() -> None:
    rows = np.array([[1.0, 1.0], [1e-3, -1e-3]]) * 100
    drawn = Information.of_rows(rows).draws(4000, np.random.default_rng(0))
    assert np.std(drawn.sum(axis=1)) == pytest.approx(0.01, rel=0.06)
    assert np.std(drawn[:, 0] - drawn[:, 1]) == pytest.approx(10.0, rel=0.06)
