"""Which shape of noise is chosen from residuals, and which are left alone."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import identikit as ik
import reference
from identikit.likelihood import (
    LIKELIHOOD,
    Outcome,
    Preparation,
    chosen_noise,
    corrected_memory,
    outlying_noise,
    rounded_noise,
)
from identikit.problem import Noise, Problem

TIME = np.arange(800) * 0.05
TRUTH = np.array([0.1, 4.0])
MODEL = ik.Model.from_text(
    "spring", equations={"x''": "-c*x' - k*x"}, parameters={name: ik.Parameter(name, bounds=(0, 100)) for name in "ck"}
)
CLEAN = reference.smooth(lambda t, x: [x[1], -0.1 * x[1] - 4 * x[0]], [1.0, 0.0], TIME)[0]
SIGMA = 0.02
WHITE = SIGMA * np.random.default_rng(0).standard_normal(len(TIME))


def remembering(*coefficients: float, sigma: float = SIGMA, seed: int = 0) -> np.ndarray:
    """Autoregressive noise whose draws have that standard deviation."""
    draws = sigma * np.random.default_rng(seed).standard_normal(len(TIME) + 200)
    noise = np.zeros(len(draws))
    for i in range(len(coefficients), len(draws)):
        noise[i] = draws[i] + sum(c * noise[i - k] for k, c in enumerate(coefficients, start=1))
    return noise[200:]


def struck(*places: int, by: float = 0.6) -> np.ndarray:
    noise = WHITE.copy()
    noise[list(places)] += by
    return noise


def outcome_of(left: np.ndarray, **asked: object) -> tuple[Outcome, np.ndarray]:
    """Initial states fitted with the parameters at their true values, and the record's own noise."""
    columns = {"error": asked.pop("error")} if "error" in asked else {}
    record = ik.Record.from_arrays(TIME, x=CLEAN + left, **columns)
    preparation = Preparation.of(Problem.pose(MODEL, record, **asked))  # type: ignore[arg-type]
    nodes = preparation.nodes(TRUTH)
    outcome = preparation.solver(nodes, frozen=True).run(TRUTH, nodes, preparation.sigma, ik.progress.silent)
    assert outcome is not None
    return outcome, preparation.sigma


def shape(left: np.ndarray, **asked: object) -> Noise | None:
    return chosen_noise(*outcome_of(left, **asked)).get("x")


# Outliers


@pytest.mark.parametrize("asked", ["auto", "student"])
@pytest.mark.parametrize("places", [(100, 300, 500, 640), (0, 300), (300, 799)])
def test_residuals_that_stand_far_out_alone_are_outliers(places: tuple[int, ...], asked: str) -> None:
    found = outlying_noise(outcome_of(struck(*places), noise=asked)[0])
    assert found["x"].freedom == LIKELIHOOD.outlying_freedom and not found["x"].memory


@pytest.mark.parametrize("asked", ["white", "ar"])
def test_whoever_names_another_noise_has_no_outliers(asked: str) -> None:
    assert outlying_noise(outcome_of(struck(100, 300, 500, 640), noise=asked)[0]) == {}


@pytest.mark.parametrize(
    "places",
    [
        (),
        (100, 101, 300, 301, 500, 501),  # neighbours are far out too
        (0, 1, 2, 798, 799),
        (100, 300, 301, 500, 501, 640, 641),  # one of seven alone
    ],
)
def test_without_any_or_with_neighbours_they_are_none(places: tuple[int, ...]) -> None:
    assert outlying_noise(outcome_of(struck(*places))[0]) == {}


def test_a_neighbour_half_as_far_out_is_one() -> None:
    noise = struck(*range(100, 700, 100))
    noise[[101, 201, 301, 401]] += 0.1  # more than half of six deviations
    assert outlying_noise(outcome_of(noise)[0]) == {}


# Rounding


@pytest.mark.parametrize(("step", "coarse"), [(0.1, True), (0.06, True), (0.02, False)])
def test_readings_are_rounded_if_their_step_is_coarse_against_the_noise(step: float, coarse: bool) -> None:
    noise = step * np.round((CLEAN + WHITE) / step) - CLEAN
    found = rounded_noise(outcome_of(noise)[0])
    assert (found["x"].step if found else None) == (pytest.approx(step) if coarse else None)


def test_rounding_is_for_those_who_name_no_noise_and_no_standard_deviations() -> None:
    noise = 0.1 * np.round((CLEAN + WHITE) / 0.1) - CLEAN
    assert rounded_noise(outcome_of(noise, noise="white")[0]) == {}
    assert rounded_noise(outcome_of(noise, noise={"x": "error"}, error=np.linspace(0.02, 0.03, len(TIME)))[0]) == {}


# Memory and heavy tails


def test_white_noise_stays_as_it_is() -> None:
    found = shape(WHITE)
    assert found is not None and found.plain


def test_noise_that_remembers_one_sample_has_one_memory() -> None:
    found = shape(remembering(0.6))
    assert found is not None
    assert found.memory == pytest.approx((0.6,), abs=0.1) and math.isinf(found.freedom)


