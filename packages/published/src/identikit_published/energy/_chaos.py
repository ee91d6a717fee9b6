"""The chaotic record of the forced Duffing oscillator, and its fit in parts."""

from __future__ import annotations

import numpy as np

from identikit_published.energy._fitted import fitted_together
from identikit_published.energy.oscillators import (
    DUFFING,
    FORCE,
    FREQUENCY,
    PERIOD,
    Array,
    duffing,
    scaled_noise,
)

MODEL = "duffing"
PER_PERIOD = 200  # samples; the paper gives no rate
PART = 10  # forcing periods of the parts whose initial states are unknowns of their own
THINNED = 4  # of the parts' samples one is fitted
KNOWN = {"F": FORCE, "Omega": FREQUENCY}
NOISE = 0.01  # of the largest displacement: what the largest draw is scaled to
SHORT = 20  # forcing periods of the record from which figures 7 and 8 take an estimate


def times(periods: int) -> Array:
    """Of the samples, s."""
    return np.asarray(np.arange(periods * PER_PERIOD) * (PERIOD / PER_PERIOD), np.float64)


def in_parts(measured: Array) -> dict[str, float]:
    """m, c, k, k3 by shooting: every part begins a whole number of periods after the first, so the force is the
    same."""
    length = PART * PER_PERIOD
    cut = [measured[i : i + length : THINNED] for i in range(0, len(measured) - length + 1, length)]
    return fitted_together(MODEL, times(PART)[::THINNED], cut, list(DUFFING), fix=KNOWN)


def estimated(seed: int) -> dict[str, float]:
    """From a short record of its own."""
    clean = duffing(times(SHORT))[0]
    return in_parts(clean + scaled_noise(len(clean), NOISE * float(np.abs(clean).max()), seed))
