"""Do the parts of a decay agree on its damping? How far an estimate moves when each part is left out in turn.

A law that is nearly right fits each part of a record with other numbers, and no length of the record averages that
away. The record is cut into a fixed number of contiguous parts. Leaving out part c moves the estimate, to first order,
by

    d_c = -(I - I_c)^-1 s_c,        I = sum of I_c,    I_c = J_c' J_c,    s_c = J_c' r_c,

with J_c the sensitivities of the part's samples to the first states and the parameters, and r_c its residuals. The
delete-a-part jackknife (M. H. Quenouille, Biometrika 43 (1956) 353; J. W. Tukey) takes (g - 1)/g times their sum of
squares as the variance; neighbours that move it the same way count together (W. K. Newey, K. D. West, Econometrica 55
(1987) 703). Since their number is fixed, a drift is not averaged away by a longer record.

This is another question than that of `parts_agreement` in the likelihood, which gives every part a first state of its
own and asks what each would say alone. A law of damping is judged by one trajectory per record, whose segments are
joined already, and what ties its parts together, the amplitude that one hands on to the next, is most of what the
record says of the damping. So here the trajectory stays whole, and what counts is how far its parameters hang on any
one part. Whether the parameters of the likeliest law differ from part to part is asked of the likelihood's parts all
the same (`misfit_refusals`).
"""

from __future__ import annotations

import numpy as np

from identikit.decay._laws import LawFit
from identikit.decay._settings import RANKING
from identikit.diagnose import residual_colour
from identikit.numerics import long_run


def spread_between_parts(fit: LawFit) -> np.ndarray:
    """Standard deviations of the free parameters by the jackknife over parts; NaN for those that a law does not have,
    that stand at a bound, that one part alone tells, or that cannot be told apart."""
    found = np.full(len(fit.p), np.nan)
    free = np.flatnonzero(fit.outcome.moves & ~_at_bound(fit))
    parts = _parts(fit, free)
    if parts is None or not len(free):
        return found
    information = sum((j.T @ j for j, _ in parts), np.zeros((parts[0][0].shape[1],) * 2))
    size = np.sqrt(np.maximum(np.diag(information), 1e-300))
    scaled = information / np.outer(size, size)
    least = float(np.linalg.eigvalsh(scaled)[0])
    if least < RANKING.told_apart:
        return found
    moved = []
    for j, r in parts:
        own = j / size
        left = scaled - own.T @ own
        if np.linalg.eigvalsh(left)[0] < RANKING.told_by_one_part * least:
            continue
        moved.append(-np.linalg.solve(left, own.T @ r) / size)
    if len(moved) < RANKING.fewest_parts:
        return found
    table = np.array(moved)[:, -len(free) :]
    table = table - table.mean(axis=0)
    alone = np.diag(long_run(table, 0))
    together = np.diag(long_run(table, RANKING.part_lag))
    found[free] = np.sqrt((len(table) - 1) / len(table) * np.maximum(alone, together))
    return found


def widened(fit: LawFit, plain: np.ndarray) -> np.ndarray:
    """Standard deviations that allow for what parts disagree by: the jackknife's where it is larger than the plain ones
    beyond chance."""
    if all(residual_colour(column)[0] for column in fit.residual.T):
        return plain  # where nothing but white noise is left over, parts differ by chance alone
    between = spread_between_parts(fit)
    beyond = between > RANKING.parts_disagree * plain
    return np.where(beyond, between, plain)


def _at_bound(fit: LawFit) -> np.ndarray:
    iteration = fit.outcome.iteration
    near = 1e-9 * np.maximum(np.abs(fit.p), 1e-300)
    return np.asarray((fit.p - iteration.low <= near) | (iteration.high - fit.p <= near))


def _parts(fit: LawFit, free: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]] | None:
    """Sensitivities [rows, first states of all records and free parameters] and residuals of every part, in units of
    the noise; None where the sensitivities overflow."""
    point, layout = fit.outcome.point, fit.layout
    evaluation, sigma = point.evaluation, fit.outcome.sigma
    states = point.nodes.shape[1]
    total = layout.chains * states + len(free)
    share = max(RANKING.parts // layout.chains, 1)
    made = []
    for chain in range(layout.chains):
        carry = np.zeros((states, total))
        carry[:, chain * states : (chain + 1) * states] = np.eye(states)
        select = np.zeros((evaluation.slope.shape[-1] - states, total))
        select[free, layout.chains * states + np.arange(len(free))] = 1.0
        rows, left = [], []
        for k in layout.of_chain(chain):
            own = slice(layout.first_sample[k], layout.first_sample[k + 1])
            together = evaluation.slope[own, :, :states] @ carry + evaluation.slope[own, :, states:] @ select
            rows.append(together / sigma[:, None])
            left.append(point.residual[own] / sigma)
            transition = evaluation.transition[k]
            carry = transition[:, :states] @ carry + transition[:, states:] @ select
            if not np.isfinite(carry).all():
                return None
        table, residual = np.concatenate(rows), np.concatenate(left)
        for part in np.array_split(np.arange(len(residual)), share):
            known = np.isfinite(residual[part])
            made.append((table[part][known], residual[part][known]))
    return made
