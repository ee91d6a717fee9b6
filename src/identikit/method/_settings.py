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
    # hold choice
    hold_decisive: float = 12.0
    """Of -2 log likelihood, over the correlation time of the residuals: odds of 400 to 1 for the better hold."""
    hold_preferred: float = 2.0  # of the same: from here the better hold is taken in place of the assumed one
    hold_matters: float = 0.5  # standard errors: an estimate that moves by more with the hold depends on it
    hold_rounds: int = 40  # evaluations in which a fit under another hold has to settle
    hold_lags: int = 20  # samples over which the residuals' correlation is summed
    most_holds_apart: int = 2  # inputs that are tried one by one; more are tried together


JUDGEMENT = JudgementSettings()
