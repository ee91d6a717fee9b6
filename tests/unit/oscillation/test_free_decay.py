"""Free decays: what is refused in words, turning points, logarithmic decrement, half-power width, persistence."""

from __future__ import annotations

import numpy as np
import pytest

import reference
from identikit.errors import DataError
from identikit.oscillation import (
    free_decay_objections,
    half_power,
    log_decrement,
    loop_persistence,
    sublevel_lifespans,
    turning_points,
)

TIME = np.arange(0, 30, 0.02)
W = 2 * np.pi


def decay(rate: float = 0.06, frequency: float = W) -> np.ndarray:
    return np.exp(-rate * TIME) * np.cos(frequency * TIME)


def noisy(values: np.ndarray, sigma: float = 0.01, seed: int = 0) -> np.ndarray:
    return values + sigma * np.random.default_rng(seed).standard_normal(len(values))


def pendulum(start: float, c: float) -> np.ndarray:
    return reference.smooth(lambda t, x: [x[1], -c * x[1] - 16 * np.sin(x[0])], [start, 0.0], TIME)[0]


GOOD = {
    "viscous": decay(),
    "light": decay(0.004),
    "heavy": decay(0.5),
    "dry": np.maximum(1 - 0.04 * TIME, 0) * np.cos(W * TIME),
    "drag": np.cos(W * TIME) / (1 + 0.3 * TIME),
    "a pendulum from 150 degrees": pendulum(2.6, 0.06),
    "an offset and a slow sensor resolution": np.round(40 * decay()) / 40 + 3.0,
}
BAD = {
    "steady": (np.cos(W * TIME), "steady"),
    "settling on a forced motion": (decay(0.4) + 0.3 * np.cos(W * TIME + 1), "settles"),
    "forced at another frequency": (decay(0.4) + 0.3 * np.cos(1.3 * W * TIME + 1), "rises again"),
    "growing": (0.05 * np.exp(0.08 * TIME) * np.cos(W * TIME), "grows"),
    "two near frequencies": (decay(0.05) + 0.1 * decay(0.06, 1.1 * W), "waves|rises"),
    "a second oscillation": (decay(0.05) + 0.2 * decay(0.05, 1.7 * W), "rises|unlike"),
    "a quick second oscillation": (decay(0.05) + 0.1 * decay(0.05, 5.3 * W), "unlike"),
    "two oscillations and a half": (np.where(TIME < 2.5, decay(0.01), np.nan), "oscillations"),
    "overdamped": (np.exp(-2 * TIME), "oscillations"),
    "noise alone": (np.zeros(len(TIME)), "oscillations"),
}


@pytest.mark.parametrize("name", GOOD)
def test_decays_of_one_oscillation_are_accepted(name: str) -> None:
    assert free_decay_objections(TIME, noisy(GOOD[name])) == []


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_free_decay_is_refused_in_words(name: str) -> None:
    values, word = BAD[name]
    found = free_decay_objections(TIME, noisy(values))
    assert len(found) == 1
    assert any(part in found[0] for part in word.split("|"))


@pytest.mark.parametrize("noise_after", [False, True])
def test_a_sensor_at_its_limit_is_noticed_before_or_after_noise(noise_after: bool) -> None:
    clipped = noisy(np.clip(decay(), -0.6, 0.6)) if noise_after else np.clip(noisy(decay()), -0.6, 0.6)
    assert "limit" in free_decay_objections(TIME, clipped)[0]
    assert free_decay_objections(TIME, np.clip(noisy(decay()), -2, 2)) == []  # negative control: never reached


def test_few_samples_and_a_dead_sensor_are_objections_not_exceptions() -> None:
    assert "samples" in free_decay_objections(TIME[:10], decay()[:10])[0]
    assert "constant" in free_decay_objections(TIME, np.ones(len(TIME)))[0]


def test_turning_points_of_a_cosine_lie_where_and_as_high_as_they_should_within_their_deviations() -> None:
    values = 3 + 2 * np.exp(-0.05 * TIME) * np.cos(W * TIME)
    found = turning_points(TIME, noisy(values, 0.02))
    # v = 0 at tan(w t) = -rate / w
    exact = (np.arange(1, 60) * np.pi - np.arctan(0.05 / W)) / W
    nearest = exact[np.argmin(np.abs(found.time[:, None] - exact), axis=1)]
    height = 3 + 2 * np.exp(-0.05 * nearest) * np.cos(W * nearest)
    assert len(found.time) > 50
    assert np.sqrt(np.mean(((found.time - nearest) / found.time_std) ** 2)) < 1.3
    assert 0.7 < np.sqrt(np.mean(((found.value - height) / found.std) ** 2)) < 1.3
    assert (found.sign == np.sign(height - 3)).all()


def test_swings_smaller_than_the_prominence_are_no_turning_points() -> None:
    """Of eight standard errors of the noise; nothing is smoothed here. A ripple of 0.06 from top to bottom is smaller
    than these 0.08, one of 0.2 is not."""
    plain, rippled, wavy = (
        turning_points(TIME, noisy(decay() + height * np.cos(7 * W * TIME)), 0.0) for height in (0.0, 0.03, 0.1)
    )
    assert len(plain.time) == len(rippled.time) == 59
    assert len(wavy.time) > 200
    for found in (plain, rippled, wavy):
        assert (np.diff(found.sign) != 0).all()
        assert found.swings.min() > 8 * found.sigma == pytest.approx(0.08, rel=0.03)


