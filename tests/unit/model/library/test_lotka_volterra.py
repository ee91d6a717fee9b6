"""Predator and prey."""

from __future__ import annotations

import numpy as np
import pytest

import identikit as ik
import ready
from identikit.model import library_model
from identikit.simulate import simulate

ANIMALS = library_model("lotka_volterra")
# Hudson Bay Company's pelts in thousands, 1900 to 1920.
HARE = np.array(
    [30, 47.2, 70.2, 77.4, 36.3, 20.6, 18.1, 21.4, 22, 25.4, 27.1]
    + [40.3, 57, 76.6, 52.3, 19.5, 11.2, 7.6, 14.6, 16.2, 24.7]
)
LYNX = np.array(
    [4, 6.1, 9.8, 35.2, 59.4, 41.7, 19, 13, 8.3, 9.1, 7.4] + [8, 12.3, 19.5, 45.7, 51.1, 29.7, 15.8, 9.7, 10.1, 8.6]
)


def test_the_first_integral_is_constant() -> None:
    found = simulate(ANIMALS, np.linspace(0, 100, 1001), tolerance=1e-11).outputs
    hare, lynx = found["hare"], found["lynx"]
    integral = 0.024 * hare - 0.80 * np.log(hare) + 0.028 * lynx - 0.55 * np.log(lynx)
    assert hare.max() > 3 * hare.min()
    np.testing.assert_allclose(integral, integral[0], rtol=1e-8)


def test_logarithms_are_outputs_too() -> None:
    found = simulate(ANIMALS, np.linspace(0, 20, 21)).outputs
    np.testing.assert_allclose(np.exp(found["log_hare"]), found["hare"])
    np.testing.assert_allclose(np.exp(found["log_lynx"]), found["lynx"])


def test_its_ready_experiment_tells_the_four_rates() -> None:
    ready.assert_recovered(ANIMALS)
