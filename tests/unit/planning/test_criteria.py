"""Criteria: against their formulas, finite where nothing is known, and with the slope that they claim."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.planning import Criterion

NAMES = ("a", "b", "c")
SIZES = np.array([1.0, 10.0, 0.01])
WANTED = np.array([0.02, np.inf, 1e-4])


def criterion(kind: str, worst: bool = False) -> Criterion:
    return Criterion(kind, NAMES, SIZES, WANTED, worst)


def information(seed: int = 0) -> np.ndarray:
    rows = np.random.default_rng(seed).standard_normal((20, 3)) * 30 / SIZES
    return rows.T @ rows


def test_criteria_are_those_of_the_textbooks() -> None:
    covariance = np.linalg.inv(information())
    relative = np.sqrt(np.diag(covariance)) / SIZES
    scaled = covariance / np.outer(SIZES, SIZES)
    assert criterion("determinant").scores(information()) == pytest.approx(np.log(np.linalg.det(scaled)) / 6)
    assert criterion("average").scores(information()) == pytest.approx(np.log(np.sqrt(np.mean(relative**2))))
    assert criterion("largest").scores(information()) == pytest.approx(np.log(relative.max()))
    assert criterion("b").scores(information()) == pytest.approx(np.log(relative[1]))
    ratios = np.sqrt(np.diag(covariance)) / WANTED
    assert criterion("goal").scores(information()) == pytest.approx(np.log(ratios.max()))


@pytest.mark.parametrize("kind", ["determinant", "average", "largest", "goal", "c"])
def test_four_times_the_samples_halve_the_errors(kind: str) -> None:
    once, more = criterion(kind).scores(np.stack([information(), 4 * information()]))
    assert once - more == pytest.approx(np.log(2))


@pytest.mark.parametrize("kind", ["determinant", "average", "largest", "goal", "c"])
def test_the_slope_is_that_of_the_score(kind: str) -> None:
    step = np.outer(1 / SIZES, 1 / SIZES) * np.diag([1.0, 2.0, 3.0])
    ahead, behind = (criterion(kind).scores(information() + sign * 1e-4 * step) for sign in (1, -1))
    assert -np.sum(criterion(kind).slope(information()) * step) == pytest.approx((ahead - behind) / 2e-4, rel=1e-5)


@pytest.mark.parametrize("kind", ["determinant", "average", "largest", "goal", "c"])
def test_an_experiment_that_tells_nothing_is_bad_by_a_finite_amount(kind: str) -> None:
    lost = information()
    lost[2] = lost[:, 2] = 0.0
    scores = criterion(kind).scores(np.stack([information(), lost, np.zeros((3, 3))]))
    assert np.isfinite(scores).all()
    assert scores[0] < scores[1] - 5 and scores[1] < scores[2]


def test_the_worst_of_several_values_counts_if_asked() -> None:
    draws = np.stack([information(), information() / 100])
    mean, worst = criterion("largest").judged(draws), criterion("largest", worst=True).judged(draws)
    assert worst == pytest.approx(criterion("largest").scores(draws[1]))
    assert mean == pytest.approx(worst - np.log(10) / 2)
