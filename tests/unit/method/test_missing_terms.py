"""Which term a model lacks. Data come from an independent integrator; each claim has records for which it is false."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.signal import lfilter

import identikit as ik
import reference
from identikit.method import MissingTermReport, missing_terms
from identikit.method.missing._candidates import candidates, extended
from identikit.model import Model, library_model, model_from_toml
from identikit.problem import Problem
from identikit.progress import watched

SIGMA = 0.003
TIME = np.arange(1251) * 0.02
SPRING = Model.from_text(
    "spring",
    states={"x": "m", "v": "m/s"},
    equations={"x": "v", "v": "-c*v - k*x"},
    parameters={"c": ik.Parameter("c", 0.1, bounds=(0, 10)), "k": ik.Parameter("k", 10.0, bounds=(0, 1e4))},
    outputs=["x"],
)
Force = Callable[[float, float, float], float]  # of t, x, v


def motion(force: Force, x0: float = 1.0, friction: float = 0.0) -> np.ndarray:
    """x(t) of x'' = force(t, x, x') - friction sign(x')."""
    if not friction:
        return reference.smooth(lambda t, x: [x[1], force(t, x[0], x[1])], [x0, 0.0], TIME)[0]
    dry = reference.Switch(lambda t, x: x[1], lambda t, x: force(t, x[0], 0.0) / friction, 1)
    rate = lambda t, x, s: [x[1], force(t, x[0], x[1]) - friction * s[0]]  # noqa: E731
    return reference.event_driven(rate, [dry], [x0, 0.0], TIME)[0][0]


def white(seed: int) -> np.ndarray:
    return SIGMA * np.random.default_rng(seed).standard_normal(len(TIME))


def asked(model: Model, values: np.ndarray, name: str = "x", **given: object) -> MissingTermReport:
    """What is said of a fit."""
    record = ik.Record.from_arrays(TIME, **{name: values})
    problem = Problem.pose(model, record, **given)  # type: ignore[arg-type]
    result = ik.fit(record, model, **given)  # type: ignore[arg-type]
    return missing_terms(problem, np.array([result.parameters[key].value for key in problem.free]))


def assert_named(report: MissingTermReport, truth: dict[str, float]) -> None:
    """Exactly these terms are named, with coefficients within four standard errors, and nothing but noise is left."""
    assert report.best is not None and report.disturbance is None
    assert {term.parameter for term in report.best.terms} == set(truth)
    for term in report.best.terms:
        assert abs(term.value - truth[term.parameter]) < 4 * term.std, term
    assert list(report.best.rms.values()) == pytest.approx([SIGMA], rel=0.06)
    found = report.finding()
    assert found is not None and found.code == "missing_term" and set(truth) <= set(found.about)


def test_dry_friction_left_out_of_a_decay_is_named() -> None:
    report = asked(SPRING, motion(lambda t, x, v: -10 * x, friction=0.15) + white(1))
    assert_named(report, {"friction_v": 0.15})
    assert not report.rivals
    assert report.next_best is not None and report.next_best.explained < report.explained


@pytest.fixture(scope="module")
def hardening() -> np.ndarray:
    return motion(lambda t, x, v: -10 * x - 3 * x**3 - 0.1 * v) + white(2)


@pytest.fixture(scope="module")
def without_cube(hardening: np.ndarray) -> MissingTermReport:
    """What is said of the linear spring on that record."""
    return asked(SPRING, hardening)


def test_a_cubic_spring_left_out_is_named_though_the_linear_law_loses_the_phase(
    without_cube: MissingTermReport,
) -> None:
    report = without_cube
    assert_named(report, {"stiffness3_v": 3.0})
    assert report.best is not None
    assert report.best.parameters["k"] == pytest.approx(10, rel=1e-3)
    assert report.parameters["k"] > 10.5  # negative control: without the term it is not


def stiffening(seed: int, noise: np.ndarray) -> ik.Result:
    """A short, strongly damped decay of a spring with a cube, fitted by the linear one."""
    time = np.arange(400) * 0.05
    clean = reference.smooth(lambda t, x: [x[1], -0.3 * x[1] - x[0] - 3 * x[0] ** 3], [0.5, 0.0], time)[0]
    return ik.fit(ik.Record.from_arrays(time, x=clean + noise[: len(time)]), SPRING, seed=seed)


def test_what_a_wrong_spring_misses_is_not_hidden_in_the_memory_of_the_noise() -> None:
    result = stiffening(0, 0.02 * np.random.default_rng(0).standard_normal(400))
    assert result.status.code == "misfit"
    assert {"estimate_moves", "missing_term"} <= {item.code for item in result.findings}
    assert not result.noise["x"].white


def test_noise_that_remembers_keeps_its_memory_where_the_model_is_true() -> None:
    noise = lfilter([1.0], [1.0, -0.7], 0.01 * np.random.default_rng(1).standard_normal(len(TIME)))
    values = motion(lambda t, x, v: -0.2 * v - 9.0 * x) + noise
    result = ik.fit(ik.Record.from_arrays(TIME, x=values), SPRING)
    assert result.ok and "noise_chosen" in {item.code for item in result.findings}
    assert abs(result.parameters["k"].value - 9.0) < 4 * result.parameters["k"].std


def test_a_spring_that_warms_up_is_named_as_a_drift_in_time() -> None:
    report = asked(SPRING, motion(lambda t, x, v: -10 * (1 - 0.004 * t) * x - 0.1 * v) + white(3))
    assert_named(report, {"drift_k": -0.004})


def test_the_zero_of_a_sensor_is_not_told_from_a_constant_force_on_a_linear_spring() -> None:
    """Both shift the rest, and on a linear spring do nothing else."""
    report = asked(SPRING, motion(lambda t, x, v: -10 * x - 0.1 * v) + 0.05 + white(4))
    assert report.best is not None
    named = {term.parameter for item in (report.best, *report.rivals) for term in item.terms}
    assert named == {"zero_of_x", "force_v"}


def test_a_push_is_named_with_its_time_and_no_term_is() -> None:
    push = lambda t: 0.8 * np.sin(2.1 * t) * (10 < t < 13)  # noqa: E731
    report = asked(SPRING, motion(lambda t, x, v: -10 * x - 0.1 * v + push(t)) + white(5))
    assert report.best is None and report.disturbance is not None
    assert report.disturbance.begin == pytest.approx(10, abs=1)
    assert report.disturbance.end == pytest.approx(13, abs=1)
    assert report.disturbance.rms["x"] == pytest.approx(SIGMA, rel=0.1)
    found = report.finding()
    assert found is not None and found.code == "disturbed"


@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_named_where_the_model_is_true(seed: int) -> None:
    clean = motion(lambda t, x, v: -10 * x - 0.1 * v)
    report = asked(SPRING, clean + white(seed))
    assert report.best is None and report.disturbance is None and report.finding() is None
    coloured = lfilter([np.sqrt(1 - 0.9**2)], [1, -0.9], white(100 + seed))
    report = asked(SPRING, clean + coloured)
    assert report.best is None and report.disturbance is None
    found = report.finding()
    assert found is not None and found.code == "no_missing_term"  # the residual is not white, and that is all


@pytest.mark.study
def test_two_fixed_parameters_that_are_needed_together_are_both_set_free() -> None:
    """Dry friction acts at the end of a decay and drag at its beginning: neither alone does."""
    truth = {"mu_c": 0.1, "mu_q": 0.05}
    clean = motion(lambda t, x, v: -20 * np.sin(x) - 0.05 * v * abs(v), 1.4, friction=0.1)
    report = asked(library_model("pendulum"), clean + white(6), "theta")
    assert_named(report, truth)
    assert report.best is not None and report.best.parameters["mu"] < 1e-3 < report.parameters["mu"]


def test_the_model_that_is_proposed_can_be_read_and_fits_to_the_noise(
    hardening: np.ndarray, without_cube: MissingTermReport
) -> None:
    report = without_cube
    assert report.model_text is not None
    model = model_from_toml(report.model_text)
    assert model.parameter("stiffness3_v").value == pytest.approx(3, rel=0.01)
    result = ik.fit(ik.Record.from_arrays(TIME, x=hardening), model)
    assert result.noise["x"].white and result.noise["x"].sigma == pytest.approx(SIGMA, rel=0.06)
    assert result.parameters["stiffness3_v"].value == pytest.approx(3, rel=0.01)


def test_a_missing_limit_to_growth_is_named_in_a_system_of_first_order() -> None:
    truth = {"alpha": 0.55, "beta": 0.028, "gamma": 0.8, "delta": 0.024}
    years = np.arange(300) * 0.1
    rate = lambda t, x: [  # noqa: E731
        0.55 * x[0] - 0.028 * x[0] * x[1] - 0.003 * x[0] ** 2,
        -0.8 * x[1] + 0.024 * x[0] * x[1],
    ]
    states = reference.smooth(rate, [34.0, 5.9], years) + 0.3 * np.random.default_rng(8).standard_normal((2, 300))
    problem = Problem.pose(
        library_model("lotka_volterra"), ik.Record.from_arrays(years, hare=states[0], lynx=states[1])
    )
    report = missing_terms(problem, np.array([truth[name] for name in problem.free]) * 0.95)
    assert report.best is not None
    assert [term.parameter for term in report.best.terms] == ["limit_hare"]
    assert report.best.terms[0].value == pytest.approx(0.003, rel=0.05)


def posed(model: Model, **given: object) -> Problem:
    names = {name: np.sin(TIME) for name in (*(o.name for o in model.outputs), *model.input_names)}
    return Problem.pose(model, ik.Record.from_arrays(TIME, **names), **given)  # type: ignore[arg-type]


def test_candidates_leave_out_what_the_model_has() -> None:
    problem = posed(SPRING)
    found = candidates(problem, np.array([0.1, 10.0]))
    names = {item.name for item in found}
    assert {"friction_v", "drag_v", "stiffness3_v", "force_v", "drift_k", "zero_of_x"} <= names
    assert not names & {"damping_v", "stiffness_v"}  # c and k are free
    assert not any("x" in item.added for item in found)  # x' = v is no law that could lack a force
    fixed = posed(SPRING, fix={"c": 0.0}, free=["k"])
    assert "c" in {item.name for item in candidates(fixed, np.array([10.0]))}  # rather than another damping


def test_a_gain_that_is_free_needs_no_other_and_equal_terms_are_named_once() -> None:
    text = {"x": "v", "v": "-k*x + b*u"}
    model = Model.from_text("driven", equations=text, parameters={"k": 10.0, "b": 1.0}, outputs=["x"], inputs=["u"])
    found = {item.name: item for item in candidates(posed(model), np.array([10.0, 1.0]))}
    assert not {"gain_error_u", "gain_u_v"} & set(found)
    assert "zero_u" not in found and any("zero_u" in words for words in found["force_v"].same)
    known = {item.name for item in candidates(posed(model, fix={"b": 1.0}, free=["k"]), np.array([10.0]))}
    assert "b" in known  # negative control


def test_an_extended_model_with_all_coefficients_zero_is_the_model() -> None:
    problem = posed(SPRING)
    found = candidates(problem, np.array([0.1, 10.0]))
    model = extended(SPRING, found)
    zero = {ik.model.symbol(item.name): 0 for item in found}
    assert [equation.subs(zero) for equation in model.equations] == list(SPRING.equations)
    assert [item.expression.subs(zero) for item in model.outputs] == [item.expression for item in SPRING.outputs]


def test_new_forces_are_divided_by_the_mass_as_the_others_are() -> None:
    found = {item.name: item for item in candidates(posed(library_model("duffing")), np.array([0.1, 1.0, 0.5]))}
    assert found["friction_v"].action == "adding -friction_v*sign(v)/m to v'"


def test_a_python_function_gives_an_empty_report() -> None:
    model = Model.from_function(
        "spring",
        lambda t, x, u, p: [x["v"], -p["k"] * x["x"]],
        states=["x", "v"],
        parameters={"k": 10.0},
        outputs=["x"],
    )
    report = missing_terms(posed(model), np.array([10.0]))
    assert report.tried == 0 and report.finding() is None


def test_a_search_that_is_cancelled_names_nothing() -> None:
    problem = posed(SPRING)
    with watched(lambda event: False) as progress:
        report = missing_terms(problem, np.array([0.1, 10.0]), progress)
    assert report.best is None and report.finding() is None
