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

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtrit

from identikit.likelihood import Agreement, Outcome, parts_agreement
from identikit.method._misfit import Misfit
from identikit.method._report import MethodReport
from identikit.method._settings import JUDGEMENT
from identikit.model import Relabelling
from identikit.numerics import Information

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


def widening_of(outcome: Outcome | None, given: MethodReport, misfit: Misfit, to: Relabelling) -> Widening:
    """What speaks against standard errors from the information alone, in the parameters that `to` makes of the
    outcome's own. A method that has standard errors of its own knows what its residuals make of them: there only
    parts that disagree are counted in, since the trajectory's residuals also show the method's own errors.

    `misfit` tells whether residuals are white, and whether they exceed the record's own noise.
    """
    allows = "std allows for coloured residuals"
    if outcome is None:
        none = misfit.white or given.coloured is None
        return Widening(None, "", None) if none else Widening(given.coloured, allows, None, given.coloured)
    likeliest = given.deviation is None
    pattern = likeliest and misfit.pattern
    agreement = parts_agreement(outcome, pattern)
    if agreement is not None and (pattern or not agreement.agree):
        wide = _by_parts(outcome, agreement)
        if len(agreement.parts) < JUDGEMENT.enough_parts:
            wide = np.maximum(wide, sandwich(outcome))
        note = "std includes the spread between parts of the record"
        return Widening(to.sizes(wide), note, _relabelled(agreement, outcome.p, to))
    if misfit.white or not likeliest:
        return Widening(None, "", agreement and _relabelled(agreement, outcome.p, to))
    wide = to.sizes(sandwich(outcome))
    return Widening(wide, allows, agreement and _relabelled(agreement, outcome.p, to), wide)


def _relabelled(agreement: Agreement, p: np.ndarray, to: Relabelling) -> Agreement:
    """The same parts in other, equivalent parameters."""
    parts = tuple(replace(part, change=to(p + part.change) - to(p), std=to.sizes(part.std)) for part in agreement.parts)
    spread, drift, std = to.sizes(agreement.spread), to.sizes(agreement.drift), to.sizes(agreement.std)
    return replace(agreement, parts=parts, spread=spread, drift=drift, std=std)


def _by_parts(outcome: Outcome, agreement: Agreement) -> np.ndarray:
    """Standard errors by the spread of the parts. No part moves a parameter at a bound: its error is what the others'
    spread makes of it, and the rest as much wider as theirs."""
    inside = agreement.std > 0
    count = len(agreement.parts)
    few = stdtrit(count - 2, 0.975) / NORMAL_QUANTILE if count >= JUDGEMENT.enough_parts else 1.0
    wide = np.where(inside, few * agreement.std, 0.0)
    if inside.any() and not inside.all():
        covariance = Information.of_rows(outcome.information_rows).covariance
        own = np.maximum(np.sqrt(np.diag(covariance)), 1e-300)
        alike = (covariance / np.outer(own, own))[:, inside]  # correlations
        follows = alike @ np.linalg.pinv(alike[inside])  # how each goes with those that the parts move
        rest = np.maximum(1.0 - np.sum(follows * alike, axis=1), 0.0)
        wider = np.maximum(wide[inside] / own[inside], 1.0)
        # how parts move the others together is not known: at worst all add up
        wide = np.where(inside, wide, own * (np.abs(follows) @ wider + np.median(wider) * np.sqrt(rest)))
    return np.asarray(wide)


def sandwich(outcome: Outcome) -> np.ndarray:
    """Standard errors robust to coloured residuals; each segment's score counts as one draw.

    Where the scores cannot be had (chaos over many Lyapunov times) zeros are returned: the plain ones then count.
    """
    scores = outcome.scores()
    if scores is None:
        return np.zeros(len(outcome.p))
    wide, plain = scores.covariances()
    # as a factor: what is known beforehand stands in the plain standard errors and not in the scores
    factor = np.diag(wide) / np.maximum(np.diag(plain), 1e-300)
    own = np.where(np.isfinite(outcome.standard_errors), outcome.standard_errors, 0.0)
    return own * np.sqrt(np.maximum(factor, 0.0))
