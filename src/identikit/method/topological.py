"""Damping from persistent homology: how long each valley of a free decay lasts as a level rises."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from identikit.method._base import Cost, Need
from identikit.method._option import Option
from identikit.method.free_decay._decay_method import DecayEstimate, DecayMethod, first_states, starting_values
from identikit.method.free_decay._lifespan_fit import LifespanFit, LifespanProblem
from identikit.method.free_decay._settings import TOPOLOGICAL
from identikit.oscillation import Decline, Oscillator, decline_of, loop_persistence
from identikit.progress import Progress
from identikit.result import Finding, finding


@dataclass(frozen=True)
class FormulaEstimate:
    """What a formula in the place of the fit gives: the free parameters, their standard errors, what is to be said."""

    p: np.ndarray
    std: np.ndarray
    findings: tuple[Finding, ...]


class Topological(DecayMethod):
    """Lifespans of the valleys of a free decay (zero-dimensional sublevel-set persistence), fitted by the exact
    map from one turning point to the next.

    For one oscillation that dies out, with any restoring force and any damping; only the position is needed. Free
    stiffnesses are found from the times of the turning points. What lies between the turning points is not used, so
    it is less accurate than shooting. Not for driven motion, for fewer than three oscillations, nor for several
    oscillations at once.
    """

    name = "topological"
    title = "Persistence of valleys (topological signal processing)"
    needs = (Need.EQUATIONS, Need.ONE_DEGREE, Need.FREE_DECAY)
    costs = Cost.SECONDS
    settings = (TOPOLOGICAL, *DecayMethod.settings)
    extra = "topological"
    reference = "A. D. Myers, F. A. Khasawneh, Mechanical Systems and Signal Processing 174 (2022) 109042"
    options = (
        Option("formula", "corrected", "choice", "corrected: all lifespans, right scales", choices=("corrected",)),
        Option("smoothing", 0.5, "number", "smoothing window in periods; 0 = none, and an offset is fitted", 0, 0.8),
        Option("loops", False, "switch", "also follow the loop of the delay embedding from cycle to cycle, for plots"),
    )

    def decay_estimate(
        self, oscillator: Oscillator, options: Mapping[str, Any], seed: int, progress: Progress
    ) -> DecayEstimate | list[Finding]:
        problem = oscillator.problem
        progress.stage("smoothing", 0.0, 0.2, "lifespans of the valleys")
        declines = [
            decline_of(record.time, record.values[:, oscillator.output], oscillator.gain, options["smoothing"])
            for record in problem.records
        ]
        few = min(len(decline.lengths) for decline in declines)
        if few < TOPOLOGICAL.fewest_lifespans:
            text = f"{few} valleys stand clear of the noise: at least {TOPOLOGICAL.fewest_lifespans} are needed"
            return [finding("too_little_above_noise", text)]
        fit, started = None, time.perf_counter()
        if variant := self.variant("formula", options):  # work(oscillator, declines, options) -> see FormulaEstimate
            by_formula: FormulaEstimate | list[Finding] = variant.work(oscillator, declines, options)
            if isinstance(by_formula, list):
                return by_formula
            p, std, remarks = by_formula.p, by_formula.std, by_formula.findings
        else:
            solving = progress.stage("solving", 0.2, 1.0, "starting values")
            start = starting_values(problem, seed)
            started = time.perf_counter()
            fit, p, std, declines = _fitted(oscillator, declines, start, solving)
            remarks = _findings(fit)
        return DecayEstimate(
            p,
            std,
            first_states(oscillator, p, [2 * np.pi / decline.frequency for decline in declines]),
            [decline.points.sigma * abs(oscillator.gain) for decline in declines],
            fit is None or fit.converged,
            started,
            _diagnostics(oscillator, declines, fit),
            _artifacts(oscillator, declines, fit, options["loops"]),
            remarks,
        )


def _fitted(
    made: Oscillator, declines: list[Decline], p: np.ndarray, progress: Progress
) -> tuple[LifespanFit, np.ndarray, np.ndarray, list[Decline]]:
    """Calibrate at p, fit, and once more at what was found."""
    attempts = progress.attempts()
    while True:
        first = not any(decline.raised.any() for decline in declines)
        declines = [decline.calibrated(made, p) for decline in declines]
        fit = LifespanProblem(made, declines, p).solve(next(attempts))
        p, std = made.with_offset(fit.p, fit.std, *_level(made, declines, fit))
        if not first or not any(decline.raised.any() for decline in declines):
            return fit, p, std, declines


def _level(made: Oscillator, declines: Sequence[Decline], fit: LifespanFit) -> tuple[float, float]:
    """The sensor's reading at position zero, which the turning points lie about, and its standard error."""
    levels = []
    for decline, amplitude in zip(declines, fit.amplitudes, strict=True):
        modelled = fit.centre + np.where(np.arange(len(amplitude)) % 2 == 0, amplitude, -amplitude)
        levels.append(made.gain * (decline.points.value - modelled))
    together = np.concatenate(levels)
    return float(np.mean(together)), float(np.std(together)) / np.sqrt(len(together))


