"""The likelihood is pure, exact, the same from every side, and what fits and samplers can stand on."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy.optimize import minimize

import identikit as ik
import reference
from identikit.errors import OptionError, ProblemError
from identikit.likelihood import Likelihood
from identikit.problem import Problem

Case = tuple[Problem, np.ndarray]


def noisy(values: np.ndarray, sigma: float, seed: int) -> np.ndarray:
    return values + sigma * np.random.default_rng(seed).standard_normal(values.shape)


PUSHED = ik.Model.from_text(
    "pushed", equations={"x''": "b*u - k*x - c*x'"}, parameters={"k": 4.0, "c": 0.3, "b": 1.0},
    inputs=[ik.Input("u", hold="zero_order")],
)  # fmt: skip


def dry_friction() -> Case:
    time = np.linspace(0, 20, 801)
    theta = reference.horizontal_pendulum(time, zeta=0.025, mu_c=0.03, mu_q=0.025)[0][0]
    record = ik.Record.from_arrays(time, theta=noisy(theta, 0.002, 1))
    free = ["zeta", "mu_c", "mu_q", "k"]
    return Problem.pose(ik.library_model("horizontal_pendulum"), record, free=free), np.array(
        [0.025, 0.03, 0.025, 20.0]
    )


def stopped_by_friction() -> Case:
    """The motion ends in a stick within the record."""
    time = np.linspace(0, 12, 601)
    theta = reference.horizontal_pendulum(time, zeta=0.02, mu_c=0.25)[0][0]
    record = ik.Record.from_arrays(time, theta=noisy(theta, 0.002, 2))
    problem = Problem.pose(
        ik.library_model("horizontal_pendulum"), record, free=["zeta", "mu_c", "k"], fix={"mu_q": 0.0}
    )
    return problem, np.array([0.02, 0.25, 20.0])


def two_records() -> Case:
    time = np.arange(300) * 0.05
    records = []
    for seed, start in enumerate((2.0, 1.0)):
        x = reference.smooth(lambda t, x: [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3], [start, 0.0], time)[0]
        records.append(ik.Record.from_arrays(time, x=noisy(x, 0.05, seed), name=f"run {seed}"))
    problem = Problem.pose(ik.library_model("duffing"), ik.Experiment(tuple(records)), free=["c", "k", "k3"])
    return problem, np.array([0.1, 1.0, 0.5])


def with_input() -> Case:
    time = np.arange(400) * 0.05
    push = np.where(time < 8, 1.0, -0.5)
    x = np.concatenate(
        [
            reference.smooth(lambda t, x: [x[1], -4 * x[0] - 0.3 * x[1] + 1.0], [0.0, 0.0], time[time <= 8])[0],
            np.full(int((time > 8).sum()), np.nan),
        ]
    )
    begin = reference.smooth(lambda t, x: [x[1], -4 * x[0] - 0.3 * x[1] + 1.0], [0.0, 0.0], np.array([0.0, 8.0]))[:, -1]
    later = np.concatenate([[8.0], time[time > 8]])
    x[time > 8] = reference.smooth(lambda t, x: [x[1], -4 * x[0] - 0.3 * x[1] - 0.5], begin, later)[0][1:]
    record = ik.Record.from_arrays(time, x=noisy(x, 0.01, 3), u=push)
    return Problem.pose(PUSHED, record), np.array([4.0, 0.3, 1.0])


def many_outputs() -> Case:
    time = np.arange(120) * 0.25
    states = reference.smooth(
        lambda t, x: [0.55 * x[0] - 0.028 * x[0] * x[1], -0.8 * x[1] + 0.024 * x[0] * x[1]], [33.0, 6.0], time
    )
    model = ik.library_model("lotka_volterra")
    names = model.output_names
    record = ik.Record.from_arrays(time, {names[0]: noisy(states[0], 1.0, 4), names[1]: noisy(states[1], 0.5, 5)})
    problem = Problem.pose(model, record)
    return problem, np.array([0.55, 0.028, 0.8, 0.024])


CASES = (dry_friction, stopped_by_friction, two_records, with_input, many_outputs)
every_case = pytest.mark.parametrize("make", CASES, ids=lambda case: case.__name__)


@every_case
def test_the_gradient_is_the_slope_of_the_value(make: Callable[[], Case]) -> None:
    problem, truth = make()
    likelihood = Likelihood(problem)
    p = truth * (1 + 0.01 * np.array([1, -1, 1, -1])[: len(truth)])
    std = np.sqrt(np.diag(np.linalg.inv(likelihood.information(truth))))
    found = likelihood.gradient(p)
    # five points: a pair of differences would err by more than the gradient does
    steps = 0.2 * std
    table = likelihood.value(np.concatenate([p + k * np.diag(steps) for k in (-2, -1, 1, 2)]))
    far_low, low, high, far_high = table.reshape(4, len(p))
    slope = (8 * (high - low) - (far_high - far_low)) / (12 * steps)
    assert found * std == pytest.approx(slope * std, rel=1e-5, abs=1e-5 * float(np.max(np.abs(found * std))))


@every_case
def test_the_same_call_gives_the_same_bits_whatever_came_before(make: Callable[[], Case]) -> None:
    problem, truth = make()
    likelihood = Likelihood(problem)
    first = likelihood.value(truth), likelihood.gradient(truth)
    likelihood.value(1.1 * truth)
    again = likelihood.value(truth), likelihood.gradient(truth)
    copied = pickle.loads(pickle.dumps(likelihood))
    assert again[0] == first[0] == Likelihood(problem).value(truth) == copied.value(truth)
    assert np.array_equal(again[1], first[1])


def test_threads_do_not_disturb_each_other() -> None:
    problem, truth = two_records()
    likelihood = Likelihood(problem)
    points = [truth * (1 + 0.001 * i) for i in range(8)]
    alone = [likelihood.value(p) for p in points]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(likelihood.value, points)) == alone


@every_case
def test_many_vectors_in_one_call_give_what_single_calls_give(make: Callable[[], Case]) -> None:
    problem, truth = make()
    likelihood = Likelihood(problem)
    points = truth * (1 + 0.003 * np.random.default_rng(0).standard_normal((7, len(truth))))
    values, gradients = likelihood.value_and_gradient(points)
    information, residuals = likelihood.information(points), likelihood.residuals(points)
    for i, p in enumerate(points):
        assert values[i] == pytest.approx(likelihood.value(p), abs=1e-6)
        assert gradients[i] == pytest.approx(likelihood.gradient(p), rel=1e-6, abs=1e-6 * np.abs(gradients).max())
        assert information[i] == pytest.approx(likelihood.information(p), rel=1e-6)
        assert residuals[i] == pytest.approx(likelihood.residuals(p), abs=1e-7, nan_ok=True)


@every_case
def test_near_an_estimate_it_is_the_same_function(make: Callable[[], Case]) -> None:
    problem, truth = make()
    plain = Likelihood(problem)
    p = truth * 1.002
    assert plain.near(truth).value(p) == pytest.approx(plain.value(p), abs=1e-4)


@pytest.mark.parametrize("make", [dry_friction, two_records, with_input], ids=lambda case: case.__name__)
def test_a_plain_optimiser_on_it_finds_what_shooting_finds(make: Callable[[], Case]) -> None:
    problem, truth = make()
    from identikit.method import method_named

    method = method_named("shooting")
    result = method.estimate(problem, options=method.resolve_options())
    std = np.array([result.parameters[name].std for name in problem.free], float)
    likelihood = Likelihood(problem, near=truth)

    def downhill(z: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = likelihood.value_and_gradient(truth + std * z)
        return -value, -gradient * std

    found = minimize(downhill, np.zeros(len(truth)), jac=True, method="BFGS", options={"gtol": 1e-3})
    best = truth + std * found.x
    estimate = np.array([result.value(name) for name in problem.free])
    assert (best - estimate) / std == pytest.approx(np.zeros(len(truth)), abs=0.01)
    bound = np.array([result.parameters[name].crlb for name in problem.free], float)
    spread = np.sqrt(np.diag(np.linalg.inv(likelihood.information(best))))
    assert spread == pytest.approx(bound, rel=0.01)


def test_an_experiment_not_yet_made_tells_its_standard_errors() -> None:
    """Against the spread of fits of the experiment made many times would take long; against the bound of one, not."""
    problem, truth = two_records()
    model, time = problem.model, problem.records[0].time
    planned = Likelihood.planned(model, time, {"x": 0.05}, initial={"x": 2.0}, free=["c", "k", "k3"])
    made = Likelihood(problem.fixed_at({}))
    alone = Problem.pose(
        model, ik.Record.from_arrays(time, x=problem.records[0].values[:, 0]), free=["c", "k", "k3"], noise={"x": 0.05}
    )
    expected = np.sqrt(np.diag(np.linalg.inv(Likelihood(alone).information(truth))))
    assert np.sqrt(np.diag(np.linalg.inv(planned.information(truth)))) == pytest.approx(expected, rel=0.02)
    # two records know more than one
    assert (np.sqrt(np.diag(np.linalg.inv(made.information(truth)))) < expected).all()


def test_known_states_and_noise_levels_are_not_maximised_over() -> None:
    problem, truth = two_records()
    experiment = ik.Experiment(
        tuple(ik.Record.from_arrays(r.time, x=r.values[:, 0], name=r.name) for r in problem.records)
    )
    started = [{"x": 2.0, "x_dot": 0.0}, {"x": 1.0, "x_dot": 0.0}]
    names = problem.model.state_names
    initial = [dict(zip(names, values.values(), strict=True)) for values in started]
    known = Problem.pose(problem.model, experiment, free=["c", "k", "k3"], initial=initial, noise={"x": 0.05})
    likelihood, free = Likelihood(known), Likelihood(problem)
    assert likelihood.initial_states(truth) == pytest.approx(np.array([[2.0, 0.0], [1.0, 0.0]]), abs=1e-6)
    assert likelihood.noise(truth) == pytest.approx([0.05])
    assert likelihood.value(truth) < free.value(truth)
    gain = np.linalg.inv(free.information(truth)) - np.linalg.inv(likelihood.information(truth))
    assert np.all(np.diag(gain) > 0)  # what is known need not be paid for


def test_the_curve_runs_between_samples_and_its_band_holds() -> None:
    """Over 40 records the curve's error is one standard error rms, at times between samples."""
    model, time = ik.library_model("duffing"), np.arange(150) * 0.2

    def motion(times: np.ndarray) -> np.ndarray:
        rate = lambda t, x: [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3]  # noqa: E731
        return reference.smooth(rate, [2.0, 0.0], np.concatenate([[0.0], times]))[0][1:]

    between = np.array([0.31, 3.17, 9.9, 17.43, 28.05])
    true, clean = motion(between), np.concatenate([[2.0], motion(time[1:])])
    errors = []
    for seed in range(40):
        record = ik.Record.from_arrays(time, x=noisy(clean, 0.05, 100 + seed))
        result = ik.fit(record, model, free=["c", "k", "k3"], method="shooting")
        likelihood = Likelihood(Problem.pose(model, record, free=["c", "k", "k3"]))
        curve = likelihood.curve([result.value(name) for name in ("c", "k", "k3")], between)
        errors.append((curve.values[:, 0] - true) / curve.std[:, 0])
    assert 0.8 < float(np.sqrt(np.mean(np.square(errors)))) < 1.2


