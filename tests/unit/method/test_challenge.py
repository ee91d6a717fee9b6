"""A settled fit is challenged from elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

import identikit as ik
from identikit.likelihood import Preparation
from identikit.method.multiple_shooting._challenge import Candidate, challenged, nonlinear
from identikit.problem import Problem
from identikit.progress import silent
from identikit.simulation import simulate
from ready import record_of

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
