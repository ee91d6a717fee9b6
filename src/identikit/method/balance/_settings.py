"""Numbers that were chosen, each with a word; results echo them in their provenance."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class BalanceSettings:
    """Of balances of energy and of motion averaged over a period."""

    # energy
    lighter: float = 0.6
    """Of the length that cross-validation finds: rows are integrals, which peaks harm more than noise."""
    off: float = 1.5  # times the noise: more is left over only if the model misses something
    explained: float = 0.9  # share of what changes that the terms must account for: else it is a balance of nothing
    unreachable: float = 4.0  # standard deviations between the coefficients found and any that parameters can have
    # averaging
    at_rest: float = 0.1  # radians of phase that a start from rest may seem to have
    # energy rows
    gauss_points: int = 5  # exact to degree 9, which the square of a slope hardly exceeds within one piece
    probes: int = 32  # draws of noise
    fewer_probes: int = 16  # of a long record: 16 tell a standard error to 18 per cent
    fewest_probes: int = 8  # of one twin among many, whose mean they are judged by
    many_samples: int = 30_000  # samples from which the draws are fewer
    trimmed: float = 2.0  # smoothing lengths at each end of a record, where a curve is at its worst
    most_trimmed: float = 0.05  # share of the record
    # averaged
    grid_step: float = 0.7  # radians of phase at the record's end between frequencies that are tried
    most_frequencies: int = 1200  # that are tried
    lowest: float = 0.8  # of the frequency that the record shows: where trying begins
    highest: float = 1.6  # and where it ends
    refined_frequencies: int = 6  # the best of them, which are followed downhill
    samples_per_period: int = 12  # that the search over frequencies needs
    # coefficients
    candidates: int = 200  # points within the bounds at which parameters are looked for
    refined_candidates: int = 6  # the best of them, which are followed downhill
    alike: float = 1e-14  # of the squares to explain: solutions this near to each other are equally good
    weak: float = 0.3  # relative standard error from which a coefficient counts as unknown
    sharper: float = 0.1  # standard error of a sum, over that of its parts, from which the sum is worth telling


BALANCE = BalanceSettings()
