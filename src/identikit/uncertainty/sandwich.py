"""Intervals that trust the model but not the noise: the sandwich.

    cov(p) = I^-1 (sum over blocks of g g') I^-1,    g = J'r of a block of the record

with the information I and the scores g of blocks of about one oscillation. Residuals may be coloured, as long as the
colour does not reach from block to block: a sensor that drifts slowly, a small term that the model lacks. Where
residuals are white it is the Cramer-Rao bound, told less precisely. Not for records of a few oscillations: there are
as many draws as blocks, and few draws tell little (Student's t accounts for their number). Not for a bent likelihood
(profile, bayes).

Reference: P. J. Huber, Proc. Fifth Berkeley Symposium 1 (1967) 221; H. White, Econometrica 48 (1980) 817.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.special import stdtrit

from identikit.progress import Progress, silent
from identikit.result import Finding, finding
from identikit.uncertainty._base import Fitted, Intervals, Uncertainty, not_likeliest


class Sandwich(Uncertainty):
    """Scores of parts of the record in place of the noise model; robust to coloured residuals."""

    name = "sandwich"
    title = "Scores of parts of the record (sandwich)"
    reference = "P. J. Huber, Proc. Fifth Berkeley Symposium 1 (1967) 221"

    def objections(self, fitted: Fitted) -> list[Finding]:
        found = not_likeliest(fitted)
        if not found and fitted.scores is None:
            text = "the scores of its segments overflow, as in chaos over many Lyapunov times: shorten the record"
            found = [finding("uncertainty_not_assessed", text)]
        if not found and fitted.scores is not None and len(fitted.scores.blocks) <= len(fitted.p) + 1:
            text = f"the record has {len(fitted.scores.blocks)} blocks for {len(fitted.p)} parameters: too few draws"
            found = [finding("uncertainty_not_assessed", text)]
        return found

    def intervals(
        self, fitted: Fitted, *, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Intervals:
        assert fitted.scores is not None
        wide, plain = fitted.scores.covariances()
        # as a factor: what is known beforehand stands in the plain covariance and not in the scores
        factor = np.sqrt(np.diag(wide) / np.maximum(np.diag(plain), 1e-300))
        std = factor * np.sqrt(np.diag(fitted.covariance))
        size = np.sqrt(np.maximum(np.diag(wide), 1e-300))
        blocks = len(fitted.scores.blocks)
        reach = stdtrit(max(blocks - len(fitted.p), 1), 0.975) * std
        return Intervals(
            std,
            np.stack([fitted.p - reach, fitted.p + reach], axis=1),
            wide / np.outer(size, size) * np.outer(std, std),
            facts={"blocks": blocks, "wider": {n: float(f) for n, f in zip(fitted.problem.free, factor, strict=True)}},
        )
