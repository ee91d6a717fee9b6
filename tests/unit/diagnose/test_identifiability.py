"""What the information says about each parameter, in words."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.diagnose import identifiability, usual_size

OPEN = (-np.inf, np.inf)


def judge(rows: list[list[float]], values: list[float], typical: list[float | None] | None = None):
    names = [f"p{i}" for i in range(len(values))]
    usual = dict(zip(names, typical or [None] * len(values), strict=True))
    return identifiability(names, np.array(values), np.array(rows, float), dict.fromkeys(names, OPEN), usual)


def test_independent_parameters_are_identifiable_with_their_own_deviation() -> None:
    found = judge([[10, 0], [0, 100]], [1.0, 2.0])
    assert found.identifiable == (True, True)
    assert np.allclose(found.deviation, [0.1, 0.01])
    assert found.problems == ()


def test_parameters_that_act_alike_are_named_together() -> None:
    found = judge([[100, 100.0], [0.1, -0.1]], [1.0, 1.0])
    assert found.identifiable == (False, False)
    (problem,) = found.problems
    assert (problem.code, problem.about) == ("inseparable", ("p0", "p1"))
    assert "p0 and p1 cannot be told apart by this record" in problem.text


def test_a_parameter_without_any_effect_is_said_to_be_unknown() -> None:
    found = judge([[10, 0], [5, 0]], [1.0, 1.0])
    assert found.identifiable == (True, False)
    assert np.isinf(found.deviation[1])
    assert [(item.code, item.about) for item in found.problems] == [("no_effect", ("p1",))]


def test_a_well_known_zero_is_identifiable() -> None:
    """Friction of 0 +- 0.002 beside viscous damping of 0.05 +- 0.0007, strongly correlated: both are known."""
    covariance = np.array([[0.0007**2, -0.95 * 0.0007 * 0.002], [-0.95 * 0.0007 * 0.002, 0.002**2]])
    rows = np.linalg.cholesky(np.linalg.inv(covariance)).T
    found = judge(rows.tolist(), [0.05, 0.0])
    assert found.identifiable == (True, True)


def test_a_zero_that_could_be_anything_is_not() -> None:
    """Negative control of the test before: the same pair with deviations as large as the whole damping."""
    covariance = np.array([[0.05**2, -0.999 * 0.05 * 0.15], [-0.999 * 0.05 * 0.15, 0.15**2]])
    rows = np.linalg.cholesky(np.linalg.inv(covariance)).T
    assert False in judge(rows.tolist(), [0.05, 0.0]).identifiable


def test_strong_correlation_of_known_parameters_is_a_warning_not_a_problem() -> None:
    covariance = 1e-6 * np.array([[1, -0.98], [-0.98, 1]])
    found = judge(np.linalg.cholesky(np.linalg.inv(covariance)).T.tolist(), [1.0, 1.0])
    assert found.problems == ()
    assert [(item.code, item.about) for item in found.warnings] == [("strongly_correlated", ("p0", "p1"))]


def test_a_deviation_beyond_half_the_usual_value_is_not_identified() -> None:
    found = judge([[0.5, 0], [0, 100]], [1.0, 1.0], [1.0, 1.0])
    assert found.identifiable == (False, True)
    assert [(item.code, item.about) for item in found.problems] == [("not_identifiable", ("p0",))]


def test_a_parameter_that_cannot_be_zero_is_measured_by_its_own_estimate() -> None:
    """A speed of 1e-4 +- 1e-3 is unknown, whatever its usual value; known to a tenth, it is known."""
    arguments = (["v"], np.array([1e-4]))
    limits, usual = {"v": (1e-4, 10.0)}, {"v": 5e-3}
    assert identifiability(*arguments, np.array([[1e3]]), limits, usual).identifiable == (False,)
    assert identifiability(*arguments, np.array([[1e5]]), limits, usual).identifiable == (True,)


def test_a_parameter_must_be_known_at_every_explanation_that_fits_as_well() -> None:
    names, limits, usual = ["a", "b"], dict.fromkeys(["a", "b"], OPEN), {"a": 1.0, "b": 1.0}
    here = (np.array([1.0, 1.0]), np.diag([100.0, 100.0]))
    there = (np.array([1.3, 1.0]), np.diag([100.0, 0.5]))
    both = identifiability(names, *here, limits, usual, others=[there])
    assert identifiability(names, *here, limits, usual).identifiable == (True, True)
    assert both.identifiable == (True, False)
    assert both.reach == pytest.approx([0.3, 0.0])
    assert [item.code for item in both.warnings] == ["other_explanation"]
    assert "a = 1.3" in both.warnings[0].text


def test_coloured_residuals_count_in_the_verdict() -> None:
    rows, values = np.diag([100.0]), np.array([1.0])
    wide = identifiability(["a"], values, rows, {"a": OPEN}, {"a": 1.0}, widened=np.array([0.6]))
    assert wide.identifiable == (False,)
    assert wide.deviation == pytest.approx([0.01])


def test_parameters_of_extreme_sizes_are_compared_by_what_a_whole_one_does() -> None:
    """1e6 ohm known to 0.02 % beside 1e-8 ampere known to 0.2 %: the columns differ by 1e13, and mean nothing by it."""
    found = judge([[1 / 200.0, 0.0], [0.0, 1 / 2e-11]], [1e6, 1e-8], [5e5, 5e-8])
    assert found.identifiable == (True, True)
    assert np.allclose(found.deviation, [200.0, 2e-11], rtol=1e-6)


def test_an_effect_that_is_rounding_is_none() -> None:
    """Negative control: the same resistance, with a column of what an integrator's rounding leaves."""
    found = judge([[1e-22, 0.0], [0.0, 1 / 2e-11]], [1e6, 1e-8], [5e5, 5e-8])
    assert [(item.code, item.about) for item in found.problems] == [("no_effect", ("p0",))]


def test_an_error_of_a_thousand_times_itself_is_none() -> None:
    """Two columns that differ by rounding: what a singular value makes of it is not a standard error."""
    found = judge([[1e3, 1e3], [1e-5, -1e-5]], [1.0, 1.0])
    assert np.isinf(found.deviation).all()
    assert [item.code for item in found.problems] == ["inseparable"]


@pytest.mark.parametrize(
    ("bounds", "typical", "size"),
    [
        ((0.0, 10.0), 0.5, 0.5),
        ((1e-4, 1.0), None, 1e-2),
        ((0.0, 10.0), None, 10.0),
        ((-3.0, 5.0), 0.0, 3.0),
        (OPEN, None, 1.0),
    ],
)
def test_the_usual_size_is_the_models_else_the_bounds(bounds, typical, size) -> None:
    assert usual_size(bounds, typical) == pytest.approx(size)
