"""Numbers that were chosen, each with a word; results echo them in their provenance."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class KalmanSettings:
    """Of joint estimation of states and parameters by a smoother."""

    # averaged record
    cell: float = 0.008  # oscillations: samples this close together are averaged before they are smoothed
    # blocks
    most_blocks: int = 256  # of all records together: enough to fill the vector units, few enough to be eliminated fast
    fewest_block_samples: int = 2  # a block of one sample has nothing to say of its own beginning
    whole_blocks: float = 0.3
    """Variance that process noise adds within a block, over that of the mean of its samples, up to which noise may be
    taken to act between blocks alone."""
    finest_blocks: int = 6000  # of all records together
    # smoother
    loosest: float = 0.1
    """Deviation between blocks, in units of the states' sizes, that is let pass at first, as if by process noise."""
    tighter: float = 0.1  # of it is let pass in each further stage
    loose_stages: int = 2  # before levels of noise are sought
    tight_stages: int = 2  # further ones on the way to one trajectory
    let_pass: float = 0.3
    """The same at the end, summed up over all blocks, as a share of what the record can tell of a state."""
    tight: float = 1e-6  # the same besides process noise
    judged: float = 1e-4  # deviation between blocks, in the same units, by which the last steps are judged
    joining_rounds: int = 5  # of these; steps that have not settled by then must lower the merit itself
    stage_rounds: int = 5  # steps at one looseness: it need not settle before the next
    final_rounds: int = 25  # steps at the end, where it has to settle
    stage_gain: float = 0.005  # relative fall of the merit in one step below which the next stage begins
    last_gain: float = 0.3  # fall of the merit, in squared standard deviations, below which nothing is left to gain
    settled: float = 0.1  # step over standard error below which it is not worth taking
    tied: float = 10.0  # mean square of the deviations between blocks, over what is let pass, at an end that counts
    step: float = 0.02  # oscillations: the longest integration step to begin with
    most_steps: int = 16  # integration steps between neighbouring samples
    step_error: float = 0.3  # error of an integration step, as a share of what the record can tell over root of samples
    nearly_enough: float = 3.0  # steps that an interval asks for, over those that it has, up to which these will do
    spare_steps: float = 1.5  # room for more of them, over those of the first grid: a kernel serves both
    spread: float = 3.0
    """Standard deviation of the logarithm of parameters that may be of any size, about their start, at the end: a
    factor 20, which keeps what a record does not tell where it was."""
    # levels
    largest_level: float = 10.0  # process noise that is tried, in sizes of the state per square root of an oscillation
    smallest_level: float = 1e-5  # in the same unit: what is less is none
    level_steps: int = 10  # levels between the two that are tried for each state
    worth_a_level: float = 6.0
    """Gain in -2 log likelihood from which there is process noise: by chance it is exceeded once in a hundred times."""
    search_rounds: int = 25  # of a quasi-Newton search for levels, in logarithms
    search_step: float = 1e-2  # of its differences, in standard errors: the likelihood is exact to rounding
    search_gain: float = 1e-3  # relative gain in one round below which it ends
    level_rounds: int = 4  # of levels and smoothing in turn
    same_level: float = 0.05  # relative change of a level that smoothing does not notice
    # starts
    near_noise: float = 1.15  # noise over what the record itself shows, up to which a start has led to the record
    astray: float = 3.0  # times its lower bound, or that part of its upper one, where a parameter has gone astray
    most_starts: int = 4  # that are tried while none does
    # unscented
    unscented_spread: float = 10.0  # standard errors of the extended smoother that the unscented filter begins with
    # innovations
    vague: float = 1e3  # sizes of a state: what is known of it before the first sample
    diverging: float = 2.0  # mean squared innovation, or its inverse, up to which the filter is not said to diverge
    consistent: float = 1e-4
    """Probability of a mean of the squared innovations as far from one as it is, below which the filter diverges."""


KALMAN = KalmanSettings()
