"""A fit that came to a stop, led on: in longer segments, or downhill; and one that settled, challenged from elsewhere.
Data come from an independent integrator."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import identikit as ik
import reference
from identikit.likelihood import Outcome, Preparation
from identikit.method.multiple_shooting import Start
from identikit.method.multiple_shooting import _search as module
from identikit.method.multiple_shooting._challenge import Candidate, challenged, nonlinear
from identikit.method.multiple_shooting._quasi_newton import followed_down
from identikit.method.multiple_shooting._search import _Search
from identikit.problem import Initial, Problem
from identikit.progress import Cancelled, Progress, ProgressEvent, silent, watched
from identikit.simulation import simulate
from ready import record_of

TRUTH = {"c": 0.1, "k": 1.0, "k3": 0.5}
TIME = np.linspace(0, 20, 200)
CLEAN = reference.smooth(lambda t, x: [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3], [2.0, 0.0], TIME)[0]


def prepared(free: Sequence[str] = tuple(TRUTH), **posed: Any) -> Preparation:
    noisy = CLEAN + 0.1 * np.random.default_rng(1).standard_normal(len(TIME))
    record = ik.Record.from_arrays(TIME, x=noisy)
    return Preparation.of(Problem.pose(ik.library_model("duffing"), record, free=list(free), **posed))


def ended(preparation: Preparation, pinned: dict[int, float] | None = None) -> Outcome:
    """The fit from the truth, with some parameters kept elsewhere."""
    p = np.array(list(TRUTH.values()))
    for i, value in (pinned or {}).items():
        p[i] = value
    low, high = preparation.problem.limits
    p = np.clip(p, low, high)
    nodes = preparation.nodes(p)
    outcome = preparation.solver(nodes, pinned=pinned).run(p, nodes, preparation.sigma, silent, grows=False)
    assert outcome is not None and outcome.converged
    return outcome


# what is asked, and a parameter that ended some standard errors off
CASES: dict[str, tuple[dict[str, Any], dict[int, float]]] = {
    "free": ({}, {2: 0.55}),
    "a prior": ({"priors": {"k": (1.2, 0.02)}}, {2: 0.55}),
    "at a bound": ({"bounds": {"c": (0.15, 1.0)}}, {2: 0.55}),
    "a bound on the way": ({"bounds": {"c": (0.15, 1.0)}}, {0: 0.25}),
    "a known start": ({"initial": {"x": 2.0}}, {2: 0.55}),
    "a start at its bound": ({"initial": {"x": Initial(bounds=(2.1, 5.0))}}, {2: 0.55}),
}


@pytest.mark.parametrize("case", CASES)
def test_from_a_wrong_end_it_comes_to_where_the_fit_does(case: str) -> None:
    asked, off = CASES[case]
    preparation = prepared(**asked)
    right, wrong = ended(preparation), ended(preparation, off)
    assert wrong.misfit > right.misfit + 9
    found = followed_down(preparation, wrong, silent)
    assert found is not None and found.converged
    assert found.misfit == pytest.approx(right.misfit, abs=0.01)
    assert np.abs((found.p - right.p) / right.standard_errors).max() < 0.15  # noise levels of a fit are let off by 2 %
    assert found.rounds > 5  # evaluations on the way are counted


@pytest.mark.parametrize("case", ["at a bound", "a bound on the way"])
def test_a_parameter_at_its_bound_stays_there(case: str) -> None:
    asked, off = CASES[case]
    preparation = prepared(**asked)
    found = followed_down(preparation, ended(preparation, off), silent)
    assert found is not None and found.p[0] == pytest.approx(0.15, abs=1e-9)


def test_at_the_bottom_there_is_nothing_to_gain() -> None:
    """Nothing, or the same again to within what an integrator repeats."""
    preparation = prepared()
    right = ended(preparation)
    found = followed_down(preparation, right, silent)
    assert found is None or found.misfit == pytest.approx(right.misfit, abs=0.01)


def test_a_record_with_a_rest_goes_its_own_way() -> None:
    """Its rest is fitted after its motion, so that neither longer segments nor one trajectory are what is wanted."""
    preparation = prepared()
    reached = ended(preparation, {2: 0.55})
    layout = replace(reached.layout, resting=np.arange(len(reached.nodes)) == len(reached.nodes) - 1)
    resting = replace(
        reached, iteration=reached.iteration.with_segments(reached.iteration.segments.with_layout(layout))
    )
    assert followed_down(preparation, resting, silent) is None
    assert _Search(preparation)._lengthen(Start(reached.p, "test"), resting, silent) is None


def test_where_nothing_may_change_there_is_no_way_down() -> None:
    preparation = prepared(bounds={"c": (0.3, 1.0)}, initial={"x": 2.0, "v": 0.0}, free=["c"])
    p, low = np.array([0.3]), preparation.problem.limits[0]
    nodes = preparation.nodes(p)
    reached = preparation.solver(nodes).run(p, nodes, preparation.sigma, silent, grows=False)
    assert reached is not None and reached.p == low
    assert followed_down(preparation, reached, silent) is None


def test_asked_to_stop_on_the_way_it_stops() -> None:
    """Then the search has the fit before it, which is whole."""
    steps = []

    def until_the_first_step(event: ProgressEvent) -> bool:
        steps.append(event.sentence)
        return "one trajectory" not in event.sentence

    preparation = prepared()
    reached = ended(preparation, {2: 0.55})
    with watched(until_the_first_step) as listened, pytest.raises(Cancelled):
        followed_down(preparation, reached, listened)
    assert sum("one trajectory" in sentence for sentence in steps) == 1


def led_on(share: float = 1.0, **posed: Any) -> tuple[_Search, Outcome, Outcome | None]:
    """A search after a fit that ended at a wrong place, that fit, and what became of it. The record's noise is taken
    for `share` of what it is."""
    preparation = prepared(**posed)
    reached = replace(ended(preparation, {2: 0.55}), converged=False)
    curves = [[_quieter(curve, share) for curve in part] for part in preparation.curves]
    search = _Search(replace(preparation, curves=curves))
    return search, reached, search._led_on(Start(reached.p, "test"), reached, silent)


def test_a_search_goes_on_in_longer_segments() -> None:
    search, reached, outcome = led_on()
    assert search.tried == ["test, in longer segments"]
    right = ended(prepared())
    assert outcome is not None and outcome.converged and len(outcome.nodes) < len(reached.nodes)
    assert np.abs((outcome.p - right.p) / right.standard_errors).max() < 0.15


@pytest.mark.parametrize("gap", [0.0, 1.0])
def test_where_longer_segments_do_not_settle_it_follows_the_nearer_end_downhill(
    gap: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end of longer segments if they are nearly joined, else that of the short ones."""

    def unsettled(self: _Search, start: Start, reached: Outcome, progress: Progress) -> Outcome:
        return replace(reached, converged=False, point=replace(reached.point, gaps=np.full((1, 2), gap)), rounds=-1)

    begun = []
    monkeypatch.setattr(_Search, "_lengthen", unsettled)
    monkeypatch.setattr(module, "followed_down", lambda _, nearer, progress: begun.append(nearer) or nearer)
    led_on()
    assert [nearer.rounds == -1 for nearer in begun] == [gap == 0.0]


