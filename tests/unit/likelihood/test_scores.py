"""Scores of segments: those of the whole trajectory in closed form, cut where the segments are."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.linalg import toeplitz

import identikit as ik
from identikit.likelihood import LIKELIHOOD, Outcome, Preparation
from identikit.problem import Noise, Problem

TRUTH = np.array([0.3, 4.0])
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


def outcome_of(starts: list[tuple[float, float]], count: int = 400, memory: float = 0.0) -> tuple[Outcome, np.ndarray]:
    """A fit to one record for each start, and their times."""
    time, random = np.arange(count) * 0.05, np.random.default_rng(1)
    records = tuple(
        ik.Record.from_arrays(time, x=curve(np.array([*start, *TRUTH]), time) + 0.02 * random.standard_normal(count))
        for start in starts
    )
    problem = Problem.pose(MODEL, ik.Experiment(records))
    if memory:
        problem = problem.with_noise({"x": Noise().shaped((memory,))})
    preparation = Preparation.of(problem)
    nodes = preparation.nodes(TRUTH)
    outcome = preparation.solver(nodes).run(TRUTH, nodes, preparation.sigma, ik.progress.silent)
    assert outcome is not None and outcome.converged
    return outcome, time


def dense(outcome: Outcome, time: np.ndarray, memory: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Rows [samples, unknowns] and residuals of all records, whitened, in units of the noise."""
    chains = outcome.layout.chains
    correlation = toeplitz(memory ** np.arange(len(time))) if memory else np.eye(len(time))
    whiten = np.linalg.inv(np.linalg.cholesky(correlation)) / outcome.sigma[0]
    table = np.zeros((chains * len(time), 2 * chains + 2))
    for i, first in enumerate(outcome.layout.first_of_record):
        own = slice(i * len(time), (i + 1) * len(time))
        found = whiten @ slopes(np.array([*outcome.nodes[first], *outcome.p]), time)
        table[own, 2 * i : 2 * i + 2], table[own, -2:] = found[:, :2], found[:, 2:]
    residual = outcome.residual[:, 0].reshape(chains, -1) @ whiten.T
    return table, residual.ravel()


@pytest.mark.parametrize("memory", [0.0, 0.7])
@pytest.mark.parametrize("starts", [[(1.0, 0.0)], [(1.0, 0.0), (0.5, -1.0), (0.0, 2.0)]])
def test_scores_and_information_are_those_of_the_whole_trajectory(
    starts: list[tuple[float, float]], memory: float
) -> None:
    outcome, time = outcome_of(starts, memory=memory)
    rows, residual = dense(outcome, time, memory)
    scores = outcome.scores()
    assert scores is not None
    size = np.sqrt(np.sum(rows**2, axis=0))
    assert scores.information / np.outer(size, size) == pytest.approx(rows.T @ rows / np.outer(size, size), abs=1e-5)
    edges = outcome.layout.first_sample
    expected = [rows[a:b].T @ residual[a:b] / size for a, b in pairwise(edges)]
    assert scores.table / size == pytest.approx(np.array(expected), abs=2e-3 * np.abs(expected).max())
    assert scores.free == 2


def test_they_add_up_to_nothing_at_the_estimate() -> None:
    outcome, _ = outcome_of([(1.0, 0.0), (0.5, -1.0)])
    scores = outcome.scores()
    assert scores is not None
    pull = scores.influence().sum(axis=0) / outcome.standard_errors
    assert np.abs(pull).max() < 0.05
    assert np.abs(scores.influence() / outcome.standard_errors).max() > 0.1  # negative control: each pulls


@pytest.mark.parametrize("count", [400, 1201])
def test_draws_are_segments_or_where_there_are_many_pairs_of_them(count: int) -> None:
    outcome, _ = outcome_of([(1.0, 0.0)], count)
    scores = outcome.scores()
    assert scores is not None
    table, many = scores.table, len(scores.table) > LIKELIHOOD.fewest_single_scores
    assert many == (count > 1000)
    pairs = [table[k : k + 2].sum(axis=0) for k in range(0, len(table), 2)] if many else table
    assert scores.blocks == pytest.approx(np.array(pairs))
    inverse = np.linalg.inv(scores.information)
    blocks = np.array(pairs)
    expected = inverse @ (blocks.T @ blocks) @ inverse * len(blocks) / (len(blocks) - 2)
    wide, plain = scores.covariances()
    assert wide == pytest.approx(expected[-2:, -2:], rel=1e-6)
    assert plain == pytest.approx(inverse[-2:, -2:], rel=1e-6)
    assert np.sqrt(np.diag(plain)) == pytest.approx(outcome.standard_errors, rel=1e-4)
    assert scores.influence() == pytest.approx((blocks @ inverse)[:, -2:], rel=1e-6, abs=1e-12)
