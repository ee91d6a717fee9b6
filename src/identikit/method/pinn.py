"""Physics-informed networks: a small network per half swing, trained with the parameters until it obeys the model."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from identikit.likelihood import Preparation, reconstruct
from identikit.method._base import Cost, Method, no_motion, not_measured, too_few_samples
from identikit.method._early_end import not_applicable, not_started
from identikit.method._judgement import judge
from identikit.method._option import Option
from identikit.method._report import MethodReport
from identikit.method._settings import REGRESSION
from identikit.method._status import SOLVED, STOPPED
from identikit.method._twin import Estimator
from identikit.method.multiple_shooting._settings import SHOOTING
from identikit.method.multiple_shooting._start import starts
from identikit.method.network._annealing import Annealed, anneal
from identikit.method.network._pruned_law import by_networks
from identikit.method.network._settings import PINN
from identikit.method.network._training import Trained, training_artifacts
from identikit.method.network._windows import Windows, windows_of
from identikit.method.sparse._found_law import FoundLaw
from identikit.method.sparse._law_report import NOTHING_SHOWN, no_law
from identikit.method.sparse._library import Library
from identikit.method.sparse._library_options import LIBRARY_OPTIONS, of_worthwhile_degree, with_terms
from identikit.method.sparse._refinement import Asked, discovered
from identikit.method.sparse._settings import SPARSE
from identikit.model import dynamics_of
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress, silent
from identikit.result import Ending, Finding, Result, Verdict, finding


class Pinn(Method):
    """Networks write the trajectory, one for each window of half an oscillation; the model's equations are a loss.

    Equations may be off by much at first and by nothing in the end, so no start has to be near, and at the end the
    estimate is that of maximum likelihood. Dry friction is exact: windows end at the reversals, whose times are found
    too. Assumes white noise and known inputs. Not where shooting works, unless as a second opinion, nor for states
    inside sign() that do not follow from what is measured; what friction holds at rest is not used.
    """

    name = "pinn"
    title = "Physics-informed neural networks in windows"
    costs = Cost.SECONDS
    settings = (PINN, SPARSE, SHOOTING, REGRESSION, *Method.settings)
    reference = (
        "M. Raissi, P. Perdikaris, G. E. Karniadakis, Physics-informed neural networks, J. Comput. Phys. 378 (2019) "
        "686-707; windows and frozen hidden layers: S. Dong, Z. Li, Comput. Methods Appl. Mech. Eng. 387 (2021) 114129"
    )
    options = (
        Option("settings", "windows", "choice", "windows: a network per half swing", choices=("windows",)),
        Option("window", PINN.window, "number", "length of a network's window in oscillations of the signal", 0.05, 5),
        *LIBRARY_OPTIONS,
    )

    def objections(self, problem: Problem) -> list[Finding]:
        return too_few_samples(problem) + _unseen_switches(problem)

    def estimate(
        self, problem: Problem, *, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Result:
        """By networks in windows; a variant's work is called as this is."""
        if variant := self.variant("settings", options):
            return variant.work(problem, options=options, seed=seed, progress=progress)
        begun = time.perf_counter()
        progress.stage("smoothing", 0.0, 0.05, "smoothing the record")
        preparation = Preparation.of(problem)
        if not preparation.shows_motion:
            return _without_motion(problem, self.name, options, seed)
        training = progress.stage("solving", 0.05, 0.7, "starting values")
        begin = starts(problem, preparation, seed)
        best, started = None, begun
        for index, start, attempt in zip(range(PINN.most_starts), begin, training.attempts(), strict=False):
            started = time.perf_counter() if index == 0 else started
            windows = windows_of(problem, preparation.curves, start.p, options["window"])
            if not len(windows.left):
                return _without_motion(problem, self.name, options, seed)
            try:
                found = anneal(problem, preparation, windows, start.p, seed, attempt)
            except Cancelled:
                if best is None:
                    raise
                best = replace(best, stopped=True)
                break
            same = found is not None and best is not None and found.near(best)
            if found is not None and (best is None or found.rank < best.rank):
                best = found
            if best is not None and (same or best.stopped or best.explains):
                break
        if best is None:
            return not_started(problem, self.name, options, seed)
        solved = time.perf_counter()
        given = MethodReport(
            self.name,
            {"total": solved - begun, "start": started - begun, "solve": solved - started},
            options,
            seed,
            deviation=best.deviation,
            diagnostics=_told(best),
            artifacts=training_artifacts(problem, best.history),
            verdict=_verdict(best),
            findings=_left_out(problem, best.trained.windows),
            history=False,
        )
        again = Estimator(partial(self.again, seed, best.trained), pairs=PINN.twin_pairs)
        return judge(problem, preparation.curves, best.trained.p, given, progress.part(0.7, 1.0), again, best.states)

    def discover(
        self, problem: Problem, *, known: bool, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Result:
        """The law itself: see `Discoverer`. Networks obey a whole library, then what is left of it."""
        asked = Asked(self.name, with_terms(options, known), seed, self.settings, time.perf_counter())
        refused = self.objections(problem) if known else []
        if refused:
            return not_applicable(problem, self.name, refused, asked.options, seed)

        def find(training: Progress) -> FoundLaw:
            def by_best_subset(library: Library, strict: bool) -> FoundLaw:
                kept, fewest = library.own if known else (), SPARSE.samples_per_term if strict else 1.0
                return by_networks(problem, library, seed, options["window"], training.of(()), kept, fewest)

            law = of_worthwhile_degree(problem, asked.options, by_best_subset)
            if not law.chosen:
                raise no_law(law.library, NOTHING_SHOWN)
            return law

        return discovered(problem, asked, find, progress)

    def again(self, seed: int, near: Trained, problem: Problem) -> np.ndarray:
        """The estimate from other samples of the same records, near the one that was found, in the same windows."""
        found = anneal(problem, Preparation.of(problem), near.windows, near.p, seed, silent)
        return np.full(len(near.p), np.nan) if found is None else found.trained.p


def _without_motion(problem: Problem, method: str, options: Mapping[str, Any], seed: int) -> Result:
    return not_applicable(problem, method, [no_motion()], options, seed)


def _unseen_switches(problem: Problem) -> list[Finding]:
    """The objection to sign() of states that cannot be had: nobody could say where windows end."""
    missing = set(reconstruct(problem.model, problem.outputs).missing)
    guards = dynamics_of(problem.model).guards
    unseen = [name for name in problem.model.state_names if name in missing and _stands_in(name, guards)]
    return [not_measured(unseen, "where sign() of it changes is not known")] if unseen else []


def _stands_in(name: str, guards: list[Any]) -> bool:
    return any(name in map(str, guard.free_symbols) for guard in guards)


def _verdict(best: Annealed) -> Verdict:
    if best.stopped:
        return STOPPED
    if best.settled:
        return SOLVED
    text = (
        "the networks could not be trained to obey the equations: the model may not describe the record; look at the "
        "plot, give starting values, or shorter windows"
    )
    return Verdict(Ending.FAILED, (finding("not_settled", text),))


def _told(best: Annealed) -> dict[str, Any]:
    return {
        "windows": len(best.trained.windows.left),
        "reversals": int(best.trained.windows.moves.sum()),
        "slack": best.slack,
        "rounds": len(best.history),
        "chi_squared": {"data": best.loss.data, "physics": best.loss.physics, "known": best.loss.known},
    }


def _left_out(problem: Problem, windows: Windows) -> tuple[Finding, ...]:
    """A note if friction may have held what was measured for long."""
    span = sum(float(record.time[-1] - record.time[0]) for record in problem.records)
    rest = 1 - float(windows.length.sum()) / span
    if rest < PINN.worth_a_word:
        return ()
    text = f"{100 * rest:.0f} % of the record shows no motion above its noise: only what moves was used"
    return (finding("rest_left_out", text),)