@pytest.mark.parametrize("posed", [{}, {"noise": {"x": 0.01}}], ids=["estimated", "known"])
def test_what_leaves_far_more_than_noise_is_led_on_in_other_ways(posed: dict[str, Any]) -> None:
    """What leaves ten times the noise may lie in a wrong valley: other ways and starts come first."""
    search, reached, outcome = led_on(0.1, **posed)
    assert reached.left_over == pytest.approx(0.1, rel=0.4)
    assert outcome is not None and search.tried
    assert not {"test, in longer segments", "test, followed downhill"} & set(search.tried)


def test_a_wrong_end_is_not_believed_because_its_noise_is_known() -> None:
    preparation = prepared(noise={"x": 0.1})
    right, wrong = ended(preparation), ended(preparation, {2: 0.8})
    assert right.sigma == wrong.sigma == 0.1
    assert module.believed(right, preparation) and not module.believed(wrong, preparation)


def _quieter(curve: Any, factor: float) -> Any:
    changed = copy.copy(curve)
    object.__setattr__(changed, "sigma", factor * curve.sigma)
    return changed


MODEL = ik.library_model("van_der_pol")


@pytest.fixture(scope="module")
def preparation() -> Preparation:
    return Preparation.of(Problem.pose(MODEL, record_of(MODEL), bounds={"w0": (0.2, 25.0)}))


