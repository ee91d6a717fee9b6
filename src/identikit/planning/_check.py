"""The check of a plan: simulated records of it, each fitted from scratch, against what was expected of them.

The expectation is a linearisation at one place; the fits know nothing of it, nor where to start. Their spread s over n
records is itself known to s/sqrt(2(n - 1)).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from identikit.planning._plan import Plan
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress

Estimate = Callable[[Problem], np.ndarray | None]
"""The free parameters that a fit of a problem finds; None if it did not come to an end."""


@dataclass(frozen=True)
class SimulatedFits:
    """Estimates [fits that settled, free] and how many records were made for them."""

    records: int
    estimates: np.ndarray

    @property
    def spread(self) -> np.ndarray | None:
        """Standard deviation of every estimate; None from fewer than three."""
        return None if len(self.estimates) < 3 else np.asarray(self.estimates.std(axis=0, ddof=1))


def simulated_fits(plan: Plan, estimate: Estimate, count: int, seed: int, progress: Progress) -> SimulatedFits:
    """Make and fit so many records; stopped, those there are by then."""
    found, made = [], 0
    for k in range(count):
        if progress(k / count, f"simulated record {k + 1} of {count}") is False:
            break
        try:
            values = estimate(plan.simulated(seed + k))
        except Cancelled:
            break
        made += 1
        if values is not None:
            found.append(values)
    return SimulatedFits(made, np.array(found).reshape(-1, len(plan.free)))
