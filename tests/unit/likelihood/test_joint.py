"""The likelihood of parameters and initial states together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import identikit as ik
import reference
from identikit.likelihood import LIKELIHOOD, JointLikelihood, Likelihood, SegmentModel
from identikit.numerics import Information
from identikit.problem import Initial, Noise

TIME = np.arange(120) * 0.1


def decaying(start: float, seed: int) -> ik.Record:
    """A Duffing ring-down with a little noise."""
    x = reference.smooth(lambda t, x: [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3], [start, 0.0], TIME)[0]
    return ik.Record.from_arrays(TIME, {"x": x + 0.05 * np.random.default_rng(seed).standard_normal(len(TIME))})


def posed(records: int = 1, **asked: object) -> ik.Problem:
    experiment = ik.Experiment(tuple(decaying(2.0 - 0.5 * k, k) for k in range(records)))
    return ik.Problem.pose(ik.library_model("duffing"), experiment, free=["c", "k", "k3"], **asked)


P = np.array([0.1, 1.0, 0.5])


def slope_error(joint: JointLikelihood, at: np.ndarray) -> float:
    """Largest difference between the gradient and central differences, in units of the gradient's usual size."""
    size = 1 / np.sqrt(np.diag(joint.information(joint.centre)))
    _, gradient = joint.value_and_gradient(at)
    found = []
    for step in np.diag(1e-3 * size):
        up, down = (joint.value_and_gradient(at + sign * step)[0] for sign in (1, -1))
        found.append((up - down) / (2 * np.linalg.norm(step)))
    return float(np.max(np.abs(gradient - found) * size))


@pytest.mark.parametrize(
    "problem",
    [
        posed(),
        posed(2),
        posed(initial={"x": {"value": 2.0, "std": 0.01}}),
        posed(initial={"x": "4*k3"}),
        posed(initial={"x": {"value": "2*k", "std": 0.02}, "v": 0.0}),
        posed().with_noise({"x": Noise().shaped(memory=(0.6,))}),
        posed().with_noise({"x": Noise().shaped(freedom=4.0)}),
    ],
    ids=["one", "two records", "known roughly", "known from a parameter", "roughly so", "memory", "outliers"],
)
def test_the_gradient_is_the_derivative_in_parameters_and_initial_states(problem: ik.Problem) -> None:
    joint = JointLikelihood(problem, P)
    spread = 1 / np.sqrt(np.diag(joint.information(joint.centre)))
    # an efficiency that follows the residuals makes the step of Student's t a little more than its derivative
    assert slope_error(joint, joint.centre + 0.5 * spread * np.cos(np.arange(len(spread)))) < 0.02


def test_at_the_best_initial_states_it_is_the_profile_likelihood() -> None:
    problem = posed(2)
    joint, profile = JointLikelihood(problem, P), Likelihood(problem)
    value, gradient = joint.value_and_gradient(joint.centre)
    assert value == pytest.approx(profile.value(P), abs=1e-6)
    spread = 1 / np.sqrt(np.diag(joint.information(joint.centre)))
    assert np.abs(gradient * spread)[3:].max() < 1e-3
    assert value > joint.value_and_gradient(joint.centre + np.array([0, 0, 0, 1, 0, 0, 0]) * spread)[0] + 0.4


def test_its_information_without_the_initial_states_is_that_of_the_profile() -> None:
    joint, profile = JointLikelihood(posed(), P), Likelihood(posed())
    covariance = np.linalg.inv(joint.information(joint.centre))
    assert covariance[:3, :3] == pytest.approx(np.linalg.inv(profile.information(P)), rel=1e-4)


def test_far_from_the_estimate_it_is_still_one_trajectory() -> None:
    """Five standard errors off in everything: more rounds, the same function as a simulation gives."""
    problem = posed()
    joint = JointLikelihood(problem, P)
    at = joint.centre + 5 / np.sqrt(np.diag(joint.information(joint.centre)))
    c, k, k3, *start = at
    clean = reference.smooth(lambda t, x: [x[1], -c * x[1] - k * x[0] - k3 * x[0] ** 3], start, TIME)[0]
    residual, sigma = joint.residuals(at)
    assert residual[:, 0] == pytest.approx(problem.records[0].values[:, 0] - clean, abs=1e-7)
    assert sigma[0] == pytest.approx(np.sqrt(np.mean(residual**2)))


