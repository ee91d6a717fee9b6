"""Numbers that were chosen, each with a word; results echo them in their provenance."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class JudgementSettings:
    """Of what every method's result is judged by and drawn with."""

    # base
    fewest_spare: int = 8  # measured values beyond the unknowns: fewer leave nothing to judge a fit by
    # status
    poor_fit: float = 50.0  # per cent: below, the model misses most of what was measured
    # misfit
    above_noise: float = 2.0  # residual over the record's own noise from which coloured residuals are a pattern
    least_fit: float = 90.0  # per cent: with a pattern and less than this explained nobody should quote the numbers
    close_fit: float = 99.0  # per cent: above, parameters may differ between parts and still be worth quoting
    unsteady: float = 0.25  # range of a parameter over the parts, of its largest value, from which it is not one number
    well_known: float = 0.1  # of its value: standard error up to which a part of the record tells a parameter well
    # parts
    enough_parts: int = 4  # from which their spread alone gives the standard errors
    opinions_differ: float = 4.0  # standard errors of their difference from which two methods disagree
    wider: float = 1.001  # factor from which a standard error is said to be wider
    drift_matters: float = 0.5  # of the standard error: a difference between parts that is worth a word
    # flat directions
    as_good: float = 9.0  # difference in -2 log likelihood up to which a place explains the record as well: three sigma
    hardly_known: float = 0.1  # relative standard error of a direction that is walked along
    furthest: float = 0.5  # relative change of a parameter up to which it is walked
    most_directions: int = 2  # that are walked along, to either side
    most_place_rounds: int = 30  # evaluations for one place: near the estimate a handful are enough
    # canonical form
    most_together: int = 3  # parameters, or pairs of them, that change together
    most_states: int = 2  # that change with them
    most_tried: int = 400  # relabellings of one kind: all together take some milliseconds
    most_pairs: int = 50  # of parameters whose exchange is looked for in the equation without hidden states
    largest_equation: int = 300  # parts of such an equation that is looked at
    # curves
    most_curve_points: int = 5000  # samples per output and record
    most_dense_points: int = 4000  # of the model's curve and of an input
    straight: float = 0.002  # of the curve's range: nearer to the curve than a pixel, straight lines pass for it
    tolerance: float = 1e-8  # of the simulation: far below `straight`
    same_curve: float = 0.01  # of the curve's range, and
    same_noise: float = 0.5  # of the noise: rms difference from the fit beyond which a simulation is another trajectory
    # hold choice
    hold_decisive: float = 12.0
    """Of -2 log likelihood, over the correlation time of the residuals: odds of 400 to 1 for the better hold."""
    hold_preferred: float = 2.0  # of the same: from here the better hold is taken in place of the assumed one
    hold_matters: float = 0.5  # standard errors: an estimate that moves by more with the hold depends on it
    hold_rounds: int = 40  # evaluations in which a fit under another hold has to settle
    hold_lags: int = 20  # samples over which the residuals' correlation is summed
    most_holds_apart: int = 2  # inputs that are tried one by one; more are tried together


JUDGEMENT = JudgementSettings()


@dataclass(frozen=True)
class TwinSettings:
    """Of simulated twins of a record, which tell the bias and scatter of estimators that noise can bias."""

    pairs: int = 16  # of draws: they tell a standard error to 18 per cent
    stream: int = 7  # of random numbers, so that a method's own draws are others
    failures: float = 0.25  # share of the pairs that may fail
    steps: int = 2  # towards the record, before its residuals are looked at
    small_step: float = 1.0  # of a standard error: residuals do not show whether it is taken
    rounds: int = 300  # evaluations in which the motion for a twin is fitted to the record
    negligible: float = 0.2  # of a standard error: a bias below is not worth a word
    harmless: float = 0.4  # of a standard error: a bias below, seen on one pair of draws, hardly changes an interval
    surprising: float = 3.5  # standard errors: a draw further off says that these are too small
    heavy: float = 2.0  # excess of the residuals' fourth moment from which they are not taken for normal
    gap: float = 8.0  # sample spacings without a sample
    gap_share: float = 0.05  # and of a time scale of the signal: a smooth curve does not know what happened in it
    followed: float = 0.5  # share of an output's spread that residuals may have: beyond, a twin would not be its like


TWIN = TwinSettings()


@dataclass(frozen=True)
class BendSettings:
    """Of the look at the likelihood's shape where intervals end."""

    distance: float = 2.0  # standard errors from the estimate at which it is looked at
    nearest: float = 0.3  # of the same: nearer, at a bound, there is no shape to see
    telling: float = 0.01  # of its value: parameters that all change by less move along a straight line
    share: float = 0.2  # by which an interval's end may be wrong without a word
    tether: float = 1e-9  # allowed gap between segments, in units of the states' sizes: next to none
    samples_at_once: int = 200_000  # of all places that are held in memory together


BEND = BendSettings()


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


@dataclass(frozen=True)
class ObserverSettings:
    """Of the adaptive observer and of what is said of its estimate."""

    chunk: int = 4096  # Runge-Kutta steps per call of the kernel, which is compiled for this many
    stable: float = 0.25  # step times gain, or times rate of adaptation: RK4 is accurate to a part in a thousand
    most_steps: int = 64  # Runge-Kutta steps between two samples
    beginning: int = 2000  # samples that are smoothed for the beginning alone: many oscillations of the noise
    coincides: float = 1e-6  # relative distance from the fixed point below which an estimate is that point
    burst: float = 1e6  # error norm, in spreads of the measured velocities: the observer has lost the record
    adrift: float = 0.01  # of the way to the fixed point: what the integration may miss of the law's closed form
    validation: float = 1e-6  # tolerance of the motion that estimates are validated with
    kept: int = 2000  # points of every path that are kept for plots
    quadrature: int = 97  # points of the double exponential rule; 65 leave 1e-12 in a Mittag-Leffler function
    reach: float = 3.2  # of that rule, to either side, where its weights are below 1e-15


OBSERVER = ObserverSettings()


@dataclass(frozen=True)
class ForceSettings:
    """Of points of the force and of what is drawn through them."""

    # restoring force
    explained: float = 0.9
    """Share of the force's variance beyond which the law holds though no trajectory could follow the record."""
    # force law
    most_operations: int = 200  # of a term that is multiplied out
    # force points
    points_per_oscillation: int = 60  # enough to draw a loop smoothly
    fewest_points: int = 200  # per record
    most_points: int = 4000  # per record
    saved_points: int = 2000  # points of all records in an artifact
    edge: float = 0.15  # oscillations left out at either end, where a spline hangs on one side only
    abscissae: int = 81  # at which a section of the force is drawn
    reach: float = 0.04  # half-width of the local line, of the range
    fewest_in_reach: int = 6  # points under the local line: fewer give no line
    probes: int = 100  # points at which the noise of the force itself is computed
    cells: int = 24  # of the surface in each direction
    outermost: float = 0.002  # quantile of the coordinates at which a section ends


FORCE = ForceSettings()
