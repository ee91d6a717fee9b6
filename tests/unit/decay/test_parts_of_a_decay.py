"""The jackknife over parts of a decay, against dense algebra on the closed form of the motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import identikit as ik
from identikit.decay import RANKING, LawFit
from identikit.decay._parts import spread_between_parts, widened
from identikit.likelihood import Preparation
from identikit.problem import Problem

TRUTH = np.array([0.1, 4.0])
MODEL = ik.Model.from_text(
    "spring", equations={"x''": "-c*x' - k*x"}, parameters={name: ik.Parameter(name, bounds=(0, 100)) for name in "ck"}
)


def curve(unknowns: np.ndarray, t: np.ndarray) -> np.ndarray:
    """Closed form; unknowns are x(0), x'(0), c, k."""
    x, v, c, k = unknowns
    w = np.sqrt(k - c**2 / 4)
    return np.exp(-c * t / 2) * (x * np.cos(w * t) + (v + c * x / 2) / w * np.sin(w * t))


def slopes(unknowns: np.ndarray, t: np.ndarray) -> np.ndarray:
    """[samples, 4] by central differences."""
    steps = 1e-6 * np.eye(4)
    return np.stack([(curve(unknowns + h, t) - curve(unknowns - h, t)) / 2e-6 for h in steps], axis=1)


def fit_of(records: int, damping: float = 0.1, change: float = 0.0, seed: int = 0) -> tuple[LawFit, np.ndarray]:
    """Of records whose frequency may change on the way; and their times."""
    time, random = np.arange(601) * 0.05, np.random.default_rng(seed)
    made = []
    for i in range(records):
        x = curve(np.array([1.0 - 0.3 * i, 0.0, damping, 4.0]), time * (1 + change * time))
        made.append(ik.Record.from_arrays(time, x=x + 0.01 * random.standard_normal(len(time))))
    preparation = Preparation.of(Problem.pose(MODEL, ik.Experiment(tuple(made))))
    nodes = preparation.nodes(TRUTH)
    outcome = preparation.solver(nodes).run(TRUTH, nodes, preparation.sigma, ik.progress.silent)
    assert outcome is not None and outcome.converged
    return LawFit(("viscous",), outcome, ()), time


def jackknife(fit: LawFit, time: np.ndarray, free: list[int]) -> np.ndarray:
    """Standard deviations of these parameters: every part left out in turn, neighbours that err alike together."""
    chains = fit.layout.chains
    residual = fit.residual[:, 0].reshape(chains, -1) / fit.outcome.sigma[0]
    parts = []
    for i, first in enumerate(fit.layout.first_of_record):
        found = slopes(np.array([*fit.nodes[first], *fit.p]), time) / fit.outcome.sigma[0]
        rows = np.zeros((len(time), 2 * chains + len(free)))
        rows[:, 2 * i : 2 * i + 2] = found[:, :2]
        rows[:, 2 * chains :] = found[:, 2:][:, free]
        parts += [(rows[k], residual[i][k]) for k in np.array_split(np.arange(len(time)), 8 // chains)]
    everything = np.sum([a.T @ a for a, _ in parts], axis=0)
    left_out = np.array([-np.linalg.solve(everything - a.T @ a, a.T @ r) for a, r in parts])[:, 2 * chains :]
    away = left_out - left_out.mean(axis=0)
    count = len(away)
    alone = np.sum(away**2, axis=0)
    together = alone + sum(
        2 * (1 - lag / 3) * np.sum(away[lag:] * away[:-lag], axis=0) for lag in (1, 2)
    )  # Newey and West
    return np.sqrt((count - 1) / count * np.maximum(alone, together))


@pytest.mark.parametrize("records", [1, 2])
@pytest.mark.parametrize("change", [0.0, 2e-4])
def test_it_is_the_jackknife_of_dense_algebra(records: int, change: float) -> None:
    fit, time = fit_of(records, change=change)
    assert RANKING.parts == 8 and RANKING.part_lag == 2
    assert spread_between_parts(fit) == pytest.approx(jackknife(fit, time, [0, 1]), rel=2e-3)


def test_a_parameter_at_its_bound_has_none_and_the_others_have_theirs() -> None:
    fit, time = fit_of(1, damping=-0.004)
    assert fit.p[0] == 0.0
    found = spread_between_parts(fit)
    assert np.isnan(found[0])
    assert found[1] == pytest.approx(jackknife(fit, time, [1])[0], rel=2e-3)


@pytest.mark.parametrize("which", [0, 1])
def test_nor_has_one_at_its_upper_bound_or_one_that_the_law_lacks(which: int) -> None:
    fit, time = fit_of(1)
    iteration = fit.outcome.iteration
    high = iteration.high.copy()
    high[which] = fit.p[which]
    at_bound = replace(fit, outcome=replace(fit.outcome, iteration=replace(iteration, high=high)))
    low = iteration.low.copy()
    low[which] = high[which]
    pinned = replace(fit, outcome=replace(fit.outcome, iteration=replace(iteration, low=low, high=high)))
    for case in (at_bound, pinned):
        found = spread_between_parts(case)
        assert np.isnan(found[which])
        assert found[1 - which] == pytest.approx(jackknife(fit, time, [1 - which])[0], rel=2e-3)


def test_white_residuals_leave_standard_errors_as_they_are() -> None:
    fit, _ = fit_of(1)
    plain = 1e-6 * np.ones(2)
    assert widened(fit, plain) is plain


def test_a_frequency_that_changes_on_the_way_widens_them_beyond_chance() -> None:
    fit, _ = fit_of(1, change=2e-4)
    plain = fit.outcome.standard_errors
    between = spread_between_parts(fit)
    assert between[1] > 5 * plain[1]
    assert widened(fit, plain)[1] == between[1]
    generous = between / 1.4  # what exceeds them by less than one and a half may be chance
    assert widened(fit, generous) == pytest.approx(generous)
