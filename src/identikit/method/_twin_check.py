"""Whether a method's own standard errors can be believed on this record; if not, they are found on its twins.

A method that smooths, averages or differentiates knows its errors for white noise to first order. Its residuals say
whether that is what the record has: correlated, far-flung or rounded samples and gaps call for twins at once.
Otherwise one pair of draws looks for a bias, since noise in products and in regressors biases without leaving a trace
in the residuals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from identikit.diagnose import residual_colour
from identikit.likelihood import LIKELIHOOD, Outcome, Point, Preparation, Trace
from identikit.measurement import SmoothCurve
from identikit.method._rounding import Rounding
from identikit.method._settings import TWIN
from identikit.method._twin import Estimator, Replicates, Twin
from identikit.problem import Problem
from identikit.progress import Progress
from identikit.result import Finding, finding


@dataclass(frozen=True)
class Corrected:
    """An estimate freed of its bias, its standard errors, and what to say of both."""

    p: np.ndarray
    deviation: np.ndarray
    bias: np.ndarray
    pairs: int
    findings: tuple[Finding, ...]


def reasons(problem: Problem, residual: np.ndarray, curves: Sequence[Sequence[SmoothCurve]]) -> list[str]:
    """Why standard errors for white noise are not to be believed, in words; empty if nothing speaks against them."""
    measured = np.concatenate([record.values for record in problem.records])
    found = []
    for j, name in enumerate(problem.outputs):
        left = residual[:, j]
        known = left[np.isfinite(left)]
        if Rounding.of(measured[:, j], left) is not None:
            found.append(f"{name} is rounded coarsely against its noise")
        elif not residual_colour(left)[0]:
            found.append(f"the residuals of {name} are correlated")
        elif _excess(known) > TWIN.heavy:
            found.append(f"the residuals of {name} have outliers")
        longest, scale = _longest_gap(problem, curves, j)
        if longest > TWIN.gap_share * scale:
            found.append(f"nothing was measured of {name} for {longest:.3g} {problem.model.time_unit}")
    return found


def _excess(values: np.ndarray) -> float:
    """Excess of the fourth moment over that of normal noise."""
    power = float(np.mean(values**2))
    return float(np.mean(values**4)) / power**2 - 3 if power > 0 else 0.0


def _longest_gap(problem: Problem, curves: Sequence[Sequence[SmoothCurve]], output: int) -> tuple[float, float]:
    """The longest gap in an output, 0 if none is longer than usual, and the time scale of its record."""
    longest, scale = 0.0, np.inf
    for record, part in zip(problem.records, curves, strict=True):
        steps = np.diff(record.time[np.isfinite(record.values[:, output])])
        widest = float(steps.max(initial=0.0))
        if len(steps) and widest > TWIN.gap * float(np.median(steps)) and widest > longest:
            longest, scale = widest, part[output].time_scale
    return longest, scale


def checked_by_twin(
    problem: Problem,
    preparation: Preparation,
    outcome: Outcome,
    deviation: np.ndarray,
    estimator: Estimator,
    seed: int,
    progress: Progress,
) -> Corrected | None:
    """The estimate and its errors as twins of the record show them; None if the method's own can stay.

    Arguments:
        preparation, outcome: of the fit of initial states at the method's estimate.
        deviation: the method's own standard errors.
        estimator: the method's own, to be run on twins.
    """
    near = _nearer(outcome)
    why = reasons(problem, near.residual, preparation.curves)
    if not why and not estimator.probes:
        return None
    if not why:
        probe = Twin.of(problem, near.p, near.residual).replicates(estimator.core, 1, seed)
        if probe is not None and _harmless(probe, deviation):
            return None
        why = ["noise biases the method here"]
    progress.stage("twins", 0.0, 1.0, "simulated twins of the record")
    best = _refined(preparation, outcome, progress)
    replicates = None
    if best is not None:
        replicates = Twin.of(problem, best.p, best.residual).replicates(estimator.core, estimator.pairs, seed)
    if replicates is None:
        failed = "the model's motion could not be fitted to it" if best is None else "the method fails on its twins"
        text = f"no interval: {'; '.join(why)}, and what this does to the estimate is not known, since {failed}"
        unknown = np.full(len(deviation), np.nan)
        return Corrected(outcome.p, unknown, 0.0 * outcome.p, 0, (finding("no_interval", text, *problem.free),))
    return _corrected(problem, outcome.p, deviation, replicates, why, estimator.corrects)


def _harmless(probe: Replicates, deviation: np.ndarray) -> bool:
    small = np.abs(probe.bias) <= TWIN.harmless * deviation
    return bool((small & (np.abs(probe.half_difference[0]) <= TWIN.surprising * deviation)).all())


def _nearer(outcome: Outcome) -> Point:
    """Where a few undamped steps of the likelihood lead from the estimate, as long as they lead down.

    A method far less accurate than the record allows leaves a pattern in the residuals, however white the noise is;
    near the best motion that pattern is gone, and one step is all it takes where the estimate is not far off.
    """
    iteration, point = replace(outcome.iteration, frozen=False), outcome.point
    for _ in range(TWIN.steps):
        linear = iteration.linear(point, LIKELIHOOD.tightest_tether, 0.0)
        dp, ds = iteration.step(point, linear, 0.0)
        if iteration.negligible(dp, linear, TWIN.small_step):
            break
        new = iteration.at(point.p + dp, point.nodes + ds, outcome.sigma, Trace(), point)
        if new is None or not new.cost < point.cost:
            break
        point = new
    return point


def _refined(preparation: Preparation, outcome: Outcome, progress: Progress) -> Outcome | None:
    """The motion nearest to the record: that of a biased estimate leaves a misfit, which is not noise."""
    nodes = preparation.nodes(outcome.p)
    found = preparation.solver(nodes).run(outcome.p, nodes, preparation.sigma, progress, most_rounds=TWIN.rounds)
    if found is None or not found.converged:
        return None
    return found if found.misfit < outcome.misfit else outcome


def _corrected(
    problem: Problem, p: np.ndarray, own: np.ndarray, replicates: Replicates, why: Sequence[str], corrects: bool
) -> Corrected:
    """`own` are the method's standard errors, below which those that hold a bias do not fall."""
    bias, deviation = replicates.bias, replicates.deviation
    text = f"standard errors are from {2 * replicates.count} simulated twins of the record: {'; '.join(why)}"
    findings = [finding("errors_from_twins", text, *problem.free)]
    moved = [i for i in range(len(p)) if abs(bias[i]) > TWIN.negligible * deviation[i]]
    names = [problem.free[i] for i in moved]
    if not corrects:
        if names:
            text = f"on simulated twins of the record {', '.join(names)} is biased (counted into std): use shooting"
            findings.append(finding("bias_counted", text, *names))
        return Corrected(p, np.maximum(own, np.hypot(deviation, bias)), bias, replicates.count, tuple(findings))
    if names:
        shifts = ", ".join(f"{problem.free[i]} by {-bias[i]:.2g}" for i in moved)
        text = f"{shifts}: corrected for the method's own bias, as simulated twins of the record show it"
        findings.append(finding("bias_corrected", text, *names))
    return Corrected(np.clip(p - bias, *problem.limits), deviation, bias, replicates.count, tuple(findings))
