"""Networks in windows: at the bound where the model is right, and never believed where it is wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import identikit as ik
import reference
from identikit.likelihood import smooth_curves
from identikit.method.network._averaged_samples import AveragedSamples
from identikit.method.network._elimination import NormalEquations
from identikit.method.network._settings import PINN
from identikit.method.network._window_kernel import HiddenLayer, WindowShape, gauss_points
from identikit.method.network._windows import Windows, windows_of
from identikit.method.pinn import Pinn
from identikit.model import Model, Parameter
from identikit.plotting import plot_fit
from identikit.problem import Problem
from identikit.result import Result

SIGMA = 0.002
DRY = {"mu_c": 0.15, "k": 20.0}


def noise(shape: tuple[int, ...] | int, sigma: float, seed: int = 0) -> np.ndarray:
    return sigma * np.random.default_rng(seed).standard_normal(shape)


def dry_record(duration: float) -> tuple[ik.Record, list[float]]:
    """A pendulum with dry friction, which stops after 22.45 s, and the times of its reversals."""
    time = np.arange(round(duration / 0.004)) * 0.004
    states, events = reference.horizontal_pendulum(time, mu_c=DRY["mu_c"])
    record = ik.Record.from_arrays(time, {"theta": states[0] + noise(len(time), SIGMA)})
    return record, [event[0] for event in events]


def dry_problem(duration: float) -> tuple[Problem, list[float]]:
    record, events = dry_record(duration)
    fix = {"zeta": 0.0, "mu_q": 0.0}
    return Problem.pose(ik.library_model("horizontal_pendulum"), record, free=list(DRY), fix=fix), events


def fit_dry(duration: float, method: str = "pinn") -> Result:
    record = dry_record(duration)[0]
    return ik.fit(record, "horizontal_pendulum", method=method, free=list(DRY), fix={"zeta": 0.0, "mu_q": 0.0})


def assert_near(result: Result, truth: dict[str, float]) -> None:
    for name, true in truth.items():
        std = result.parameters[name].std
        assert std is not None and abs(result.value(name) - true) < 4 * std, (name, result.parameters[name])


def codes(result: Result) -> set[str]:
    return {item.code for item in result.findings}


# Windows


def test_windows_end_at_the_reversals_and_leave_out_what_is_at_rest() -> None:
    problem, events = dry_problem(32.0)
    windows = windows_of(problem, smooth_curves(problem), np.array([0.1, 20.0]), PINN.window)
    moved = windows.time[windows.moves]
    assert len(moved) == len(events)
    np.testing.assert_allclose(moved[:-3], events[:-3], atol=0.02)
    assert windows.time[-1] < 24.0
    assert (windows.mode[1:, 0] == -windows.mode[:-1, 0]).all()


def test_windows_of_a_smooth_model_stand_still() -> None:
    """Negative control: nothing jumps, so no time is unknown, and nothing is left out."""
    time = np.arange(600) * 0.05
    values = np.cos(time) + noise(600, 0.01)
    problem = Problem.pose(ik.library_model("duffing"), ik.Record.from_arrays(time, {"x": values}))
    windows = windows_of(problem, smooth_curves(problem), np.ones(3), PINN.window)
    assert not windows.moves.any()
    assert windows.length.sum() == pytest.approx(time[-1])


def test_a_divided_window_keeps_its_ends_and_its_signs() -> None:
    windows = Windows(
        np.array([0.0, 1.0, 2.0]), np.zeros(3, int), np.array([False, True, False]), np.array([0, 1]),
        np.array([[1.0], [-1.0]]), np.array([[True], [False]]),
    )  # fmt: skip
    divided, origin = windows.divided(np.array([True, False]))
    np.testing.assert_array_equal(divided.time, [0.0, 0.5, 1.0, 2.0])
    np.testing.assert_array_equal(divided.mode[:, 0], [1.0, 1.0, -1.0])
    np.testing.assert_array_equal(divided.pinned[:, 0], [False, True, False])
    np.testing.assert_array_equal(origin, [0, -1, 1, 2])


def test_averages_of_a_bent_curve_lie_on_it() -> None:
    """A plain mean of samples on a bend lies inside it: by 1e-4 of the amplitude here, more than the noise leaves."""
    time = np.arange(30001) * 0.002
    values = np.cos(4.5 * time) + noise(len(time), 1e-6)
    model = ik.library_model("horizontal_pendulum")
    problem = Problem.pose(model, ik.Record.from_arrays(time, {"theta": values}))
    curves = smooth_curves(problem)
    windows = windows_of(problem, curves, np.array([20.0] * len(problem.free)), PINN.window)
    samples = AveragedSamples.of(problem, curves, windows)
    assert 3 * len(samples.time) < len(time)
    np.testing.assert_allclose(samples.values[:, 0], np.cos(4.5 * samples.time), atol=5e-6)


# Networks and their equations


def test_hidden_units_are_orthonormal_and_follow_half_a_swing() -> None:
    hidden = HiddenLayer.drawn(np.random.default_rng(0))
    places, weights = gauss_points()
    basis = hidden.basis(np, places)[0]
    np.testing.assert_allclose(basis.T @ (weights[:, None] * basis), np.eye(PINN.units + 1), atol=1e-5)
    wanted = np.sin(np.pi * places)
    assert np.abs(basis @ (basis.T @ (weights * wanted)) - wanted).max() < 1e-6


def test_eliminating_weights_and_nodes_gives_the_step_of_the_whole_system() -> None:
    """Against a dense solution over all unknowns at once."""
    shape = WindowShape(carriers=(0,), partners=(1,), states=2, free=2)
    random, windows = np.random.default_rng(3), 4
    size = shape.weights + 2 * shape.node + shape.free
    rows = random.standard_normal((windows, 3 * size, size))
    values = random.standard_normal((windows, 3 * size))
    held = np.zeros((windows + 1, shape.node), bool)
    held[[0, -1], -1] = True
    matrix, gradient = np.einsum("kri,krj->kij", rows, rows), np.einsum("kri,kr->ki", rows, values)
    prior = (np.eye(2), np.array([0.3, -0.2]))
    equations = NormalEquations(shape, matrix, gradient, np.arange(windows), held, (), prior)
    step = equations.step(0.0, np.full(2, -np.inf), np.full(2, np.inf))
    assert step is not None

    nodes, weights = held.size, windows * shape.weights
    whole, right = np.zeros((weights + nodes + 2,) * 2), np.zeros(weights + nodes + 2)
    for k in range(windows):
        own = k * shape.weights + np.arange(shape.weights)
        place = np.concatenate(
            [own, weights + k * shape.node + np.arange(2 * shape.node), weights + nodes + np.arange(2)]
        )
        whole[np.ix_(place, place)] += matrix[k]
        right[place] += gradient[k]
    whole[-2:, -2:] += prior[0]
    right[-2:] += prior[1]
    free = np.append(np.append(np.ones(weights, bool), ~held.ravel()), [True, True])
    found = np.zeros(len(right))
    found[free] = np.linalg.solve(whole[np.ix_(free, free)], -right[free])
    np.testing.assert_allclose(step.p, found[-2:], rtol=1e-6)
    np.testing.assert_allclose(step.nodes.ravel(), found[weights:-2], rtol=1e-5, atol=1e-8)
    np.testing.assert_allclose(step.weights.ravel(), found[:weights], rtol=1e-5, atol=1e-8)
    assert step.gain == pytest.approx(-right @ found, rel=1e-6)


# Estimates


def test_with_dry_friction_it_is_the_estimate_of_maximum_likelihood() -> None:
    found, likeliest = fit_dry(18.0), fit_dry(18.0, "shooting")
    assert found.ok
    assert_near(found, DRY)
    for name in DRY:
        own, other = found.parameters[name], likeliest.parameters[name]
        assert own.std is not None and own.crlb is not None and other.std is not None
        assert own.std < 1.03 * own.crlb
        assert abs(found.value(name) - likeliest.value(name)) < 0.1 * other.std
    assert "rest_left_out" not in codes(found)


def test_a_motion_that_stops_is_fitted_where_it_moves() -> None:
    result = fit_dry(32.0)
    assert result.ok, result.status
    assert_near(result, DRY)
    assert "rest_left_out" in codes(result)


def predators(outputs: tuple[str, ...]) -> tuple[Model, ik.Record]:
    model = Model.from_text(
        "predators",
        equations={"x": "a*x - 0.4*x*y", "y": "d*x*y - g*y"},
        parameters=[Parameter(name, 1.0, "", (0, 10)) for name in "adg"],
        outputs=["x", "y"],
    )
    time = np.arange(400) * 0.1
    states = reference.smooth(lambda t, x: [1.1 * x[0] - 0.4 * x[0] * x[1], 0.1 * x[0] * x[1] - 0.4 * x[1]],
                              [10.0, 5.0], time)  # fmt: skip
    measured = states + np.array([[0.3], [0.2]]) * noise(states.shape, 1.0, 2)
    record = ik.Record.from_arrays(time, {name: measured["xy".index(name)] for name in outputs})
    return model, record


def test_states_that_are_not_measured_are_written_by_networks_too() -> None:
    model, record = predators(("x",))
    result = ik.fit(record, model, method="pinn")
    assert result.ok, result.status
    assert_near(result, {"a": 1.1, "d": 0.1, "g": 0.4})


def test_what_is_known_of_the_beginning_sharpens_the_estimate() -> None:
    model, record = predators(("x",))
    free, known = (ik.fit(record, model, method="pinn", initial=given) for given in (None, {"x": 10.0, "y": 5.0}))
    assert known.ok
    assert_near(known, {"a": 1.1, "d": 0.1, "g": 0.4})
    for name in "adg":
        std, before = known.parameters[name].std, free.parameters[name].std
        assert std is not None and before is not None and std < 0.7 * before


def test_a_model_that_is_a_function_is_trained_from_starting_values() -> None:
    def decay(t: object, x: dict, u: dict, p: dict) -> list:
        return [-p["rate"] * x["h"]]

    model = Model.from_function(
        "tank", decay, states=["h"], parameters=[Parameter("rate", 0.5, "1/s", (0, 10))], outputs={"h": "h"}
    )
    time = np.arange(200) * 0.05
    record = ik.Record.from_arrays(time, {"h": 2 * np.exp(-0.7 * time) + noise(200, 0.02)})
    result = ik.fit(record, model, method="pinn", start={"rate": 0.3})
    assert result.ok, result.status
    assert_near(result, {"rate": 0.7})


def test_a_model_that_cannot_follow_the_record_is_not_believed() -> None:
    time = np.arange(200) * 0.05
    motion = reference.smooth(lambda t, x: [x[1], -x[0] - 2 * x[0] ** 3], [2.0, 0.0], time)[0]
    record = ik.Record.from_arrays(time, {"x": motion + noise(200, 0.02)})
    result = ik.fit(record, "duffing", method="pinn", free=["c"], fix={"k": 1.0, "k3": 0.0})
    assert not result.ok


def test_sign_of_a_state_that_nobody_can_see_is_refused() -> None:
    model = Model.from_text(
        "unseen",
        equations={"x": "-a*x + sign(z)", "z": "-z + sin(t)"},
        parameters=[Parameter("a", 1.0, "", (0, 10))],
        outputs=["x"],
    )
    time = np.arange(200) * 0.05
    problem = Problem.pose(model, ik.Record.from_arrays(time, {"x": np.sin(time)}))
    assert [item.code for item in Pinn().objections(problem)] == ["state_not_measured"]


# What is kept of a training


def test_losses_and_parameters_are_kept_and_drawn_from_the_saved_result(tmp_path: Path) -> None:
    result = fit_dry(10.0)
    result.save(tmp_path / "fit.json")
    loaded = Result.load(tmp_path / "fit.json")
    training = loaded.artifacts["training"]
    assert training["parameters"]["k"][-1] == pytest.approx(result.value("k"), rel=1e-4)
    assert training["losses"]["physics"][-1] < 1.0 < training["losses"]["physics"][0]
    assert training["slack"] == sorted(training["slack"], reverse=True)
    figure = plot_fit(loaded, tmp_path / "fit.png")
    assert any("training" in axes.get_xlabel() for axes in figure.axes)
