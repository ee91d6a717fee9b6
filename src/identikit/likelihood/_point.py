"""A point of the search: parameters and node states, with everything that was evaluated there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from identikit.likelihood._compression import Compressed
from identikit.likelihood._layout import Layout
from identikit.likelihood._scores import Scores, segment_scores
from identikit.likelihood._segments import Evaluation
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

    def scores(self, layout: Layout) -> Scores | None:
        """How each segment pulls at the parameters and first states; None where that overflows."""
        return segment_scores(self.compressed, self.evaluation.transition, layout)


@dataclass
class Trace:
    """What a search leaves behind while it runs; never shared between searches."""

    most_rounds: float = np.inf  # after which a search stops with its best so far
    patience: float = np.inf  # shortened steps in a row, of one trajectory, after which free steps lead no further
    rounds: int = 0
    lowest: float = np.inf  # the least misfit on the way
    history: list[np.ndarray] = field(default_factory=list)
    losses: list[tuple[float, float]] = field(default_factory=list)
    """After each step of `history` what data and gaps cost, the gaps in units of the tether they were allowed."""
    findings: list[Finding] = field(default_factory=list)
    latest: StageOutcome | None = None  # the best so far, if the search is stopped
