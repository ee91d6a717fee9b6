"""What profiles have to say: nothing where the likelihood is a parabola, and where they could not be followed."""

from __future__ import annotations

import math

import numpy as np
import pytest

import identikit as ik
from identikit.model import Model, Parameter
from identikit.result import Finding, Result

TIME = np.linspace(0, 1, 200)
LINE = 1 + 2 * TIME + 0.3 * np.random.default_rng(1).standard_normal(200)


def one_state(rate: str, *parameters: Parameter) -> Model:
    return Model.from_text("one", states={"x": ""}, equations={"x": rate}, parameters=parameters, outputs={"x": "x"})


def profiled(rate: str, *parameters: Parameter, values: np.ndarray = LINE) -> Result:
    record = ik.Record.from_arrays(TIME, x=values)
    return ik.fit(record, one_state(rate, *parameters), method="shooting", noise="white", uncertainty="profile")


def of_code(result: Result, code: str) -> list[Finding]:
    return [item for item in result.findings if item.code == code]


@pytest.fixture(scope="module")
def straight() -> Result:
    return profiled("a", Parameter("a", 1.0))


def test_a_parabola_has_nothing_to_say(straight: Result) -> None:
    assert not [item for item in straight.findings if item.code.startswith(("profile", "higher"))]
    assert straight.diagnostics["uncertainty"]["shapes"] == {"a": "identifiable"}
    assert straight.parameters["a"].note == ""


def test_its_standard_error_is_that_of_the_interval(straight: Result) -> None:
    item, plain = (
        straight.parameters["a"],
        ik.fit(ik.Record.from_arrays(TIME, x=LINE), one_state("a", Parameter("a", 1.0))),
    )
    assert item.ci95 is not None and item.std is not None and plain.parameters["a"].std is not None
    assert item.std == pytest.approx(plain.parameters["a"].std, rel=0.02)
    assert item.ci95[1] - item.ci95[0] == pytest.approx(2 * 1.972 * item.std, rel=1e-3)  # Student's, 197 degrees


def test_its_curve_is_the_parabola_and_goes_beyond_both_ends(straight: Result) -> None:
    table = straight.artifacts["profile"]["parameters"]["a"]
    assert table["others"] == {} and table["shape"] == "identifiable"
    value, drop = np.asarray(table["value"]), np.asarray(table["drop"])
    assert straight.diagnostics["uncertainty"]["points"] == len(value)
    assert (np.diff(value) > 0).all() and drop.min() == pytest.approx(0.0, abs=1e-6)
    assert value[0] < table["ends"][0] < table["ends"][1] < value[-1]
    parabola = 100 * np.log1p(((value - table["estimate"]) / table["std"]) ** 2 / 197)
    assert drop == pytest.approx(parabola, abs=0.01)


@pytest.mark.parametrize("side", ["above", "below"])
def test_a_profile_that_is_lost_says_beyond_which_value_and_is_open_there(side: str) -> None:
    """Beyond an eighth of a standard error the model has no real motion."""
    slope = float(np.polyfit(TIME, LINE, 1)[0])
    edge, root = (slope + 0.01, "edge - a") if side == "above" else (slope - 0.01, "a - edge")
    result = profiled(f"a + 1e-9*sqrt({root.replace('edge', repr(edge))})", Parameter("a", slope, "", (-50, 50)))
    (lost,) = of_code(result, "profile_lost")
    assert lost.about == ("a",)
    beyond = float(lost.text.split("beyond ")[1].split(":")[0])
    assert abs(beyond - edge) < 0.01 and (beyond <= edge + 5e-4 if side == "above" else beyond >= edge - 5e-4)
    values = result.artifacts["profile"]["parameters"]["a"]["value"]
    assert beyond == float(f"{values[-1 if side == 'above' else 0]:.4g}")
    low, high = result.parameters["a"].ci95 or (math.nan, math.nan)
    assert (high == 50) == (side == "above") and (low == -50) == (side == "below")
    assert "could not be followed" in result.parameters["a"].note
