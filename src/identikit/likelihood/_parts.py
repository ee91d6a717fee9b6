"""Do the parts of a record agree? Each part's own estimate, and how far the parameters differ between parts.

The record is cut into contiguous parts, each with an initial state of its own. With the sensitivities at the estimate
the nodes of each part are eliminated apart from the others, which leaves rows in the parameters alone,

    A_j (d + s_j c + u_j) = b_j + e_j,    e_j ~ N(0, 1),    u_j ~ N(0, T), T diagonal

d the common change of the parameters, c their drift along s_j (the part's amplitude or time, of mean zero and mean
square one), u_j what else part j has of its own. If the model is right c and all u_j are zero, and what own estimates
gain over a common one is chi-squared. If it is only nearly right (a term is missing, something warms up) they differ
from part to part; T is found by restricted maximum likelihood (EM). A part that cannot tell a parameter borrows it from
the others, which is why T is not the scatter of separate fits.

What fluctuates from part to part is averaged by a long record: it enters the variance of d by generalised least
squares. A drift is not averaged away: another record would have another mean of s. Its square is added as it stands.

Reference: N. M. Laird, J. H. Ware, Biometrics 38 (1982) 963 (random effects by EM).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from identikit.likelihood._compression import compress
from identikit.likelihood._elimination import eliminate, triangular
from identikit.likelihood._layout import Layout
from identikit.likelihood._settings import LIKELIHOOD
from identikit.likelihood._solver import Outcome
from identikit.measurement import chi_squared_tail
from identikit.numerics import column_sizes, present_mean, pseudo_inverse, standard_errors, symmetric_inverse


@dataclass(frozen=True)
class Part:
    """One part: which record, from when to when, how large the motion is in it (rms [outputs] about the record's own
    mean), and what it says by itself, in the light of the others: `change` [free] from the estimate, `std` [free]."""

    record: int
    begin: float
    end: float
    amplitude: np.ndarray
    change: np.ndarray
    std: np.ndarray


@dataclass(frozen=True)
class Agreement:
    """Whether parts agree.

    Arguments:
        parts: in the order of the records.
        p_value: probability of so much difference between the parts if they did agree.
        along: what the drift is measured along, "amplitude" or "time".
        spread: [free] standard deviation between parts beyond the drift.
        drift: [free] change of the parameters with one standard deviation of `along` between the parts; beyond chance.
        std: [free] standard error of the parameters by the parts alone, drift included; zero where nothing is known.
    """

    parts: tuple[Part, ...]
    p_value: float
    along: str
    spread: np.ndarray
    drift: np.ndarray
    std: np.ndarray

    @property
    def agree(self) -> bool:
        return self.p_value > LIKELIHOOD.parts_alpha


def parts_agreement(outcome: Outcome, suspected: bool = False) -> Agreement | None:
    """Compare the parts of the records that a fit was made of; None where there are fewer than two that tell anything.

    Costs no integration: everything follows from what was evaluated at the estimate. Parameters at a bound stay there.
    Parts that agree have neither spread nor drift, unless it is `suspected` that the model misses something.
    """
    layout = outcome.layout
    owner = _cut(layout, outcome)
    inside = outcome.moves & (outcome.p > outcome.iteration.low) & (outcome.p < outcome.iteration.high)
    if owner.max() < 1 or not inside.any():
        return None
    rows = _part_rows(outcome, replace(layout, chain=owner))
    slopes = [part[:, :-1][:, inside] for part in rows]
    sizes = column_sizes(np.concatenate(slopes))
    height = max(len(part) for part in rows)
    a, b = np.zeros((len(rows), height, len(sizes))), np.zeros((len(rows), height))
    for j, (slope, part) in enumerate(zip(slopes, rows, strict=True)):
        a[j, : len(part)], b[j, : len(part)] = slope / sizes, part[:, -1]
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        return None
    places = [_place(outcome, owner == j) for j in range(int(owner.max()) + 1)]
    along, position = _position(places)
    p_value = _homogeneity(a, b)
    agree = p_value > LIKELIHOOD.parts_alpha and not suspected
    effects = None if agree else _random_effects(a, b, position)
    own = _alone(a, b) if effects is None else effects.own(a, b)
    nothing = np.zeros(len(sizes))

    def full(values: np.ndarray) -> np.ndarray:
        found = np.zeros(len(outcome.p))
        found[inside] = values / sizes
        return found

    parts = tuple(Part(*place, full(change), full(std)) for place, change, std in zip(places, *own, strict=True))
    if effects is None:
        return Agreement(parts, p_value, along, full(nothing), full(nothing), full(nothing))
    std = np.hypot(effects.std, effects.drift)
    return Agreement(parts, p_value, along, full(effects.spread), full(effects.drift), full(std))


def _cut(layout: Layout, outcome: Outcome) -> np.ndarray:
    """Which part [segments] each segment belongs to: equally many segments each, never across a chain.

    A part must be able to tell the parameters: some oscillations, and some values for each unknown.
    """
    unknowns = outcome.nodes.shape[1] + len(outcome.p)
    present = np.isfinite(outcome.residual).any(axis=1)
    owner, number = np.zeros(len(layout.begin), int), 0
    whole = max(layout.chains, 1)
    for chain in range(layout.chains):
        own = layout.of_chain(chain)
        first, last = layout.first_sample[own[0]], layout.first_sample[own[-1] + 1]
        values = int(present[first:last].sum())
        count = min(
            len(own) // LIKELIHOOD.part_segments,
            values // (LIKELIHOOD.part_values * unknowns),
            max(LIKELIHOOD.most_parts // whole, 1),
        )
        count = max(count, 1)
        owner[own] = number + np.arange(len(own)) * count // len(own)
        number += count
    return owner


def _part_rows(outcome: Outcome, layout: Layout) -> list[np.ndarray]:
    """Rows [m, free + 1] of every part in the parameters alone."""
    iteration, point = outcome.iteration, outcome.point
    compressed = point.compressed
    if compressed.across is not None:  # noise does not remember what was before the part
        compressed = compress(point.evaluation, layout, iteration.segments.noise, outcome.sigma)
    tau = LIKELIHOOD.tightest_tether * iteration.sizes
    told = iteration.beginnings.rows(point.p, point.nodes, tau) if iteration.beginnings else {}
    states = len(iteration.sizes)
    linear = eliminate(compressed, point.evaluation, point.nodes, layout, tau, np.zeros(states), told)
    return [triangular(first[states:, states:]) for first in linear.first]


def _homogeneity(a: np.ndarray, b: np.ndarray) -> float:
    """p-value of what own estimates gain over a common one: chi-squared, a degree for every further estimate."""
    common, rank = _least_squares(a.reshape(-1, a.shape[-1]), b.ravel())
    own = [_least_squares(*part) for part in zip(a, b, strict=True)]
    gain, degrees = common - sum(rss for rss, _ in own), sum(n for _, n in own) - rank
    return 1.0 if degrees <= 0 else chi_squared_tail(max(gain, 0.0), degrees)


def _least_squares(a: np.ndarray, b: np.ndarray) -> tuple[float, int]:
    """Least sum of squares, and how many unknowns it took."""
    solution, _, rank, _ = np.linalg.lstsq(a, b, rcond=LIKELIHOOD.part_floor)
    return float(np.sum((a @ solution - b) ** 2)), int(rank)


def _alone(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every part's own change and its standard error [parts, free], by its own rows."""
    change = [np.linalg.lstsq(*part, rcond=LIKELIHOOD.part_floor)[0] for part in zip(a, b, strict=True)]
    return np.array(change), np.array([standard_errors(rows) for rows in a])


