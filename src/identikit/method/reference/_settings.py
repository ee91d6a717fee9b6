"""Numbers that were chosen, each with a word; results echo them in their provenance."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ReferenceSettings:
    """Of local polynomials, of the points they are laid around, and of plans for such records."""

    # local fits
    gap: float = 50.0  # median spacings: a longer pause separates clusters of samples
    enough: int = 3  # samples per coefficient of a local polynomial
    # reference estimate
    most_planned: int = 6  # states of a model for which a better record is planned
    draws: int = 100  # points at which parameters are looked for where A is not linear in them
    refined: int = 6  # the best of them, which are followed downhill
    # reference modes
    ill_conditioned: float = 1e3  # cond(Y): beyond it relative errors of values and slopes grow by as much
    nearly_equal: float = 0.05  # |exp(l_i D) - exp(l_j D)|: modes that near are not told apart
    real: float = 1e-6  # |Im l| / |l|: below, an eigenvalue counts as real
    # reference plan
    places: int = 201  # sample places that stand for a window
    widths: int = 60  # half-widths of windows that a plan tries
    spacings: int = 24  # between points that a plan tries
    smallest_width: float = 1e-3  # of half the longest spacing
    most_samples: int = 10**9  # around each point: nobody measures more
    turn: float = 0.95  # of half a period of the fastest mode: the longest spacing that tells all modes apart
    growth: float = 2.0  # exp of this much growth or decay from point to point at most
    # reference points choice
    orders: int = 24  # of the series of exp(A s) within a window
    significant: float = 3.0  # standard errors by which a misfit must exceed the noise to count
    gross: float = 0.2  # of the rise within a window: a misfit beyond which a polynomial says nothing of the slope
    quiet_rungs: int = 2  # finer cuts without a gain after which none is expected
    # reference solve
    weight_rounds: int = 4  # of weights and solution in turn


REFERENCE = ReferenceSettings()