def test_the_decrement_finds_ratio_and_frequency_within_its_deviations() -> None:
    ratio, frequency = 0.01, 1.0
    damped = W * np.sqrt(1 - ratio**2)
    clean = np.exp(-ratio * W * TIME) * np.cos(damped * TIME)
    scaled = []
    for seed in range(12):
        found = log_decrement(TIME, noisy(clean, 0.02, seed))
        scaled += [
            (found.ratio - ratio) / found.ratio_std,
            (found.frequency - frequency) / found.frequency_std,
        ]
        assert abs(found.ratio / ratio - 1) < 0.05
        assert found.warnings == ()
    assert 0.5 < np.sqrt(np.mean(np.square(scaled))) < 1.5
    assert found.decay_rate == pytest.approx(ratio * W, rel=0.05)


CUBIC = reference.smooth(lambda t, x: [x[1], -4 * x[0] - 100 * x[0] ** 3 - 0.15 * x[1]], [1.0, 0.0], TIME)[0]


@pytest.mark.parametrize("swing", [CUBIC, pendulum(2.6, 0.2)], ids=["hardens", "softens"])
def test_the_decrement_of_a_curved_spring_is_not_taken_for_friction(swing: np.ndarray) -> None:
    """Viscous damping alone: the period changes, and with it what a cycle loses."""
    warning = log_decrement(TIME, noisy(swing, 1e-3)).warnings[0]
    assert "period changes with the amplitude" in warning
    assert "dry" not in warning and "drag" not in warning


def test_a_pendulum_with_drag_is_still_said_to_have_drag() -> None:
    """Negative control: its period changes a little, its decrement much more."""
    swing = reference.smooth(lambda t, x: [x[1], -0.1 * x[1] * abs(x[1]) - 16 * np.sin(x[0])], [1.0, 0.0], TIME)[0]
    assert "drag" in log_decrement(TIME, noisy(swing, 1e-3)).warnings[0]


@pytest.mark.parametrize("name, word", [("dry", "dry friction"), ("drag", "drag")])
def test_the_decrement_warns_of_damping_that_is_not_viscous(name: str, word: str) -> None:
    assert word in log_decrement(TIME, noisy(GOOD[name])).warnings[0]


def test_the_half_power_width_holds_for_a_decay_that_is_over_and_warns_for_one_cut_off() -> None:
    ratio = 0.04
    clean = np.exp(-ratio * W * TIME) * np.cos(W * np.sqrt(1 - ratio**2) * TIME)
    found = half_power(TIME, noisy(clean))
    assert found.ratio == pytest.approx(ratio, rel=0.03)
    assert found.frequency == pytest.approx(1.0, rel=2e-3)
    assert 0 < found.ratio_std < 0.05 * ratio
    assert found.warnings == ()
    short = half_power(TIME, noisy(decay(0.01)))
    assert "wide" in short.warnings[0] and short.decay_rate > 0.02  # too large, as the warning says


def test_no_damping_is_computed_from_a_record_that_is_no_decay() -> None:
    for estimator in (log_decrement, half_power):
        with pytest.raises(DataError, match="steady"):
            estimator(TIME, noisy(np.cos(W * TIME)))


def test_irregular_times_and_missing_samples_do_no_harm() -> None:
    random = np.random.default_rng(3)
    time = np.sort(random.uniform(0, 30, 2000))
    values = np.exp(-0.06 * time) * np.cos(W * time) + 0.01 * random.standard_normal(len(time))
    values[random.uniform(size=len(time)) < 0.1] = np.nan
    assert free_decay_objections(time, values) == []
    assert log_decrement(time, values).decay_rate == pytest.approx(0.06, rel=0.02)


def test_a_valley_dies_at_the_peak_before_it_in_a_decay() -> None:
    found = sublevel_lifespans(decay(), 0.05)
    assert (found.peak < found.valley).all()
    assert (np.diff(found.valley) > 0).all()
    n = np.arange(len(found.length))
    # from peak n+1 to the valley half a period later, in samples of 0.02
    exact = np.exp(-0.06 * (n + 1)) * (1 + np.exp(-0.03))
    assert found.length == pytest.approx(exact, rel=2e-3)
    growing = sublevel_lifespans(decay()[::-1].copy(), 0.05)  # negative control: the other way round
    assert (growing.peak > growing.valley).all()


def test_the_loop_of_a_full_circle_dies_at_the_root_of_three_radii() -> None:
    values = 2 * np.cos(W * TIME)
    birth, death = loop_persistence(TIME, values, 1.0, 1.0)
    assert death == pytest.approx(2 * np.sqrt(3), rel=0.02)
    assert birth == pytest.approx(2 * 2 * np.sin(np.pi / 48), rel=0.05)
    assert np.isnan(loop_persistence(TIME, values, 29.5, 1.0)[1])  # the cycle does not fit into the record