@dataclass(frozen=True)
class _Effects:
    """What is common to the parts and what is not, in scaled parameters.

    Arguments:
        design: [parts, free, unknowns] what the common change and the drift make of each part's parameters.
        fixed, covariance: of these unknowns.
        spread: [free] between the parts.
    """

    design: np.ndarray
    fixed: np.ndarray
    covariance: np.ndarray
    spread: np.ndarray

    @classmethod
    def at(cls, a: np.ndarray, b: np.ndarray, design: np.ndarray, spread: np.ndarray) -> _Effects:
        """Common change and drift by generalised least squares, for a given spread."""
        weight = _weights(a, spread)
        rows = a @ design
        weighted = np.swapaxes(rows, 1, 2) @ weight
        covariance = symmetric_inverse((weighted @ rows).sum(axis=0))
        return cls(design, covariance @ np.einsum("jum,jm->u", weighted, b), covariance, spread)

    @property
    def std(self) -> np.ndarray:
        """Standard errors of the common change."""
        return np.sqrt(np.maximum(np.diag(self.covariance)[: len(self.spread)], 0.0))

    @property
    def drift(self) -> np.ndarray:
        """Less what chance alone would give of it."""
        free = len(self.spread)
        if len(self.fixed) == free:
            return self.spread  # too few parts to tell a drift from fluctuations: all of it may be one
        found, chance = self.fixed[free:], np.diag(self.covariance)[free:]
        return np.sign(found) * np.sqrt(np.maximum(found**2 - chance, 0.0))

    def own(self, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Every part's own change and its standard error [parts, free], in the light of the others."""
        mean = self.design @ self.fixed
        gain = self._gain(a)
        change = mean + np.einsum("jfm,jm->jf", gain, b - np.einsum("jmf,jf->jm", a, mean))
        # restricted likelihood: the mean is an estimate too, and errs in common with the part
        rest = np.eye(len(self.spread)) - gain @ a
        return change, np.sqrt(np.maximum(self._variance(rest * self.spread**2, rest), 0.0))

    def second_moment(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Expected square [free] of what a part has of its own, on the average."""
        gain = self._gain(a)
        own = np.einsum("jfm,jm->jf", gain, b - np.einsum("jmf,jf->jm", a, self.design @ self.fixed))
        prior = self.spread**2
        variance = self._variance(np.diag(prior) - gain @ (a * prior), gain @ a)
        return np.asarray(np.mean(own**2 + variance, axis=0))

    def _gain(self, a: np.ndarray) -> np.ndarray:
        """How what a part has of its own follows its rows."""
        return np.asarray(self.spread[:, None] ** 2 * np.swapaxes(a, 1, 2) @ _weights(a, self.spread))

    def _variance(self, own: np.ndarray, lever: np.ndarray) -> np.ndarray:
        """Diagonals of `own` [parts, free, free] and of what the fixed unknowns' errors do by `lever`."""
        common = lever @ self.design
        return np.asarray(np.einsum("jff->jf", own) + np.einsum("jfu,uv,jfv->jf", common, self.covariance, common))


def _weights(a: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """Inverse covariance [parts, m, m] of the rows: noise of one, and the spread between the parts."""
    return np.asarray(np.linalg.inv(np.eye(a.shape[1]) + (a * spread**2) @ np.swapaxes(a, 1, 2)))


def _random_effects(a: np.ndarray, b: np.ndarray, positions: np.ndarray) -> _Effects:
    """Common change, drift and spread between the parts."""
    parts, _, free = a.shape
    design = np.tile(np.eye(free), (parts, 1, 1))
    if parts >= LIKELIHOOD.fewest_drifting:
        design = np.concatenate([design, positions[:, None, None] * design], axis=2)
    # begun wide: EM comes down fast from a large spread and creeps up from a small one
    inverse = pseudo_inverse(a.reshape(-1, free), LIKELIHOOD.part_floor)  # what no part tells has no spread
    spread = np.sqrt(np.maximum(LIKELIHOOD.first_part_spread * parts * np.sum(inverse**2, axis=1), 1e-300))
    effects = _Effects.at(a, b, design, spread)
    for _ in range(LIKELIHOOD.part_rounds):
        changed = np.sqrt(effects.second_moment(a, b))
        done = bool(np.all(np.abs(changed - effects.spread) <= LIKELIHOOD.part_settled * effects.spread))
        effects = _Effects.at(a, b, design, changed)
        if done:
            break
    return effects


def _place(outcome: Outcome, segments: np.ndarray) -> tuple[int, float, float, np.ndarray]:
    """Record, begin, end and amplitude of a part."""
    layout, model = outcome.layout, outcome.iteration.segments
    own = np.nonzero(segments)[0]
    record = int(layout.record[own[0]])
    mine = np.nonzero(layout.record == record)[0]
    whole = model.measured[layout.first_sample[mine[0]] : layout.first_sample[mine[-1] + 1]]
    values = model.measured[layout.first_sample[own[0]] : layout.first_sample[own[-1] + 1]]
    amplitude = np.sqrt(present_mean((values - present_mean(whole)) ** 2))
    return record, float(layout.begin[own[0]]), float(layout.end[own[-1]]), amplitude


def _position(places: list[tuple[int, float, float, np.ndarray]]) -> tuple[str, np.ndarray]:
    """What may drive a drift, and where each part stands along it: mean zero, mean square one."""
    amplitude = np.log(np.maximum([place[3].max() for place in places], 1e-300))
    varies = np.ptp(amplitude) > np.log(LIKELIHOOD.amplitude_varies)
    value = amplitude if varies else np.array([0.5 * (place[1] + place[2]) for place in places])
    centred = value - value.mean()
    size = float(np.sqrt(np.mean(centred**2)))
    return ("amplitude" if varies else "time"), centred / (size or 1.0)
