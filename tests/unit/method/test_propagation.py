"""The standard deviation of a filtered regression is that of its estimates over noise seeds."""

import numpy as np
import pytest

import reference
from identikit.likelihood import smooth_curves
from identikit.measurement import Record
from identikit.method.toolkit import FilteredRegression, propagated_deviation
from identikit.model import library_model
from identikit.problem import Problem

TIME = np.arange(600) * 0.05
TRUTH = np.array([0.1, 1.0, 0.5])


@pytest.fixture(scope="module")
def clean():
    return reference.smooth(lambda t, x: [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3], [2.0, 0.0], TIME)[0]


def estimate(clean, sigma, seed):
    noise = sigma * np.random.default_rng(seed).standard_normal(len(TIME))
    problem = Problem.pose(library_model("duffing"), Record.from_arrays(TIME, {"x": clean + noise}))
    curves = smooth_curves(problem)
    regression = FilteredRegression(problem, curves)
    p = regression.solve()
    return p, propagated_deviation(regression, curves, p)


def test_spread_over_seeds_is_the_propagated_deviation(clean):
    found = [estimate(clean, 0.02, seed) for seed in range(60)]
    spread = np.std([p for p, _ in found], axis=0)
    deviation = np.mean([d for _, d in found], axis=0)
    # 60 draws know a deviation to 9 %; the choice of knots adds a little that is not propagated
    assert np.all(spread / deviation > 0.7), spread / deviation
    assert np.all(spread / deviation < 1.35), spread / deviation


def test_deviation_grows_with_the_noise(clean):
    _, little = estimate(clean, 0.002, 1)
    _, much = estimate(clean, 0.02, 1)
    assert np.all(much > 4 * little)
