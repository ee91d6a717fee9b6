"""Outputs and inputs computed from columns, units believed in names, angles joined: before the equations see them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import identikit as ik
from identikit.errors import DataError, InputError, ProblemError
from identikit.measurement import Experiment, Record
from identikit.model import Model, model_from_toml
from identikit.problem import Problem

TIME = np.arange(300) * 0.02
SWING = 0.5 * np.exp(-0.1 * TIME) * np.cos(3 * TIME)
CART = model_from_toml(
    """
name = "cart"
[states]
x = { unit = "m" }
v = { unit = "m/s" }
[parameters]
a = { value = 1, unit = "1/s", bounds = [0, 10] }
b = { value = 1, unit = "1/kg", bounds = [0, 10] }
[inputs]
F = { unit = "N" }
[equations]
x = "v"
v = "-a*v + b*F"
[outputs]
x = "x"
"""
)


def pose(units: dict[str, str] | None = None, model: Model | str = "pendulum", **given: object) -> Problem:
    asked = {name: given.pop(name) for name in ("outputs", "inputs", "unwrap") if name in given}
    record = Record.from_arrays(TIME, given, units=units, time_unit="s", name="run")  # type: ignore[arg-type]
    return Problem.pose(ik.library_model(model) if isinstance(model, str) else model, record, **asked)  # type: ignore[arg-type]


def values(problem: Problem) -> np.ndarray:
    return problem.records[0].values[:, 0]


@pytest.mark.parametrize(
    ("expression", "column", "unit"),
    [
        ("pos1 - pi", SWING + np.pi, ""),
        ("pos1 - pi", SWING + np.pi, "rad"),
        ("pos1 - 180", np.degrees(SWING) + 180, "deg"),  # computed as the file has it, converted afterwards
        ("pos1*pi/180", np.degrees(SWING), "deg"),  # converted by the user
        ("pos1*3.14159/180", np.degrees(SWING), "deg"),
        ("-(180 - pos1)", np.degrees(SWING) + 180, "deg"),
        ("2*pi*pos1/4096", SWING * 4096 / (2 * np.pi), ""),
        ("asin(pos1/2)", 2 * np.sin(SWING), "m"),
        ("`pos1` - pi", SWING + np.pi, ""),
    ],
)
def test_an_output_computed_from_columns_is_the_same_angle(expression: str, column: np.ndarray, unit: str) -> None:
    problem = pose({"pos1": unit}, pos1=column, outputs={"theta": expression})
    np.testing.assert_allclose(values(problem), SWING, rtol=0, atol=1e-5)
    assert problem.channels == {"theta": expression}
    assert "column_computed" in [item.code for item in problem.findings]
    given = Record.from_arrays(TIME, pos1=column, units={"pos1": unit}, time_unit="s")
    assert problem.digest == Experiment((given,)).digest()  # that of the data, whatever is computed from them


def test_names_that_are_no_identifiers_stand_in_backquotes() -> None:
    given = {"pos 1 (raw)": SWING + 1, "class": np.ones(len(TIME))}
    problem = pose(outputs={"theta": "`pos 1 (raw)` - `class`"}, **given)
    np.testing.assert_allclose(values(problem), SWING, atol=1e-12)


def test_an_input_computed_from_columns_is_sampled_and_one_of_time_is_not() -> None:
    volts = np.sin(2 * TIME)
    problem = pose(model=CART, x=SWING, u_V=volts, inputs={"F": "35.15*u_V + 0*t"})
    assert problem.model.input_names == ("F",)
    np.testing.assert_allclose(problem.records[0].pieces(TIME[:-1])[0], 35.15 * volts[:-1], atol=1e-9)
    assert pose(model=CART, x=SWING, u_V=volts, inputs={"F": "0.2*sin(3*t)"}).model.input_names == ()


def test_missing_values_stay_missing() -> None:
    column = SWING.copy()
    column[7] = np.nan
    assert np.flatnonzero(np.isnan(values(pose(pos1=column, outputs={"theta": "2*pos1"})))).tolist() == [7]


@pytest.mark.parametrize(
    ("outputs", "said"),
    [
        ({"theta": "pos2 - pi"}, "undefined symbol 'pos2'.*Did you mean 'pos1'"),
        ({"theta": "pos2"}, "has no column 'pos2'. Did you mean 'pos1'"),
        ({"theta": "pos 1"}, "has no column 'pos 1'. Did you mean 'pos1'"),
        ({"theta": "`pos2` - pi"}, "no column 'pos2'. Did you mean 'pos1'"),
        ({"theta": "sin(tilt)"}, r"the sin of 'tilt', which is in deg: write the factor, such as sin\(tilt\*pi/180\)"),
        ({"theta": "tilt + turned"}, "adds up columns in deg and rad"),
        ({"theta": "log(0*pos1)"}, "not a finite"),
        ({"theta": "log(pos1)"}, "not a finite number at sample"),
        ({"theta": "__import__('os')"}, "unknown function|not allowed|cannot read"),
        ({"theta": "pos1.real"}, "not allowed"),
    ],
)
def test_wrong_expressions_are_named(outputs: dict[str, str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        pose({"tilt": "deg", "turned": "rad"}, pos1=SWING, tilt=SWING, turned=SWING, outputs=outputs)


def test_columns_and_parameters_do_not_mix() -> None:
    with pytest.raises(ProblemError, match="mixes the column 'u_V' with the parameter 'a'"):
        pose(model=CART, x=SWING, u_V=SWING, inputs={"F": "a*u_V"})


def test_a_column_of_text_in_an_expression_is_named(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("t,pos,ok\n0,1,1\n1,oops,2\n2,3,4\n3,4,5\n")
    with pytest.raises(DataError, match="line 3 holds 'oops'"):
        Problem.pose(ik.library_model("pendulum"), ik.load(path), outputs={"theta": "pos - 1"})


def test_expressions_are_saved_and_repeated(tmp_path: Path) -> None:
    question = ik.Question.from_dict(
        {
            "model": "pendulum",
            "data": "run.csv",
            "outputs": {"theta": "pos1 - pi"},
            "columns": ["t", "pos1"],
            "rate": None,
        }
    )
    saved = json.loads(json.dumps(question.as_dict()))
    assert saved["outputs"] == {"theta": "pos1 - pi"} and saved["columns"] == ["t", "pos1"]
    assert ik.Question.from_dict(saved) == question
    path = tmp_path / "question.toml"
    path.write_text(
        'model = "pendulum"\ndata = "run.csv"\ncolumns = ["t", "pos1"]\noutputs = { theta = "pos1 - pi" }\n'
    )
    assert ik.Question.load(path) == question


# Units at the end of names


@pytest.mark.parametrize(("column", "factor"), [("x_m", 1.0), ("x_mm", 1e-3), ("x_min", 1.0), ("x_left", 1.0)])
def test_the_end_of_a_name_is_a_unit_where_such_a_unit_is_wanted(tmp_path: Path, column: str, factor: float) -> None:
    path = tmp_path / "run.csv"
    path.write_text(f"t[s],{column},F\n0,1,0\n1,2,0\n2,4,0\n3,3,0\n")
    problem = Problem.pose(CART, ik.load(path), outputs={"x": column})
    np.testing.assert_allclose(values(problem), np.array([1, 2, 4, 3]) * factor)
    said = [item.about for item in problem.findings if item.code == "unit_from_name"]
    assert said == ([(column,)] if column in ("x_m", "x_mm") else [])


def test_a_column_named_like_an_output_or_input_has_no_unit_in_its_name(tmp_path: Path) -> None:
    model = model_from_toml(
        """
