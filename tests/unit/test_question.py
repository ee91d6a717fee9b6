"""A question is the same however it is asked, is checked once, and survives being saved."""

from __future__ import annotations

import json
import math
import pickle
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import identikit as ik
from identikit.errors import DataError, InputError, ModelError, OptionError
from identikit.question import Asked
from identikit.result import Code, Result, Status

FULL = {
    "model": "tank.toml",
    "data": ["a.csv", "b.csv"],
    "time": "t_ms",
    "segments": "run",
    "units": {"x": "mm"},
    "trim": [0.5, None],
    "outputs": {"x": "position"},
    "inputs": {"u": "0.2*sin(3*t)"},
    "hold": "zero_order",
    "free": ["k", "c"],
    "fix": {"m": 1.5},
    "start": {"k": 2.0},
    "bounds": {"k": [0.0, None]},
    "priors": {"c": [0.1, 0.05]},
    "initial": {"x": 0.5, "v": [-1.0, 1.0], "w": "2*m", "z": {"value": 0.0, "std": 0.1, "bounds": [0.0, None]}},
    "noise": {"x": 0.01},
    "method": "shooting",
    "options": {"segment": 0.5},
    "seed": 3,
    "smooth_friction": 0.01,
}


def test_a_question_survives_json_and_toml(tmp_path: Path) -> None:
    question = ik.Question.from_dict(FULL)
    assert question.as_dict() == FULL
    assert question.bounds["k"] == (0.0, math.inf)
    question.save(tmp_path / "q.json")
    assert ik.Question.load(tmp_path / "q.json") == question
    toml = tmp_path / "q.toml"
    toml.write_text('model = "pendulum"\ndata = "a.csv"\nfree = ["w0"]\nbounds = { w0 = [1, inf] }\n')
    assert ik.Question.load(toml) == ik.Question("pendulum", "a.csv", free=("w0",), bounds={"w0": (1, math.inf)})
    assert pickle.loads(pickle.dumps(question)) == question


def test_every_keyword_of_a_front_door_is_a_field_and_the_other_way_round() -> None:
    assert set(Asked.__annotations__) | {"model", "data"} == {item.name for item in fields(ik.Question)}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"fee": ["k"]}, "Did you mean 'free'"),
        ({"free": "k"}, "list of names"),
        ({"fix": {"k": "20"}}, "fix of 'k' is '20': expected a number"),
        ({"bounds": {"k": 3}}, "two values"),
        ({"hold": "wobbly"}, "one of linear"),
        ({"seed": -1}, "whole number"),
        ({"seed": 1.5}, "whole number"),
        ({"smooth_friction": 0}, "above zero"),
        ({"initial": "unknown"}, "'example'"),
        ({"outputs": ["x"]}, "names with values"),
        ({"trim": 3}, "two values"),
        ({"data": 7}, "a file"),
    ],
)
def test_what_is_wrong_is_said_once_and_clearly(given: dict[str, object], expected: str) -> None:
    with pytest.raises(OptionError) as caught:
        ik.Question.from_dict(given)
    assert expected in str(caught.value)


def test_a_wrong_keyword_of_fit_is_an_input_error() -> None:
    with pytest.raises(InputError, match="Did you mean 'method'"):
        ik.fit("a.csv", "pendulum", metod="shooting")  # type: ignore[call-arg]
    with pytest.raises(OptionError, match="no model is given"):
        ik.fit(record())


def record(seed: int = 1) -> ik.Record:
    return ik.simulate("van_der_pol", duration=12, dt=0.05, seed=seed)


def test_data_in_memory_are_noted_by_their_digest_and_must_be_given_again() -> None:
    data = record()
    question = ik.Question("van_der_pol", data)
    saved = question.as_dict()["data"]
    assert saved == {"in_memory": ["van_der_pol"], "sha256": ik.Experiment((data,)).digest()}
    again = ik.Question.from_dict(json.loads(question.to_json()))
    with pytest.raises(DataError, match="in memory"):
        again.experiment()
    assert again.changed(data=data).experiment().digest() == saved["sha256"]


