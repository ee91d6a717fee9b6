"""Numbers that were chosen, each with a word; results echo them in their provenance."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LikelihoodSettings:
    """Of fits by trajectories cut into segments, and of the likelihood that they end in."""

    # preparation
    segment_length: float = 0.4
    """Oscillations: long enough to fix a segment's start, short enough for a poor one to follow."""
    finer_tolerance: float = 1e-3  # of the tolerance: where jumps magnify the integrator's errors
    fit_tolerance: float = 1e-8  # integration error per step, relative: far below the noise of usual records
    inside_bounds: float = 1e-3  # of its range: how far inside its bounds a state is put at first
    quiet_spread: float = 0.7
    """A segment whose curve varies by less than this much of the noise is not counted as moving."""
    # layout
    fewest_segment_samples: int = 6
    """Per segment and unknown state: fewer would leave a segment's own start undetermined."""
    jump_speed: float = 10.0  # of the median: a cut where the record is quicker is moved to a quiet place nearby
    cut_shift: float = 0.4  # of a segment: the furthest that a cut is moved
    # segments
    steepest: float = 1e100  # sensitivity beyond which a point counts as not integrated: its square must not overflow
    segment_passes: int = 2048  # step attempts per segment: a segment is short, so more means absurd parameters
    # continuation
    loosest_tether: float = 0.3  # allowed gap in units of each state's size: at first next to free
    most_stages: int = 12  # of tightening the tether; the last has the tightest one
    segment_growth: int = 6  # how much longer segments become when the short ones do not come to one trajectory
    stage_rounds: int = 6  # evaluations at one tether: it need not settle before the next
    final_rounds: int = 40  # evaluations at the tightest, where the fit has to settle
    first_damping: float = 1e-3  # of the first step, in units of the scaled information: next to a full step
    reweight_change: float = 0.02  # relative change of the residuals from which they are weighted anew
    # iteration
    tightest_tether: float = 1e-7  # the tether at which a chain is one trajectory, in units of the states' sizes
    closed_gap: float = 1e-6  # a gap, in the same units, that counts as closed
    most_damping: float = 1e10  # beyond, a step moves nothing: there is no way down
    least_damping: float = 1e-7  # after a step was refused: less would not change it
    across_damping: float = 1e-2  # in units of the scaled information: moves across a narrow valley, not along it
    decades: float = 100.0  # ratio of positive bounds from which a parameter moves by factors
    far_from_zero: float = 0.3  # relative standard error below which any positive parameter moves by factors
    held_spread: float = 1.0
    """Standard deviation of the logarithm of such a parameter about its start while segments are not joined."""
    largest_factor: float = 1.5  # logarithm of the largest such factor in one step
    negligible_step: float = 0.02  # step over standard error below which nothing is left to gain
    bottom_step: float = 0.05  # the same where no step was accepted: within the integrator's own noise
    bound_approach: float = 0.9  # part of the way to a bound of a state that one step may go
    # elimination
    singular: float = 1e-13
    """Ratio of diagonal entries of a triangular factor below which a direction counts as undetermined."""
    # point
    least_residual: float = 1e-12  # of an output's own spread: residuals below are the integrator's, not the record's
    # scores
    score_overflow: float = 1e8
    """Growth of a segment's dependence on the first state from which the recursion is given up."""
    # rest
    rest_draws: int = 512  # of parameters along what the moving part leaves open
    rest_starts: int = 2  # the likeliest draws, which are followed
    rest_as_good: float = 9.0  # difference in chi-square up to which another explanation counts as equally good
    rest_far: float = 100.0  # squared distance in local standard errors from which it is another explanation
    rest_spread_floor: float = 1e-6
    """Singular value, relative to the largest, below which draws go no further in that direction."""
    # reconstruction
    largest_solved: int = 200  # parts of an equation that is solved for a state within a function
    # likelihood
    curve_points: int = 4000  # of a curve, evenly over the record, if nobody names times
    value_tolerance: float = 1e-10
    """Integration error per step: finer than a fit's own, so that differences of values mean something."""
    at_bound: float = 1e-6  # distance from a bound, in units of the state's size, at which a state counts as there

    # profile
    profile_rounds: int = 12  # evaluations in which the segments of one set of parameters have to join
    profile_tether: float = 1e-9  # allowed gap in units of the states' sizes: what is left of gaps is its square
    profile_joined: float = 1e-8  # widest gap, in the same units, that one more linear step closes for good
    profile_near: float = 3e-7
    """Largest step of a node, in the same units: a gradient errs by as much, a value by its square."""
    fewest_lean: int = 8  # sets from which values alone are worth a kernel of their own
    fewest_shared: int = 8  # sets that one core is given at least
    block_bytes: float = 5e7  # of the largest table: more sets of parameters are evaluated in blocks
    # band
    most_curve_samples: int = 4000  # of a record, at which the curve is given if nobody names times


LIKELIHOOD = LikelihoodSettings()
