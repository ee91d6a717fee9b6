"""The noise that readings had before they were rounded: what a fit leaves over, less what rounding adds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from identikit.method._rounding import Rounding

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