def test_where_the_model_cannot_be_integrated_the_value_is_minus_infinity() -> None:
    model = ik.Model.from_text("blow", equations={"x": "a*x**2"}, parameters=[ik.Parameter("a", 0.1, "", (-10, 10))])
    time = np.linspace(0, 1, 40)
    likelihood = Likelihood(Problem.pose(model, ik.Record.from_arrays(time, x=1 / (1 - 0.1 * time))))
    values = likelihood.value(np.array([[0.1], [9.0]]))
    assert np.isfinite(values[0])
    assert values[1] < values[0]


def test_an_initial_state_at_its_bound_is_held_there() -> None:
    """x' = -a x from 0.9, told to begin between 1 and 2: the best is on the bound, found here by brute force."""
    time = np.linspace(0, 3, 60)
    measured = noisy(0.9 * np.exp(-time), 0.02, 7)
    model = ik.Model.from_text("decay", equations={"x": "-a*x"}, parameters=[ik.Parameter("a", bounds=(0.1, 5))])
    record = ik.Record.from_arrays(time, x=measured)
    problem = Problem.pose(model, record, initial={"x": (1.0, 2.0)})
    likelihood = Likelihood(problem)

    def value(a: float) -> float:
        rms = np.sqrt(np.mean((measured - np.exp(-a * time)) ** 2))
        return float(-0.5 * 60 * (np.log(2 * np.pi * rms**2) + 1))

    assert likelihood.value([1.1]) == pytest.approx(value(1.1), abs=1e-3)
    step = 1e-4
    slope = (value(1.1 + step) - value(1.1 - step)) / (2 * step)
    assert likelihood.gradient([1.1])[0] == pytest.approx(slope, rel=1e-3)
    best = max(np.linspace(0.9, 1.4, 5001), key=value)
    result = ik.fit(record, model, initial={"x": (1.0, 2.0)}, noise="white")
    assert result.value("a") == pytest.approx(best, abs=0.05 * (result.parameters["a"].std or 0))


