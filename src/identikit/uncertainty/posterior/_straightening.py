"""Unknowns written so that the record knows each as well everywhere: a quality factor as its damping.

    v = w / (1 + c w),   w = u - estimate;        u = estimate + v / (1 - c v);        dv/du = (1 + c w)^-2

With c = 1/Q of the estimate, v is 1/Q but for scale and sign. Where the standard error of u grows along the record's
own ridge like (1 + c w)^2, that of v stays; c comes from standard errors at a place to either side. At c = 0
nothing is changed, and at the estimate dv/du = 1 always.

This is a choice of coordinates: it decides how well a sampler moves and in which coordinate an interval is the
shortest, not what the posterior is.

Reference: D. M. Bates, D. G. Watts, Nonlinear Regression Analysis and Its Applications, Wiley 1988, chapter 7, on
parameters in which a model is nearly linear.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from identikit.uncertainty.posterior._settings import POSTERIOR


@dataclass(frozen=True)
class Straightening:
    """`estimate` and `bend` c, both [unknowns]; every array of unknowns may have further axes before."""

    estimate: np.ndarray
    bend: np.ndarray

    @classmethod
    def of(
        cls, estimate: np.ndarray, steps: np.ndarray, growth: np.ndarray, low: np.ndarray, high: np.ndarray
    ) -> Straightening:
        """From the logarithm of the ratio of the standard errors above and below, `growth`, seen at the `steps`
        [2, unknowns] below and above the estimate.

        Between its bounds v must be finite, so that c has a limit where u is bounded, and is zero where it is not on
        the side where v would be infinite.
        """
        below, above = steps
        ratio = np.exp(growth / 2)  # (1 + c above) / (1 + c below)
        bend = (ratio - 1) / (above - ratio * below)
        room = np.where(bend > 0, estimate - low, high - estimate)  # to where 1 + c w would vanish
        most = POSTERIOR.most_bend / np.maximum(room, np.finfo(float).tiny)
        return cls(estimate, np.clip(bend, -most, most))

    def straight(self, u: np.ndarray) -> np.ndarray:
        """v of unknowns u; infinite ones too."""
        w = u - self.estimate
        with np.errstate(invalid="ignore"):
            inside = w / (1.0 + self.bend * w)
        at_infinity = np.where(self.bend == 0, w, 1.0 / np.where(self.bend == 0, 1.0, self.bend))
        return np.asarray(np.where(np.isfinite(w), inside, at_infinity))

    def back(self, v: np.ndarray) -> np.ndarray:
        """u of v."""
        return np.asarray(self.estimate + v / (1.0 - self.bend * v))

    def slope(self, v: np.ndarray) -> np.ndarray:
        """du/dv."""
        return np.asarray((1.0 - self.bend * v) ** -2)

    def log_slope_change(self, v: np.ndarray) -> np.ndarray:
        """Derivative of log du/dv with respect to v."""
        return np.asarray(2.0 * self.bend / (1.0 - self.bend * v))
