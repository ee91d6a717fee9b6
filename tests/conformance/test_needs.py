"""What a method says it needs is what it objects to the lack of, so that one can be chosen before computing."""

from __future__ import annotations

import numpy as np
import pytest

import identikit as ik
from identikit.method import METHODS, Cost, Method, Need
from identikit.problem import Problem

TIME = np.arange(800) * 0.05
DECAY = np.exp(-0.05 * TIME) * np.cos(2 * TIME)
SECOND = {Need.SECOND_ORDER, Need.ONE_DEGREE}


def posed(model: str | ik.Model, *channels: str, values: np.ndarray = DECAY, **question: object) -> Problem:
    named = {name: np.roll(values, 7 * place) for place, name in enumerate(channels)}
    found = model if isinstance(model, ik.Model) else ik.library_model(model)
    return Problem.pose(found, ik.Record.from_arrays(TIME, named), **question)  # type: ignore[arg-type]


def function_model() -> ik.Model:
    parameters = {"c": ik.Parameter("c", 0.1, "", (0, 1)), "k": ik.Parameter("k", 4.0, "", (0, 10))}
    return ik.Model.from_function(
        "spring",
        lambda t, x, u, p: [x["v"], -p["c"] * x["v"] - p["k"] * x["x"]],
        states=["x", "v"],
        parameters=parameters,
        outputs=["x"],
    )


# What is lacking, in a problem that lacks nothing else that the needs below could be about.
LACKING = {
    "symbolic equations": (lambda: posed(function_model(), "x", start={"c": 0.1, "k": 4.0}), {Need.EQUATIONS}),
    "pairs of states": (lambda: posed("lorenz", "x", "y", "z"), {Need.LINEAR, *SECOND, Need.FREE_DECAY}),
    "a single pair": (lambda: posed("coupled_pendulums", "q1", "q2", "p1", "p2"), {Need.ONE_DEGREE}),
    "some states": (lambda: posed("miura_origami", "V"), {Need.ALL_STATES, Need.MEASURED_STATES, *SECOND}),
    "velocities": (lambda: posed("coupled_pendulums", "q1", "q2"), {Need.MEASURED_STATES, Need.ONE_DEGREE}),
    "decay": (lambda: posed("duffing", "x", values=np.cos(2 * TIME)), {Need.FREE_DECAY, Need.LINEAR}),
}


@pytest.mark.parametrize("lack", LACKING)
@pytest.mark.parametrize("method", METHODS.values(), ids=lambda method: method.name)
def test_a_method_objects_to_what_it_says_it_needs(method: type[Method], lack: str) -> None:
    make, about = LACKING[lack]
    problem = make()
    if about & set(method.needs):
        assert method().objections(problem)
    elif method.name != "averaging":  # made for one equation only, which is more than a need can say
        assert method().objections(problem) == []


@pytest.mark.parametrize("method", METHODS.values(), ids=lambda method: method.name)
def test_needs_and_costs_are_in_the_description(method: type[Method]) -> None:
    described = method.as_dict()
    assert described["needs"] == [str(need) for need in method.needs]
    assert described["costs"] in [str(cost) for cost in Cost]
    assert described["extra"] == method.extra
