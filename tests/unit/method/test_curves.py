"""A result holds the model's curve as it runs between samples, its inputs and the correlations of its residuals."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

import identikit as ik
from identikit.method import curve_artifacts
from identikit.problem import Problem
from identikit.simulation import simulate

MOST = 4000  # points that a curve is drawn with
OSCILLATOR = """
name = "driven oscillator"
[states]
x = { unit = "m" }
v = { unit = "m/s" }
[parameters]
k = { unit = "1/s^2", value = 9, bounds = [0.1, 100] }
[inputs]
F = { unit = "m/s^2" }
d = { unit = "m/s^2" }
[equations]
x = "v"
v = "F + d - k*x - 0.1*v"
[outputs]
x = "x"
"""


@dataclass(frozen=True)
class Found:
    """What `curve_artifacts` reads of an estimate."""

    p: np.ndarray
    residual: np.ndarray
    sigma: np.ndarray
    initial_states: tuple[dict, ...]
    stopped: bool = False


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "oscillator.toml"
    path.write_text(OSCILLATOR, encoding="utf-8")
    return ik.load_model(path)


def posed(model, time: np.ndarray, **more: np.ndarray) -> tuple[Problem, Found]:
    """A problem whose samples are the model's own, with the truth as what was found."""
    x = np.cos(3 * time)
    record = ik.Record.from_arrays(time, {"x": x, **more}, time_unit="s", name="run")
    problem = Problem.pose(model, record, free=["k"], hold="zero_order")
    clean = simulate(model, time, {"k": 9.0}, {"x": 1.0, "v": 0.0}, problem.records[0].pieces).outputs["x"]
    noise = 0.01 * np.random.default_rng(0).standard_normal(len(time))
    record = ik.Record.from_arrays(time, {"x": clean + noise, **more}, time_unit="s", name="run")
    problem = Problem.pose(model, record, free=["k"], hold="zero_order")
    states = ({"x": {"value": 1.0, "std": 0.0}, "v": {"value": 0.0, "std": 0.0}},)
    return problem, Found(np.array([9.0]), noise[:, None], np.array([0.01]), states)


def test_between_sparse_samples_the_curve_is_the_simulated_model(model) -> None:
    problem, found = posed(model, np.arange(0, 12, 0.7))
    curve = curve_artifacts(problem, found)["x, run"]
    truth = simulate(model, curve["dense_t"], {"k": 9.0}, {"x": 1.0, "v": 0.0}).outputs["x"]
    assert len(curve["t"]) < 0.2 * len(curve["dense_t"]) <= 0.2 * MOST
    assert np.allclose(curve["dense"], truth, atol=1e-6)
    assert curve["sigma"] == 0.01
    assert "dense_std" not in curve


def test_a_gap_is_filled_by_the_model(model) -> None:
    time = np.arange(0, 12, 0.02)
    problem, found = posed(model, time[(time < 4) | (time > 8)])
    dense_t = curve_artifacts(problem, found)["x, run"]["dense_t"]
    assert np.diff(dense_t).max() < 0.2


def test_straight_lines_between_the_kept_points_pass_for_the_curve(model) -> None:
    problem, found = posed(model, np.arange(0, 12, 0.7))
    curve = curve_artifacts(problem, found)["x, run"]
    at = np.linspace(0, 11, 3000)
    truth = simulate(model, at, {"k": 9.0}, {"x": 1.0, "v": 0.0}).outputs["x"]
    assert np.abs(np.interp(at, curve["dense_t"], curve["dense"]) - truth).max() < 0.01


def test_dense_samples_need_no_simulation(model) -> None:
    """The curve is the fit at the samples, to the last bit, though the initial state would lead elsewhere."""
    problem, found = posed(model, np.arange(0, 12, 0.01))
    elsewhere = ({"x": {"value": 1.001, "std": 0.0}, "v": {"value": 0.0, "std": 0.0}},)
    curve = curve_artifacts(problem, replace(found, initial_states=elsewhere))["x, run"]
    at = np.isin(curve["t"], curve["dense_t"])
    assert 1 < at.sum() == len(curve["dense_t"])
    assert (curve["dense"] == curve["modelled"][at]).all()


@pytest.mark.parametrize(
    "change",
    [
        {"initial_states": ({"x": {"value": -1.0, "std": 0.0}, "v": {"value": 0.0, "std": 0.0}},)},
        {"initial_states": ({"x": {"value": 1.0, "std": 0.0}, "v": {"value": None, "std": None}},)},
        {"initial_states": ()},
        {"stopped": True},
    ],
)
def test_a_simulation_that_leaves_the_fit_is_not_shown_for_it(model, change) -> None:
    problem, found = posed(model, np.arange(0, 12, 0.7))
    curve = curve_artifacts(problem, Found(**{**found.__dict__, **change}))["x, run"]
    assert "dense" not in curve
    assert len(curve["modelled"]) == len(problem.records[0].time)


def _given_curve(_: int, times: np.ndarray | None) -> tuple[np.ndarray, ...]:
    t = np.linspace(0, 10, 500) if times is None else times
    return t, np.sin(t)[:, None], np.full((len(t), 1), 0.2)


def test_a_curve_that_is_given_brings_its_standard_errors(model) -> None:
    problem, found = posed(model, np.arange(0, 12, 0.7))
    given = curve_artifacts(problem, found, _given_curve)["x, run"]
    assert np.allclose(given["dense"], np.sin(given["dense_t"]))
    assert np.all(given["dense_std"] == 0.2)
    assert len(given["dense_std"]) == len(given["dense_t"])


def test_inputs_that_change_are_kept_where_they_change(model) -> None:
    time = np.arange(0, 10, 0.05)
    problem, found = posed(model, time, F=np.where(time < 5, 0.0, 2.0), d=np.zeros(len(time)))
    made = curve_artifacts(problem, found)
    inputs = [item for item in made.values() if item["kind"] == "input"]
    assert [item["name"] for item in inputs] == ["F"]
    assert inputs[0]["hold"] == "zero_order"
    assert inputs[0]["t"] == pytest.approx([0.0, 5.0, time[-1]])
    assert list(inputs[0]["values"]) == [0.0, 2.0, 2.0]


def test_residuals_are_correlated_with_themselves_and_with_inputs_over_all_samples(model) -> None:
    time = np.arange(0, 10, 0.001)
    problem, found = posed(model, time, F=np.sin(time), d=np.zeros(len(time)))
    made = [item for item in curve_artifacts(problem, found).values() if item["kind"] == "correlation"]
    assert [(item["output"], item["input"]) for item in made] == [("x", None), ("x", "F")]
    assert made[0]["bound"][0] == pytest.approx(1.96 / np.sqrt(len(time) - 1))
