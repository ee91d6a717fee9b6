"""Information of many runs at once: that of the likelihood, and that of finite differences by another integrator. Where
samples lie by it, and which runs are chosen: against optima that are known in closed form."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import reference
from identikit.model import Model, Parameter, State, library_model
from identikit.planning import Budget, Criterion, Plan, Run, Task
from identikit.planning._ensemble import Ensemble, eliminated
from identikit.planning._placing import placed, sample_times
from identikit.planning._search import ChosenRun, Search
from identikit.planning._space import Space
from identikit.progress import silent
from identikit.simulation import Pieces

FREE = ("zeta", "mu_c", "mu_q", "k")
VALUES = {"zeta": 0.025, "mu_c": 0.015, "mu_q": 0.025, "k": 20.0}
P = np.array(list(VALUES.values()))
TIMES = np.arange(601) * 0.05
NONE = Pieces.constant([0.0, 0.0])


def pendulum(known: tuple[str, ...] = ()) -> Ensemble:
    return Ensemble(library_model("horizontal_pendulum"), FREE, {"theta": 0.002}, known)


def of_parameters(ensemble: Ensemble, initial: np.ndarray, times: np.ndarray) -> np.ndarray:
    rows = ensemble.rows(initial, np.repeat(P[None], len(initial), axis=0), NONE, times)
    return eliminated(np.einsum("ntoi,ntoj->nij", rows, rows), len(FREE))


def test_every_run_has_the_information_that_the_likelihood_gives_it() -> None:
    model = library_model("horizontal_pendulum")
    starts = [{"theta": 0.6, "omega": 0.0}, {"theta": -0.5, "omega": 1.0}]
    found = of_parameters(pendulum(), np.array([[0.6, 0.0], [-0.5, 1.0]]), TIMES)
    for start, information in zip(starts, found, strict=True):
        plan = Plan(model, FREE, VALUES, {"theta": 0.002}, (Run(start, TIMES),), {})
        assert information == pytest.approx(plan.likelihood().information(plan.centre), rel=1e-4)
    both = Plan(model, FREE, VALUES, {"theta": 0.002}, tuple(Run(start, TIMES) for start in starts), {})
    assert found.sum(axis=0) == pytest.approx(both.likelihood().information(both.centre), rel=1e-4)


def test_standard_errors_are_those_of_differences_by_an_integrator_of_its_own() -> None:
    unknowns = np.array([0.6, 0.0, *P])
    steps = np.array([1e-5, 1e-5, 1e-6, 1e-6, 1e-6, 1e-4])

    def output(x: np.ndarray) -> np.ndarray:
        values = dict(zip(FREE, x[2:], strict=True))
        return reference.horizontal_pendulum(TIMES, x[:2], **values)[0][0]

    columns = [
        (output(unknowns + h) - output(unknowns - h)) / (2 * step)
        for h, step in zip(np.diag(steps), steps, strict=True)
    ]
    rows = np.stack(columns, axis=1) / 0.002
    errors = np.sqrt(np.diag(np.linalg.inv(rows.T @ rows)))[2:]
    found = of_parameters(pendulum(), np.array([[0.6, 0.0]]), TIMES)[0]
    assert np.sqrt(np.diag(np.linalg.inv(found))) == pytest.approx(errors, rel=2e-3)


def test_a_known_beginning_tells_more() -> None:
    begun = np.array([[0.6, 0.0]])
    free, known = (of_parameters(pendulum(names), begun, TIMES)[0] for names in ((), ("theta", "omega")))
    assert (np.linalg.eigvalsh((known - free) * np.outer(P, P)) > -1e-6 * free[3, 3] * P[3] ** 2).all()
    assert np.diag(np.linalg.inv(known))[3] < 0.5 * np.diag(np.linalg.inv(free))[3]


def test_what_rests_tells_no_more() -> None:
    """A small swing is held by friction after a third of the time."""
    begun = np.array([[-0.07, 0.0]])
    rest = pendulum().rest(begun[0], P, NONE, 60.0)
    assert 30 < rest < 36
    moving, longer = (of_parameters(pendulum(), begun, np.arange(0.0, end, 0.05))[0] for end in (rest, 60.0))
    assert longer == pytest.approx(moving, rel=1e-6)
    whole = of_parameters(pendulum(), np.array([[0.6, 0.0]]), np.arange(0.0, 60.0, 0.05))[0]
    part = of_parameters(pendulum(), np.array([[0.6, 0.0]]), np.arange(0.0, rest, 0.05))[0]
    assert whole[2, 2] > part[2, 2] * (1 + 1e-6), "negative control: what moves does tell more"


def test_a_sample_of_an_even_series_has_the_mean_information() -> None:
    begun, ends = np.array([[0.6, 0.0]]), (10.0, 20.0, 30.0)
    mean = pendulum().per_sample(begun, P[None], NONE, ends)[0]
    for end, found in zip(ends, mean, strict=True):
        even = of_parameters(pendulum(), begun, np.linspace(0, end, 3000))[0] / 3000
        assert np.diag(found) == pytest.approx(np.diag(even), rel=0.02)


def test_a_beginning_that_follows_a_parameter_tells_of_it() -> None:
    """x' = -a x from x(0) = b: dx/da = -t x, dx/db = x/b."""
    model = Model.from_text(
        "decay",
        equations={"x": "-a*x"},
        states={"x": State("x", initial="b")},
        parameters=[Parameter("a", 0.5, bounds=(0, 5)), Parameter("b", 2.0, bounds=(0, 9))],
    )
    times = np.linspace(0, 5, 40)
    ensemble = Ensemble(model, ("a", "b"), {"x": 0.1})
    rows = ensemble.rows(np.zeros((1, 1)), np.array([[0.5, 2.0]]), Pieces.constant([]), times)[0, :, 0]
    x = 2 * np.exp(-0.5 * times)
    assert rows == pytest.approx(np.stack([-times * x, x / 2], axis=1) / 0.1, abs=1e-4)


