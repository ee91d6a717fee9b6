"""What is known about parameters that are not known one by one."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.diagnose import identified_combinations
from identikit.model import Model, library_model

DUFFING = {"m": 2.0, "c": 0.2, "k": 2.0, "k3": 1.0, "F": 0.0, "Omega": 1.33}


def found(rows: np.ndarray, identifiable: tuple[bool, ...], model: str = "duffing") -> dict[str, tuple[float, float]]:
    names = ("m", "c", "k", "k3")
    made = identified_combinations(library_model(model), names, DUFFING, rows, identifiable)
    return {item.text: (item.value, item.std) for item in made}


def test_ratios_to_the_mass_are_known_where_a_common_factor_is_not() -> None:
    """Rows that see c/m, k/m and k3/m with a deviation of 0.001 each, and nothing else."""
    m = DUFFING["m"]
    rows = np.array(
        [
            [-DUFFING[name] / m**2, *(1.0 / m if other == name else 0.0 for other in ("c", "k", "k3"))]
            for name in ("c", "k", "k3")
        ]
    )
    known = found(rows / 1e-3, (False,) * 4)
    assert set(known) == {"c/m", "k/m", "k3/m"}
    for name in ("c", "k", "k3"):
        assert known[f"{name}/m"] == pytest.approx((DUFFING[name] / m, 1e-3), rel=1e-6)


def test_nothing_is_claimed_where_the_combinations_are_unknown_too() -> None:
    """Negative control: the record sees the mass alone."""
    assert found(np.array([[1e3, 0, 0, 0], [0, 1e-3, 0, 0]]), (True, False, False, False)) == {}


def test_nothing_is_said_where_every_parameter_is_known() -> None:
    assert found(1e3 * np.eye(4), (True,) * 4) == {}


def test_sums_come_from_the_power_series() -> None:
    """sin(x) and x cannot be told apart in small swings: the sum of their coefficients is the stiffness."""
    model = Model.from_text(
        "two springs", equations={"x''": "-a*sin(x) - b*x - c*x'"}, parameters={"a": 2, "b": 3, "c": 0.1}
    )
    rows = np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]) / 1e-2
    made = identified_combinations(model, ("a", "b", "c"), {"a": 2, "b": 3, "c": 0.1}, rows, (False, False, True))
    assert [(item.text, item.value) for item in made] == [("a + b", 5.0)]
    assert made[0].std == pytest.approx(1e-2)


def test_a_function_has_products_and_quotients() -> None:
    model = Model.from_function(
        "decay", lambda t, x, u, p: [-p["a"] * p["b"] * x["x"]], states=["x"], parameters={"a": 2.0, "b": 3.0}
    )
    rows = np.array([[3.0, 2.0]]) / 0.06
    made = identified_combinations(model, ("a", "b"), {"a": 2.0, "b": 3.0}, rows, (False, False))
    assert [item.text for item in made] == ["a*b"]
    assert made[0].std == pytest.approx(0.06)


DECAY = Model.from_text("decay", equations={"x": "-a*b*x"}, parameters={"a": 2, "b": 3})
SEES_PRODUCT = np.array([[3.0, 2.0]]) / 0.06


def known_products(**more) -> list[tuple[str, float]]:
    made = identified_combinations(DECAY, ("a", "b"), {"a": 2.0, "b": 3.0}, SEES_PRODUCT, (False, False), **more)
    return [(item.text, item.std) for item in made]


def test_a_combination_holds_along_the_direction_that_is_not_known() -> None:
    along = [np.array([a, 6.0 / a]) for a in (1.0, 4.0)]
    assert known_products(elsewhere=along) == [("a*b", pytest.approx(0.06))]


def test_one_that_changes_where_the_record_is_explained_as_well_is_not_stated() -> None:
    assert known_products(elsewhere=[np.array([1.0, 5.0])]) == []


def test_coloured_residuals_widen_a_combination_and_may_undo_it() -> None:
    assert known_products(widening=lambda gradient: 3.0) == [("a*b", pytest.approx(0.18))]
    assert known_products(widening=lambda gradient: 20.0) == []
