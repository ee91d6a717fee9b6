"""Simulated twins of a record: intervals that hold where noise is coloured, rounded or biases the method; and how
rounding is recognised."""

from __future__ import annotations

import math

import numpy as np
import pytest

import identikit as ik
import reference
from identikit.likelihood import smooth_curves
from identikit.method._rounding import Rounding
from identikit.method._twin import OutputNoise, Twin
from identikit.method._twin_check import reasons
from identikit.problem import Problem
from identikit.result import Result

TIME = np.arange(500) * 0.06
TRUTH = {"c": 0.1, "k": 1.0, "k3": 0.5}
SIGMA = 0.03
SINE = np.sin(np.linspace(0, 20, 2000))


@pytest.fixture(scope="module")
def clean() -> np.ndarray:
    return reference.smooth(lambda t, x: [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3], [2.0, 0.0], TIME)[0]


def white(seed: int) -> np.ndarray:
    return SIGMA * np.random.default_rng(seed).standard_normal(len(TIME))


def coloured(seed: int) -> np.ndarray:
    found = white(seed) / SIGMA
    for i in range(1, len(found)):
        found[i] = 0.9 * found[i - 1] + np.sqrt(1 - 0.81) * found[i]
    return SIGMA * found


def fitted(values: np.ndarray, method: str) -> Result:
    return ik.fit(ik.Record.from_arrays(TIME, {"x": values}), "duffing", method=method, free=list(TRUTH))


def posed(values: np.ndarray) -> Problem:
    return Problem.pose(ik.library_model("duffing"), ik.Record.from_arrays(TIME, {"x": values}), free=list(TRUTH))


def codes(result: Result) -> set[str]:
    return {item.code for item in result.findings}


@pytest.mark.parametrize("method", ["galerkin", "least_squares"])
def test_intervals_hold_when_noise_remembers_and_would_not_without(clean, method):
    held, plain = [], []
    for seed in range(12):
        result = fitted(clean + coloured(seed), method)
        for name, true in TRUTH.items():
            found = result.parameters[name]
            held.append(found.ci95[0] <= true <= found.ci95[1])
            plain.append(abs(found.value - true) <= 1.96 * found.crlb)
    assert np.mean(held) > 0.8
    assert np.mean(plain) < 0.6  # negative control: the bound for white noise


def test_a_white_record_keeps_the_methods_own_errors(clean):
    found = [fitted(clean + white(seed), "least_squares") for seed in range(3)]
    assert sum("errors_from_twins" in codes(result) for result in found) <= 1


def test_why_twins_are_needed_is_said_in_words(clean):
    def words(values: np.ndarray) -> str:
        problem = posed(values)
        return "; ".join(reasons(problem, (values - clean)[:, None], smooth_curves(problem)))

    gross = np.where(np.arange(len(TIME)) % 100 == 50, 25 * SIGMA, 0.0)
    pause = np.where((TIME > 10) & (TIME < 12), np.nan, clean + white(4))
    assert words(clean + white(1)) == ""
    assert "correlated" in words(clean + coloured(1))
    assert "outliers" in words(clean + white(2) + gross)
    assert "rounded" in words(4 * SIGMA * np.round((clean + white(3)) / (4 * SIGMA)))
    assert "nothing was measured of x for 2" in words(pause)


def test_a_pair_of_draws_tells_a_bias_and_a_scatter(clean):
    """An estimator whose bias and scatter are known: the mean square of the noise, and its mean."""
    problem = posed(clean + white(5))
    twin = Twin.of(problem, np.zeros(3), white(5)[:, None])

    def core(drawn: Problem) -> np.ndarray:
        noise = drawn.records[0].values[:, 0] - twin.clean[0][:, 0]
        return np.array([np.mean(noise**2) / SIGMA**2, np.mean(noise) / SIGMA, 0.0])

    found = twin.replicates(core, 16, 0)
    assert abs(found.bias[0] - 1) < 0.15
    assert abs(found.bias[1]) < 1e-12
    assert 0.7 < found.deviation[1] * np.sqrt(len(TIME)) < 1.6


def test_an_estimator_that_fails_on_its_twins_states_none(clean):
    twin = Twin.of(posed(clean + white(6)), np.zeros(3), white(6)[:, None])
    assert twin.replicates(lambda problem: np.full(3, np.nan), 4, 0) is None


