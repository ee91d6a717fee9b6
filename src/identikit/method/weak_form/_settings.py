"""Numbers that were chosen, each with a word; results echo them in their provenance."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class GalerkinSettings:
    """Of test functions, of the curves they are laid over, and of the states cleared of noise."""

    # galerkin
    smooth_from: float = 8.0
    """Test functions this many samples wide per knot interval do not need a curve through every sample."""
    support: float = 1.0  # of automatic test functions, in time scales of the record
    finest_noise: float = 1e-5  # of a signal's spread: less noise than this is not told from the curve's own error
    most_starts: int = 4  # minima of the regression that are tried, best first
    resolution: float = 0.5  # of the smooth curves' knot spacing, for the states cleared of noise
    fewest_between_knots: float = 2.0  # samples between those knots
    misfit: float = 3.0  # rms of whitened residuals beyond which the states' iteration is not believed
    biased: float = 1.0  # standard errors: a bias beyond is mentioned
    noise_like: float = 1.5  # residuals over those of noise alone, up to which no other start is tried
    same_minimum: float = 1e-3  # relative difference of parameters that count as one minimum: found twice, it is taken
    far_off: float = 5.0  # but not if the residuals are this many times those of noise
    neighbours: int = 4  # starts near the given one
    neighbour_spread: float = 0.3  # standard deviation of their logarithms
    relative_step: float = 0.02  # relative step at which the equations are weighed against one another
    # errors in variables
    rounds: int = 8  # of parameters and states in turn: more is not converging
    frozen_rounds: int = 2  # where the parameters are kept: the states alone settle at once
    halved_from: int = 3  # round from which only half a step is taken: kinks of the equations may make it go to and fro
    converged_step: float = 0.2  # of a standard error: a step below it ends the iteration
    harmless_step: float = 1.0  # of a standard error: a last step below it is no reason to distrust the result
    # test functions
    bump_reach: int = 6  # small splines in half a bump
    # thinning
    kept_samples: int = 16  # samples per knot interval of the smooth curves that are worth keeping
    # weak covariance
    chunk: int = 256  # knot intervals whose element matrices are formed together
    diagonal_lift: float = 1e-12
    """Of the largest diagonal entry: keeps the factorization of a covariance above rounding."""
    # weak curves
    fewest_in_piece: int = 6  # samples between two jumps; with fewer the jump is not kept
    degree: int = 5  # of fitted splines
    jump: float = 1e-9  # of an input's size: a smaller step is rounding
    # weak equations
    most_operations: int = 300  # in an equation that is multiplied out to find its linear terms
    # weak form
    panels: float = 2.0  # of integration between two knots of a smooth curve
    gap: float = 2.5  # sample spacings without a sample
    gap_share: float = 0.1  # and of a time scale of the signal: test functions over a longer pause are left out
    smallest_scale: float = 1e-9  # of the largest column: a column below counts as this large
    resting: float = 2.0  # noise levels: windows of a system with dry friction that vary less say nothing of it


GALERKIN = GalerkinSettings()
