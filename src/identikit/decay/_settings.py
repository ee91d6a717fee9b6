"""Numbers that were chosen, each with a word; results echo them in their provenance."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RankingSettings:
    """Of fits of one law of damping, and of the evidence that ranks them."""

    # curves
    slow_noise: float = 1.2  # times the noise among neighbours: more is noise that goes on from sample to sample
    # evidence
    blocks: int = 32  # of segments over all records, whose scores are added up
    lag: int = 2  # neighbouring blocks that may still be correlated
    fewest_effective: float = 10.0  # samples, however much the residuals repeat themselves
    trifle: float = 0.01  # of the rms error: a smaller difference decides nothing
    other_powers: tuple[float, ...] = (0.5, 1.5, 3.0)  # of the speed: losses that none of the laws has
    # parts
    parts: int = 8  # of all records together, that are left out in turn
    fewest_parts: int = 4  # that can be left out
    part_lag: int = 2  # neighbouring parts that may err alike
    parts_disagree: float = 1.5  # times the plain standard error: eight parts of one kind exceed it 1 time in 50
    told_apart: float = 1e-12  # least eigenvalue of the scaled information: below it parameters cannot be told apart
    told_by_one_part: float = 1e-3  # of the least information: less without a part, and that part alone tells
    # judge
    work_points: int = 64  # per oscillation, at which the work of a mechanism is added up
    # laws
    follows: float = 0.05  # of the spread: a law with every mechanism that leaves less over is not sought elsewhere
    trained: float = 0.6  # of every record; the law has to predict the rest
    first_tether: float = 1e-5  # allowed gap to begin with, in units of the states' sizes
    as_expected: float = 1.3  # times the misfit that the amplitude promises: a fit that ends above is tried anew
    finest: float = 2e-5  # of what was measured: closer than that, laws are not compared, since the integrator errs too
    finer: float = 0.02  # tolerance over that of segments, for trajectories that are a hundred times as long
    most_rounds: int = 14  # evaluations for one law: a law that needs more is far from describing the record
    gap: float = 1e-5  # between segments, in units of the states' sizes: a wider one is no trajectory
    closing_rounds: int = 3  # evaluations of the one trajectory that such segments are taken to mean
    # ranges
    ranges: int = 3  # of amplitude, of equal ratio
    smallest_swing: float = 0.01  # of the largest: smaller ones are one range
    least_fall: float = 0.2  # of the record's own: a law that falls less has no loss to speak of
    fewest_swings: int = 4  # in a range, for its loss to be read
    # restoring force
    shape_rounds: int = 40  # evaluations for one shape
    compared_rounds: int = 24  # the same where another shape fits already
    shape_samples: int = 120  # per oscillation, with which shapes are found: fewer do not join segments as well
    guessed_shapes: int = 4  # that are tried first, in the order of the regression
    explained: float = 0.5  # of the record's own spread: a shape that leaves more over explains nothing
    hopeless_shape: float = 1.5  # times the acceleration that the best shape leaves over: not tried
    # words
    coloured: float = 1.5  # inflation from which residuals are said not to be white
    sure: float = 0.95  # weight from which one law alone is named
    likely: float = 0.05  # weight from which a law is named beside the best
    noticed: float = 0.02  # of the energy: a part that may matter
    misfit: float = 1.2  # what a law leaves over in a range of amplitude, in units of the noise: more is no fit
    slight: float = 0.002  # of the loss: a smaller difference is not spoken of
    unlike: float = 3.0  # standard errors by which the loss of a range differs from the law's
    # damping
    baseline_samples: int = 40  # per oscillation: the textbook figures gain nothing from more


RANKING = RankingSettings()