def test_an_experiment_is_planned_as_it_would_be_posed() -> None:
    model = ik.Model.from_text("decay", equations={"x": "-a*b*x"}, parameters={"a": 1.0, "b": 1.0})
    time, plan = np.linspace(0, 2, 30), {"initial": {"x": 2.0}, "free": ["a"], "fix": {"b": 3.0}}
    planned = Likelihood.planned(model, time, {"x": 0.1}, **plan)
    assert np.nanmax(np.abs(planned.residuals([1.0]))) < 1e-6
    told = Likelihood.planned(model, time, {"x": 0.1}, **plan, known={"x": 2.0})
    assert told.information([1.0])[0, 0] > planned.information([1.0])[0, 0]


def test_parameters_of_another_shape_are_refused() -> None:
    problem, _ = two_records()
    with pytest.raises(OptionError, match="expected 3 values"):
        Likelihood(problem).value([1.0, 2.0])


def test_an_output_that_was_not_measured_in_the_part_used_is_named() -> None:
    problem, truth = many_outputs()
    late = problem.records[0].values.copy()
    late[:60, 1] = np.nan
    from dataclasses import replace

    part = problem.with_records([replace(problem.records[0], values=late)]).unmeasured_after(0.3)
    with pytest.raises(ProblemError, match=problem.outputs[1]):
        Likelihood(part).value(truth)


def test_planned_records_add_up_and_may_step_their_inputs() -> None:
    model, p = PUSHED, [4.0, 0.3, 1.0]
    times, starts = np.arange(300) * 0.05, [{"x": 0.5}, {"x": -0.3}]
    planned = {"noise": {"x": 0.01}, "inputs": {"u": "0.3*heaviside(t - 4)"}}
    alone = [Likelihood.planned(model, times, initial=start, **planned).information(p) for start in starts]
    both = Likelihood.planned(model, [times, times], initial=starts, **planned).information(p)
    assert both == pytest.approx(alone[0] + alone[1], rel=1e-6)
    still = Likelihood.planned(model, times, initial=starts[0], **{**planned, "inputs": {}}).information(p)
    assert still != pytest.approx(alone[0], rel=1e-3), "negative control: the step is seen"
    with pytest.raises(OptionError, match="one for each"):
        Likelihood.planned(model, [times, times], initial=starts[:1], **planned)
