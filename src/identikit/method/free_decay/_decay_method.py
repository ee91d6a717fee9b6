"""What the methods for free decays share: objections, starting values, and the way from records to a judged result."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from identikit.errors import SimulationError
from identikit.likelihood import Preparation
from identikit.measurement import SmoothCurve
from identikit.method._base import Method, too_few_samples
from identikit.method._early_end import not_applicable
from identikit.method._judgement import judge
from identikit.method._report import MethodReport
from identikit.method._settings import REGRESSION
from identikit.method._status import SOLVED, STOPPED
from identikit.method._twin import Estimator
from identikit.method.free_decay._settings import DECAY
from identikit.method.multiple_shooting._settings import SHOOTING
from identikit.method.multiple_shooting._start import starts
from identikit.oscillation import OSCILLATION, Oscillator, free_decay_objections, oscillator_of
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress, silent
from identikit.result import Ending, Finding, Result, Verdict, finding
from identikit.simulation import simulate


@dataclass(frozen=True)
class DecayEstimate:
    """What a method makes of the decays of one oscillator.

    Arguments:
        p, std: all free parameters and their standard errors, in the problem's order.
        initial: position and velocity at the first sample of each record [records, 2].
        sigma: noise of the samples of each record.
        converged: whether the method's own fit came to its end.
        started: clock when the starting values were found.
        diagnostics, artifacts, findings: as in a result.
    """

    p: np.ndarray
    std: np.ndarray
    initial: np.ndarray
    sigma: Sequence[float]
    converged: bool
    started: float
    diagnostics: Mapping[str, Any]
    artifacts: Mapping[str, dict[str, Any]]
    findings: tuple[Finding, ...]


class DecayMethod(Method):
    """A method for one oscillation that dies out: it sees the model as an oscillator, and is judged by trajectories."""

    settings = (DECAY, OSCILLATION, SHOOTING, REGRESSION, *Method.settings)

    def objections(self, problem: Problem) -> list[Finding]:
        made = too_few_samples(problem) or oscillator_of(problem)
        if isinstance(made, list):
            return made
        for record in problem.records:
            where = f"record '{record.name}': " if len(problem.records) > 1 else ""
            found = [
                finding("not_a_free_decay", where + text, problem.outputs[made.output])
                for text in free_decay_objections(record.time, record.values[:, made.output])
            ]
            if found:
                return found
        return []

    @abstractmethod
    def decay_estimate(
        self, oscillator: Oscillator, options: Mapping[str, Any], seed: int, progress: Progress
    ) -> DecayEstimate | list[Finding]:
        """The method's own estimate, or why there is none."""

    def estimate(
        self, problem: Problem, *, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Result:
        begun = time.perf_counter()
        made = oscillator_of(problem)
        if isinstance(made, list):
            return not_applicable(problem, self.name, made, options, seed)
        found = self.decay_estimate(made, options, seed, progress.part(0.0, 0.8))
        if isinstance(found, list):
            return not_applicable(problem, self.name, found, options, seed)
        solved = time.perf_counter()
        given = MethodReport(
            self.name,
            {"total": solved - begun, "start": found.started - begun, "solve": solved - found.started},
            options,
            seed,
            deviation=found.std,
            diagnostics=found.diagnostics,
            artifacts=found.artifacts,
            verdict=_verdict(found.converged, progress.stopped),
            findings=found.findings,
            history=False,
        )
        modelled = modelled_curves(made, found.p, found.initial, found.sigma)
        again = Estimator(partial(self.again, options, seed, found.p), DECAY.twin_pairs, probes=False, corrects=False)
        return judge(problem, modelled, found.p, given, progress.part(0.8, 1.0), again)

    def again(self, options: Mapping[str, Any], seed: int, near: np.ndarray, problem: Problem) -> np.ndarray:
        """The estimate from other samples of the same records, started at the one that was found; NaN if none."""
        started = replace(problem, start=dict(zip(problem.free, map(float, near), strict=True)))
        made = oscillator_of(started)
        found = made if isinstance(made, list) else self.decay_estimate(made, options, seed, silent)
        return np.full(len(near), np.nan) if isinstance(found, list) else found.p


def _verdict(converged: bool, stopped: bool) -> Verdict:
    if stopped:
        return STOPPED
    if converged:
        return SOLVED
    text = (
        "the fit to the decay did not converge: the model may not describe this decay; look at the plot, or fix "
        "parameters you know"
    )
    return Verdict(Ending.FAILED, (finding("not_settled", text),))


def starting_values(problem: Problem, seed: int) -> np.ndarray:
    """The user's values, else a regression's, else the model's own, else the middle of the bounds."""
    return next(starts(problem, Preparation.of(problem), seed)).p


def first_states(made: Oscillator, p: np.ndarray, periods: Sequence[float]) -> np.ndarray:
    """Position and velocity at the first sample of each record [records, 2], from a cubic over the first 0.4 periods.

    The end of a smoothing spline would not do: its slope there is mostly noise.
    """
    problem = made.problem
    level = made.reading_at_zero(p)
    found = np.zeros((len(problem.records), 2))
    for index, (record, period) in enumerate(zip(problem.records, periods, strict=True)):
        known = np.isfinite(record.values[:, made.output])
        t, y = record.time[known], record.values[known, made.output]
        count = min(max(int(np.searchsorted(t, t[0] + DECAY.beginning * period)), 8), len(t))
        scaled = (t[:count] - record.time[0]) / (DECAY.beginning * period)
        cubic = np.polynomial.polynomial.polyfit(scaled, y[:count], 3)
        found[index, made.motion.position] = (cubic[0] - level) / made.gain
        found[index, made.motion.velocity] = cubic[1] / made.gain / (DECAY.beginning * period)
    return found


def modelled_curves(
    made: Oscillator, p: np.ndarray, initial: np.ndarray, sigma: Sequence[float]
) -> list[list[SmoothCurve]] | None:
    """Smooth curves through a simulation of the records, to start their fit from; None if it does not follow them."""
    problem = made.problem
    curves = []
    for record, states, own in zip(problem.records, initial, sigma, strict=True):
        try:
            solution = simulate(
                problem.model,
                record.time,
                dict(zip(problem.model.parameter_names, problem.vector(p), strict=True)),
                dict(zip(problem.model.state_names, states, strict=True)),
                record.pieces,
                DECAY.simulation_tolerance,
            )
        except (SimulationError, Cancelled):
            return None
        measured, modelled = record.values[:, made.output], solution.outputs[problem.outputs[made.output]]
        if np.nanstd(measured - modelled) > DECAY.astray * np.nanstd(measured):
            return None  # an initial state a little off may end in another well
        curves.append([SmoothCurve(record.time, solution.outputs[name], own) for name in problem.outputs])
    return curves
