"""Numbers that were chosen, each with a word; results echo them in their provenance."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RegressionSettings:
    """Of filtered equations and of the search for parameters that fulfil them."""

    # filtered
    points_per_width: int = 24  # grid points in half the filter's support
    most_points: int = 20_000  # grid points of a record
    resting: float = 2.0  # noise levels: windows whose curve varies less say nothing, or worse, of friction
    # regression
    candidates: int = 400  # points within the bounds at which the search looks
    fewest_candidates: int = 32  # where each of them takes long
    work_per_candidate: float = 1e5  # filtered values that one candidate may cost at the full number of them
    refined: int = 10  # the best of them, which are followed downhill
    sure: float = 3.0  # standard errors from zero at which a coefficient counts as known


REGRESSION = RegressionSettings()