def test_bias_of_least_squares_on_a_gap_is_corrected_and_named():
    time = np.arange(400) * 0.025
    motion = reference.smooth(lambda t, x: [x[1], -0.6 * x[1] - 40 * x[0]], [1.0, 0.0], time)[0]
    values = motion + 0.01 * np.random.default_rng(7).standard_normal(len(time))
    values[(time > 1.0) & (time < 1.6)] = np.nan
    record = ik.Record.from_arrays(time, {"x": values})
    result = ik.fit(record, "duffing", method="least_squares", free=["c", "k"], fix={"k3": 0.0})
    c = result.parameters["c"]
    assert "errors_from_twins" in codes(result)
    assert any("nothing was measured of x for 0.6" in item.text for item in result.findings)
    assert "bias_corrected" in codes(result)
    assert abs(c.value - 0.6) < 3 * c.std
    assert c.std < 0.5


def test_noise_that_never_has_two_samples_in_a_row_is_drawn_from_a_normal_process() -> None:
    """An output that is read at every other sample, with noise that remembers: no innovation is seen."""
    residual = np.where(np.arange(len(TIME)) % 2, np.nan, coloured(3))
    noise = OutputNoise.of([residual + 1.0], [residual])
    assert noise.process.memory > 0 and not len(noise.innovations)
    drawn = noise.draw(20_000, np.random.default_rng(0))
    assert np.isfinite(drawn).all() and drawn.std() == pytest.approx(np.nanstd(residual), rel=0.3)


# Samples on a grid are recognised, and their mean error is what drawing noise and rounding gives.


def read(step: float, sigma: float, seed: int = 1, offset: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Rounded samples, and what they are off the motion."""
    noisy = SINE + sigma * np.random.default_rng(seed).standard_normal(len(SINE))
    values = offset + step * np.round((noisy - offset) / step)
    return values, values - SINE


@pytest.mark.parametrize("offset", [0.0, 0.017])
def test_the_grid_and_the_noise_before_rounding_are_found(offset):
    found = Rounding.of(*read(0.1, 0.025, offset=offset))
    assert found is not None
    assert abs(found.step - 0.1) < 1e-6
    assert abs(found.sigma - 0.025) < 0.004


def test_fine_steps_and_samples_on_no_grid_are_left_alone():
    assert Rounding.of(*read(0.01, 0.025)) is None
    noise = 0.03 * np.random.default_rng(2).standard_normal(len(SINE))
    assert Rounding.of(SINE + noise, noise) is None


@pytest.mark.parametrize("sigma", [0.02, 0.04])
def test_the_mean_error_is_that_of_many_draws(sigma):
    rounding = Rounding(0.1, 0.0, sigma)
    at = np.linspace(-0.1, 0.1, 41)
    draws = at + sigma * np.random.default_rng(3).standard_normal((20000, 1))
    seen = np.mean(rounding(draws) - at, axis=0)
    assert np.abs(seen).max() > 0.001
    assert np.abs(rounding.mean_error(at) - seen).max() < 0.0012


STEP = 0.1
VALUES = STEP * np.round(np.sin(np.linspace(0, 20, 2000)) / STEP)


def of_size(rms: float) -> np.ndarray:
    return rms * np.where(np.arange(len(VALUES)) % 2, 1.0, -1.0)


@pytest.mark.parametrize("rms", [0.04, 0.05])
def test_rounding_adds_a_twelfth_of_the_squared_step(rms: float) -> None:
    found = Rounding.of(VALUES, of_size(rms))
    assert found is not None and found.step == pytest.approx(STEP)
    assert found.sigma == pytest.approx(math.sqrt(rms**2 - STEP**2 / 12), rel=1e-9)


def test_less_than_a_part_of_a_step_cannot_be_told() -> None:
    found = Rounding.of(VALUES, of_size(0.0291))
    assert found is not None and found.sigma == pytest.approx(0.15 * STEP)


def test_noise_of_half_a_step_leaves_nothing_to_correct() -> None:
    assert Rounding.of(VALUES, of_size(0.06)) is None
    assert Rounding.of(VALUES, of_size(0.055)) is not None


def test_numbers_that_are_nearly_all_different_lie_on_no_grid() -> None:
    few = np.arange(40) * STEP
    assert Rounding.of(few, 0.03 * np.ones(40)) is None


def test_the_mean_error_is_a_sawtooth_where_there_is_hardly_noise_and_nothing_where_there_is_much() -> None:
    at = np.array([0.0, 0.02, -0.02, 0.1, 0.12])
    assert Rounding(STEP, 0.0, 0.012).mean_error(at) == pytest.approx([0.0, -0.02, 0.02, 0.0, -0.02], abs=2e-3)
    assert Rounding(STEP, 0.02, 0.012).mean_error(at + 0.02) == pytest.approx([0.0, -0.02, 0.02, 0.0, -0.02], abs=2e-3)
    assert np.abs(Rounding(STEP, 0.0, 0.06).mean_error(at)).max() < 1e-4
