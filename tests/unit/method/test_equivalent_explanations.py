"""Which explanations count as equal: symmetries of the equations that bounds and known beginnings leave."""

from __future__ import annotations

import math

import numpy as np
import pytest

from identikit.measurement import Record
from identikit.method import canonical
from identikit.model import Model, Parameter
from identikit.problem import Initial, Problem

TIME = np.linspace(0, 10, 400)
SWING = Model.from_text(
    "swing",
    equations={"x''": "-w**2*sin(x) - d**2*x'"},
    parameters=[Parameter("w", None), Parameter("d", None)],
)
DECAYS = Model.from_text(
    "two decays",
    equations={"a": "-ka*a + ga", "b": "-kb*b + gb"},
    parameters=[
        Parameter(name, 1.0, unit, (0, 10)) for name, unit in (("ka", "1/s"), ("kb", "1/s"), ("ga", ""), ("gb", ""))
    ],
    outputs={"y": "a + b"},
)
DRIVEN = Model.from_text(
    "driven",
    equations={"x''": "-x - 0.1*x' + F*cos(2*t + phi)"},
    parameters=[Parameter("F", None), Parameter("phi", None)],
)


def form(model: Model, values: dict[str, float], **more):
    channels = dict.fromkeys((*model.output_names, *model.input_names), np.sin(TIME))
    problem = Problem.pose(model, Record.from_arrays(TIME, channels), free=list(values), **more)
    return canonical(problem, np.array(list(values.values())))


def about(found) -> list[tuple[str, ...]]:
    return [item.about for item in found.findings]


# Signs


@pytest.mark.parametrize("size", [0.3, 1.0, 40.0])
@pytest.mark.parametrize("sign", [-1, 1])
def test_plus_is_reported_however_small(size: float, sign: int) -> None:
    found = form(SWING, {"w": sign * size}, fix={"d": 0.3})
    assert found.p.tolist() == [size]
    (told,) = found.findings
    assert f"w = {-size:.5g} explains the record as well" in told.text and "plus is reported" in told.text


def test_signs_of_two_parameters_are_told_one_by_one_and_not_again_together() -> None:
    found = form(SWING, {"w": -3.0, "d": -0.3})
    assert found.p.tolist() == [3.0, 0.3]
    assert about(found) == [("w",), ("d",)]


def test_minus_is_reported_where_the_model_says_minus() -> None:
    negative = Model.from_text("swing", equations={"x''": "-w**2*x"}, parameters=[Parameter("w", -2.0)])
    found = form(negative, {"w": 3.0})
    assert found.p.tolist() == [-3.0]
    assert "w = 3 explains" in found.findings[0].text and "minus is reported" in found.findings[0].text
    assert form(negative, {"w": 3.0}, start={"w": 1.0}).p.tolist() == [3.0]


@pytest.mark.parametrize("beginning", [2.0, 0.5, -1.0, 0.0])
def test_a_known_beginning_that_stays_leaves_the_sign_open(beginning: float) -> None:
    assert about(form(SWING, {"w": -3.0}, fix={"d": 0.3}, initial={"x": beginning})) == [("w",)]


HIDDEN = Model.from_text(
    "hidden",
    equations={"x": "-x + g", "z": "-z"},
    parameters=[Parameter("g", None)],
    outputs={"y": "x**2", "z": "z"},
)


@pytest.mark.parametrize(
    ("initial", "open"),
    [
        ({}, True),  # the state turns with the parameter
        ({"x": 0.0}, True),
        ({"x": 1.5}, False),
        ({"x": Initial(0.0, 0.1)}, True),
        ({"x": Initial(1.5, 0.1)}, False),
        ({"x": (-2.0, 2.0)}, True),
        ({"x": (0.0, 2.0)}, False),
    ],
)
def test_what_is_known_of_a_beginning_settles_the_sign_unless_it_turns_into_itself(
    initial: dict[str, object], open: bool
) -> None:
    assert bool(about(form(HIDDEN, {"g": 2.0}, initial=initial))) == open


# Exchanges


def test_parts_with_two_parameters_each_are_exchanged_whole() -> None:
    found = form(DECAYS, {"ka": 3.0, "kb": 0.5, "ga": 7.0, "gb": 1.0})
    assert found.p.tolist() == [0.5, 3.0, 1.0, 7.0]
    assert about(found) == [("ka", "kb", "ga", "gb")]
    assert "ka with kb and ga with gb can be exchanged" in found.findings[0].text
    ordered = form(DECAYS, {"ka": 0.5, "kb": 3.0, "ga": 7.0, "gb": 1.0})
    assert ordered.p.tolist() == [0.5, 3.0, 7.0, 1.0] and about(ordered) == about(found)


@pytest.mark.parametrize(
    ("initial", "open"),
    [
        ({"a": 1.0, "b": 1.0}, True),
        ({"a": 1.0, "b": 2.0}, False),
        ({"a": Initial(1.0, 0.1), "b": Initial(1.0, 0.1)}, True),
        ({"a": Initial(1.0, 0.1), "b": Initial(1.0, 0.2)}, False),
        ({"a": Initial(1.0, 0.1)}, False),
        ({"a": (0.0, 5.0)}, False),
        ({"a": (0.0, 5.0), "b": (0.0, 5.0)}, True),
    ],
)
def test_states_change_places_only_where_the_same_is_known_of_both(initial: dict[str, object], open: bool) -> None:
    found = form(DECAYS, {"ka": 3.0, "kb": 0.5, "ga": 7.0, "gb": 1.0}, initial=initial)
    assert bool(about(found)) == open


# Turns


@pytest.mark.parametrize("turns", [-3, -1, 0, 1, 2])
@pytest.mark.parametrize("phase", [-2.0, 0.4, 3.0])
def test_an_angle_is_reported_nearest_to_zero_and_the_other_is_named(turns: int, phase: float) -> None:
    given = phase + 2 * math.pi * turns
    found = form(DRIVEN, {"phi": given}, fix={"F": 2.0})
    assert found.p == pytest.approx([phase])
    (told,) = found.findings
    other = given if turns else phase + 2 * math.pi
    assert told.about == ("phi",) and f"phi = {other:.5g} explains" in told.text


def test_bounds_may_leave_an_angle_where_it_is() -> None:
    found = form(DRIVEN, {"phi": 7.0}, fix={"F": 2.0}, bounds={"phi": (6.5, 7.5)})
    assert found.p.tolist() == [7.0] and about(found) == []