name = "own"
[states]
p_mm = { unit = "m" }
[parameters]
k = { value = 1, bounds = [0, 9] }
[equations]
p_mm = "-k*p_mm"
"""
    )
    path = tmp_path / "run.csv"
    path.write_text("t,p_mm\n0,8\n1,4\n2,2\n3,1\n")
    problem = Problem.pose(model, ik.load(path))
    np.testing.assert_array_equal(values(problem), [8, 4, 2, 1])
    assert "unit_from_name" not in [item.code for item in problem.findings]


def test_units_of_columns_that_are_not_used_are_not_talked_about(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("t_s,x_mm,u_V\n0,1,0\n1,2,0\n2,4,0\n3,3,0\n")
    problem = Problem.pose(CART, ik.load(path), outputs={"x": "x_mm"})
    assert [item.about for item in problem.findings if item.code == "unit_from_name"] == [("t_s", "x_mm")]


# Angles that jump

WHIRL = 8 * TIME - 0.9 * TIME**2 / 2
WRAPPED = (WHIRL + np.pi) % (2 * np.pi) - np.pi


@pytest.mark.parametrize(
    ("unit", "column", "expression"),
    [("", WRAPPED, "a"), ("deg", np.degrees(WRAPPED), "a"), ("", WRAPPED + np.pi, "a - pi"), ("", WRAPPED, "")],
)
def test_an_angle_that_jumps_is_joined_and_said(unit: str, column: np.ndarray, expression: str) -> None:
    given = {"a": column} if expression else {"s": np.sin(WRAPPED), "c": np.cos(WRAPPED)}
    outputs = {"theta": expression or "atan2(s, c)"}
    problem = pose({"a": unit} if expression else None, outputs=outputs, **given)
    np.testing.assert_allclose(values(problem), WHIRL, atol=1e-9)
    (said,) = [item for item in problem.findings if item.code == "angle_unwrapped"]
    assert "5 times" in said.text and said.about == ("theta",)


def test_jumps_stay_where_joining_is_switched_off_and_where_nothing_is_an_angle() -> None:
    problem = pose({"a": "rad"}, a=WRAPPED, outputs={"theta": "a"}, unwrap=False)
    np.testing.assert_array_equal(values(problem), WRAPPED)
    assert "angle_unwrapped" not in [item.code for item in problem.findings]
    problem = pose(model=CART, x=WRAPPED, F=TIME)
    np.testing.assert_array_equal(values(problem), WRAPPED)
