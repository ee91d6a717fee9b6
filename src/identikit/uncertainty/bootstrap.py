"""Intervals from replicates: the estimate repeated on records as they might have been.

Replicates of the record are drawn (`_noise_draws`) and fitted, from the estimate; quantiles of their estimates give the
interval, corrected for median bias and for skewness (BCa). An estimate by maximum likelihood is refitted by the
likelihood, all replicates at once; that of another method by the method itself, one after the other, so that its own
bias shows. Works where curvature does not: skewed estimates, noise of any colour (blocks). Not where an estimate lies
at a bound, since replicates then scatter about the bound and not about the truth, nor where the record cannot tell a
parameter at all (profile, for both).

Reference: B. Efron, R. J. Tibshirani, An Introduction to the Bootstrap, Chapman & Hall 1993, chapters 13 and 14.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from identikit.errors import OptionError
from identikit.method import Option, method_named
from identikit.progress import Cancelled, Progress, silent
from identikit.result import Finding, finding
from identikit.uncertainty._base import Fitted, Intervals, Uncertainty
from identikit.uncertainty._noise_draws import KINDS, NoiseDraws
from identikit.uncertainty._settings import UNCERTAINTY

AUTO = "auto"
TAILS = (0.025, 0.975)  # of a 95 % interval


class Bootstrap(Uncertainty):
    """The fit repeated on replicates of the record, with noise drawn anew: parametric, residual or block."""

    name = "bootstrap"
    title = "Refitted replicates of the record"
    reference = "B. Efron, R. J. Tibshirani, An Introduction to the Bootstrap, Chapman & Hall 1993"
    options = (
        Option("kind", KINDS[0], "choice", "where the noise of replicates comes from", choices=KINDS),
        Option("replicates", 200, "integer", "records drawn and fitted", UNCERTAINTY.fewest_settled, 100_000),
        Option("block", AUTO, "integer", "samples of a block; auto: by the residuals' correlation", 1, choices=(AUTO,)),
    )

    @classmethod
    def check(cls, options: Mapping[str, Any], free: Sequence[str]) -> None:
        if options["block"] != AUTO and options["kind"] != "block":
            raise OptionError(
                f"block={options['block']} is for kind=block, and kind is {options['kind']}: leave one out"
            )

    def intervals(
        self, fitted: Fitted, *, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Intervals:
        block = None if options["block"] == AUTO else int(options["block"])
        draws = NoiseDraws(fitted, options["kind"], block)
        progress = progress.stage("bootstrap", 0.0, 1.0, "drawing replicates")
        random = np.random.default_rng(seed)
        likeliest = method_named(fitted.result.method).likeliest
        refit = _by_likelihood if likeliest else _by_method
        p, settled = refit(fitted, draws, int(options["replicates"]), random, progress)
        kept = p[settled]
        facts: dict[str, Any] = {
            "replicates": len(p),
            "settled": int(settled.sum()),
            "refitted_by": "likelihood" if likeliest else fitted.result.method,
            "detail": f"{int(settled.sum())} {options['kind']} ones",
        }
        if options["kind"] == "block":
            facts["block_length"] = draws.block_length
        findings = _findings(fitted, settled)
        if len(kept) < UNCERTAINTY.fewest_settled:
            none = np.full(len(fitted.p), np.nan)
            return Intervals(none, np.stack([none, none], axis=1), facts=facts, findings=findings)
        facts["bias"] = dict(zip(fitted.problem.free, (kept.mean(axis=0) - fitted.p).tolist(), strict=True))
        return Intervals(
            kept.std(axis=0, ddof=1),
            _ends(fitted, kept, likeliest),
            np.atleast_2d(np.cov(kept.T)),
            facts=facts,
            findings=findings,
            artifacts={"bootstrap": _artifact(fitted, kept)},
        )


def _by_likelihood(
    fitted: Fitted, draws: NoiseDraws, count: int, random: np.random.Generator, progress: Progress
) -> tuple[np.ndarray, np.ndarray]:
    """All replicates by the likelihood, many at once; parameters [count, free] and which of them settled."""
    likelihood = fitted.likelihood
    samples = sum(record.values.size for record in fitted.problem.records)
    most = max(1, int(UNCERTAINTY.draws_bytes / (8 * samples)))
    found = []
    for first in range(0, count, most):
        last = min(first + most, count)
        part = progress.part(first / count, last / count)
        found.append(likelihood.refitted(fitted.p, draws(last - first, random), part))
        if progress.stopped:
            raise Cancelled
    return np.concatenate([part.p for part in found]), np.concatenate([part.settled for part in found])


def _by_method(
    fitted: Fitted, draws: NoiseDraws, count: int, random: np.random.Generator, progress: Progress
) -> tuple[np.ndarray, np.ndarray]:
    """The method itself on every replicate."""
    problem, result = fitted.problem, fitted.result
    method = method_named(result.method)
    options = method.resolve_options(result.provenance["options"])
    ends = np.cumsum([len(record.time) for record in problem.records])[:-1]
    p = np.full((count, len(fitted.p)), np.nan)
    for k in range(count):
        if progress(k / count, f"replicate {k + 1} of {count} by {method.name}") is False:
            raise Cancelled
        values = np.split(draws(1, random)[0], ends)
        records = [replace(record, values=own) for record, own in zip(problem.records, values, strict=True)]
        made = method.run(problem.with_records(records), options=options, seed=k)
        found = [made.parameters[name].value for name in problem.free]
        p[k] = [np.nan if value is None else value for value in found]
    return p, np.isfinite(p).all(axis=1)


def _ends(fitted: Fitted, draws: np.ndarray, likeliest: bool) -> np.ndarray:
    """Quantiles [free, 2] of the replicates, corrected for median bias and for the skewness of what parts of the record
    pull (BCa); as they are where replicates lie on a bound, since there the correction does not hold."""
    low, high = fitted.problem.limits
    scores = fitted.scores if likeliest else None
    pulls = np.zeros((1, len(fitted.p))) if scores is None else scores.influence()
    size = np.sum(pulls**2, axis=0)
    skewness = np.sum(pulls**3, axis=0) / np.maximum(6 * size**1.5, 1e-300)
    ends = np.empty((len(fitted.p), 2))
    for i, column in enumerate(draws.T):
        shares = np.array(TAILS)
        if np.mean((column <= low[i]) | (column >= high[i])) < TAILS[0]:
            below = np.mean(column < fitted.p[i]) + 0.5 * np.mean(column == fitted.p[i])
            bias = ndtri(np.clip(below, 0.5 / len(column), 1 - 0.5 / len(column)))
            # one that may be chance would be counted twice, as a shift of both quantiles
            bias = bias if abs(below - 0.5) > UNCERTAINTY.median_chance / math.sqrt(len(column)) else 0.0
            moved = bias + ndtri(shares)
            shares = ndtr(bias + moved / (1 - skewness[i] * moved))
        ends[i] = np.quantile(column, shares, method="weibull")
    return ends


def _findings(fitted: Fitted, settled: np.ndarray) -> tuple[Finding, ...]:
    lost = 1 - float(settled.mean())
    if lost <= UNCERTAINTY.unsettled:
        return ()
    text = f"{lost:.0%} of the {len(settled)} replicates did not come to an estimate and are left out"
    if settled.sum() < UNCERTAINTY.fewest_settled:
        text = f"{text}: too few are left for intervals"
    return (finding("replicates_unsettled", text, *fitted.problem.free),)


def _artifact(fitted: Fitted, draws: np.ndarray) -> dict[str, Any]:
    kept = draws[: UNCERTAINTY.most_kept_draws]
    return {
        "kind": "draws",
        "what": "bootstrap",
        "parameters": {name: kept[:, i] for i, name in enumerate(fitted.problem.free)},
    }
