"""Whether the likelihood is the parabola that standard errors come from: looked at where their intervals end.

Two standard errors to either side of every parameter, the others following as the covariance says, log L should have
fallen by 2. All places are evaluated at once, and the other parameters and initial states are put at their best to
first order, so that this costs a small part of a fit. What it finds is a warning; the profile likelihood has the
answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from identikit.likelihood import Outcome, compress, eliminate, linear_heights
from identikit.method._settings import BEND
from identikit.model import Relabelling
from identikit.numerics import Information, best_step
from identikit.problem import Problem
from identikit.result import Finding, finding, listed


@dataclass(frozen=True)
class Places:
    """Parameters [n, free] on both sides of each, which one [n] each place belongs to, and its distance [n] in standard
    errors."""

    p: np.ndarray
    parameter: np.ndarray
    distance: np.ndarray

    @classmethod
    def around(cls, outcome: Outcome, wanted: np.ndarray) -> Places:
        """Of the wanted parameters [free], inside the bounds; not where parameters hardly differ from the estimate, nor
        where there is no standard error."""
        information = Information.of_rows(outcome.information_rows)
        std, covariance = information.standard_errors, information.covariance
        low, high = outcome.iteration.low, outcome.iteration.high
        rows: list[tuple[np.ndarray, int, float]] = []
        for i in np.nonzero(outcome.moves & wanted & np.isfinite(std))[0]:
            for sign in (-1.0, 1.0):
                room = (high[i] - outcome.p[i] if sign > 0 else outcome.p[i] - low[i]) / std[i]
                distance = min(BEND.distance, float(room))
                step = sign * distance * covariance[:, i] / std[i]
                if distance >= BEND.nearest and (np.abs(step) > BEND.telling * np.abs(outcome.p)).any():
                    rows.append((np.clip(outcome.p + step, low, high), int(i), distance))
        free = len(outcome.p)
        return cls(
            np.array([row[0] for row in rows]).reshape(len(rows), free),
            np.array([row[1] for row in rows], int),
            np.array([row[2] for row in rows]),
        )

    def parts(self, size: int) -> Iterator[Places]:
        """So many places at a time."""
        for k in range(0, len(self.p), size):
            part = slice(k, k + size)
            yield Places(self.p[part], self.parameter[part], self.distance[part])


def bent_parameters(outcome: Outcome, wanted: np.ndarray) -> np.ndarray:
    """Which of the wanted parameters [free] have an interval that the curvature of the likelihood misses."""
    bent = np.zeros(len(outcome.p), bool)
    if outcome.iteration.frozen or outcome.iteration.process is not None or not outcome.converged:
        return bent
    places = Places.around(outcome, wanted)
    if not len(places.p):
        return bent
    at_once = max(BEND.samples_at_once // len(outcome.residual), 1)
    drop = np.concatenate([_drops(outcome, part) for part in places.parts(at_once)])
    values = max(int(np.isfinite(outcome.residual).sum()), 1)
    known = np.isfinite(outcome.iteration.segments.noise.known).all()
    expected = places.distance**2 if known else values * np.log1p(places.distance**2 / values)
    with np.errstate(invalid="ignore"):
        ratio = np.sqrt(np.maximum(2 * drop, 0.0) / expected)
    off = ~((ratio > 1 / (1 + BEND.share)) & (ratio < 1 / (1 - BEND.share)))
    bent[places.parameter[off]] = True
    return bent


def _drops(outcome: Outcome, places: Places) -> np.ndarray:
    """By how much log L lies below that of the estimate [n], everything else at its best to first order; NaN where the
    model cannot be integrated."""
    iteration, layout = outcome.iteration, outcome.layout
    segments = iteration.segments
    nodes = np.stack([outcome.nodes + outcome.node_step(p - outcome.p) for p in places.p])
    nodes = nodes if iteration.state_bounds is None else np.clip(nodes, *iteration.state_bounds)
    evaluation = segments(places.p, nodes, outcome.point.evaluation.step)
    sigma = segments.noise.levels(evaluation.residual)
    good = np.nonzero(np.asarray(evaluation.ok) & np.isfinite(sigma).all(axis=-1))[0]
    drop = np.full(len(places.p), np.nan)
    if not len(good):
        return drop
    evaluation, sigma, p, nodes = evaluation.of_set(good), sigma[good], places.p[good], nodes[good]
    tau = BEND.tether * iteration.sizes
    compressed = compress(evaluation, layout, segments.noise, sigma)
    told = iteration.beginnings.rows(p, nodes, tau) if iteration.beginnings else {}
    linear = eliminate(compressed, evaluation, nodes, layout, tau, np.zeros(len(iteration.sizes)), told)
    found = linear_heights(segments.problem, segments.noise, p, evaluation.residual, sigma, linear, compressed.squares)
    for k, place in enumerate(good):
        others = outcome.moves & (np.arange(p.shape[1]) != places.parameter[place])
        room = (iteration.low - p[k])[others], (iteration.high - p[k])[others]
        promise = best_step(found.gradient[k][others], found.information[k][np.ix_(others, others)], *room)[1]
        drop[place] = -0.5 * outcome.misfit - found.value[k] - promise
    return drop


def bend_findings(
    problem: Problem, outcome: Outcome | None, to: Relabelling, identifiable: Sequence[bool]
) -> tuple[Finding, ...]:
    """The warning about those of the identifiable parameters, in the parameters that `to` makes of the outcome's own:
    the others have been refused already."""
    if outcome is None:
        return ()
    wanted = to.unsized(np.array(identifiable, float)) > 0
    bent = to.sizes(bent_parameters(outcome, wanted).astype(float)) > 0
    names = [name for name, is_bent in zip(problem.free, bent, strict=False) if is_bent]
    if not names:
        return ()
    text = (
        f"the likelihood is not a parabola within the interval{'s' if len(names) > 1 else ''} of {listed(names)}, "
        "which may be wrong: take intervals from its profile"
    )
    return (finding("likelihood_bent", text, *names),)
