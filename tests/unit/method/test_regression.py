"""Regression without integration: what it needs, what it finds, what it refuses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

import reference
from identikit.likelihood import reconstruct, smooth_curves
from identikit.measurement import Record, SmoothCurve
from identikit.method.regression import _filtered
from identikit.method.regression._filtered import DirectRows, SeparatedRows
from identikit.method.regression._regression import regression_equations
from identikit.method.toolkit import FilteredRegression, regression_objections
from identikit.model import Model, Parameter, library_model
from identikit.problem import Problem

TIME = np.arange(3001) * 0.01


def pendulum_problem(noise: float = 0.002, **damping: float) -> Problem:
    clean = reference.horizontal_pendulum(TIME, **damping)[0][0]
    values = clean + noise * np.random.default_rng(5).standard_normal(len(TIME))
    return Problem.pose(library_model("horizontal_pendulum"), Record.from_arrays(TIME, theta=values))


def test_velocity_is_reconstructed_from_the_position_curve() -> None:
    found = reconstruct(library_model("horizontal_pendulum"), ("theta",))
    assert found.missing == ()
    assert found.remaining == (1,)


def test_a_sensor_offset_is_carried_into_the_state() -> None:
    found = reconstruct(library_model("pendulum"), ("theta",))
    assert sp.Symbol("offset", real=True) in found.states[0].free_symbols


def test_a_hidden_recovery_variable_follows_from_the_measured_one() -> None:
    """FitzHugh-Nagumo: w = v - v^3/3 + I - v' needs no measurement of w."""
    model = Model.from_text(
        "neuron",
        equations={"v": "v - v**3/3 - w + I0", "w": "eps*(v + a - b*w)"},
        parameters={"eps": 0.08, "a": 0.7, "b": 0.8, "I0": 0.5},
        outputs=["v"],
    )
    assert reconstruct(model, ("v",)).missing == ()


def test_a_state_that_nothing_shows_is_an_objection() -> None:
    model = Model.from_text("hidden", equations={"x": "-k*x", "z": "-z"}, parameters={"k": 1.0}, outputs=["x"])
    record = Record.from_arrays(TIME, x=np.exp(-TIME))
    (objection,) = regression_objections(Problem.pose(model, record))
    assert (objection.code, objection.about) == ("state_not_measured", ("z",))


def test_linearity_in_the_parameters_is_detected() -> None:
    swing = regression_equations(library_model("pendulum"), ("theta",), ("w0", "mu", "mu_c", "mu_q"))
    assert set(swing.linear) == {"mu", "mu_c", "mu_q"}
    flat = regression_equations(library_model("horizontal_pendulum"), ("theta",), ("zeta", "mu_c", "mu_q", "k"))
    assert set(flat.linear) == {"zeta", "mu_c", "mu_q", "k"}


def test_one_linear_solve_finds_all_four_parameters() -> None:
    problem = pendulum_problem(zeta=0.025, mu_c=0.015, mu_q=0.025)
    found = FilteredRegression(problem, smooth_curves(problem)).solve()
    assert found == pytest.approx([0.025, 0.015, 0.025, 20.0], rel=0.15)
    assert found[3] == pytest.approx(20.0, rel=2e-3)


def test_a_rest_at_the_end_does_not_spoil_the_friction(monkeypatch: pytest.MonkeyPatch) -> None:
    """With every window counted, as the second half shows, the sign of a noisy zero velocity would take its
    place."""
    problem = pendulum_problem(zeta=0.0, mu_c=0.15, mu_q=0.0)
    curves = smooth_curves(problem)
    careful = FilteredRegression(problem, curves).solve()
    monkeypatch.setattr(_filtered, "REGRESSION", replace(_filtered.REGRESSION, resting=0.0))
    careless = FilteredRegression(problem, curves).solve()
    assert careful[1] == pytest.approx(0.15, rel=0.01)
    assert careless[1] < 0.96 * 0.15


def test_nonlinear_parameters_are_found_within_their_bounds_without_a_start() -> None:
    """The pendulum with its sensor counting from upright: w0 and the offset enter nonlinearly."""
    clean = reference.smooth(lambda t, x: [x[1], -0.08 * x[1] - 64.0 * np.sin(x[0])], [1.0, 0.0], TIME)[0]
    record = Record.from_arrays(TIME, theta=clean + np.pi + 1e-3 * np.random.default_rng(1).standard_normal(len(TIME)))
    problem = Problem.pose(library_model("pendulum"), record, free=["w0", "mu", "offset"])
    found = FilteredRegression(problem, smooth_curves(problem)).solve()
    assert found[0] == pytest.approx(8.0, rel=1e-2)
    assert np.cos(found[2]) == pytest.approx(-1.0, abs=1e-3)


def chua_problem() -> Problem:
    """The ready experiment of four coupled Chua circuits, made by SciPy from the circuit's equations."""
    model = library_model("coupled_chua")
    assert model.ready is not None
    resistors = np.array([model.parameter(f"R_{j}").value for j in (1, 2, 3, 4)])

    def rate(t: float, x: np.ndarray) -> np.ndarray:
        v1, v2, i = x[0::3], x[1::3], x[2::3]
        diode = -0.41 * v1 + (-0.74 + 0.41) / 2 * (np.abs(v1 + 1) - np.abs(v1 - 1))
        first = ((v2 - v1) / resistors - diode + (v1.sum() - 4 * v1) / 10.0) / 0.01
        return np.stack([first, ((v1 - v2) / resistors + i) / 0.1, -(v2 + 0.019 * i) / 0.01868], axis=1).ravel()

    time = np.arange(501) * 0.02
    clean = reference.smooth(rate, list(model.ready.initial.values()), time)
    random = np.random.default_rng(2)
    values = {
        name: row + model.ready.noise[name] * random.standard_normal(len(time))
        for name, row in zip(model.state_names, clean, strict=True)
    }
    return Problem.pose(model, Record.from_arrays(time, **values))


