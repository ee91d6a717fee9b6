"""Kalman smoother: states and parameters together, with noise on the states' rates where the record asks for it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from identikit.likelihood import Preparation, Trace, scale_like
from identikit.method._base import Cost, Method, no_motion, too_few_samples
from identikit.method._conclusion import conclude_from
from identikit.method._early_end import not_applicable, not_started
from identikit.method._option import Option
from identikit.method._report import MethodReport
from identikit.method._settings import REGRESSION
from identikit.method.filtering._averaged_record import averaged
from identikit.method.filtering._blocks import blocks_of
from identikit.method.filtering._drift_report import with_drift
from identikit.method.filtering._estimation import begin, explains, loosely, to_the_end
from identikit.method.filtering._kalman_evidence import kalman_evidence, told_of_noise
from identikit.method.filtering._levels import OpenLevels
from identikit.method.filtering._settings import KALMAN
from identikit.method.filtering._smoother import Smoothed
from identikit.method.filtering._unscented_evidence import unscented_evidence
from identikit.method.multiple_shooting._settings import SHOOTING
from identikit.method.multiple_shooting._start import Start, starts
from identikit.model import symbol
from identikit.problem import NoiseKind, Problem
from identikit.progress import Cancelled, Progress, silent
from identikit.result import Finding, Result, finding


class Kalman(Method):
    """Smoothed states and parameters at once, by the iterated extended Kalman smoother.

    What moves the system and is not among its inputs (wind, shocks, an unmodelled drive) is process noise, whose level
    the innovations tell; it may be none, and then this is maximum likelihood for one trajectory, as shooting. Assumes
    white noise on the outputs. Not for noise that comes as a few large events, nor where samples are so sparse that
    a whole oscillation lies between them.
    """

    name = "kalman"
    title = "Iterated extended Kalman smoother for states and parameters"
    costs = Cost.SECONDS
    process_noise = True
    settings = (KALMAN, SHOOTING, REGRESSION, *Method.settings)
    reference = "B. M. Bell, The iterated Kalman smoother as a Gauss-Newton method, SIAM J. Optim. 4 (1994) 626-636"
    options = (
        Option(
            "filter",
            "extended",
            "choice",
            "extended: derivatives, iterated; unscented: points about the mean, one pass from where the other ended",
            choices=("extended", "unscented"),
        ),
        Option(
            "process",
            "auto",
            "choice",
            "process noise where the problem says nothing: its level found from the innovations (auto), or none",
            choices=("auto", "none"),
        ),
        Option("drift", "", "names", "free parameters that drift: curves with bands instead of numbers"),
    )

    def objections(self, problem: Problem) -> list[Finding]:
        return too_few_samples(problem) + _coloured(problem)

    def estimate(
        self, problem: Problem, *, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Result:
        begun = time.perf_counter()
        progress.stage("smoothing", 0.0, 0.1, "smoothing the record")
        drift = options["drift"].split(",") if options["drift"] else []
        posed, problem = problem, problem.drifting(drift)
        fewer = averaged(problem)
        preparation = Preparation.of(fewer.problem, fewer.curves)
        if not preparation.shows_motion:
            return not_applicable(posed, self.name, [no_motion()], options, seed)
        preparation = replace(preparation, layout=blocks_of(fewer.problem, KALMAN.most_blocks))
        started = time.perf_counter()
        solving = progress.stage("solving", 0.1, 0.9, "starting values")
        trace = Trace()
        seek = options["process"] == "auto" and not posed.process
        best = _best(preparation, fewer.noise, seed, seek, solving, trace)
        if best is None:
            return not_started(posed, self.name, options, seed)
        solved = time.perf_counter()
        progress.stage("judging", 0.9, 1.0, "uncertainty and innovations")
        evident = kalman_evidence if options["filter"] == "extended" else unscented_evidence
        evidence = evident(problem, best, fewer.noise, trace)
        given = MethodReport(
            self.name,
            {"total": solved - begun, "start": started - begun, "solve": solved - started},
            options,
            seed,
            diagnostics=told_of_noise(best),
        )
        result = with_drift(conclude_from(problem, evidence, given), posed, best, drift)
        return replace(result, seconds={**result.seconds, "total": time.perf_counter() - begun})


def _coloured(problem: Problem) -> list[Finding]:
    """The objection to noise that the filter does not know."""
    other = [n for n, item in problem.noise.items() if item.kind not in (NoiseKind.AUTO, NoiseKind.WHITE)]
    if not other:
        return []
    kind = problem.noise[other[0]].kind.value
    text = f"the noise of {', '.join(other)} is said to be {kind}, and a filter knows white noise alone: use shooting"
    return [finding("needs_white_noise", text, *other)]


def _best(
    preparation: Preparation, noise: np.ndarray, seed: int, seek: bool, progress: Progress, trace: Trace
) -> Smoothed | None:
    """The smoothed states and parameters from the first start that explains the record, else from the best."""
    problem = preparation.problem
    best: Smoothed | None = None
    wanted = _levels_to_find(preparation, seek)
    intensity = np.array([_told(problem, name) for name in problem.model.state_names])
    attempts = progress.attempts()
    for index, start in enumerate(_starts(problem, preparation, seed)):
        if index == KALMAN.most_starts:
            break
        try:
            first = begin(preparation, start.p, intensity, noise, trace)
            if first is None:
                continue
            part = next(attempts)
            loose = loosely(first, part, trace)
            if _astray(problem, loose.p) and index == 0 and not loose.stopped:
                continue
            found = to_the_end(loose, wanted, noise, part, trace)
        except Cancelled:
            if best is None:
                raise
            return replace(best, stopped=True)
        if best is None or _rank(found) < _rank(best):
            best = found
        if best.stopped or explains(best, noise):
            break
    return best


def _astray(problem: Problem, p: np.ndarray) -> bool:
    """Whether a parameter that may be of any size went to a bound: from there hardly anything leads back."""
    low, high = problem.limits
    near = (p <= KALMAN.astray * low) | (p >= high / KALMAN.astray)
    return bool((scale_like(low, high) & near).any())


def _rank(found: Smoothed) -> tuple[bool, float]:
    return not found.converged, found.misfit


def _starts(problem: Problem, preparation: Preparation, seed: int) -> Iterator[Start]:
    """Given values, else the model's own, which the loose blocks lead on from; then those that take longer to find."""
    usual = [problem.start.get(name, problem.model.parameter(name).value) for name in problem.free]
    if all(value is not None for value in usual):
        low, high = problem.limits
        own = np.clip(np.array(usual, float), low, high)
        yield Start(own, "given" if problem.start else "the model's own values")
        scales = scale_like(low, high)
        if scales.any():
            # where friction turns at too small a speed, nothing tells the search that it should be larger
            middle = np.sqrt(np.where(scales, low, 1.0) * np.where(scales, high, 1.0))
            yield Start(np.where(scales, middle, own), "the middle of wide bounds")
    yield from starts(problem.without_start() if problem.start else problem, preparation, seed)


def _told(problem: Problem, state: str) -> float:
    noise = problem.process.get(state)
    return 0.0 if noise is None or noise.level is None else noise.level


def _levels_to_find(preparation: Preparation, seek: bool) -> OpenLevels:
    """States whose level is open: those asked for, and, if they may be sought, all whose equation is not x' = v."""
    problem = preparation.problem
    model = problem.model
    asked = {i for i, n in enumerate(model.state_names) if n in problem.process and problem.process[n].level is None}
    if seek:
        plain = {symbol(name) for name in model.state_names}
        asked |= {i for i in range(len(model.states)) if not (model.symbolic and model.equations[i] in plain)}
    scale = float(np.median([curve.time_scale for part in preparation.curves for curve in part]))
    start = preparation.nodes(np.array([_middle(problem, name) for name in problem.free]))
    return OpenLevels(sorted(asked), preparation.solver(start).sizes / np.sqrt(scale))


def _middle(problem: Problem, name: str) -> float:
    value = problem.start.get(name, problem.model.parameter(name).value)
    low, high = problem.bounds[name]
    return float(np.clip(1.0 if value is None else value, low, high))
