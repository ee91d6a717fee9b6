"""Damping from the envelope of a free decay: measured and simulated envelope are made alike."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from identikit.method._base import Cost, Need
from identikit.method._option import Option
from identikit.method.free_decay._decay_method import DecayEstimate, DecayMethod, first_states, starting_values
from identikit.method.free_decay._envelope_fit import EnvelopeFit, EnvelopeProblem
from identikit.method.free_decay._settings import ENVELOPE
from identikit.oscillation import AnalyticSignal, Oscillator
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress
from identikit.result import Finding, finding


class Envelope(DecayMethod):
    """The envelope of the record (modulus of its analytic signal) is matched by that of a simulation, passed through
    the same processing.

    For one oscillation that dies out, with any restoring force and any damping; only the position is needed. The
    initial state is fitted too, and the phase tells free stiffnesses. A stiffness that was fixed slightly wrong does
    little harm, since the envelope does not see the phase. Not for driven motion, for fewer than three oscillations,
    nor for several oscillations at once.
    """

    name = "envelope"
    title = "Envelope matching (Hilbert transform)"
    needs = (Need.EQUATIONS, Need.ONE_DEGREE, Need.FREE_DECAY)
    costs = Cost.SECONDS
    settings = (ENVELOPE, *DecayMethod.settings)
    reference = (
        "M. Feldman, Non-linear system vibration analysis using Hilbert transform I: free vibration analysis method "
        "'FREEVIB', Mechanical Systems and Signal Processing 8 (1994) 119-127; search as in the pendulum report"
    )
    options = (
        Option(
            "scale", "linear", "choice", "of the envelope; linear weighs additive noise right",
            choices=("linear", "log"),
        ),
        Option("smoothing", 1.0, "number", "averaging window in periods; 0 = none", 0, 4),
        Option(
            "mask", 0.0, "number", "envelope below so many noise levels is left out; 0 = 25 (log) or 2 (linear)",
            0, 1e6,
        ),
        Option(
            "initial", "fitted", "choice", "initial state: fitted, or known: as the problem says, else as the model's "
            "example experiment has it; fitted after all if the record contradicts that", choices=("fitted", "known"),
        ),
    )  # fmt: skip

    def decay_estimate(
        self, oscillator: Oscillator, options: Mapping[str, Any], seed: int, progress: Progress
    ) -> DecayEstimate | list[Finding]:
        problem = oscillator.problem
        progress.stage("smoothing", 0.0, 0.1, "envelope of the record")
        log = options["scale"] == "log"
        floor = options["mask"] or (ENVELOPE.mask_log if log else ENVELOPE.mask_linear)
        signals = [
            AnalyticSignal.of(record.time, record.values[:, oscillator.output], options["smoothing"], floor)
            for record in problem.records
        ]
        if min(len(signal.rows) for signal in signals) < ENVELOPE.fewest_rows:
            text = "too little of the envelope stands clear of the noise: lower mask, or start with a larger swing"
            return [finding("too_little_above_noise", text)]
        solving = progress.stage("solving", 0.1, 1.0, "starting values")
        start = starting_values(problem, seed)
        initial = first_states(oscillator, start, [signal.period for signal in signals])
        started = time.perf_counter()
        told = _told_states(problem, options["initial"] == "known")
        fit, how, doubts = _fitted(oscillator, signals, start, initial, told, log, solving, seed)
        level_std = signals[0].sigma / np.sqrt(len(signals[0].at))
        p, std = oscillator.with_offset(fit.p, fit.std, fit.level, level_std)
        return DecayEstimate(
            p,
            std,
            fit.initial,
            [signal.sigma for signal in signals],
            fit.converged,
            started,
            _diagnostics(oscillator, signals, fit, how),
            _artifacts(oscillator, signals, fit),
            (*doubts, *_findings(fit, log)),
        )


def _fitted(
    made: Oscillator, signals: Sequence[AnalyticSignal], start: np.ndarray, initial: np.ndarray,
    told: np.ndarray | None, log: bool, progress: Progress, seed: int,
) -> tuple[EnvelopeFit, str, tuple[Finding, ...]]:  # fmt: skip
    """The fit, where the initial states come from, and what to say of that."""
    work = EnvelopeProblem(made, signals, start, initial, log)
    if len(made.dampings) == 1:
        searched = work.searched(next(iter(made.dampings)), progress.part(0.1, 0.3))
        work = EnvelopeProblem(made, signals, searched, initial, log)
    fit = work.solve(progress.part(0.3, 0.7), seed)
    if told is None or not fit.converged:
        return fit, "fitted", ()
    off = (fit.initial - told).ravel()
    chi = float(off @ np.linalg.pinv(fit.initial_covariance, rcond=1e-12, hermitian=True) @ off)
    if chi > ENVELOPE.contradicted * len(signals):
        text = "the record contradicts the given initial states, so they were fitted"
        return fit, "fitted: the record contradicts the given ones", (finding("initial_state_contradicted", text),)
    work = EnvelopeProblem(made, signals, fit.p, told, log, known=True)
    try:
        return work.solve(progress.part(0.7, 1.0), seed), "given", ()
    except Cancelled:
        return fit, "fitted", ()


def _told_states(problem: Problem, example: bool) -> np.ndarray | None:
    """Initial states [records, states] that the problem knows or, if asked for, the example experiment's."""
    told = [[item.value if item.known else None for item in record.values()] for record in problem.initial]
    if all(isinstance(value, float) for record in told for value in record):
        return np.array(told, float)
    if not example or problem.model.ready is None:
        return None
    states = [problem.model.ready.initial.get(name, 0.0) for name in problem.model.state_names]
    return np.tile(states, (len(problem.records), 1))


def _findings(fit: EnvelopeFit, log: bool) -> tuple[Finding, ...]:
    if log or fit.misfit <= 3:
        return ()
    text = (
        f"the envelope is {fit.misfit:.2g} times as far off the model as the noise explains: the damping law is not "
        "the right one, or something else moves the record"
    )
    return (finding("damping_law_doubtful", text),)


def _diagnostics(made: Oscillator, signals: Sequence[AnalyticSignal], fit: EnvelopeFit, how: str) -> dict[str, Any]:
    return {
        "period": [signal.period for signal in signals],
        "rows": [len(signal.rows) for signal in signals],
        "used_until": [float(signal.rows[-1]) for signal in signals],
        "initial_states": how,
        "damping_laws": {name: law for name, (law, _) in made.dampings.items()},
        "envelope_misfit": fit.misfit,
        "evaluations": fit.evaluations,
    }


def _artifacts(made: Oscillator, signals: Sequence[AnalyticSignal], fit: EnvelopeFit) -> dict[str, dict[str, Any]]:
    artifacts: dict[str, dict[str, Any]] = {}
    problem = made.problem
    output = problem.outputs[made.output]
    for record, signal, z in zip(problem.records, signals, fit.z, strict=True):
        artifacts[f"envelope, {record.name}"] = {
            "kind": "table",
            "what": "envelope",
            "record": record.name,
            "output": output,
            "unit": problem.model.output(output).unit,
            "time_unit": problem.model.time_unit,
            "columns": ["time", "measured", "modelled"],
            "rows": np.stack([signal.rows, signal.modulus, np.abs(z)], axis=1)[signal.inner].tolist(),
        }
    return artifacts
