"""Predator and prey."""

from __future__ import annotations

import numpy as np

import ready
from identikit.model import library_model
from identikit.simulation import simulate

ANIMALS = library_model("lotka_volterra")


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
