"""Where data meet equations: every mismatch is one clear message."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from identikit.errors import DataError, InputError, ProblemError, UnitError
from identikit.measurement import Record
from identikit.model import Input, Model, Parameter, library_model
from identikit.problem import Problem

TIME = np.linspace(0, 10, 101)
SWING = np.cos(3 * TIME)


def pose(record: Record | None = None, model: str = "horizontal_pendulum", **other):
    return Problem.pose(library_model(model), record or Record.from_arrays(TIME, theta=SWING), **other)


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"free": ["zta"]}, "Did you mean 'zeta'"),
        ({"free": ["zeta", "zeta"]}, "listed twice"),
        ({"free": []}, "no parameter is free"),
        ({"free": ["zeta"], "fix": {"zeta": 0.1}}, "both free and fixed"),
        ({"fix": {"kk": 1.0}}, "no parameter 'kk'"),
        ({"fix": {"k": -1.0}}, "outside its bounds"),
        ({"fix": {"k": float("nan")}}, "finite"),
        ({"start": {"k": 1e9}}, "outside its bounds"),
        ({"free": ["zeta"], "start": {"k": 3.0}}, "not free"),
        ({"bounds": {"k": (5.0, 1.0)}}, "lower bound first"),
        ({"free": ["zeta"], "bounds": {"k": (1.0, 5.0)}}, "not free"),
        ({"outputs": {"angle": "theta"}}, "no output 'angle'"),
        ({"outputs": {"theta": "thta"}}, "Did you mean 'theta'"),
        ({"inputs": {"q_x": "theta"}}, "no input 'q_x'"),
        ({"inputs": {"q_v": "shaker"}}, "neither a column nor an expression"),
        ({"inputs": {"q_v": "0.2*sin(3*x)"}}, "undefined symbol 'x'"),
        ({"hold": "quintic", "inputs": {"q_v": "theta"}}, "hold"),
    ],
)
def test_each_mistake_is_named(arguments: dict, words: str) -> None:
    with pytest.raises(InputError) as caught:
        pose(**arguments)
    assert words in str(caught.value)


def test_a_parameter_without_any_value_must_be_given() -> None:
    model = Model.from_text(
        "decay", equations={"x": "-k*x + b"}, parameters=[Parameter("k"), Parameter("b", fixed=True)]
    )
    record = Record.from_arrays(TIME, x=np.exp(-TIME))
    with pytest.raises(ProblemError, match="let it be free, or give it a value") as caught:
        Problem.pose(model, record)
    assert (caught.value.remedy, caught.value.about) == ("free_or_fix", "b")
    assert Problem.pose(model, record, fix={"b": 0.0}).free == ("k",)


def test_units_are_converted_once_on_entry() -> None:
    record = Record.from_arrays(1000 * TIME, theta=np.rad2deg(SWING), units={"theta": "deg"}, time_unit="ms")
    observed = pose(record).records[0]
    assert observed.values[:, 0] == pytest.approx(SWING)
    assert observed.time == pytest.approx(TIME)


def test_a_unit_of_the_wrong_kind_is_refused_with_its_column() -> None:
    with pytest.raises(UnitError, match="theta"):
        pose(Record.from_arrays(TIME, theta=SWING, units={"theta": "kg"}))


def test_a_constant_or_empty_channel_is_refused() -> None:
    with pytest.raises(DataError, match="constant"):
        pose(Record.from_arrays(TIME, theta=np.ones(101)))
    with pytest.raises(DataError, match="no value"):
        pose(Record.from_arrays(TIME, theta=np.full(101, np.nan)))


def test_columns_named_like_outputs_and_inputs_are_taken_as_they_are() -> None:
    record = Record.from_arrays(TIME, theta=SWING, q_v=0.1 * np.sin(TIME))
    problem = pose(record)
    assert problem.outputs == ("theta",)
    assert problem.records[0].pieces(TIME)[1] == pytest.approx(0.1 * np.sin(TIME))


def test_an_input_given_by_expression_leaves_the_model_with_one_input_less() -> None:
    problem = pose(inputs={"q_v": "0.2*sin(3*t)"})
    assert problem.model.input_names == ("q_h",)


def test_a_column_that_continues_an_outputs_name_is_taken_if_it_is_the_only_one() -> None:
    problem = pose(Record.from_arrays(TIME, theta_rad=SWING))
    assert problem.channels == {"theta": "theta_rad"}
    assert problem.findings[0].code == "column_guessed" and "theta_rad" in problem.findings[0].about
    with pytest.raises(ProblemError, match="say which column it is") as caught:
        pose(Record.from_arrays(TIME, theta_rad=SWING, theta_raw=SWING))
    assert (caught.value.remedy, caught.value.about) == ("name_column", "theta")


def test_default_free_parameters_leave_out_what_is_fixed() -> None:
    assert pose().free == ("zeta", "mu_c", "mu_q", "k")
    assert pose(fix={"mu_c": 0.0, "mu_q": 0.0}).free == ("zeta", "k")
    assert pose(model="pendulum").free == ("w0", "mu")


def test_inputs_without_a_column_keep_their_own_value() -> None:
    model = Model.from_text(
        "pushed", equations={"x": "-k*x + u"}, parameters={"k": 1.0}, inputs=[Input("u", value=2.5)]
    )
    problem = Problem.pose(model, Record.from_arrays(TIME, x=np.exp(-TIME)))
    assert problem.records[0].pieces(np.array([3.0]))[0] == pytest.approx(2.5)


def test_inputs_written_as_steps_become_pieces_beside_sampled_columns_and_formulas() -> None:
    """F_in steps twice, C_in is a sampled ramp, T_in a formula of time: each stays what it is."""
    ramp = 2 + 0.01 * TIME
    record = Record.from_arrays(TIME, C=1 + 0.1 * SWING, T=340 + SWING, ramp=ramp)
    model = library_model("tank_reactor")
    given = {"F_in": "1 + 0.5*heaviside(t - 4) - heaviside(t - 7)", "C_in": "ramp", "T_in": "323 + sin(t)"}
    problem = Problem.pose(model, record, inputs=given, hold="linear")
    assert problem.model.input_names == ("F_in", "C_in", "T_co", "F_co")
    at = np.array([0.0, 3.99, 4.0, 6.5, 7.0, 9.9])
    flow, concentration, coolant, _ = problem.records[0].pieces(at)
    assert flow == pytest.approx([1, 1, 1.5, 1.5, 0.5, 0.5], abs=1e-12)
    assert concentration == pytest.approx(2 + 0.01 * at, abs=1e-12)
    assert coolant == pytest.approx(335.0)
    assert len(problem.records[0].pieces.begins) < 10


def test_a_formula_that_moves_between_its_steps_is_not_taken_for_pieces() -> None:
    """Negative control of the test before."""
    record = Record.from_arrays(TIME, C=1 + 0.1 * SWING, T=340 + SWING)
    problem = Problem.pose(library_model("tank_reactor"), record, inputs={"F_in": "1 + 0.1*t*heaviside(t - 4)"})
    assert "F_in" not in problem.model.input_names


def test_a_problem_about_a_larger_model_keeps_its_records_and_frees_what_is_new() -> None:
    problem = pose(model="pendulum")
    larger = replace(problem.model, parameters=(*problem.model.parameters, Parameter("extra", 0.0)))
    found = problem.extended(larger, {"extra": (-1.0, 1.0), "mu_c": (0.0, 5.0)})
    assert found.free == (*problem.free, "extra", "mu_c")
    assert "mu_c" not in found.fixed and found.bounds["mu_c"] == (0.0, 5.0)
    assert found.records is problem.records
    with pytest.raises(ProblemError, match="neither free nor fixed"):
        problem.extended(larger, {})
    with pytest.raises(ProblemError, match="same states"):
        problem.extended(library_model("duffing"), {})