def _findings(fit: LifespanFit) -> tuple[Finding, ...]:
    if fit.misfit <= 2:
        return ()
    text = (
        f"the lifespans scatter {fit.misfit:.2g} times as much about the model as the noise explains: the "
        "damping law is not the right one, or something else moves the record"
    )
    return (finding("damping_law_doubtful", text),)


def _diagnostics(made: Oscillator, declines: Sequence[Decline], fit: LifespanFit | None) -> dict[str, Any]:
    return {
        "lifespans": [len(decline.lengths) for decline in declines],
        "cutoff": [decline.cutoff for decline in declines],
        "angular_frequency": [decline.frequency for decline in declines],
        "damping_laws": {name: law for name, (law, _) in made.dampings.items()},
        "lifespan_misfit": fit.misfit if fit else None,
    }


def _artifacts(
    made: Oscillator, declines: Sequence[Decline], fit: LifespanFit | None, loops: bool
) -> dict[str, dict[str, Any]]:
    artifacts: dict[str, dict[str, Any]] = {}
    problem = made.problem
    unit = problem.model.output(problem.outputs[made.output]).unit
    for index, (record, decline) in enumerate(zip(problem.records, declines, strict=True)):
        rows = zip(
            decline.birth_times, decline.births * made.gain, decline.death_times, decline.deaths * made.gain,
            decline.used.tolist(), strict=True,
        )  # fmt: skip
        common = {"kind": "table", "record": record.name, "unit": unit, "time_unit": problem.model.time_unit}
        artifacts[f"persistence, {record.name}"] = common | {
            "what": "persistence",
            "columns": ["birth_time", "birth", "death_time", "death", "used"],
            "rows": [list(row) for row in rows],
            "cutoff": decline.cutoff * abs(made.gain),
        }
        modelled = [None] * len(decline.lengths)
        if fit is not None:
            chain = fit.amplitudes[index]
            modelled = list((chain[:-1] + chain[1:])[::2] * abs(made.gain))
        artifacts[f"lifespans, {record.name}"] = common | {
            "what": "lifespans",
            "columns": ["time", "lifespan", "std", "modelled"],
            "rows": [
                list(row)
                for row in zip(
                    (decline.points.time[:-1] + decline.points.time[1:])[::2] / 2,
                    decline.lengths * abs(made.gain),
                    decline.length_std * abs(made.gain),
                    modelled,
                    strict=True,
                )
            ],
        }
        if loops:
            artifacts[f"loops, {record.name}"] = common | {
                "what": "loops",
                "columns": ["time", "birth", "death"],
                "rows": _loops(record.time, record.values[:, made.output], decline),
            }
    return artifacts


def _loops(at: np.ndarray, values: np.ndarray, decline: Decline) -> list[list[float]]:
    known = np.isfinite(values)
    period = 2 * np.pi / decline.frequency
    rows = []
    for begin in decline.points.time[::2]:
        birth, death = loop_persistence(at[known], values[known], float(begin), period)
        if np.isfinite(death):
            rows.append([float(begin), birth, death])
    return rows
