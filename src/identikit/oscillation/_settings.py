"""Numbers that were chosen, each with a word; results echo them in their provenance."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class OscillationSettings:
    """Of turning points, of what counts as a free decay, and of the motion between turning points."""

    # turning points
    window: float = 0.4  # of the period: a quartic over it follows a cosine to 2e-4, and the factor is divided out
    degree: int = 4  # of the local polynomial
    prominence: float = 8.0  # standard errors of the smoothed curve: a smaller swing may be noise
    even: float = 1e-3  # relative: a spacing that varies by less counts as constant
    fewest_samples: int = 24  # of a record: three oscillations of eight samples
    too_fine: float = 1e-12  # of the range: below it a noise level is rounding
    # free decay
    fewest_cycles: int = 3  # oscillations: with fewer, a decay and a drift look alike
    sure: float = 6.0  # standard errors before a change of amplitude is believed
    rise: float = 0.03  # of the largest swing: a smaller rise is no growth
    same_level: float = 1e-3  # of the range: peaks that agree to this may be cut off at the same height
    irregular: float = 0.015  # of a swing or a half period: what one oscillation may deviate from its neighbours
    waves: float = 0.03  # of the largest swing: what the decay may deviate from one of dry, viscous and drag damping
    pause: float = 0.25  # of a period without a sample: a swing across it was not seen
    slow: float = 1.5  # times the noise from sample to sample: noise at the oscillation's frequency that is stronger
    hole: float = 10.0  # median spacings: a longer pause may be a gap
    beside: float = 0.5  # of the frequency, to either side: a decay has no line there, noise shows
    beside_width: float = 0.25  # of the frequency: half of the band there
    fewest_lines: int = 12  # of a spectrum there, from which its quartile is taken
    settled: float = 0.01  # of the mean: a fall over the last half of the record that is none
    flat: float = 1.8  # times as long near its top as a cosine: cut off
    # half cycle
    steps: int = 40  # Runge-Kutta steps per half cycle: 1e-8 of the amplitude for a pendulum released at 60 degrees
    fine_steps: int = 24  # steps in half a smoothing window
    nodes: int = 20  # amplitudes at which the map is computed; between them a polynomial
    margin: float = 0.03
    """Of the amplitudes asked for, that nodes reach beyond: above a barrier may be near, below it sticks."""
    # lifespans
    raw_prominence: float = 9.0  # standard deviations of the noise, where nothing is smoothed
    longest_chain: int = 4000  # lifespans that are used: their joint covariance grows with the square of their number
    # persistence
    loop_points: int = 48  # per cycle: a Rips complex of them has some 17000 triangles
    # analytic signal
    rows_per_window: int = 8  # the averaged signal changes little between rows
    pieces_per_period: int = 8  # knots of the spline that brings an irregular record to even times
    # amplitude law
    loss_points: int = 400  # amplitudes at which the loss of a law is tabulated
    loss_reach: float = 1.5  # of the largest amplitude seen: how far the table goes
    slowest_loss: float = 1e-9  # of the fastest: a loss that vanishes with the amplitude would take for ever
    even_loss: float = 1e-6  # relative change between two points: below it a loss counts as constant there
    # decrement
    curved: float = 4.0  # standard errors: a decrement that changes by more is not constant
    curved_share: float = 0.02  # of the mean decrement; a smaller change does no harm
    period_share: float = 0.25  # of the decrement's relative change: a period that changes by more explains it
    line_share: float = 0.1  # of the line's width: a change of frequency by more widens it noticeably
    draws: int = 40  # of noise, for the standard error of the half-power width: it is known to 11 per cent
    left: float = 0.01  # of the first swing at the record's end: more widens the line
    padding: int = 8  # times the record, for the spectrum to be read between its lines
    # oscillator model
    fewest_turns: int = 4  # turning points from which starting values of an oscillator are read
    # restoring shape
    least_turn: float = 0.3  # radians: the smallest largest angle of a sine that is tried; below, it is straight
    most_turn: float = 3.3  # radians: the largest; beyond pi a pendulum has turned over
    turn_steps: int = 31  # between them
    independent: float = 8.0  # values per oscillation that a smoothed curve has
    shape_points: int = 48  # per oscillation, at which the curve is read
    # rest position
    most_steps: int = 50  # of Newton's iteration to a state of rest


OSCILLATION = OscillationSettings()
