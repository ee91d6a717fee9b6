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
    fewest_segment_values: int = 6
    """Measured, on average, per segment and state: fewer would leave a segment's own start undetermined."""
    jump_speed: float = 10.0  # of the median: a cut where the record is quicker is moved to a quiet place nearby
    cut_shift: float = 0.4  # of a segment: the furthest that a cut is moved
    # segments
    steepest: float = 1e100  # sensitivity beyond which a point counts as not integrated: its square must not overflow
    same_step: float = 1e-6  # of a step: lengths that differ by less are the same
    segment_passes: int = 2048  # step attempts per segment: a segment is short, so more means absurd parameters
    # continuation
    loosest_tether: float = 0.3  # allowed gap in units of each state's size: at first next to free
    refit_tether: float = (
        1e-3  # the first one of a fit that begins where a similar one ended: loose enough for long steps
    )
    most_stages: int = 12  # of tightening the tether; the last has the tightest one
    segment_growth: int = 6  # how much longer segments become when the short ones do not come to one trajectory
    stage_rounds: int = 6  # evaluations at one tether: it need not settle before the next
    final_rounds: int = 40  # evaluations at the tightest, where the fit has to settle
    first_damping: float = 1e-3  # of the first step, in units of the scaled information: next to a full step
    reweight_change: float = 0.02  # relative change of the residuals from which they are weighted anew
    # iteration
    tightest_tether: float = 1e-7  # the tether at which a chain is one trajectory, in units of the states' sizes
    closed_gap: float = 1e-6  # a gap, in the same units, that counts as closed
    closes_quickly: float = 0.1  # of the gaps that a step opened: closing them once, to first order, leaves less
    most_damping: float = 1e10  # beyond, a step moves nothing: there is no way down
    least_damping: float = 1e-7  # after a step was refused: less would not change it
    across_damping: float = 1e-2  # in units of the scaled information: moves across a narrow valley, not along it
    decades: float = 100.0  # ratio of positive bounds from which a parameter moves by factors
    far_from_zero: float = 0.3  # relative standard error below which any positive parameter moves by factors
    held_spread: float = 1.0
    """Standard deviation of the logarithm of such a parameter about its start while segments are not joined."""
    largest_factor: float = 1.5  # logarithm of the largest such factor in one step
    coordinates_apart: float = 1e8
    """Condition number of their slopes, rows and columns scaled, from which coordinates leave parameters untold."""
    coordinate_passes: int = 20  # in which a step closes in on where it leads: four to seven are usual
    coordinate_stretch: float = 30.0
    """Times its own step, or its own size, that a parameter may move in coordinates: more means that none has these."""
    coordinate_change: float = 1e-6  # of the right side: a pass that changes less has arrived
    negligible_step: float = 0.02  # step over standard error below which nothing is left to gain
    bottom_step: float = 0.05  # the same where no step was accepted: within the integrator's own noise
    bound_approach: float = 0.9  # part of the way to a bound of a state that one step may go
    # elimination
    singular: float = 1e-13
    """Ratio of diagonal entries of a triangular factor below which a direction counts as undetermined."""
    # noise model
    least_residual: float = 1e-12  # of an output's own spread: residuals below are the integrator's, not the record's
    long_step: float = 1.5  # usual steps: after a longer one noise is not predicted from the samples before
    least_efficiency: float = 0.05  # of a draw from Student's t against a normal one: less means a wrong fit, not noise
    coarse_step: float = 2.2
    """Step between levels over the rms of residuals, from which readings are taken as rounded: noise above a third of a
    step dithers the errors of rounding away."""
    least_information: float = 1e-6  # of a rounded reading, against one that is not: none is quite without
    least_dither: float = 0.15  # of a step: noise before rounding is at least this; less cannot be told from none
    level_rounds: int = 30  # of the fixed point for the scale of Student's t, which gains a digit in three
    # noise choice
    fewest_noise_samples: int = 30  # values from which the shape of their noise can be told at all
    clearly_better: float = 10.0  # difference of the criterion from which a shape replaces white noise: odds of 150
    most_memory: int = 8  # samples that noise is let remember
    most_above_noise: float = 6.0
    """Residual over the record's own noise from which it is what the model misses. Strongly coloured noise shows up to
    five times too small without a model, since a smooth curve follows it."""
    outlying: float = 6.0  # robust standard deviations from which a residual is far out
    mostly_alone: float = 0.6  # of those far out: outliers stand alone, what a model misses does not
    outlying_freedom: float = 3.0  # of Student's t, while nothing is known of the outliers but that there are some
    plain_draw: float = 3.0  # robust standard deviations to which draws are cut before their correlation is looked at
    heavy: float = 5.0  # standard errors by which the fourth moment of residuals exceeds that of normal ones
    negligible_correlation: float = 0.05  # from sample to sample: proven by a long record, and of no consequence
    small_correlation: float = 0.1  # of draws from sample to sample, up to which they count as independent
    samples_per_memory: int = 20  # values for each of them
    largest_memory: float = 0.999  # partial autocorrelation: beyond, noise is not stationary
    noise_lasts: float = 0.25
    """Oscillations in which the memory must have fallen to 1/e: what lasts longer is what the model misses."""
    fewest_noise_lasts: float = 25.0  # samples for which it may last in any case, however coarsely motion is sampled
    motion_share: float = 0.01  # of the largest power of what was measured: frequencies at which there is motion
    motion_about: float = 2.5  # times the highest of these: frequencies that they are compared with
    motion_alpha: float = 0.01  # probability of taking coloured noise for a pattern, which costs a wider interval only
    motion_neighbours: int = 3  # frequencies beside these that a slowly changing pattern reaches
    least_freedom: float = 2.1  # of Student's t: below 2 it has no variance
    most_freedom: float = 25.0  # beyond, it is normal
    freedoms: int = 9  # that are tried between the two, evenly in logarithms
    most_restricted: int = 20000  # samples up to which the fit's own share in the memory matters
    same_memory: float = 0.003  # change of a partial autocorrelation that a fit does not notice
    restricted_rounds: int = 40  # evaluations for each remembered sample
    # parts
    parts_alpha: float = 1e-3  # probability of a false alarm that parts of a record disagree
    part_segments: int = 5  # fewest segments of a part: two oscillations
    part_values: int = 5  # measured values of a part for each of its unknowns
    most_parts: int = 8  # of all records together
    part_floor: float = 1e-6  # of the largest singular value: what a part tells less about it does not tell
    first_part_spread: float = 100.0  # variance between parts to begin with, in units of a part's own
    fewest_drifting: int = 4  # parts from which a drift can be told from fluctuations
    amplitude_varies: float = 1.25  # ratio between parts from which a drift is looked for along the amplitude
    part_rounds: int = 500  # of EM, which closes in slowly
    part_settled: float = 1e-3  # relative change of a variance in one round
    # scores
    fewest_single_scores: int = 20  # segments; of more, neighbours are summed before they count as draws
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
    large_table: int = 500_000  # numbers in the rows of all segments from which two cores share in their reduction
    # replicates
    longest_replicate: float = 4.0  # standard errors that one step may go: other noise rarely asks for more
    replicate_growth: float = 1.0  # of its value: a parameter may double in one step, where that is more
    replicate_promise: float = 0.01  # of log L: a step that promises less is taken without another evaluation
    replicate_rounds: int = 12  # evaluations in which a data set has to settle; one or two are usual
    replicate_gap: float = 1e-3
    """Gap in units of the states' sizes that is closed to first order well enough for an estimate."""
    # joint
    joint_rounds: int = 30  # evaluations in which the segments of one trajectory have to join
    joint_accuracy: float = 1e-5
    """Error of log L where gaps between segments are closed to first order instead of integrating once more. The
    error of its gradient is of first order: 1e-3 would do for values, and costs a bent posterior half of its draws."""
    joint_gap_least: float = 1e-5  # such a gap may always be, in units of the states' sizes,
    joint_gap_largest: float = 1e-2  # and never more, whatever the noise
    # band
    most_curve_samples: int = 4000  # of a record, at which the curve is given if nobody names times


LIKELIHOOD = LikelihoodSettings()
