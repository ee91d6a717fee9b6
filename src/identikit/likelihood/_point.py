"""A point of the search: parameters and node states, with everything that was evaluated there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from identikit.likelihood._elimination import Compressed
from identikit.likelihood._segments import Evaluation
from identikit.likelihood._settings import LIKELIHOOD
from identikit.result import Finding

if TYPE_CHECKING:
    from identikit.likelihood._continuation import StageOutcome


@dataclass(frozen=True)
class Point:
    """`gaps` [links + 1, states] in units of the states' sizes: between segments, and last the known first states."""

    p: np.ndarray
    nodes: np.ndarray
    evaluation: Evaluation
    compressed: Compressed
    gaps: np.ndarray
    prior_cost: float

    @property
    def residual(self) -> np.ndarray:
        """Measured minus modelled [samples, outputs], NaN where nothing was measured."""
        return self.evaluation.residual

    @property
    def cost(self) -> float:
        """Sum of squares of the weighted residuals and of what is known beforehand."""
        return float(self.compressed.cost) + self.prior_cost

    @property
    def widest_gap(self) -> float:
        """In units of the states' sizes; zero for one trajectory."""
        return float(np.max(np.abs(self.gaps), initial=0.0))


@dataclass
class Trace:
    """What a search leaves behind while it runs; never shared between searches."""

    most_rounds: float = np.inf  # after which a search stops with its best so far
    rounds: int = 0
    lowest: float = np.inf  # the least misfit on the way
    history: list[np.ndarray] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    latest: StageOutcome | None = None  # the best so far, if the search is stopped


def noise_levels(residual: np.ndarray, measured: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Standard deviation [..., outputs] of the residuals [..., samples, outputs]; those `known` beforehand stay."""
    with np.errstate(invalid="ignore"):
        rms = np.sqrt(np.nanmean(residual**2, axis=-2))
    floor = np.maximum(LIKELIHOOD.least_residual * np.nanstd(measured, axis=0), 1e-300)
    return np.where(np.isfinite(known), known, np.maximum(rms, floor))


def log_likelihood(residual: np.ndarray, sigma: np.ndarray) -> np.ndarray:
    """log L of white noise: -1/2 sum over measured values of r^2/sigma^2 + log(2 pi sigma^2).

    The one definition: -2 times it is the misfit that fits, laws and models are compared by.
    """
    count = np.isfinite(residual).sum(axis=-2)
    squares = np.nansum(residual**2, axis=-2)
    return np.asarray(-0.5 * np.sum(squares / sigma**2 + count * np.log(2 * np.pi * sigma**2), axis=-1))
