"""Numbers that were chosen, each with a word; results echo them in their provenance."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ShootingSettings:
    """Of starts, of when one is good enough, and of how its end is challenged."""

    # shooting
    worse_than_constant: float = 1.2  # times the spread of the samples: a fit that leaves more has found nothing
    near_noise: float = 1.1  # residual over the noise that the smoothed record shows, up to which colour is let pass
    most_rounds: int = 200  # evaluations of all segments, over all starts, while none has come to one trajectory
    search_effort: float = 2.5
    """Evaluations after which no further start is tried, in units of those until the first came to one trajectory."""
    fewest_rounds: int = 60  # evaluations that further starts may take in any case
    glance_rounds: int = 30  # evaluations that the first start may take before others are looked for
    attempt_rounds: int = 90  # evaluations that an attempt with short segments may take
    patience: int = 3  # shortened steps in a row after which a fit goes down its valley by other means
    nearly_joined: float = 1e-4  # widest gap, in units of the states' sizes, of what is all but one trajectory
    followed_gap: float = 0.01  # the same, of one that is followed downhill,
    followed_noise: float = 1.5  # if it leaves no more than this, over the noise: else it may be in a wrong valley
    most_quasi_newton: int = 240  # integrations of all segments by BFGS: twenty to a hundred are usual
    quasi_newton_slope: float = 1e-3  # of log L per standard error, at which its bottom is reached
    settling_rounds: int = 12  # evaluations in which the bottom that it found has to be one for the fit as well
    early_starts: int = 3  # starts that are tried with short segments first
    promising: float = 5.0
    """Departure of segments from the record, in units of its noise, up to which a start is tried at once."""
    promising_given: float = 1.5  # the same of values that a user gave, which may be any: others are looked at beside
    not_joined: float = 10.0  # logarithm of the residuals by which a fit must be better that is not one trajectory
    # whole records
    places_around: int = 64  # places around a start whose whole trajectories are looked at
    nearest_place: float = 1e-3  # relative distance of the nearest of them
    farthest_place: float = 0.1  # and of the farthest: a start that is further off is no good start
    follows: float = 0.6  # departure of a whole trajectory over the record's own spread up to which it leads on
    samples_at_once: int = 200_000  # samples of trajectories that are held in memory together
    # a start that is too fast
    fewest_to_interpolate: int = 4  # samples of a segment through which a curve is laid
    too_fast: float = 0.5  # departure from that curve between samples, over the motion: an alias departs by all of it
    # a held start
    held_samples: int = 3  # at the beginning of a record, over which friction must hold for it to begin at rest
    # start
    guesses: int = 8  # points spread over the bounds, tried after all other starts
    most_regressed: int = 4  # minima of the regression that are tried, best first
    # challenge
    weak: float = 1e-3  # relative standard error from which such a parameter is doubtful: a frequency seldom is
    certain: float = 1e-4
    """Relative standard error below which it is not, even where the model leaves a pattern in the residuals."""
    chance: float = 4.0  # standard deviations of the chi-square by which joining may cost more than expected
    as_good: float = 9.0
    """Difference in chi-square up to which another end counts as equally good: three standard errors."""
    elsewhere: float = 1.0  # local standard errors in some parameter from which it is another end
    most_twins: int = 3  # other roots of what the output is determined by that are tried on the record
    poor: float = 0.1  # relative standard error from which it is poorly known, and kept where the challenge puts it
    without_effect: float = 100.0  # relative standard error from which there is no other side to go to
    vague: float = 0.01
    """Relative standard error from which a parameter's valley is looked along, where a state is hidden."""
    challenge_rounds: int = 30  # evaluations that one challenge may take
    kept_rounds: int = 12  # the same with the parameter kept in its place: what is as good is reached in four to eleven
    effort: float = 1.5  # rounds after which no further challenge begins, in units of those of the fit itself
    # valley
    first_distance: float = 3.0  # standard errors: the first place along a valley
    further: float = 2.0  # factor from one place to the next
    most_places: int = 6  # to either side: the last lies 96 standard errors off
    most_descents: int = 12  # places that are tried on the way down a valley
    descent_rounds: int = 30  # evaluations at one of them
    least_share: float = 0.02  # of the way that a free step would go: where less leads up as well, there is no way down
    shallow: float = 0.3
    """Rise of the misfit over the square of the distance, from which the valley is as steep as it should be."""


SHOOTING = ShootingSettings()
