"""Noise takes a measured level below zero, where sqrt(h), log(h) and h**0.7 are none: a note, not a traceback."""

from __future__ import annotations

import numpy as np
import pytest

import identikit
from identikit.likelihood import smooth_curves
from identikit.measurement import Channel, Record
from identikit.method.toolkit import FilteredRegression
from identikit.model import Model, not_negative, outside_domain, parse, symbol
from identikit.problem import Problem
from identikit.result import Result

TIME = np.linspace(0, 10, 201)
LEVEL = np.maximum(0, 1 - 0.15 * TIME) ** 2 + 0.001  # empties after some seven seconds, with h' = -0.3 sqrt(h)
LAWS = {"root": "q - a*sqrt(h)", "logarithm": "-a*h*log(h) - q*h", "power": "q - a*h**0.7"}


def fitted(law: str, method: str, noise: float) -> Result:
    tank = Model.from_text("tank", equations={"h'": law}, parameters={"q": 0.01, "a": 0.3})
    level = LEVEL + noise * np.random.default_rng(0).standard_normal(len(TIME))
    return identikit.fit(Record(TIME, {"h": Channel(level)}), tank, method=method)


@pytest.mark.parametrize("method", ["least_squares", "galerkin"])
@pytest.mark.parametrize("law", LAWS)
def test_samples_below_zero_are_left_out_and_said_to_be(law: str, method: str) -> None:
    result = fitted(LAWS[law], method, 0.02)
    assert np.isnan(result.value("a")) or "samples break h >= 0" in str(result)


def test_what_is_left_still_tells_the_coefficient() -> None:
    tank = Model.from_text("tank", equations={"h'": LAWS["root"]}, parameters={"q": 0.01, "a": 0.3})
    level = LEVEL + 0.02 * np.random.default_rng(0).standard_normal(len(TIME))
    problem = Problem.pose(tank, Record(TIME, {"h": Channel(level)}))
    q, a = FilteredRegression(problem, smooth_curves(problem)).solve()
    assert a == pytest.approx(0.3, rel=0.2) and abs(q) < 0.05
    assert fitted(LAWS["root"], "galerkin", 0.02).value("a") == pytest.approx(0.3, rel=0.2)


def test_a_level_that_stays_above_zero_needs_no_note() -> None:
    """Negative control."""
    result = fitted(LAWS["root"], "least_squares", 1e-5)
    assert "samples break" not in str(result)


def test_the_conditions_of_an_expression_are_found() -> None:
    h, a = symbol("h"), symbol("a")
    known = {"h": h, "a": a}
    assert not_negative(parse("sqrt(h - 1) + log(a*h) + h**2 + asin(h)", known)) == {h - 1, a * h, 1 - h**2}
    assert not_negative(parse("h**3/(1 + h)", known)) == set()


def test_samples_outside_are_counted_and_missing_ones_are_not() -> None:
    tank = Model.from_text("tank", equations={"h'": "q - a*sqrt(h)"}, parameters={"q": 0.01, "a": 0.3})
    assert outside_domain(tank, ("h",), np.array([[1.0], [-1.0], [np.nan], [0.0]])) == {"h >= 0": 1}