def end_at(preparation: Preparation, factor: float, pinned: bool) -> Candidate:
    """A fit that began with w0 off by a factor, kept there if pinned."""
    problem = preparation.problem
    p = np.array([MODEL.parameter(name).value for name in problem.free])
    i = problem.free.index("w0")
    p[i] *= factor
    nodes = preparation.nodes(p)
    solver = preparation.solver(nodes, pinned={i: p[i]} if pinned else None)
    outcome = solver.run(p, nodes, preparation.sigma, silent, grows=False)
    assert outcome is not None
    return Candidate(outcome, "test")


def test_a_wrong_end_is_replaced_by_a_lower_one_found_from_elsewhere() -> None:
    """A speed kept at 1.5 times its value stands for a wrong minimum."""
    drag = ik.Model.from_text(
        "drag", equations={"x": "2*sin(t) - 3*tanh(x/v)"}, parameters=[ik.Parameter("v", 0.5, "", (1e-2, 1e2))]
    )
    time = np.linspace(0, 20, 401)
    record = ik.synthesize(drag, simulate(drag, time, initial={"x": 1.0}), noise={"x": 0.01}, seed=1)
    preparation = Preparation.of(Problem.pose(drag, record))
    p = np.array([0.75])
    nodes = preparation.nodes(p)
    solver = preparation.solver(nodes, pinned={0: 0.75})
    outcome = solver.run(p, nodes, preparation.sigma, silent, grows=False)
    assert outcome is not None
    wrong = Candidate(outcome, "test")
    best, others = challenged(preparation, wrong, silent)
    assert best.misfit < wrong.misfit - 100
    assert best.outcome.p[0] == pytest.approx(0.5, rel=0.02)
    assert others == ()


def test_joining_costs_more_than_chance_at_a_wrong_end_and_not_at_the_right_one(preparation: Preparation) -> None:
    right, wrong = end_at(preparation, 1.0, pinned=False), end_at(preparation, 1.05, pinned=True)
    assert right.outcome.joined_by_chance(4.0)
    assert not wrong.outcome.joined_by_chance(4.0)


def test_a_right_end_stays_and_has_no_rival(preparation: Preparation) -> None:
    right = end_at(preparation, 1.0, pinned=False)
    best, others = challenged(preparation, right, silent)
    assert best.misfit == pytest.approx(right.misfit, abs=0.1)
    assert others == ()


def test_only_parameters_outside_the_affine_set_are_nonlinear() -> None:
    furuta = ik.library_model("furuta")
    free = ["mu_d0", "mu_s0", "v_t0", "mu_v1"]
    time = np.linspace(0, 1, 50)
    record = ik.Record.from_arrays(time, **{name: np.sin(time + i) for i, name in enumerate(furuta.output_names)})
    assert nonlinear(Problem.pose(furuta, record, free=free)) == ("v_t0",)
    assert nonlinear(Problem.pose(furuta, record, free=[*free, "F_t1"])) == ("v_t0", "F_t1")
