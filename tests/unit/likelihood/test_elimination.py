"""The orthogonal elimination of node states equals the dense least-squares problem it stands for."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.likelihood import Evaluation, Layout, NoiseModel, compress, eliminate, triangular
from identikit.problem import Noise

STATES, FREE = 2, 3


def white(evaluation: Evaluation) -> NoiseModel:
    return NoiseModel.alike(Noise(), evaluation.residual)


def chain_layout(counts: list[int], chains: list[int]) -> Layout:
    first = np.concatenate([[0], np.cumsum(counts)])
    size = len(counts)
    number = np.array(chains)
    return Layout(
        np.arange(size, dtype=float),
        np.arange(size) + 1.0,
        first,
        number,
        number,
        np.zeros(size, dtype=np.bool_),
    )


def random_evaluation(layout: Layout, seed: int, growth: float = 1.0) -> tuple[Evaluation, np.ndarray]:
    random = np.random.default_rng(seed)
    samples, segments = int(layout.first_sample[-1]), len(layout.begin)
    transition = random.normal(size=(segments, STATES, STATES + FREE))
    transition[:, :, :STATES] *= growth
    evaluation = Evaluation(
        random.normal(size=(samples, 1)),
        random.normal(size=(samples, 1, STATES + FREE)),
        random.normal(size=(segments, STATES)),
        transition,
        None,
        np.True_,
    )
    return evaluation, random.normal(size=(segments, STATES))


def dense_solution(
    evaluation: Evaluation, nodes: np.ndarray, layout: Layout, sigma: float, tau: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The same rows in one big matrix: nodes first, parameters last."""
    segments = len(layout.begin)
    width = segments * STATES + FREE
    rows, right = [], []
    for k in range(segments):
        for i in range(layout.first_sample[k], layout.first_sample[k + 1]):
            row = np.zeros(width)
            row[k * STATES : (k + 1) * STATES] = evaluation.slope[i, 0, :STATES]
            row[-FREE:] = evaluation.slope[i, 0, STATES:]
            rows.append(row / sigma)
            right.append(evaluation.residual[i, 0] / sigma)
        if k + 1 < segments and layout.chain[k] == layout.chain[k + 1]:
            for j in range(STATES):
                row = np.zeros(width)
                row[k * STATES : (k + 1) * STATES] = evaluation.transition[k, j, :STATES]
                row[(k + 1) * STATES + j] = -1
                row[-FREE:] = evaluation.transition[k, j, STATES:]
                rows.append(row / tau[j])
                right.append((nodes[k + 1, j] - evaluation.final[k, j]) / tau[j])
    solution = np.linalg.lstsq(np.array(rows), np.array(right), rcond=None)[0]
    return solution[-FREE:], solution[:-FREE].reshape(segments, STATES)


@pytest.mark.parametrize("chains", [[0, 0, 0, 0], [0, 0, 1, 1]])
def test_elimination_gives_the_dense_solution(chains: list[int]) -> None:
    layout = chain_layout([9, 7, 11, 8], chains)
    evaluation, nodes = random_evaluation(layout, seed=1)
    tau = np.array([0.1, 0.3])
    linear = eliminate(
        compress(evaluation, layout, white(evaluation), np.array([0.5])),
        evaluation,
        nodes,
        layout,
        tau,
        np.zeros(STATES),
        {},
    )
    dp = np.linalg.lstsq(linear.information_rows, linear.right_side, rcond=None)[0]
    ds = linear.nodes(dp, layout, STATES)
    expected_dp, expected_ds = dense_solution(evaluation, nodes, layout, 0.5, tau)
    assert dp == pytest.approx(expected_dp, rel=1e-9, abs=1e-12)
    assert ds == pytest.approx(expected_ds, rel=1e-9, abs=1e-12)


def test_a_tight_tether_closes_every_gap_to_first_order() -> None:
    layout = chain_layout([9] * 12, [0] * 12)
    evaluation, nodes = random_evaluation(layout, seed=2, growth=0.5)
    linear = eliminate(
        compress(evaluation, layout, white(evaluation), np.ones(1)),
        evaluation,
        nodes,
        layout,
        np.full(STATES, 1e-7),
        np.zeros(STATES),
    )
    dp = np.linalg.lstsq(linear.information_rows, linear.right_side, rcond=None)[0]
    ds = linear.nodes(dp, layout, STATES)
    for k in range(11):
        end = evaluation.final[k] + evaluation.transition[k] @ np.concatenate([ds[k], dp])
        assert end == pytest.approx(nodes[k + 1] + ds[k + 1], abs=1e-7)


def test_growing_transitions_as_in_chaos_do_not_spoil_the_solution() -> None:
    """Forty segments that stretch sevenfold each: condensing onto the first node would meet 1e34."""
    layout = chain_layout([30] * 40, [0] * 40)
    evaluation, nodes = random_evaluation(layout, seed=3, growth=5.0)
    tau = np.full(STATES, 1e-3)
    linear = eliminate(
        compress(evaluation, layout, white(evaluation), np.ones(1)), evaluation, nodes, layout, tau, np.zeros(STATES)
    )
    dp = np.linalg.lstsq(linear.information_rows, linear.right_side, rcond=None)[0]
    expected, _ = dense_solution(evaluation, nodes, layout, 1.0, tau)
    assert dp == pytest.approx(expected, rel=1e-6, abs=1e-9)


def test_missing_samples_count_for_nothing() -> None:
    layout = chain_layout([9, 9], [0, 0])
    evaluation, _ = random_evaluation(layout, seed=4)
    residual = evaluation.residual.copy()
    residual[3] = np.nan
    holed = Evaluation(residual, evaluation.slope, evaluation.final, evaluation.transition, None, np.True_)
    found = compress(holed, layout, white(holed), np.ones(1))
    assert found.count == 17
    assert found.cost == pytest.approx(float(np.nansum(residual**2)))


def test_triangular_has_the_gram_matrix_of_its_rows() -> None:
    rows = np.random.default_rng(0).normal(size=(20, 6))
    factor = triangular(rows)
    assert factor.T @ factor == pytest.approx(rows.T @ rows)
    assert np.tril(factor, -1) == pytest.approx(0)
