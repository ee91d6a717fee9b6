"""Densities, levels and breaks of noise of every kind, against SciPy's distributions; and motion that is no noise."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from identikit.likelihood import NoiseModel, log_likelihood
from identikit.likelihood._noise_choice import knows_motion
from identikit.likelihood._noise_model import pull
from identikit.problem import Noise, NoiseKind

RANDOM = np.random.default_rng(0)
RESIDUAL = RANDOM.standard_normal((50, 2)) * [0.5, 2.0]
SIGMA = np.array([0.4, 2.5])


def model(noise: Noise, values: np.ndarray = RESIDUAL, **other: object) -> NoiseModel:
    return replace(NoiseModel.alike(noise, values), **other)  # type: ignore[arg-type]


def test_white_noise_is_normal_and_a_missing_sample_adds_nothing() -> None:
    residual = RESIDUAL.copy()
    residual[7, 1] = np.nan
    expected = np.nansum(stats.norm(0, SIGMA).logpdf(residual))
    assert float(log_likelihood(residual, SIGMA)) == pytest.approx(expected, rel=1e-12)
    assert float(model(Noise()).log_likelihood(residual, SIGMA)) == pytest.approx(expected, rel=1e-12)
    many = np.stack([residual, 2 * residual, 0 * residual])
    each = [float(log_likelihood(item, SIGMA)) for item in many]
    assert log_likelihood(many, np.tile(SIGMA, (3, 1))) == pytest.approx(each, rel=1e-12)
    assert model(Noise()).log_densities(residual, SIGMA) == pytest.approx(
        np.nan_to_num(stats.norm(0, SIGMA).logpdf(residual)), rel=1e-12
    )


def test_its_level_is_the_root_of_the_mean_square() -> None:
    assert model(Noise()).levels(RESIDUAL) == pytest.approx(np.sqrt(np.mean(RESIDUAL**2, axis=0)))
    known = replace(model(Noise()), noise=(Noise(level=0.7), Noise()))
    assert known.levels(RESIDUAL) == pytest.approx([0.7, np.sqrt(np.mean(RESIDUAL[:, 1] ** 2))])
    assert known.levels_left(RESIDUAL)[0] == pytest.approx(np.sqrt(np.mean(RESIDUAL[:, 0] ** 2)))


def test_errors_that_are_shares_are_log_normal() -> None:
    measured, modelled = np.exp(RESIDUAL), np.exp(RESIDUAL * 0.9)
    noise = model(Noise(NoiseKind.LOGNORMAL), measured)
    expected = np.sum(stats.lognorm(SIGMA, scale=modelled).logpdf(measured))
    assert float(noise.log_likelihood(measured - modelled, SIGMA)) == pytest.approx(expected, rel=1e-10)
    assert noise.levels(measured - modelled) == pytest.approx(np.sqrt(np.mean((0.1 * RESIDUAL) ** 2, axis=0)))
    assert noise.typical_scale == pytest.approx(np.median(measured, axis=0))


def test_standard_deviations_of_single_samples_are_those_of_each() -> None:
    spread = np.exp(RANDOM.standard_normal((50, 2)))
    noise = model(Noise(column="error"), spread=spread)
    expected = np.sum(stats.norm(0, SIGMA * spread).logpdf(RESIDUAL))
    assert float(noise.log_likelihood(RESIDUAL, SIGMA)) == pytest.approx(expected, rel=1e-10)
    assert noise.typical_scale == pytest.approx(np.median(spread, axis=0))


@pytest.mark.parametrize("freedom", [2.5, 6.0])
def test_outliers_are_students_at_their_likeliest_level(freedom: float) -> None:
    noise = model(Noise().shaped((), freedom))
    expected = np.sum(stats.t(freedom, scale=SIGMA).logpdf(RESIDUAL))
    assert float(noise.log_likelihood(RESIDUAL, SIGMA)) == pytest.approx(expected, rel=1e-10)
    level = noise.levels(RESIDUAL)
    for j in range(2):
        fitted = stats.t.fit(RESIDUAL[:, j], fdf=freedom, floc=0)[2]
        assert level[j] == pytest.approx(fitted, rel=1e-3)


def test_readings_that_were_rounded_have_the_mean_density_of_their_interval() -> None:
    noise = model(Noise().rounded(0.8))
    low, high = RESIDUAL - 0.4, RESIDUAL + 0.4
    expected = np.sum(np.log(stats.norm(0, SIGMA).cdf(high) - stats.norm(0, SIGMA).cdf(low)) - math.log(0.8))
    assert float(noise.log_likelihood(RESIDUAL, SIGMA)) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("step", [0.1, 0.8, 40.0])
def test_noise_before_rounding_is_at_least_a_share_of_the_step(step: float) -> None:
    assert model(Noise().rounded(step)).levels(1e-3 * step * RESIDUAL) == pytest.approx([0.15 * step] * 2)


@pytest.mark.parametrize("freedom", [3.0, 8.0])
def test_a_draw_of_students_pulls_by_its_score_and_tells_less_than_a_normal_one(freedom: float) -> None:
    z = np.random.default_rng(1).standard_t(freedom, 200_000)
    psi, cost, efficiency = pull(z, freedom)
    student, beside = stats.t(freedom), 1e-6
    score = -(student.logpdf(z[:50] + beside) - student.logpdf(z[:50] - beside)) / (2 * beside)
    assert psi[:50] == pytest.approx(score, rel=1e-5, abs=1e-8)
    assert cost[:50] == pytest.approx(-2 * (student.logpdf(z[:50]) - student.logpdf(0.0)), rel=1e-9, abs=1e-12)
    assert float(efficiency) == pytest.approx((freedom + 1) / (freedom + 3), rel=0.02)


def test_draws_are_judged_as_the_fit_weighs_them() -> None:
    plain, heavy, rounded = (model(noise) for noise in (Noise(), Noise().shaped((), 3.0), Noise().rounded(0.8)))
    assert plain.judged(RESIDUAL, SIGMA) == pytest.approx(RESIDUAL / SIGMA)
    z = RESIDUAL / SIGMA
    assert heavy.judged(RESIDUAL, SIGMA) == pytest.approx(4 * z / (3 + z**2))
    inside = stats.truncnorm((RESIDUAL - 0.4) / SIGMA, (RESIDUAL + 0.4) / SIGMA)
    assert rounded.judged(RESIDUAL, SIGMA) == pytest.approx(inside.mean(), abs=1e-6)


def breaks(time: list[float], record: list[int] | None = None) -> list[int]:
    """Places of the samples that begin a stretch."""
    values = np.zeros((len(time), 1))
    found = model(Noise(), values, time=np.array(time), record=np.array(record or [0] * len(time))).breaks
    return np.flatnonzero(found).tolist()


def test_a_stretch_ends_at_a_long_step_and_with_its_record() -> None:
    assert breaks([0.0, 0.1, 0.2, 0.3, 0.4]) == [0]
    assert breaks([0.0, 0.1, 0.2, 0.4, 0.5]) == [0, 3]
    assert breaks([0.0, 0.1, 0.2, 0.34, 0.44]) == [0]  # less than half a step longer
    assert breaks([0.0, 10.0, 20.0, 40.0, 50.0]) == [0, 3]
    assert breaks([0.0, 0.1, 0.2, 0.0, 0.1, 0.2], [0, 0, 0, 1, 1, 1]) == [0, 3]
    assert breaks([0.0, 0.1, 0.2, 0.3, 0.4, 0.5], [0, 0, 0, 2, 2, 2]) == [0, 3]
    assert breaks([5.0, 0.0, 9.0], [0, 1, 2]) == [0, 1, 2]


def test_memory_does_not_reach_across_a_long_step() -> None:
    time = np.append(np.arange(20) * 0.1, 5 + np.arange(30) * 0.1)
    noise = model(Noise().shaped((0.8, -0.3)), time=time)
    parts = [model(Noise().shaped((0.8, -0.3)), RESIDUAL[own]) for own in (slice(0, 20), slice(20, 50))]
    expected = sum(float(part.log_likelihood(part.measured, SIGMA)) for part in parts)
    assert float(noise.log_likelihood(RESIDUAL, SIGMA)) == pytest.approx(expected, rel=1e-12)


TIME = np.arange(1000) * 0.05
MOTION = np.sin(3.0 * TIME) * np.exp(-0.02 * TIME)
ONE = np.zeros(1000, int)


def white(seed: int, count: int = 1000) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(count)


def test_independent_draws_do_not_but_for_one_in_a_hundred() -> None:
    known = [knows_motion(white(seed), MOTION, ONE) for seed in range(400)]
    assert 0 <= sum(known) <= 14


@pytest.mark.parametrize("seed", range(5))
def test_draws_with_a_swing_of_the_motion_do_wherever_it_begins(seed: int) -> None:
    assert knows_motion(white(seed) + 0.5 * np.cos(3.0 * TIME + seed), 5.0 + 7 * MOTION, ONE)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("frequency", [1.0, 5.0, 40.0])
def test_a_swing_of_another_frequency_is_not_the_motions(frequency: float, seed: int) -> None:
    assert not knows_motion(white(seed) + 0.5 * np.cos(frequency * TIME), MOTION, ONE)


@pytest.mark.parametrize("seed", range(5))
def test_a_pattern_that_swells_and_fades_has_neighbouring_frequencies(seed: int) -> None:
    """Without an envelope of its own the motion is one line, and the pattern lies beside it."""
    swells = np.sin(2 * np.pi * TIME / 50) * np.cos(3.0159 * TIME)
    assert knows_motion(white(seed) + 0.8 * swells, np.sin(3.0159 * TIME), ONE)


@pytest.mark.parametrize("seed", range(5))
def test_every_record_is_compared_with_its_own_motion(seed: int) -> None:
    """The second moves twice as fast; each pattern is one of its own record, or of the other."""
    record = np.repeat([0, 1], 500)
    motion = np.where(record == 0, np.sin(3.0 * TIME), np.sin(6.0 * TIME))
    other = np.where(record == 0, np.sin(6.0 * TIME), np.sin(3.0 * TIME))
    assert knows_motion(white(seed) + 0.8 * motion, motion, record)
    assert not knows_motion(white(seed) + 0.8 * other, motion, record)


def test_missing_samples_count_as_nothing() -> None:
    draws, measured = white(0) + 0.7 * MOTION, MOTION.copy()
    draws[300:400], measured[300:400] = np.nan, np.nan
    assert knows_motion(draws, measured, ONE)


def test_a_motion_that_fills_the_band_leaves_nothing_to_compare_with() -> None:
    assert not knows_motion(white(1) + 2.0 * white(2), white(2), ONE)


def test_memory_that_is_bent_to_the_motion_is_seen_in_what_lies_below_and_a_little_above() -> None:
    """Slow draws: more power at the motion than far above, and less than below it, which is what counts."""
    slow = np.convolve(white(3, 1040), np.ones(41) / 41, "valid") * 6 + 0.3 * white(4)
    assert not knows_motion(slow, MOTION, ONE)
