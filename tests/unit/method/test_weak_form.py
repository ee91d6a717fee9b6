"""The parts of the weak form, each against a closed form or brute force."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.interpolate import BSpline

import identikit as ik
import reference
from identikit.likelihood import smooth_curves
from identikit.method.weak_form._posed_form import record_settings, weak_form
from identikit.method.weak_form._test_functions import TestFunctions
from identikit.method.weak_form._thinning import thinned
from identikit.method.weak_form._weak_covariance import NoiseOperator, weighted, whitened
from identikit.method.weak_form._weak_curves import InterpolatingCurves, SplineFits, jumps
from identikit.method.weak_form._weak_equations import weak_equations
from identikit.method.weak_form._weak_form import SampleBasis, WeakForm, record_form
from identikit.problem import Problem


def moments(tests: TestFunctions, function, derivative: int) -> np.ndarray:  # type: ignore[no-untyped-def]
    """int w^(derivative) function dt by brute force."""
    time = np.linspace(tests.begin, tests.begin + tests.intervals * tests.spacing, 200 * tests.intervals + 1)
    weights = np.full(len(time), time[1] - time[0])
    weights[[0, -1]] *= 0.5
    operator = tests.operator(time, tests.basis(time, derivative) * weights[:, None])
    return tests.gathered(operator.T @ function(time))


def test_a_wide_b_spline_is_the_sum_of_narrow_ones() -> None:
    tests = TestFunctions(0.0, 20.0, 4.0, "bspline", 3, 2)
    spline = BSpline.basis_element(np.arange(5) * 2.0, extrapolate=False)
    time = np.linspace(0.01, 7.99, 50)
    values = (tests.operator(time, tests.basis(time, 0)) @ tests.scattered(np.eye(tests.count)[:, :1]))[:, 0]
    assert values == pytest.approx(spline(time), abs=1e-12)
    assert tests.spacing == 1.0 and tests.count == 20 - 3 - 4


@pytest.mark.parametrize("shape", ["bspline", "bump"])
def test_derivatives_move_onto_the_test_function_without_boundary_terms(shape: str) -> None:
    tests = TestFunctions(0.0, 20.0, 3.0, shape)
    assert moments(tests, np.sin, 2) == pytest.approx(-moments(tests, np.sin, 0), abs=2e-5)
    assert moments(tests, np.sin, 1) == pytest.approx(-moments(tests, np.cos, 0), abs=2e-5)
    assert np.abs(moments(tests, np.sin, 1) - moments(tests, np.cos, 0)).max() > 0.1  # negative control: the sign


def test_linear_velocity_terms_need_no_derivative_and_products_become_fluxes() -> None:
    model = ik.Model.from_text(
        "oscillator",
        equations={"x": "v", "v": "-c*v - k*x + a*(1 - x**2)*v - b*v*abs(v)"},
        parameters={"c": 0.1, "k": 1.0, "a": 0.2, "b": 0.1},
        outputs={"x": "x"},
    )
    smooth = weak_equations(model, ("x",), ("c", "k", "a"))
    assert set(smooth.orders) == {(0, 0), (0, 1), (0, 2)}
    assert smooth.evaluated == {(0, 0), (0, 1)}  # x^3 in the flux; v|v| keeps the velocity
    assert smooth.linear
    without = ik.Model.from_text(
        "oscillator",
        equations={"x": "v", "v": "-c*v - k*x + a*(1 - x**2)*v"},
        parameters={"c": 0.1, "k": 1.0, "a": 0.2},
        outputs={"x": "x"},
    )
    assert not weak_equations(without, ("x",), ("c", "k", "a")).differentiates
    assert not weak_equations(ik.library_model("tank_reactor"), ("C", "T"), ("tau",)).linear


def duffing_problem(sigma: float = 0.02, seed: int = 0, missing: float = 0.0) -> Problem:
    time = np.arange(300) * 0.05
    values = _ring_down() + sigma * np.random.default_rng(seed).standard_normal(len(time))
    values[np.random.default_rng(9).uniform(size=len(values)) < missing] = np.nan
    return Problem.pose(ik.library_model("duffing"), ik.Record.from_arrays(time, x=values))


@cache
def _ring_down() -> np.ndarray:
    return reference.smooth(
        lambda t, x: [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3], [2.0, 0.0], np.arange(300) * 0.05
    )[0]


def operator_of(problem: Problem) -> tuple[NoiseOperator, WeakForm]:
    equations = weak_equations(problem.model, problem.outputs, problem.free)
    settings = record_settings(problem, equations, smooth_curves(problem))
    time, values = problem.records[0].time, problem.records[0].values.T
    samples = SampleBasis(TestFunctions(float(time[0]), float(time[-1]), 0.4), time)
    curves = SplineFits(time, np.isfinite(values), settings[0].jumps, 0.2).through(values)
    form = record_form(problem, equations, settings[0], curves, samples, smooth=True, restore=True)
    scale = np.ones(equations.count)
    p = np.array([problem.model.parameter(name).value for name in problem.free])
    return NoiseOperator(problem, equations, form, p, scale), WeakForm(problem, equations, [form], scale)


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_the_banded_covariance_is_that_of_the_operator(missing: float) -> None:
    operator, _ = operator_of(duffing_problem(missing=missing))
    random, sigma = np.random.default_rng(0), np.array([0.3])
    shape = (operator.count, operator.form.tests.count)
    v, e = random.standard_normal(shape), random.standard_normal(operator.form.sample_weights.shape)
    assert np.sum(operator.forward(e) * v) == pytest.approx(np.sum(operator.adjoint(v[:, :, None])[..., 0] * e))
    v *= operator.form.kept
    moved = operator.forward(operator.adjoint(v[:, :, None])[..., 0] * sigma[:, None] ** 2)
    factor = operator.factor(sigma)
    assert weighted(factor, moved.T.ravel()) == pytest.approx(v.T.ravel(), abs=1e-5)
    assert np.sum(whitened(factor, moved.T.reshape(-1, 1)) ** 2) == pytest.approx(np.sum(moved * v), rel=1e-6)


def test_residuals_scatter_as_the_covariance_says() -> None:
    p = np.array([0.1, 1.0, 0.5])
    found = []
    for seed in range(16):
        operator, form = operator_of(duffing_problem(0.01, seed))
        found.append(whitened(operator.factor(np.array([0.01])), form.tables(p)[0][0].T.reshape(-1, 1)))
    assert np.mean(np.square(found)) == pytest.approx(1.0, abs=0.1)


def test_steps_of_inputs_break_the_curves_and_slow_inputs_do_not() -> None:
    model = ik.library_model("tank_reactor")
    time = np.arange(200) / 12
    inputs = {item.name: np.full(200, item.value) for item in model.inputs}
    inputs["T_in"] = 323.0 + 10.0 * (time >= 5)
    states = {"C": 1.6 + 0.01 * np.sin(time), "T": 341 + np.abs(time - 5)}
    for hold, expected in (("zero_order", [5.0]), ("linear", [])):
        record = ik.Record.from_arrays(time, {**states, **inputs}, time_unit="min")
        problem = Problem.pose(model, record, hold=hold)
        equations = weak_equations(problem.model, problem.outputs, problem.free)
        assert jumps(problem, equations, problem.records[0]) == pytest.approx(expected)
    at = np.array([4.97, 5.03])
    kink = np.abs(time - 5)[None]
    assert InterpolatingCurves(time, kink, np.array([5.0]))(at)[0] == pytest.approx([0.03, 0.03], abs=1e-9)
    assert abs(InterpolatingCurves(time, kink, np.zeros(0))(at)[0, 0] - 0.03) > 1e-3  # negative control


def test_a_step_written_into_the_equations_is_a_jump() -> None:
    model = ik.Model.from_text(
        "stepped", equations={"x": "-a*x + b*heaviside(t - 3)"}, parameters={"a": 1.0, "b": 1.0}, outputs={"x": "x"}
    )
    time = np.arange(100) * 0.1
    problem = Problem.pose(model, ik.Record.from_arrays(time, x=np.exp(-time)))
    equations = weak_equations(problem.model, problem.outputs, problem.free)
    assert jumps(problem, equations, problem.records[0]) == pytest.approx([3.0])


def test_test_functions_over_a_long_pause_are_left_out() -> None:
    problem = duffing_problem()
    values = problem.records[0].values[:, 0].copy()
    values[100:160] = np.nan
    holed = Problem.pose(problem.model, ik.Record.from_arrays(problem.records[0].time, x=values))
    for item, all_kept in ((problem, True), (holed, False)):
        equations = weak_equations(item.model, item.outputs, item.free)
        curves = smooth_curves(item)
        form = weak_form(item, equations, record_settings(item, equations, curves), curves, 2, "bspline").forms[0]
        assert form.kept.all() == all_kept
        assert form.kept[:30].all()


def test_thinning_keeps_the_motion_and_the_information() -> None:
    time = np.arange(20000) * 0.001
    model = ik.Model.from_text("swing", equations={"x": "v", "v": "-k*x"}, parameters={"k": 1.0}, outputs={"x": "x"})
    noise = 1e-3 * np.random.default_rng(0).standard_normal(len(time))
    problem = Problem.pose(model, ik.Record.from_arrays(time, x=np.sin(6 * time) + noise))
    equations = weak_equations(problem.model, problem.outputs, problem.free)
    curves = smooth_curves(problem)
    thin = thinned(problem, record_settings(problem, equations, curves), curves)
    at, values = thin.settings[0].record.time, thin.settings[0].record.values[:, 0]
    block = round((at[1] - at[0]) / 0.001)
    assert block > 1
    assert np.std(values - np.sin(6 * at)) == pytest.approx(1e-3 / np.sqrt(block), rel=0.1)
    assert thin.settings[0].sigma[0] == pytest.approx(1e-3 / np.sqrt(block), rel=0.1)
    back = thin.residual(problem, [lambda t, derivative=0: np.sin(6 * t)[None]])
    assert np.abs(back[:, 0] - noise)[10:-10].max() < 2e-5  # at the ends half a block is carried on level
    assert np.abs(back[:, 0] - noise).max() < 2e-4
    holed = problem.records[0].values[:, 0].copy()
    holed[500] = np.nan  # negative control: a gap is not averaged over
    problem = Problem.pose(model, ik.Record.from_arrays(time, x=holed))
    curves = smooth_curves(problem)
    assert thinned(problem, record_settings(problem, equations, curves), curves).problem is problem