def test_where_slopes_lead_to_states_that_no_motion_has_it_is_still_one_trajectory() -> None:
    """Gompertz growth, slower than the estimate: slopes put a later segment below zero, where there is no logarithm."""
    model = ik.Model.from_text("growth", equations={"x'": "r*x*log(4/x)"}, parameters={"r": 0.3})
    slow, usual = (4 * np.exp(np.log(0.1 / 4) * np.exp(-r * TIME)) for r in (0.02, 0.3))
    noisy = usual + 0.01 * np.random.default_rng(0).standard_normal(len(TIME))
    joint = JointLikelihood(ik.Problem.pose(model, ik.Record.from_arrays(TIME, x=noisy)), np.array([0.3]))
    there = np.array([0.02, 0.1])
    guessed = joint._anchor.path.at(there)
    assert guessed.min() < 0 and joint._closed(there, guessed) is None
    assert joint.residuals(there)[0][:, 0] == pytest.approx(noisy - slow, abs=1e-3)


def test_gaps_closed_to_first_order_leave_less_than_the_stated_error() -> None:
    """Up to some three standard errors off, against the same with every gap integrated until it is closed."""
    joint, exact = JointLikelihood(posed(2), P), JointLikelihood(posed(2), P)
    exact._anchor = replace(exact._anchor, closed=1e-9)
    root = np.linalg.cholesky(np.linalg.inv(joint.information(joint.centre)))
    draws = joint.centre + 2 * np.random.default_rng(3).standard_normal((20, len(joint.centre))) @ root.T
    values, gradients = zip(*map(joint.value_and_gradient, draws), strict=True)
    true_values, true_gradients = zip(*map(exact.value_and_gradient, draws), strict=True)
    assert np.abs(np.subtract(values, true_values)).max() < LIKELIHOOD.joint_accuracy
    assert np.abs(np.subtract(gradients, true_gradients) @ root).max() < 0.02
    # negative control: gaps of any size closed so would not do
    joint._anchor = replace(joint._anchor, closed=np.inf)
    values = [joint.value_and_gradient(draw)[0] for draw in draws]
    assert np.abs(np.subtract(values, true_values)).max() > LIKELIHOOD.joint_accuracy


def test_unknown_states_are_named_in_order_and_known_ones_are_left_out() -> None:
    assert [(item.record, item.state) for item in JointLikelihood(posed(2), P).states] == [
        (0, "x"), (0, "v"), (1, "x"), (1, "v"),
    ]  # fmt: skip
    known = JointLikelihood(posed(initial={"x": Initial(2.0, 0.0)}), P)
    assert [item.state for item in known.states] == ["v"]


@pytest.mark.parametrize("outputs", [["x"], ["x", "z"]])
def test_the_information_of_a_linear_model_is_the_same_however_large_the_residuals(outputs: list[str]) -> None:
    """Far from the estimate residuals grow, of two outputs not alike; noise levels that followed them would make the
    information smaller there."""
    line = ik.Model.from_text(
        "lines",
        equations={"x": "a", "z": "b"},
        parameters={"a": 0.7, "b": -0.4},
        outputs={name: name for name in outputs},
    )
    random = np.random.default_rng(4)
    values = {name: 1 + slope * TIME for name, slope in (("x", 0.7), ("z", -0.4)) if name in outputs}
    record = ik.Record.from_arrays(TIME, {k: v + 0.1 * random.standard_normal(len(TIME)) for k, v in values.items()})
    free = ["a", "b"][: len(outputs)]
    fix = dict.fromkeys({"a", "b"} - set(free), 0.0)
    initial = {} if "z" in outputs else {"z": 0.0}
    problem = ik.Problem.pose(line, record, free=free, fix=fix, initial=initial)
    joint = JointLikelihood(problem, np.array([0.7, -0.4][: len(free)]))
    here, far = joint.centre, joint.centre + 3.0 * np.eye(len(joint.centre))[0]
    sizes = np.sqrt(np.diag(joint.information(here)))
    assert joint.information(far) / np.outer(sizes, sizes) == pytest.approx(
        joint.information(here) / np.outer(sizes, sizes), abs=1e-6
    )
    assert joint.residuals(far)[1][0] > 10 * joint.residuals(here)[1][0]


