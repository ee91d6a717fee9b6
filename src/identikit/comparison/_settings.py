"""Numbers chosen for the comparison of methods, each with a word on its size."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ComparisonSettings:
    """See docs/compare.md."""

    time_limit: float = 300.0  # seconds for one method: the dearest takes about a third of it on usual records
    level: float = 0.01  # chance that any of all methods is called off although all are right
    known_variance: float = 0.36
    """Share of a variance that is open where standard errors are known to 18 %, as those from simulated twins are: the
    variance of a difference is not taken below this share of the larger of the two."""
    efficient: float = 1.1  # std over the bound up to which an estimate counts as efficient
    same: float = 1e-3
    """Of a standard error, in value and width: what meets as closely as this has ended in one fit. Measured on nine
    systems: methods that refine by another one differ from it by at most 1.5e-4, any others by at least 2e-3."""
    astray: float = 1.5
    """Residuals over those of another method from which the likeliest one has ended in the wrong place; methods that
    clear the states of noise without integrating come to leave up to a fifth less than any trajectory does."""
    worse: float = 1.02  # residuals over those of the reference from which a trajectory is seen to be worse


COMPARISON = ComparisonSettings()
