"""Of explanations that no record can tell apart, always the same one is reported, with a word about the others."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.reference import smooth

import identikit as ik
from identikit.measurement import Record
from identikit.method import canonical
from identikit.model import Model, Parameter, library_model
from identikit.problem import Problem

TIME = np.linspace(0, 10, 400)
SWING = Model.from_text(
    "swing",
    equations={"x''": "-w**2*sin(x - zero) - c*x'"},
    parameters=[Parameter("w", None), Parameter("c", None), Parameter("zero", None)],
)
LAGS = Model.from_text(
    "two lags",
    equations={"z": "(u - z)/tau1", "y": "(z - y)/tau2"},
    parameters=[Parameter(name, 1.0, "s", (0.01, 100)) for name in ("tau1", "tau2")],
    inputs=["u"],
    outputs=["y"],
)
DRIVEN = Model.from_text(
    "driven",
    equations={"x''": "-x - 0.1*x' + F*cos(2*t + phi)"},
    parameters=[Parameter("F", None), Parameter("phi", None)],
)
PARALLEL = Model.from_text(
    "two decays",
    equations={"a": "-ka*a", "b": "-kb*b"},
    parameters=[Parameter("ka", 1.0, "1/s", (0, 10)), Parameter("kb", 1.0, "1/s", (0, 10))],
    outputs={"y": "a + b"},
)


def form(model: Model, values: dict[str, float], **more):
    """The canonical form of an estimate."""
    channels = dict.fromkeys((*model.output_names, *model.input_names), np.sin(TIME))
    problem = Problem.pose(model, Record.from_arrays(TIME, channels), free=list(values), **more)
    return canonical(problem, np.array(list(values.values())))


def about(found) -> list[tuple[str, ...]]:
    assert {item.code for item in found.findings} <= {"equivalent_explanation"}
    return [item.about for item in found.findings]


def test_the_sign_that_nothing_shows_is_plus() -> None:
    for sign in (-1, 1):
        found = form(SWING, {"w": sign * 3.0, "c": 0.1}, fix={"zero": 0.0})
        assert found.p.tolist() == [3.0, 0.1]
        assert about(found) == [("w",)]


def test_bounds_priors_and_starts_have_the_last_word() -> None:
    values, fix = {"w": -3.0, "c": 0.1}, {"zero": 0.0}
    assert about(form(SWING, values, fix=fix, bounds={"w": (-10, 0)})) == []
    assert about(form(SWING, values, fix=fix, priors={"w": (-3.0, 0.1)})) == []
    assert form(SWING, values, fix=fix, start={"w": -2.0}).p.tolist() == [-3.0, 0.1]


def test_an_angle_is_reported_within_half_a_turn() -> None:
    found = form(SWING, {"c": 0.1, "zero": 6.277}, fix={"w": 3.0})
    assert found.p == pytest.approx([0.1, 6.277 - 2 * math.pi])
    assert about(found) == [("zero",)]


def test_a_sensor_zero_takes_the_hidden_angle_with_it() -> None:
    """The library's pendulum is measured as theta + offset: a turn of one is made up for by the other."""
    found = form(library_model("pendulum"), {"w0": 11.8, "offset": 6.277})
    assert found.p == pytest.approx([11.8, 6.277 - 2 * math.pi])
    (step,) = found.states
    assert step(np.array([0.5, 0.0])) == pytest.approx([0.5 + 2 * math.pi, 0.0])


def test_a_known_angle_at_the_beginning_settles_the_turn() -> None:
    found = form(library_model("pendulum"), {"w0": 11.8, "offset": 6.277}, initial={"theta": 0.5})
    assert found.p.tolist() == [11.8, 6.277] and about(found) == []


def test_the_sign_of_a_force_goes_with_half_a_turn_of_its_phase() -> None:
    found = form(DRIVEN, {"F": -2.0, "phi": 1.0})
    assert found.p == pytest.approx([2.0, 1.0 - math.pi])
    assert ("F", "phi") in about(found)


