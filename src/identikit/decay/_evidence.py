"""How sure a record is of a law: Bayesian information criterion, corrected for residuals that are not white.

    BIC = -2 ln L / inflation + k ln(n / inflation),        weight = exp(-BIC/2) / sum over laws

For equal prior belief in every law the weights (`information_weights`) approximate their probabilities. With residuals
that are not white the likelihood counts the same information several times. `inflation` says how often, for the damping
parameters: the trace of their robust covariance over the plain one (C. Varin, P. Vidoni, Biometrika 92 (2005) 519, for
such likelihoods; W. K. Newey, K. D. West, Econometrica 55 (1987) 703, for the covariance).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from identikit.decay._laws import LawFit
from identikit.decay._settings import RANKING
from identikit.diagnose import residual_colour
from identikit.likelihood import Outcome
from identikit.numerics import standard_errors


def inflation(outcome: Outcome, columns: Sequence[int]) -> float:
    """How many times the residuals of a fit overstate what is known of some of its parameters; at least 1.

    Arguments:
        outcome: of the fit with everything that is in question: what a smaller one leaves over is no noise.
        columns: where the parameters in question stand among the free ones.
    """
    if all(residual_colour(column)[0] for column in outcome.residual.T):
        return 1.0
    scores = outcome.scores()
    free = outcome.moves
    if scores is None or not free[list(columns)].any():
        return 1.0
    first = scores.first_parameter
    kept = np.concatenate([np.arange(first), first + np.flatnonzero(free)])
    wanted = [int(np.flatnonzero(kept == first + i)[0]) for i in columns if free[i]]
    information = scores.information[np.ix_(kept, kept)]
    scale = 1.0 / np.sqrt(np.maximum(np.diag(information), 1e-300))
    inverse = np.linalg.pinv(information * np.outer(scale, scale), rcond=1e-12, hermitian=True) * np.outer(scale, scale)
    chains = outcome.layout.chain
    meat = np.zeros((len(wanted), len(wanted)))
    count = 0
    for chain in np.unique(chains):
        own = scores.table[chains == chain][:, kept] @ inverse[:, wanted]
        parts = max(min(len(own), round(RANKING.blocks * len(own) / len(chains))), 1)
        blocks = np.array([part.sum(axis=0) for part in np.array_split(own, parts)])
        # at a bound a score has a mean of its own, which is no noise
        blocks = blocks - blocks.mean(axis=0)
        count += len(blocks)
        meat += blocks.T @ blocks
        for lag in range(1, min(RANKING.lag, len(blocks) - 1) + 1):
            across = blocks[lag:].T @ blocks[:-lag]
            meat += (1 - lag / (RANKING.lag + 1)) * (across + across.T)
    meat *= count / max(count - len(kept), count / 2)
    plain = inverse[np.ix_(wanted, wanted)]
    return max(1.0, float(np.trace(np.linalg.pinv(plain, hermitian=True) @ meat)) / len(wanted))


def criterion(fit: LawFit, inflated: float) -> float:
    """BIC of a law, initial states left out: every law has the same."""
    samples = int(np.isfinite(fit.residual).sum())
    effective = max(samples / inflated, RANKING.fewest_effective)
    return fit.misfit / inflated + fit.unknowns * float(np.log(effective))


def deviations(fit: LawFit, inflated: float) -> np.ndarray:
    """Standard deviations of all free parameters, NaN for those that the law does not have."""
    free = fit.outcome.moves
    found = np.full(len(free), np.nan)
    rows = fit.outcome.information_rows[:, free]
    found[free] = standard_errors(rows) * np.sqrt(inflated)
    return found
