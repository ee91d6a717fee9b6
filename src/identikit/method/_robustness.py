"""What residuals and parts of the record make of standard errors.

The information believes in its noise model. Where residuals are not what it says, or parts of the record tell different
parameters, three witnesses are asked, in this order:

- parts of the record, from four on: their spread and drift (`Agreement.std`), with Student's quantile for so few;
- fewer parts: their spread, if it exceeds the next;
- the sandwich (J'J)^-1 (sum over segments g g') (J'J)^-1, g a segment's score: coloured residuals without any pattern
  that lasts.

Where the model is right and the noise is as it was chosen nothing is widened.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from identikit.likelihood import Agreement, Outcome, parts_agreement
from identikit.method._misfit import Misfit
from identikit.method._settings import JUDGEMENT
from identikit.numerics import block_sums, standard_errors, symmetric_inverse
from identikit.numerics import sandwich as robust_covariance

NORMAL_QUANTILE = 1.96  # of 95 %


@dataclass(frozen=True)
class Widening:
    """`std` [free] is what standard errors are at least, None if nothing speaks against the information; `note` says
    why; `agreement` is what the parts of the record say, None if there are none.

    `noise` [free] is the share of it that is noise: what a record cannot tell is judged by its noise, not by what the
    model misses.
    """

    std: np.ndarray | None
    note: str
    agreement: Agreement | None
    noise: np.ndarray | None = None


NOT_WIDENED = Widening(None, "", None)


@dataclass(frozen=True)
class Robustness:
    """Standard errors that do not believe in the noise model, for an estimate that ends in a trajectory."""

    outcome: Outcome

    def widening(self, misfit: Misfit) -> Widening:
        """`misfit` tells whether residuals are white, and whether they exceed the record's own noise."""
        agreement = parts_agreement(self.outcome)
        differ = agreement is not None and (misfit.pattern or not agreement.agree)
        if agreement is not None and differ:
            wide = _by_parts(self.outcome, agreement)
            if len(agreement.parts) < JUDGEMENT.enough_parts:
                wide = np.maximum(wide, sandwich(self.outcome))
            return Widening(wide, "std includes the spread between parts of the record", agreement)
        if misfit.white:
            return Widening(None, "", agreement)
        wide = sandwich(self.outcome)
        return Widening(wide, "std allows for coloured residuals", agreement, wide)


def _by_parts(outcome: Outcome, agreement: Agreement) -> np.ndarray:
    """Standard errors by the spread of the parts; of parameters at a bound, as much wider as those of the others."""
    inside = agreement.std > 0
    count = len(agreement.parts)
    few = stdtrit(count - 2, 0.975) / NORMAL_QUANTILE if count >= JUDGEMENT.enough_parts else 1.0
    wide = np.where(inside, few * agreement.std, 0.0)
    if inside.any() and not inside.all():
        alone = standard_errors(outcome.information_rows[:, inside])
        factor = float(np.median(np.maximum(wide[inside] / alone, 1.0)))
        wide = np.where(inside, wide, factor * standard_errors(outcome.information_rows))
    return np.asarray(wide)


def sandwich(outcome: Outcome) -> np.ndarray:
    """Standard errors robust to coloured residuals; each segment's score counts as one draw.

    Where the scores cannot be had (chaos over many Lyapunov times) zeros are returned: the plain ones then count.
    """
    scores = outcome.scores()
    if scores is None:
        return np.zeros(len(outcome.p))
    # neighbouring segments are summed: correlation may reach across their border
    table = scores.table
    blocks = block_sums(table, np.arange(len(table)) // 2) if len(table) > 20 else table
    wide = np.diag(robust_covariance(scores.information, blocks, unknowns=len(outcome.p)))
    # as a factor: what is known beforehand stands in the plain standard errors and not in the scores
    factor = wide / np.maximum(np.diag(symmetric_inverse(scores.information)), 1e-300)
    plain = np.where(np.isfinite(outcome.standard_errors), outcome.standard_errors, 0.0)
    return plain * np.sqrt(np.maximum(factor[scores.first_parameter :], 0.0))
