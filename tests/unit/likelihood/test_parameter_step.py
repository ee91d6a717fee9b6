"""One step of the parameters: straight in the equations' coefficients where these are known, within bounds always."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import identikit as ik
from identikit.likelihood._parameter_step import Hold, StepProblem, coefficients
from identikit.problem import Problem

FREE = ("mu", "w0", "a1", "a2", "a3")
TRUTH = np.array([0.05, 12.0, -140.0, 20.0, 160.0])
NEVER = np.zeros(len(FREE), bool)


def posed(model: str | ik.Model, *free: str) -> Problem:
    found = ik.library_model(model) if isinstance(model, str) else model
    time = np.linspace(0, 1, 50)
    record = ik.Record.from_arrays(time, {output.name: np.sin(9 * time) for output in found.outputs})
    inputs = dict.fromkeys(found.input_names, "sin(t)")
    return Problem.pose(found.with_input_expressions(inputs), record, free=list(free or found.default_free))


MAGNETS = posed("magnetic_pendulum", *FREE)
COORDINATES = coefficients(MAGNETS)
assert COORDINATES is not None
LOW, HIGH = MAGNETS.limits


def asked(p: np.ndarray, target: np.ndarray, rows: np.ndarray, **other: object) -> StepProblem:
    """The linear problem at p of a misfit whose residuals are rows (s(target) - s(q)): straight in s, bent in q."""
    here, slopes = COORDINATES(p)
    settings = {"low": LOW, "high": HIGH, "by_factor": NEVER, "damping": 0.0} | other
    return StepProblem(rows @ slopes, rows @ (COORDINATES(target)[0] - here), p, **settings)  # type: ignore[arg-type]


def nearly_singular(seed: int) -> np.ndarray:
    """Rows that know w0^2 + 2 a1 a million times better than w0^2 - 2 a1."""
    random = np.random.default_rng(seed)
    rows = random.normal(size=(8, len(FREE)))
    position = {str(c): i for i, c in enumerate(_names())}
    weak = np.zeros(len(FREE))
    weak[position["w0**2"]], weak[position["a1"]] = 2.0, -1.0
    return rows - (1 - 1e-6) * np.outer(rows @ weak, weak) / (weak @ weak)


def _names() -> list[str]:
    """What the coordinates are, in their order, told by their values."""
    at = COORDINATES(TRUTH)[0]
    known = {"mu*w0": 0.6, "w0**2": 144.0, "a1": -140.0, "a2": 20.0, "a3": 160.0}
    return [next(name for name, value in known.items() if np.isclose(value, found)) for found in at]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("w0", [9.0, 15.0, 24.0])
def test_one_step_reaches_the_bottom_of_a_bent_valley(seed: int, w0: float) -> None:
    """From w0 = 24 the parabola w0^2 + 2 a1 = const is left by a straight step at once."""
    off = w0 / TRUTH[1]
    p = TRUTH * [1 / off, off, 1, 1, 1] + [0, 0, TRUTH[1] ** 2 * (1 - off**2) / 2, 0, 0]
    problem = asked(p, TRUTH, nearly_singular(seed))
    straight = p + problem.solved(COORDINATES).dp
    assert straight == pytest.approx(TRUTH, rel=1e-3)
    plain = p + problem.solved(None).dp  # negative control
    assert np.abs(plain / TRUTH - 1).max() > 0.05


@pytest.mark.parametrize("coordinates", [None, COORDINATES])
def test_small_steps_are_those_of_gauss_and_newton(coordinates: object) -> None:
    rows = np.random.default_rng(0).normal(size=(8, len(FREE)))
    for by_factor in (NEVER, np.array([True, True, False, False, False])):
        problem = asked(TRUTH, TRUTH * (1 + 1e-6), rows, by_factor=by_factor)
        step = problem.solved(coordinates)  # type: ignore[arg-type]
        newton = np.linalg.lstsq(problem.rows, problem.right, rcond=None)[0]
        assert step.dp == pytest.approx(newton, rel=1e-4)
        assert step.tangent == pytest.approx(newton, rel=1e-4)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10_000),
    st.floats(-8, 2),
    st.lists(st.floats(-1.2, 1.2), min_size=5, max_size=5),
    st.booleans(),
)
def test_a_step_stays_within_bounds_and_leaves_less(seed: int, damping: float, off: list[float], held: bool) -> None:
    """Whatever it is asked for: also what no parameters within the bounds can give."""
    random = np.random.default_rng(seed)
    p = TRUTH * np.exp(off)
    low, high = p - 30 * np.abs(random.normal(size=5)), p + 30 * np.abs(random.normal(size=5))
    low = np.where(p > 0, np.maximum(low, 0.01 * np.abs(p)), low)
    low[3] = high[3] = p[3]  # pinned
    target = np.clip(TRUTH * np.exp(3 * random.normal(size=5)), LOW, HIGH)
    by_factor = np.array([True, True, False, False, True])
    hold = Hold(by_factor & (low < high), TRUTH, 1.0) if held else None
    problem = asked(
        p, target, random.normal(size=(8, 5)), low=low, high=high, by_factor=by_factor, damping=10**damping, hold=hold
    )
    step = problem.solved(COORDINATES)
    q = p + step.dp
    assert np.isfinite(q).all() and np.isfinite(step.tangent).all()
    assert (q >= low - 1e-12 * np.abs(low)).all() and (q <= high + 1e-12 * np.abs(high)).all()
    assert q[3] == p[3]
    assert np.abs(np.log(q[by_factor] / p[by_factor])).max() < 1.5 + 1e-9
    if hold is None:
        left = problem.right - problem.rows @ step.tangent
        assert left @ left <= problem.right @ problem.right * (1 + 1e-9)


def test_a_product_with_a_factor_that_is_zero_still_moves() -> None:
    """With w0 = 0 the coefficient mu w0 says nothing of mu: each parameter goes by itself."""
    p = np.array([0.05, 0.0, -140.0, 20.0, 160.0])
    problem = StepProblem(np.eye(5), np.ones(5), p, np.full(5, -1e3), np.full(5, 1e3), NEVER, 0.0)
    assert problem.solved(COORDINATES).dp == pytest.approx(np.ones(5))


def test_coordinates_are_coefficients_where_there_are_as_many() -> None:
    assert sorted(_names()) == ["a1", "a2", "a3", "mu*w0", "w0**2"]
    assert coefficients(posed("duffing")) is None  # c, k, k3 with the mass known: the parameters themselves
    assert coefficients(posed("tank_reactor")) is None  # exp(-a/T) does not come apart
    assert coefficients(posed("coupled_chua")) is None  # fourteen coefficients of eleven parameters


def test_a_parameter_that_stands_in_no_equation_is_its_own_coordinate() -> None:
    problem = posed("pendulum", "w0", "mu", "offset")
    coordinates = coefficients(problem)
    assert coordinates is not None
    q = np.array([3.0, 0.1, 0.02])
    assert sorted(coordinates(q)[0]) == pytest.approx([0.02, 0.3, 9.0])


@pytest.mark.parametrize("model", ["pendulum", "van_der_pol", "friction_drive", "bouc_wen"])
def test_slopes_of_coordinates_are_those_of_their_values(model: str) -> None:
    problem = posed(model)
    coordinates = coefficients(problem)
    assert coordinates is not None
    q = np.array([problem.model.parameter(name).value for name in problem.free])
    slopes = coordinates(q)[1]
    for i, step in enumerate(1e-6 * np.maximum(np.abs(q), 1e-3)):
        beside = [coordinates(q + sign * step * np.eye(len(q))[i])[0] for sign in (1, -1)]
        assert (beside[0] - beside[1]) / (2 * step) == pytest.approx(slopes[:, i], rel=1e-6, abs=1e-7)
