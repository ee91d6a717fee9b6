"""Samples that were rounded to a grid (a coarse encoder, few digits in print), and what that does to them on average.

With noise of standard deviation s before rounding to steps q, a value x is read as

    E[round(x + e)] - x = (q/pi) sum_n (-1)^n / n exp(-2 pi^2 n^2 s^2 / q^2) sin(2 pi n x / q).

Noise above half a step dithers the error away; below, it stays the same as long as the motion stays near a level, and
no average over samples removes it.

Reference: B. Widrow, I. Kollar, Quantization Noise, Cambridge University Press 2008, chapter 4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from identikit.measurement import quantisation

SAMPLES_PER_LEVEL = 3.0  # on average: numbers that are all different lie on no grid
DITHERED = 0.5  # of a step: noise beyond it leaves nothing of the mean error
LEAST_NOISE = 0.15  # of a step: that much is taken for granted, since less cannot be told from what rounding adds
HARMONICS = 8  # of the mean error: at the least noise the next is below 1e-6


@dataclass(frozen=True)
class Rounding:
    """Readings offset + k step, k whole; `sigma` is the noise that they had before they were rounded."""

    step: float
    offset: float
    sigma: float

    @classmethod
    def of(cls, values: np.ndarray, residual: np.ndarray) -> Rounding | None:
        """How values [samples] were rounded; None if they were not, or so finely that it does not matter.

        `residual` is what a fit leaves of them: noise and rounding error together.
        """
        grid = quantisation(values)
        if grid is None or np.isfinite(values).sum() < SAMPLES_PER_LEVEL * grid.levels:
            return None
        variance = float(np.nanmean(residual**2)) - grid.step**2 / 12
        sigma = float(np.sqrt(max(variance, (LEAST_NOISE * grid.step) ** 2)))
        return cls(grid.step, grid.offset, sigma) if sigma < DITHERED * grid.step else None

    def __call__(self, values: np.ndarray) -> np.ndarray:
        """Values as they would be read."""
        return np.asarray(self.offset + self.step * np.round((values - self.offset) / self.step))

    def mean_error(self, values: np.ndarray) -> np.ndarray:
        """Reading less true value, on average over the noise before rounding."""
        phase = 2 * np.pi * (values - self.offset) / self.step
        found = np.zeros_like(phase)
        for n in range(1, HARMONICS + 1):
            damped = np.exp(-2 * (np.pi * n * self.sigma / self.step) ** 2)
            found += (-1) ** n / n * damped * np.sin(n * phase)
        return self.step / np.pi * found