def test_noise_that_remembers_two_has_two() -> None:
    """Partial autocorrelations of a_1 = .5, a_2 = .3 are a_1/(1 - a_2) and a_2."""
    found = shape(remembering(0.5, 0.3))
    assert found is not None
    assert found.memory == pytest.approx((0.5 / 0.7, 0.3), abs=0.1)


def slightly(correlation: float) -> np.ndarray:
    """White draws mixed with the ones before, until the series has that correlation from sample to sample."""

    def mixed(share: float) -> np.ndarray:
        return WHITE + share * np.append(0.0, WHITE[:-1])

    def off(share: float) -> float:
        series = mixed(share)
        return float(series[1:] @ series[:-1] / (series @ series)) - correlation

    return mixed(brentq(off, -0.5, 0.9))


@pytest.mark.parametrize(("correlation", "remembers"), [(0.13, False), (0.17, True)])
def test_a_memory_is_taken_only_where_it_is_clearly_likelier(correlation: float, remembers: bool) -> None:
    """n r^2, what -2 log L falls by, against log n for a number more and 10 for a change: 800 r^2 > 16.7."""
    found = shape(slightly(correlation))
    assert found is not None and bool(found.memory) == remembers


def test_a_gap_is_not_remembered_across() -> None:
    noise = remembering(0.6)
    noise[200:300] = np.nan
    found = shape(noise)
    assert found is not None and found.memory == pytest.approx((0.6,), abs=0.12)


def test_many_far_values_are_students() -> None:
    found = shape(SIGMA * np.random.default_rng(1).standard_t(3, len(TIME)))
    assert found is not None and not found.memory
    assert 2.1 <= found.freedom < 6


def test_outliers_with_a_memory_are_both() -> None:
    random = np.random.default_rng(3)
    draws, noise = SIGMA * random.standard_t(3, len(TIME)), np.zeros(len(TIME))
    for i in range(1, len(TIME)):
        noise[i] = 0.6 * noise[i - 1] + draws[i]
    found = shape(noise)
    assert found is not None
    assert found.memory[0] == pytest.approx(0.6, abs=0.1) and found.freedom < 8


@pytest.mark.parametrize(("asked", "remembers", "heavy"), [("ar", True, False), ("student", False, True)])
def test_a_shape_that_is_named_is_given_its_numbers(asked: str, remembers: bool, heavy: bool) -> None:
    found = shape(WHITE, noise=asked)
    assert found is not None
    assert bool(found.memory) == remembers and math.isfinite(found.freedom) == heavy


@pytest.mark.parametrize("asked", ["white", "lognormal"])
def test_named_noise_without_numbers_is_left_alone(asked: str) -> None:
    assert shape(remembering(0.6) - CLEAN + 3 if asked == "lognormal" else remembering(0.6), noise=asked) is None


def test_residuals_far_above_the_records_own_noise_are_no_noise() -> None:
    outcome, sigma = outcome_of(remembering(0.6))
    assert chosen_noise(outcome, sigma)["x"].memory
    assert chosen_noise(outcome, sigma / 50)["x"].plain
    named, sigma = outcome_of(remembering(0.6), noise="ar")  # whoever names it is believed
    assert chosen_noise(named, sigma / 50)["x"].memory


def test_a_memory_as_long_as_an_oscillation_is_what_the_model_misses() -> None:
    """Noise forgets within a quarter of an oscillation, or 25 samples; this takes 100."""
    found = shape(remembering(0.99, sigma=0.002))
    assert found is not None and not found.memory
    named = shape(remembering(0.99, sigma=0.002), noise="ar")
    assert named is not None and named.memory[0] > 0.9


@pytest.mark.parametrize("envelope", [1.0, np.sin(2 * np.pi * TIME / 40)])
def test_what_swings_with_the_motion_is_no_noise(envelope: float | np.ndarray) -> None:
    """A pattern with the motion's frequency and an envelope of its own, under white noise."""
    pattern = 0.04 * envelope * np.cos(2.0 * TIME + 0.5)
    found = shape(pattern + WHITE)
    assert found is not None and not found.memory
    named = shape(pattern + WHITE, noise="ar")  # whoever names it is believed
    assert named is not None and named.memory


def test_of_a_handful_of_values_nothing_is_chosen() -> None:
    noise = np.full(len(TIME), np.nan)
    noise[:: len(TIME) // 28] = WHITE[:: len(TIME) // 28]
    assert np.isfinite(noise).sum() < LIKELIHOOD.fewest_noise_samples
    assert shape(noise) is None


# What the fit took of it


def test_the_memory_that_a_fit_took_is_given_back() -> None:
    outcome, sigma = outcome_of(remembering(0.6))
    problem = outcome.iteration.segments.problem
    assert corrected_memory(outcome) == {}
    chosen = chosen_noise(outcome, sigma)
    record = ik.Record.from_arrays(TIME, x=CLEAN + remembering(0.6))
    preparation = Preparation.of(Problem.pose(MODEL, record).with_noise(chosen))
    nodes = preparation.nodes(TRUTH)
    again = preparation.solver(nodes, frozen=True).run(TRUTH, nodes, preparation.sigma, ik.progress.silent)
    assert again is not None and problem.outputs == ("x",)
    corrected = corrected_memory(again)["x"].memory
    assert chosen["x"].memory[0] < corrected[0] < chosen["x"].memory[0] + 0.05
