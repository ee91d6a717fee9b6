"""A fit that came to a stop, led on: in longer segments, or downhill. Data come from an independent integrator."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import identikit as ik
import reference
from identikit.likelihood import Outcome, Preparation
from identikit.method.multiple_shooting import _search as module
from identikit.method.multiple_shooting._quasi_newton import followed_down
from identikit.method.multiple_shooting._search import _Search
from identikit.method.multiple_shooting._start import Start
from identikit.problem import Problem
from identikit.progress import Progress, silent

TRUTH = {"c": 0.1, "k": 1.0, "k3": 0.5}
TIME = np.linspace(0, 20, 200)
CLEAN = reference.smooth(lambda t, x: [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3], [2.0, 0.0], TIME)[0]


def prepared(**posed: Any) -> Preparation:
    noisy = CLEAN + 0.1 * np.random.default_rng(1).standard_normal(len(TIME))
    record = ik.Record.from_arrays(TIME, x=noisy)
    return Preparation.of(Problem.pose(ik.library_model("duffing"), record, free=list(TRUTH), **posed))


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


CASES: dict[str, dict[str, Any]] = {
    "free": {},
    "a prior": {"priors": {"k": (1.2, 0.02)}},
    "a bound": {"bounds": {"c": (0.15, 1.0)}},
    "a known start": {"initial": {"x": 2.0}},
}


@pytest.mark.parametrize("case", CASES)
def test_from_a_wrong_end_it_comes_to_where_the_fit_does(case: str) -> None:
    preparation = prepared(**CASES[case])
    right, wrong = ended(preparation), ended(preparation, {2: 0.55})  # k3 some standard errors off
    assert wrong.misfit > right.misfit + 9
    found = followed_down(preparation, wrong, silent)
    assert found is not None and found.converged
    assert found.misfit == pytest.approx(right.misfit, abs=0.01)
    assert np.abs((found.p - right.p) / right.standard_errors).max() < 0.15  # noise levels of a fit are let off by 2 %
    assert found.rounds > 5  # evaluations on the way are counted


def test_a_parameter_at_its_bound_stays_there() -> None:
    preparation = prepared(**CASES["a bound"])
    found = followed_down(preparation, ended(preparation, {2: 0.55}), silent)
    assert found is not None and found.p[0] == 0.15


def test_at_the_bottom_there_is_nothing_to_gain() -> None:
    """Nothing, or the same again to within what an integrator repeats."""
    preparation = prepared()
    right = ended(preparation)
    found = followed_down(preparation, right, silent)
    assert found is None or found.misfit == pytest.approx(right.misfit, abs=0.01)


def test_a_record_in_pieces_is_not_one_trajectory() -> None:
    """A rest with a start of its own is a chain of its own."""
    preparation = prepared()
    right = ended(preparation)
    layout = replace(right.layout, chain=np.arange(len(right.layout.begin)))
    apart = replace(right, iteration=right.iteration.with_segments(right.iteration.segments.with_layout(layout)))
    assert followed_down(preparation, apart, silent) is None


def led_on(noise: float = 1.0) -> tuple[_Search, Outcome, Outcome | None]:
    """A search after a fit that ended at a wrong place, that fit, and what became of it. The record's noise is taken
    for `noise` times as large as it is."""
    preparation = prepared()
    reached = replace(ended(preparation, {2: 0.55}), converged=False)
    curves = [[_quieter(curve, noise) for curve in part] for part in preparation.curves]
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


def test_what_leaves_far_more_than_noise_is_led_on_in_other_ways() -> None:
    """What leaves ten times the noise may lie in a wrong valley: other ways and starts come first."""
    search, _, outcome = led_on(noise=0.1)
    assert outcome is not None and search.tried
    assert not {"test, in longer segments", "test, followed downhill"} & set(search.tried)


def _quieter(curve: Any, factor: float) -> Any:
    changed = copy.copy(curve)
    object.__setattr__(changed, "sigma", factor * curve.sigma)
    return changed
