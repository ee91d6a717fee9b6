"""The step of a grid is found through print and changes of unit, and none is invented."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.measurement import quantisation
from motions import SIGMA, viscous, white

SWING = viscous() + SIGMA * white(1)


def counted(step: float) -> np.ndarray:
    return np.asarray(np.round(SWING / step) * step)


@pytest.mark.parametrize("step", [4 * SIGMA, 2 * np.pi / 4096, 1e-3, 3.7e-5])
def test_the_step_of_a_counter_is_found(step: float) -> None:
    found = quantisation(counted(step))
    assert found is not None
    assert found.step == pytest.approx(step, rel=1e-6)
    assert found.error == pytest.approx(step / np.sqrt(12))


@pytest.mark.parametrize(("degrees", "decimals"), [(0.1, 5), (0.088, 5), (0.005, 7)])
def test_a_change_of_unit_and_rounding_in_print_do_not_hide_it(degrees: float, decimals: int) -> None:
    found = quantisation(np.round(np.deg2rad(np.round(np.rad2deg(SWING) / degrees) * degrees), decimals))
    assert found is not None
    assert found.step == pytest.approx(np.deg2rad(degrees), rel=1e-3)


def test_levels_of_which_none_are_neighbours_still_show_the_step() -> None:
    found = quantisation([0.0, 0.2, 0.5, 0.7, 1.0, 1.3, 1.5])
    assert found is not None
    assert found.step == pytest.approx(0.1)


def test_continuous_values_have_no_step() -> None:
    """Negative control."""
    for seed in range(50):
        assert quantisation(white(seed, 300)) is None


def test_values_with_few_digits_have_the_step_of_their_last_digit() -> None:
    found = quantisation(np.round(white(1, 3000), 3))
    assert found is not None
    assert found.step == pytest.approx(1e-3)


def test_a_step_far_finer_than_the_noise_does_not_matter() -> None:
    found = quantisation(counted(SIGMA / 50))
    assert found is not None
    assert not found.matters(SIGMA)
    coarse = quantisation(counted(4 * SIGMA))
    assert coarse is not None
    assert coarse.matters(SIGMA)


def test_too_few_levels_tell_nothing() -> None:
    assert quantisation([0.0, 1.0, 0.0, 1.0, np.nan]) is None
    assert quantisation([]) is None