def test_a_motion_followed_to_second_order_is_the_same_and_is_integrated_once_instead_of_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The guess of where segments begin decides how often they are integrated, not what comes out."""
    joint = JointLikelihood(posed(2), P)
    steps = Information.of_matrix(joint.information(joint.centre)).root
    everywhere = np.full(len(joint.centre), np.inf)
    followed = joint.followed(steps, -everywhere, everywhere)
    places = joint.centre + np.random.default_rng(3).standard_normal((20, len(joint.centre))) @ steps.T

    passes = []
    plain = SegmentModel.__call__
    monkeypatch.setattr(SegmentModel, "__call__", lambda *given: passes.append(1) or plain(*given))
    straight = np.array([joint.value_and_gradient(u)[0] for u in places])
    of_straight = len(passes)
    bent = np.array([followed.value_and_gradient(u)[0] for u in places])

    assert np.abs(bent - straight).max() < 100 * LIKELIHOOD.joint_accuracy
    assert len(passes) - of_straight <= 1.1 * len(places) < 1.5 * len(places) <= of_straight


def test_bounds_next_to_the_estimate_limit_where_the_motion_is_followed_from() -> None:
    joint = JointLikelihood(posed(), P)
    steps = Information.of_matrix(joint.information(joint.centre)).root
    seen = []
    at = joint._slopes_at
    joint._slopes_at = lambda u: seen.append(u) or at(u)
    low, high = np.full((2, len(joint.centre)), [[-np.inf], [np.inf]])
    high[0] = joint.centre[0]  # the damping at its upper bound
    followed = joint.followed(steps, low, high)
    away = np.abs(np.array(seen) - joint.centre).max(axis=1)
    assert (np.array(seen) <= high + 1e-12).all()
    assert 0 < np.sum(away == 0) <= len(steps) and np.sum(away > 0) >= len(steps)  # one side where there is no other
    # and the motion is still followed better than by slopes alone
    near = joint.centre - steps @ np.ones(len(steps)) / len(steps)
    joint._anchor = replace(joint._anchor, closed=1e-9)
    exact = joint.nodes(near)
    bent, straight = (np.abs(part._anchor.path.at(near) - exact).max() for part in (followed, joint))
    assert bent < 0.5 * straight


def test_an_unknown_that_does_not_move_is_no_limit() -> None:
    """The damping may not move at all; of the stiffness a quarter of a step can be gone, up to its bound."""
    joint = JointLikelihood(posed(), P)
    size = 1 / np.sqrt(np.diag(joint.information(joint.centre)))
    seen = []
    at = joint._slopes_at
    joint._slopes_at = lambda u: seen.append(u) or at(u)
    low, high = np.full((2, len(joint.centre)), [[-np.inf], [np.inf]])
    low[0] = high[0] = joint.centre[0]
    high[1] = joint.centre[1] + 0.25 * size[1]
    joint.followed(np.diag(size), low, high)
    moved = (np.array(seen) - joint.centre) / size
    assert (moved[:, 0] == 0).all()
    for i, ahead in enumerate((0.25, 1.0, 1.0, 1.0), start=1):
        assert sorted(moved[moved[:, i] != 0, i]) == pytest.approx([-1.0, ahead])


@pytest.mark.parametrize("spread", [2, 4])
def test_far_off_a_better_guess_saves_time_and_changes_nothing_else(spread: float) -> None:
    """On a short record with much noise, whose slopes lead anywhere."""
    x = decaying(2.0, 0).channels["x"].values[:60] + 0.3 * np.random.default_rng(2).standard_normal(60)
    problem = ik.Problem.pose(ik.library_model("duffing"), ik.Record.from_arrays(TIME[:60], x=x), free=["c", "k", "k3"])
    joint = JointLikelihood(problem, P)
    root = Information.of_matrix(joint.information(joint.centre)).root
    followed = joint.followed(root, *np.full((2, len(joint.centre)), [[-np.inf], [np.inf]]))
    draws = joint.centre + spread * np.random.default_rng(5).standard_normal((40, len(root))) @ root.T
    values = np.array([[part.value_and_gradient(draw)[0] for draw in draws] for part in (joint, followed)])
    assert np.isfinite(values).mean() > 0.5
    assert values[0] == pytest.approx(values[1], abs=10 * LIKELIHOOD.joint_accuracy, rel=1e-6)
