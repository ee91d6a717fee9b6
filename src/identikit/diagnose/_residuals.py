"""How well a model fits: error, explained variation, and what the residuals look like."""

from __future__ import annotations

import numpy as np

from identikit.measurement import Whiteness, whiteness
from identikit.result import FitQuality

NEGLIGIBLE_CORRELATION = 0.05  # a long record proves correlations that no longer matter: below this they do not


def fit_quality(measured: np.ndarray, residual: np.ndarray) -> FitQuality:
    """rmse, 100 (1 - rmse/std(measured)) and 100 (1 - rmse^2/var(measured)); NaN samples are left out."""
    known = np.isfinite(residual)
    rmse = float(np.sqrt(np.mean(residual[known] ** 2)))
    spread = float(np.std(measured[known]))
    ratio = rmse / spread if spread > 0 else np.inf
    return FitQuality(rmse, 100 * (1 - ratio), 100 * (1 - ratio**2))


def residual_colour(residual: np.ndarray) -> tuple[bool, Whiteness]:
    """Whether the residuals may be treated as white, and the test behind it."""
    known = residual[np.isfinite(residual)]
    test = whiteness(known)
    small = float(np.max(np.abs(test.autocorrelation), initial=0.0)) < NEGLIGIBLE_CORRELATION
    return bool(test.white or small), test
