"""Numbers that were chosen, each with a word; results echo them in their provenance."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class UncertaintySettings:
    """Of kinds of intervals."""

    # profile
    first_place: float = 0.4  # of the threshold in standard deviations: where a profile is first asked for
    second_place: float = 0.75  # and next
    beyond_place: float = 1.35  # so that a picture shows the curve cross the threshold
    settled_promise: float = 0.01  # of log L: what a step of the other parameters may still promise
    settled_rounds: int = 12  # evaluations in which the other parameters have to settle
    end_near: float = 0.06  # standard deviations from the threshold: nearer, interpolation is exact to a thousandth
    usual_narrowings: int = 3  # places by interpolation, after which what is between them is halved
    longest_growth: float = 2.5  # of a step over the one before: how fast a flat direction is left behind
    longest_step: float = 4.0  # standard errors, and
    longest_share: float = 0.5  # of its value: what another parameter may move at once, the larger of both
    most_points: int = 16  # outward, to one side of a parameter
    growth_after_failure: float = 1.5  # the same where a longer step had failed before
    most_failures: int = 8  # in a row, steps halved since there was no likelihood; twice as many in all
    first_share: float = 0.1  # of its value: first step of a parameter that the record hardly knows
    far: float = 1e3  # times its value or its standard error: a profile that has not ended there has no end
    higher: float = 0.1  # of log L above the estimate from which another estimate is better
    bent: float = 0.2  # share by which an end may differ from that of the curvature without a word
    off_top: float = 0.5  # of log L below the top, from which an estimate is not the likeliest
    # two parameters together
    pair_grid: int = 17  # places along each of the two
    pair_room: float = 0.1  # beyond where both profiles were asked for: two parameters together reach further
    # bootstrap
    unsettled: float = 0.03  # share of the replicates from which it is worth a word
    fewest_settled: int = 40  # replicates for intervals by their quantiles
    block_memory: float = 3.0  # times the correlation time of the residuals: length of a block
    shortest_block: int = 2  # samples
    longest_block: float = 0.1  # of a record: fewer than ten blocks are hardly drawn
    median_chance: float = 1.0  # over sqrt(n): share of n replicates off one half that may be chance, two sigma
    draws_bytes: float = 2e8  # of drawn records held at once
    most_kept_draws: int = 2000  # replicates kept for pictures


UNCERTAINTY = UncertaintySettings()