def test_an_experiment_of_several_draws_is_judged_over_all_of_them() -> None:
    model = library_model("horizontal_pendulum")
    plan = Plan(model, FREE, VALUES, {"theta": 0.002}, (Run({"theta": 0.6, "omega": 0.0}, TIMES),), {})
    draws = np.stack([P, P * [2, 1, 1, 1], P * [1, 2, 1, 1]])
    scores = []
    for kept in (draws[:1], draws[1:2], draws[2:], draws):
        judged = Criterion("largest", FREE, P, np.full(4, np.inf))
        scores.append(Task(plan, {}, {}, {}, Budget(601, 30.0, 0.05), judged, kept).score(plan, {}))
    assert scores[3] == pytest.approx(np.mean(scores[:3]))
    assert all(a != pytest.approx(b, rel=1e-3) for a, b in pairwise(scores[:3]))


# Where samples lie


def decay(limits: dict[str, tuple[float, float]], budget: Budget, known: bool = True) -> Search:
    """x' = -a x with a = 0.5: a sample at t tells (x_0 t e^(-a t))^2 of a, most at t = 1/a."""
    model = Model.from_text("decay", equations={"x": "-a*x"}, parameters=[Parameter("a", 0.5, bounds=(0, 5))])
    return Search(
        Ensemble(model, ("a",), {"x": 0.1}, ("x",) if known else ()),
        Space(model, {"x": 1.0}, {"a": 0.5}, limits),
        np.array([[0.5]]),
        Criterion("largest", ("a",), np.array([0.5]), np.array([np.inf])),
        budget,
        Pieces.constant([]),
        0,
    )


def test_few_samples_lie_where_the_motion_tells_most() -> None:
    found = placed(decay({}, Budget(60, 12.0, 0.01)), [ChosenRun(np.zeros(0), 12.0)])
    (first, (begin, end)) = found.windows[0]
    assert first[0] == 0.0, "how a run begins is always seen"
    # a quarter of the time may be sampled: the stretch about t = 2 over which t e^(-t/2) is above its value at the ends
    assert begin < 2.0 < end and end - begin == pytest.approx(2.5, abs=0.6)
    ends = np.array([begin, end])
    assert np.ptp(ends * np.exp(-ends / 2)) < 0.15


def test_an_unknown_beginning_wants_samples_there_too() -> None:
    found = placed(decay({}, Budget(60, 12.0, 0.01), known=False), [ChosenRun(np.zeros(0), 12.0)])
    windows = found.windows[0]
    assert windows[0][0] == 0.0 and len(windows) == 2 and windows[1][0] > 1.0


def test_windows_hold_the_samples_that_they_promise() -> None:
    times = sample_times([(1.0, 2.0), (3.0, 3.5)], 0.1)
    assert times[0] == 0.0 and len(times) == 1 + 10 + 5
    assert (np.diff(times) > 0.099).all()


def test_the_largest_beginning_is_found() -> None:
    search = decay({"x": (-1.0, 3.0)}, Budget(100, 12.0, 0.01))
    run, _ = search.single(search.explored(silent))
    assert run.point == pytest.approx([3.0])


def test_a_run_is_as_long_as_is_best() -> None:
    """The mean of t^2 e^(-t) over (0, T) is greatest at T = 2.69..., where the mean equals the value at the end."""
    search = decay({}, Budget(100, 30.0, 0.001))
    run, _ = search.single(search.explored(silent))
    lengths = search.budget.durations
    means = [np.mean((t := np.linspace(0, end, 4001)) ** 2 * np.exp(-t)) for end in lengths]
    assert run.duration == pytest.approx(lengths[int(np.argmax(means))])


def test_runs_share_the_samples() -> None:
    budget = Budget(100, 10.0, 0.05, 3)
    assert budget.count(10.0) == 100 and budget.count(10.0, 2) == 50 and budget.count(1.0, 2) == 21
    times = budget.times(9.87, 3)
    assert len(times) <= 33 and times[-1] <= 9.87 and np.diff(times).min() >= 0.05


def test_two_runs_are_better_than_one_where_one_stops_telling() -> None:
    search = decay({"x": (0.0, 3.0)}, Budget(400, 12.0, 0.05))
    pool = search.explored(silent)
    _, alone = search.single(pool)
    runs, together = search.several(pool, 2)
    assert len(runs) == 2 and together < alone - 0.2
