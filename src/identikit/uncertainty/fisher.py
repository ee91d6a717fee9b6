"""Intervals from the curvature of the likelihood alone: the Cramer-Rao bound, whatever the residuals say.

    cov(p) = I(p)^-1,    ci95 = p -+ t sqrt(cov_ii)

with Student's t for the noise levels estimated from n values with k unknowns. Right where the noise is what the
problem says and the likelihood is a parabola out to its ends. Not for coloured residuals (sandwich, bootstrap), nor
where the record is short or a bound is near (profile, bayes).

Reference: S. M. Kay, Fundamentals of Statistical Signal Processing: Estimation Theory, Prentice Hall 1993, chapter 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from identikit.progress import Progress, silent
from identikit.uncertainty._base import Fitted, Intervals, Uncertainty


class Fisher(Uncertainty):
    """The inverse of the Fisher information at the estimate."""

    name = "fisher"
    title = "Curvature of the likelihood (Cramer-Rao bound)"
    reference = "S. M. Kay, Fundamentals of Statistical Signal Processing: Estimation Theory, Prentice Hall 1993"

    def intervals(
        self, fitted: Fitted, *, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Intervals:
        std = np.sqrt(np.diag(fitted.covariance))
        return Intervals(std, fitted.parabola, fitted.covariance)