def test_eleven_parameters_in_quotients_are_found_without_a_start() -> None:
    problem = chua_problem()
    found = FilteredRegression(problem, smooth_curves(problem)).solutions()
    truth = [problem.model.parameter(name).value for name in problem.free]
    assert found[0] == pytest.approx(truth, rel=0.1)
    assert len(found) < 4


def test_parameters_in_quotients_follow_one_to_one_unless_one_is_redundant() -> None:
    chua = library_model("coupled_chua")
    assert regression_equations(chua, chua.output_names, chua.default_free).one_to_one
    twice = Model.from_text("twice", equations={"x": "-a*b*x"}, parameters={"a": 1.0, "b": 1.0}, outputs=["x"])
    assert not regression_equations(twice, ("x",), ("a", "b")).one_to_one
    curved = Model.from_text("curved", equations={"x": "-exp(a*x)"}, parameters={"a": 1.0}, outputs=["x"])
    assert not regression_equations(curved, ("x",), ("a",)).one_to_one


def test_separated_rows_are_the_direct_ones() -> None:
    """Values and derivatives, for equations with products and quotients; off the parameters they differ."""
    swing = Problem.pose(library_model("pendulum"), Record.from_arrays(TIME, theta=np.cos(3 * TIME)), free=["w0", "mu"])
    for problem in (pendulum_problem(zeta=0.025, mu_c=0.015), swing, chua_problem()):
        regression = FilteredRegression(problem, smooth_curves(problem))
        assert isinstance(regression.filtered, SeparatedRows)
        parts = regression.filtered.parts
        direct = DirectRows(problem, regression.equations, parts)
        p = np.array([0.9 * (problem.model.parameter(name).value or 0.1) for name in problem.free])
        for (rows, slopes), (other, other_slopes) in zip(regression.filtered.full(p), direct.full(p), strict=True):
            assert rows == pytest.approx(other, rel=1e-9, abs=1e-9 * np.abs(other).max())
            assert slopes == pytest.approx(other_slopes, rel=1e-9, abs=1e-9 * np.abs(other_slopes).max())
        short, full = (np.sum(rows(p)[0] ** 2) for rows in (regression.short_rows, regression.rows))
        assert short == pytest.approx(full, rel=1e-9)
        assert short != pytest.approx(np.sum(regression.rows(1.01 * p)[0] ** 2), rel=1e-9)
        assert regression.filtered.left_sizes(p) == pytest.approx(direct.left_sizes(p))


def test_a_mass_plus_a_known_one_is_found_though_no_product_of_powers() -> None:
    """x'' = (u - c x' - k x)/(M + m): the coefficients are no powers of m, and no guess follows from them."""
    clean = reference.smooth(lambda t, x: [x[1], (np.sin(t) - 0.6 * x[1] - 12 * x[0]) / 2.5], [1.0, 0.0], TIME)[0]
    model = Model.from_text(
        "loaded",
        equations={"x''": "(sin(t) - c*x' - k*x)/(M + m)"},
        parameters=[Parameter("m", 1.0, bounds=(0, 100)), Parameter("c", 1.0), Parameter("k", 1.0),
                    Parameter("M", 1.0, fixed=True)],
    )  # fmt: skip
    problem = Problem.pose(model, Record.from_arrays(TIME, x=clean))
    regression = FilteredRegression(problem, smooth_curves(problem))
    assert isinstance(regression.filtered, SeparatedRows)
    low, high = np.array([problem.bounds[name] for name in problem.free]).T
    assert regression._from_powers(low, high) is None
    assert regression.solve() == pytest.approx([1.5, 0.6, 12.0], rel=1e-2)


def test_smooth_curve_gives_value_and_velocity_of_a_noisy_decay() -> None:
    clean = np.exp(-0.05 * TIME) * np.cos(4.5 * TIME)
    velocity = np.gradient(clean, TIME)
    noisy = clean + 0.02 * np.random.default_rng(0).standard_normal(len(TIME))
    curve = SmoothCurve(TIME, noisy)
    assert curve.sigma == pytest.approx(0.02, rel=0.1)
    assert np.std(curve(TIME) - clean) < 0.02 / 2
    assert np.std(curve(TIME, 1) - velocity)[()] < 0.05 * np.std(velocity)
    assert curve.time_scale == pytest.approx(2 * np.pi / 4.5, rel=0.02)


def test_smooth_curve_takes_irregular_times_and_gaps() -> None:
    random = np.random.default_rng(3)
    time = np.sort(random.uniform(0, 30, 1500))
    values = np.cos(3 * time) + 0.01 * random.standard_normal(len(time))
    values[random.uniform(size=len(time)) < 0.2] = np.nan
    curve = SmoothCurve(time, values)
    assert np.std(curve(time) - np.cos(3 * time)) < 0.01
