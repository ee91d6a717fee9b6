"""Numbers chosen for sampling a posterior, each with a word on its size."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PosteriorSettings:
    """See docs/posterior.md."""

    # coordinates
    most_bend: float = 0.999  # of what would make a bound infinite: how far a parameter is straightened at most
    # sampling
    overdispersion: float = 1.0  # of the chains' beginnings, in standard deviations of the normal approximation
    begin_tries: int = 20  # halvings of the way back to the estimate until a beginning has a density
    softness: float = 0.15  # of a standard error: how near a bound the coordinates begin to bend
    inside: float = 1e-6  # of that: a draw that rounding has put onto its bound is taken so far inside
    from_bound: float = 1.0  # standard errors that the centre of the coordinates keeps from a bound, at least
    from_bound_share: float = 0.25  # of the range between two bounds, at most
    pilot_rounds: int = 2  # of the normal approximation within the bounds, which cost no integration
    pilot_chains: int = 2  # side by side
    pilot_draws: int = 400  # of each chain, and as many before
    deepest: int = 7  # doublings of a trajectory: in these coordinates a draw takes two or three, and more lead nowhere
    told_every: float = 0.1  # seconds between looks at the sampler
    # convergence
    largest_rhat: float = 1.03
    """Of any unknown. 1.01 is often asked for, and four chains of 300 independent draws exceed it one time in three."""
    fewest_effective: float = (
        400.0  # draws, in the bulk and in the tails: an end of an interval errs by a tenth of a std
    )
    most_divergent: float = 0.005  # share of the draws
    # intervals
    near_bound: float = (
        4.0  # posterior standard deviations within which a bound makes the shortest interval the right one
    )
    along_bound: float = 0.02  # share of the draws, those next to a bound, that tell whether the density reaches it
    shortest_of: int = 24  # intervals, by the share of the draws below them, of which the shortest is taken
    left_out: float = 0.005  # share of the draws, towards a bound, with which the shortest interval begins at the bound
    # remarks
    mean_differs: float = 0.5  # standard deviations between mean and estimate that are worth a note
    prior_decides: float = 0.7  # of the prior's standard deviation: a posterior as wide has learned little
    # prediction
    band_points: int = 400  # of a record at which the band is drawn
    band_draws: int = 200  # trajectories that it is made of
    most_predictive: int = 40_000  # new samples that are saved one by one: half a megabyte
    predictive_digits: int = 5  # of the largest of them


POSTERIOR = PosteriorSettings()