def test_a_model_in_memory_is_saved_as_text_and_a_function_is_asked_for_again() -> None:
    model = ik.library_model("duffing")
    assert ik.Question.from_dict(ik.Question(model).as_dict()).asked_model() == model
    function = ik.Model.from_function("f", lambda t, x, u, p: [-x["x"]], states=["x"], parameters={"k": 1.0})
    with pytest.raises(ModelError, match="'f' was a Python function"):
        ik.Question.from_dict(ik.Question(function).as_dict()).asked_model()


def test_changing_a_question_keeps_the_rest() -> None:
    question = ik.Question(
        "duffing",
        "a.csv",
        free=("c", "k"),
        fix={"m": 1.0},
        start={"k": 1.0},
        options={"segment": 0.5},
        method="shooting",
    )
    fixed = question.changed(fix={"k": 2.0})
    assert (fixed.free, fixed.fix, fixed.start) == (("c",), {"m": 1.0, "k": 2.0}, {})
    freed = fixed.changed(free=["k"])
    assert (freed.free, freed.fix) == (("k",), {"m": 1.0})
    assert question.changed(data="b.csv").options == {"segment": 0.5}
    assert question.changed(method="energy").options == {}
    assert question.changed() == question
    assert question.changed(seed=None) == question


def test_trim_counts_for_data_in_memory_too() -> None:
    question = ik.Question("van_der_pol", record(), trim=(2.0, None))
    assert question.experiment()[0].time[0] == 2.0


def test_several_records_are_an_experiment() -> None:
    assert len(ik.Question("van_der_pol", [record(1), record(2)]).experiment()) == 2


def test_a_prior_is_a_pair_or_a_table() -> None:
    table = ik.Question(priors={"mu": {"value": 1.0, "std": 0.1}})  # type: ignore[dict-item]
    assert table == ik.Question(priors={"mu": (1.0, 0.1)})


def test_a_fit_holds_its_question_and_can_be_repeated(tmp_path: Path) -> None:
    data = record()
    result = ik.fit(data, "van_der_pol", method="shooting", seed=2)
    result.save(tmp_path / "fit.json")
    loaded = Result.load(tmp_path / "fit.json")
    assert loaded.question == result.question
    question = ik.Question.load(tmp_path / "fit.json")
    assert question.asked_model() == ik.library_model("van_der_pol")
    again = ik.fit(question.changed(data=data))
    assert again.value("mu") == result.value("mu")
    assert again.provenance == result.provenance
    assert ik.fit(data, loaded, method="shooting").value("mu") == pytest.approx(result.value("mu"), rel=1e-9)


def test_a_result_of_before_has_no_question_and_says_so() -> None:
    old = Result("m", "shooting", Status(Code.OK, ""), {})
    with pytest.raises(DataError, match="does not hold its question"):
        ik.Question.of(old)


def test_initial_states_priors_and_noise_reach_the_problem() -> None:
    said = ik.Question("van_der_pol", record(), initial={"x": 0.1}, priors={"mu": (1.0, 0.1)}, noise={"x": 0.05})
    problem = said.problem()
    assert problem.initial[0]["x"].known
    assert problem.priors["mu"] == (1.0, 0.1)
    assert problem.noise["x"].level == 0.05
    assert all(
        item.known for item in ik.Question("van_der_pol", record(), initial="example").problem().initial[0].values()
    )


def test_numpy_numbers_and_names_are_understood() -> None:
    question = ik.Question("duffing", fix={"k": np.float64(2.0)}, free=np.array(["c"]), bounds={"c": np.array([0, 1])})
    assert json.loads(question.to_json())["fix"] == {"k": 2.0}
    assert question.free == ("c",)
