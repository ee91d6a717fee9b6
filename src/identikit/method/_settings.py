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
    # curves
    most_curve_points: int = 5000  # samples per output and record
    most_dense_points: int = 4000  # of the model's curve and of an input
    straight: float = 0.002  # of the curve's range: nearer to the curve than a pixel, straight lines pass for it
    tolerance: float = 1e-8  # of the simulation: far below `straight`
    same_curve: float = 0.01  # of the curve's range, and
    same_noise: float = 0.5  # of the noise: rms difference from the fit beyond which a simulation is another trajectory


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