def test_equal_parts_are_reported_in_order_with_their_states() -> None:
    found = form(PARALLEL, {"ka": 3.0, "kb": 0.5})
    assert found.p.tolist() == [0.5, 3.0]
    assert found.states[0](np.array([1.0, 7.0])).tolist() == [7.0, 1.0]
    assert about(found) == [("ka", "kb")]


def test_parts_of_other_units_or_known_beginnings_are_not_equal() -> None:
    assert about(form(PARALLEL, {"ka": 3.0, "kb": 0.5}, initial={"a": 1.0, "b": 2.0})) == []
    assert about(form(LAGS, {"tau1": 3.0}, fix={"tau2": 1.0})) == []


def test_lags_in_series_are_exchanged_though_the_state_between_them_becomes_another() -> None:
    """z = y + tau2 y' before, y + tau1 y' after, with y' = (z - y)/tau2."""
    found = form(LAGS, {"tau1": 3.0, "tau2": 0.5})
    assert found.p.tolist() == [0.5, 3.0]
    ((exchange, p),) = found.states
    assert exchange.beginning(0, np.array([1.0, 0.2]), p) == pytest.approx([0.2 + 3.0 * (1.0 - 0.2) / 0.5, 0.2])


def test_lags_of_which_the_middle_is_measured_are_told_apart() -> None:
    model = Model.from_text(
        "both lags",
        equations={"z": "(u - z)/tau1", "y": "(z - y)/tau2"},
        parameters=[Parameter(name, 1.0, "s", (0.01, 100)) for name in ("tau1", "tau2")],
        inputs=["u"],
    )
    assert about(form(model, {"tau1": 3.0, "tau2": 0.5})) == []


def test_dampings_at_zero_are_not_taken_for_equal_parts() -> None:
    values = {"zeta": 0.05, "mu_c": 0.0, "mu_q": 0.0}
    assert about(form(library_model("horizontal_pendulum"), values)) == []


def test_a_function_has_no_symmetries_that_could_be_seen() -> None:
    model = Model.from_function(
        "decay", lambda t, x, u, p: [-(p["a"] ** 2) * x["x"]], states=["x"], parameters={"a": 2.0}
    )
    assert about(form(model, {"a": -2.0})) == []


def test_every_draw_of_the_noise_gives_the_same_sign() -> None:
    """Truth w = 3; without the canonical form w comes out as -3 on some of these draws."""
    times = np.arange(0, 12, 0.03)
    motion = smooth(lambda t, x: (x[1], -9.0 * np.sin(x[0]) - 0.1 * x[1]), (1.0, 0.0), times)[0]
    for seed in range(4):
        noise = 0.01 * np.random.default_rng(seed).normal(size=len(times))
        found = ik.fit(Record.from_arrays(times, {"x": motion + noise}), SWING, fix={"zero": 0.0})
        item = found.parameters["w"]
        assert found.ok and item.ci95 is not None
        assert abs(found.value("w") - 3.0) < 4 * (item.std or 0.0)
        assert item.ci95[0] < found.value("w") < item.ci95[1]
        assert [f.about for f in found.findings if f.code == "equivalent_explanation"] == [("w",)]


def test_a_fit_of_lags_reports_states_that_belong_to_its_parameters() -> None:
    """The reported parameters, started at the reported states, give the very curve that was fitted."""
    times = np.arange(0, 20, 0.05)
    motion = smooth(lambda t, x: ((np.sin(t) - x[0]) / 2.5, (x[0] - x[1]) / 0.6), (0.3, -0.2), times)[1]
    noise = 0.002 * np.random.default_rng(1).normal(size=len(times))
    record = Record.from_arrays(times, {"y": motion + noise})
    found = ik.fit(record, LAGS, inputs={"u": "sin(t)"}, start={"tau1": 2.5, "tau2": 0.6})
    assert found.value("tau1") == pytest.approx(0.6, rel=0.05) and found.value("tau2") == pytest.approx(2.5, rel=0.05)
    again = found.simulate(times)
    assert np.std(np.asarray(again.channels["y"].values) - motion) < 0.001
