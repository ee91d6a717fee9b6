"""Runge-Kutta pairs: the order conditions that can be read off, and the order that is measured."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import DOP853

from identikit.simulation._tableau import TABLEAUS, Tableau

ORDERS = [("dormand_prince", 5, 4), ("dop853", 8, 7)]


@pytest.mark.parametrize(("name", "order", "dense_order"), ORDERS)
def test_quadrature_conditions_hold_up_to_the_order(name: str, order: int, dense_order: int) -> None:
    """sum b c^k = 1/(k+1), and for dense output sum_i P(theta)_i c_i^k = theta^(k+1)/(k+1)."""
    pair = TABLEAUS[name]()
    theta = np.linspace(0, 1, 7)
    powers = theta[:, None] ** np.arange(1, pair.dense.shape[1] + 1)
    weights = powers @ pair.dense.T
    for k in range(order):
        assert pair.b @ pair.c**k == pytest.approx(1 / (k + 1), abs=1e-13)
    for k in range(dense_order):
        np.testing.assert_allclose(weights @ pair.c**k, theta ** (k + 1) / (k + 1), atol=1e-12)
    # negative control: one order more does not hold
    assert abs(pair.b @ pair.c**order - 1 / (order + 1)) > 1e-7


@pytest.mark.parametrize(("name", "order", "dense_order"), ORDERS)
def test_rows_are_consistent_and_dense_output_meets_both_ends(name: str, order: int, dense_order: int) -> None:
    pair = TABLEAUS[name]()
    np.testing.assert_allclose(pair.a.sum(axis=1), pair.c, atol=1e-13)
    assert not np.triu(pair.a).any()  # explicit
    np.testing.assert_allclose(pair.dense.sum(axis=1), pair.b, atol=1e-12)  # theta = 1
    slope_at_zero = pair.dense[:, 0]
    np.testing.assert_allclose(slope_at_zero, np.eye(pair.stages)[0], atol=1e-12)
    np.testing.assert_allclose(pair.error.sum(axis=1), 0, atol=1e-13)  # a constant slope has no error


def _run(pair: Tableau, steps: int, theta: float) -> tuple[float, float]:
    """Errors at the end and inside the last step of x' = (v, -sin x) over 2 time units, fixed steps."""
    h, x = 2.0 / steps, np.array([1.0, 0.3])
    inside = x
    for _ in range(steps):
        slopes = np.zeros((pair.stages, 2))
        for i in range(pair.stages):
            at = x + h * pair.a[i] @ slopes
            slopes[i] = at[1], -np.sin(at[0])
        powers = theta ** np.arange(1, pair.dense.shape[1] + 1)
        inside = x + h * (pair.dense @ powers) @ slopes
        x = x + h * pair.b @ slopes
    from reference import smooth

    times = np.array([0.0, 2.0 - h + theta * h, 2.0])
    exact = smooth(lambda t, x: (x[1], -np.sin(x[0])), (1.0, 0.3), times)
    return float(np.abs(x - exact[:, 2]).max()), float(np.abs(inside - exact[:, 1]).max())


@pytest.mark.parametrize(
    ("name", "coarse", "order", "dense_order"), [("dormand_prince", 16, 5, 5), ("dop853", 3, 8, 8)]
)
def test_the_measured_order_is_the_nominal_one(name: str, coarse: int, order: int, dense_order: int) -> None:
    """Halving the step divides the error by 2^order, within 0.7 of the exponent.

    A single step's dense output of order q has the local error h^(q+1), hence q + 1 inside the last step, if
    the global error of the main formula, h^order, is not larger.
    """
    pair = TABLEAUS[name]()
    ends, insides = zip(*(_run(pair, steps, 0.4) for steps in (coarse, 2 * coarse)), strict=True)
    assert np.log2(ends[0] / ends[1]) == pytest.approx(order, abs=0.7)
    assert np.log2(insides[0] / insides[1]) == pytest.approx(dense_order, abs=0.8)


def test_our_copy_of_the_coefficients_of_dop853_is_scipys() -> None:
    tableau = TABLEAUS["dop853"]()
    assert np.array_equal(tableau.a[:12, :12], DOP853.A[:12, :12])
    assert np.array_equal(tableau.a[13:, :16], DOP853.A_EXTRA)
    assert np.array_equal(tableau.b[:12], DOP853.B)
    assert np.array_equal(tableau.c[:12], DOP853.C[:12])
    assert np.array_equal(tableau.c[13:], DOP853.C_EXTRA)
    assert np.array_equal(tableau.error[0, :13], DOP853.E5)
    assert np.array_equal(tableau.error[1, :13], DOP853.E3)
