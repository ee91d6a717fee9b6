"""One step of the parameters: straight in the equations' coefficients where these are known, within bounds always."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import identikit as ik
from identikit.likelihood import StepProblem, coefficients
from identikit.likelihood._parameter_step import Hold
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


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 100_000), st.floats(-12, 0), st.floats(-10, 2), st.booleans())
def test_one_by_one_nothing_better_is_left_within_bounds(seed: int, weakest: float, damping: float, held: bool) -> None:
    """However little some direction is known: a step that is too short would be taken for the bottom."""
    random = np.random.default_rng(seed)
    p = 10 ** random.uniform(-2, 2, 5)
    by_factor = random.random(5) < 0.5
    low, high = p * random.choice([0.0, 0.3, 0.99, 1.0], 5), p * random.choice([1.0, 1.01, 3.0, 1e3], 5)
    low = np.where(by_factor, np.maximum(low, 1e-3 * p), low)
    turned = np.linalg.qr(random.normal(size=(5, 5)))[0]
    rows = random.normal(size=(8, 5)) * 10 ** np.linspace(0, weakest, 5) @ turned / p
    right = random.normal(size=8)
    hold = Hold(by_factor & (low < high), p * np.exp(random.normal(size=5)), 1.0) if held else None
    step = StepProblem(rows, right, p, low, high, by_factor, 10**damping, hold).solved(None)
    unit = np.where(by_factor, p, 1.0)
    a = rows * unit
    a = np.concatenate([a, np.diag(np.sqrt(10**damping * np.sum(a**2, axis=0)))])
    b = np.concatenate([right, np.zeros(5)])
    if hold is not None:
        a, b = np.concatenate([a, np.eye(5)[hold.which]]), np.concatenate([b, -hold.residual(p)])
    x = step.tangent / unit
    least = np.where(by_factor, np.maximum(np.log(low / p, where=low > 0, out=np.full(5, -np.inf)), -1.5), low - p)
    most = np.where(by_factor, np.minimum(np.log(high / p), 1.5), high - p)
    slope = a.T @ (a @ x - b) / (np.linalg.norm(a, axis=0) * np.linalg.norm(b) + 1e-300)
    near = 1e-9 * (1 + np.abs(x))
    leads_out = ((x <= least + near) & (slope > 0)) | ((x >= most - near) & (slope < 0)) | (low == high)
    assert np.abs(slope[~leads_out]).max(initial=0.0) < 1e-6


def user_model(right: str, **bounds: tuple[float, float]) -> ik.Model:
    return ik.Model.from_text(
        "of a user",
        equations={"x": right},
        states={"x": ""},
        parameters=[ik.Parameter(name, 1.0, "", limits) for name, limits in bounds.items()],
        outputs={"x": "x"},
    )


@pytest.mark.parametrize("method", ["step", "fit"])
@pytest.mark.parametrize(
    ("right", "bounds"),
    [
        ("-sqrt(k)*x + b**2*sin(3*t)", {"k": (0, 10), "b": (0, 10)}),  # the slope of a coefficient is infinite at 0
        ("(sin(2*t) - c*x)/m", {"m": (0, 100), "c": (0, 100)}),  # the coefficient itself is
    ],
)
def test_a_coefficient_that_is_infinite_at_a_bound_does_no_harm(
    right: str, bounds: dict[str, tuple[float, float]], method: str
) -> None:
    model = user_model(right, **bounds)
    if method == "fit":  # of a record that it cannot explain
        time = np.linspace(0, 10, 200)
        for seed in range(3):
            noise = 0.1 * np.random.default_rng(seed).standard_normal(len(time))
            result = ik.fit(ik.Record.from_arrays(time, x=1 + 0.3 * time + noise), model, method="shooting")
            assert result.status.code.value != "ok"
        return
    problem = posed(model)
    coordinates = coefficients(problem)
    assert coordinates is not None
    random = np.random.default_rng(0)
    for _ in range(300):
        p = 10 ** random.uniform(-3, 1, 2)
        low, high = problem.limits
        rows, wanted = random.normal(size=(4, 2)), 3 * random.normal(size=4)
        q = p + StepProblem(rows, wanted, p, low, high, np.zeros(2, bool), 0.0).solved(coordinates).dp
        assert (q >= low).all() and (q <= high).all()


def test_the_others_follow_a_parameter_along_a_bent_valley() -> None:
    """With w0 put elsewhere, w0^2 + 2 a1 and mu w0 stay; where a coefficient is infinite, they go straight."""
    value, limits = 25.0, (LOW.copy(), HIGH.copy())
    limits[0][1] = limits[1][1] = value
    guess = TRUTH.copy()
    guess[1] = value
    rows = nearly_singular(0) @ COORDINATES(TRUTH)[1]
    valley = StepProblem(rows, np.zeros(len(rows)), TRUTH, *limits, NEVER, 0.0)
    mu, w0, a1, a2, a3 = TRUTH + valley.carried_on(COORDINATES, guess).dp
    assert w0 == value
    assert (mu * w0, w0**2 + 2 * a1, a2, a3) == pytest.approx((0.6, 144 - 280, 20, 160), rel=1e-3)
    coordinates = coefficients(posed(user_model("(sin(2*t) - c*x)/m", m=(0, 100), c=(0, 100))))
    at_bound = StepProblem(np.eye(2), np.zeros(2), np.ones(2), np.zeros(2), np.array([0.0, 100.0]), NEVER[:2], 0.0)
    assert at_bound.carried_on(coordinates, np.array([0.0, 1.0])).dp == pytest.approx([-1.0, 0.0])


def test_where_no_parameters_give_what_is_asked_for_partners_are_not_thrown_away() -> None:
    """w0^2 should become negative: mu would go to its bound to make up for it."""
    coordinates = coefficients(posed("pendulum", "w0", "mu"))
    assert coordinates is not None
    p, never = np.array([3.0, 0.1]), np.zeros(2, bool)
    problem = StepProblem(np.eye(2), np.array([-1.6, 0.0]), p, np.full(2, -10.0), np.full(2, 10.0), never, 0.0)
    q = p + problem.solved(coordinates).dp
    assert q == pytest.approx([1.4, 0.1], abs=0.05)


def test_a_parameter_that_ends_at_a_bound_is_there_to_the_last_bit() -> None:
    random = np.random.default_rng(0)
    for _ in range(300):
        p = TRUTH * np.exp(0.3 * random.normal(size=5))
        low, high = p - np.abs(p) * random.uniform(0, 0.2, 5), p + np.abs(p) * random.uniform(0, 0.2, 5)
        low[1], high[0] = p[1], p[0]  # two are at a bound to begin with
        target = np.clip(TRUTH * np.exp(random.normal(size=5)), LOW, HIGH)
        factors = np.array([True, True, False, False, True])
        problem = asked(p, target, random.normal(size=(8, 5)), low=low, high=high, by_factor=factors)
        dp = problem.solved(COORDINATES).dp
        assert not ((dp != 0) & (np.abs(dp) < 1e-12 * np.abs(p))).any()


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
