"""auto: seed, refine and certify without a guess; what people use.

1. Starting values come from every fast method that applies (regression, weak form, balance of energy), ordered by how
   well short segments begun at the smoothed record then follow it; `shooting` refines the best and goes on with the
   next while what is left over is more than the record's own noise. Where the problem has process noise, or a
   parameter that drifts, `kalman` does it.
2. The result is certified as any other: covariance, identifiability, parts of the record, whiteness.
3. A method that shares nothing with it is asked for a second opinion (`_second_opinion`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from identikit.method._base import Cost, Method
from identikit.method._hold_choice import as_held
from identikit.method._option import Option, resolved
from identikit.method._second_opinion import second_opinion
from identikit.method.kalman import Kalman
from identikit.method.shooting import Shooting
from identikit.model import dynamics_of
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress, silent
from identikit.result import Code, Finding, Result, finding, ranked
from identikit.simulation import begin_warming

SECOND_OPINION = "second_opinion"  # the option that is auto's own


class Auto(Method):
    """Starts without a guess, shooting (or kalman where there is process noise), and a second opinion.

    The result is that of the method that refined it, under its name. Use it unless you want to compare methods.
    """

    name = "auto"
    title = "Shooting or kalman from no guess, with a second opinion"
    costs = Cost.SECONDS
    settings = Shooting.settings
    reference = Shooting.reference
    options = (
        *Shooting.options,
        Option(SECOND_OPINION, True, "switch", "ask a method that shares nothing with the first, and compare"),
    )

    @classmethod
    def resolve_options(cls, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The second opinion, and of the other options those that were given: which method they have to fit is known
        when the problem is."""
        known = {option.name: option for option in (*Kalman.options, *cls.options)}
        settled = resolved(tuple(known.values()), given, f"Method {cls.name}", cls.name)
        return {name: value for name, value in settled.items() if name == SECOND_OPINION or name in (given or {})}

    def objections(self, problem: Problem) -> list[Finding]:
        return self._chosen(problem).objections(problem)

    def estimate(
        self, problem: Problem, *, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Result:
        chosen = self._chosen(problem)
        return chosen.estimate(problem, options=_options_of(chosen, options), seed=seed, progress=progress)

    def run(
        self, problem: Problem, *, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Result:
        chosen = self._chosen(problem)
        share = 0.8 if options[SECOND_OPINION] else 1.0
        own = _options_of(chosen, options)
        if options[SECOND_OPINION]:
            _begin_second_opinion(problem)
        result = chosen.run(problem, options=own, seed=seed, progress=progress.part(0.0, share))
        if progress.stopped or result.status.code in (Code.NOT_CONVERGED, Code.NOT_APPLICABLE):
            return result
        told: dict[str, Any] = {"refined_by": chosen.name}
        findings = [_done(result, chosen)]
        if options[SECOND_OPINION]:
            asking = progress.stage("second opinion", share, 1.0, "asking a second method")
            try:
                other = second_opinion(as_held(problem, result), result, seed, asking)
            except Cancelled:
                return result
            findings.append(other.finding)
            told[SECOND_OPINION] = other.as_dict()
        return replace(
            result,
            findings=ranked((*result.findings, *findings)),
            diagnostics={**result.diagnostics, "auto": told},
        )

    def _chosen(self, problem: Problem) -> Method:
        return Kalman() if problem.process else Shooting()


def _begin_second_opinion(problem: Problem) -> None:
    """Where there is friction, the second method simulates the record: what that needs is loaded beside the fit."""
    if problem.model.symbolic and dynamics_of(problem.model).guards:
        values = problem.vector(np.ones(len(problem.free)))
        parameters = dict(zip(problem.model.parameter_names, values.tolist(), strict=True))
        record = problem.records[0]
        begin_warming(problem.model, parameters, record.pieces, float(record.time[0]))


def _options_of(chosen: Method, options: Mapping[str, Any]) -> dict[str, Any]:
    """All options of the method that is chosen; an `OptionError` where one was given that it does not have."""
    given = {name: value for name, value in options.items() if name != SECOND_OPINION}
    return resolved(chosen.options, given, f"Method auto chose {chosen.name}, which", chosen.name)


def _done(result: Result, chosen: Method) -> Finding:
    if isinstance(chosen, Kalman):
        text = "the problem has process noise, so that kalman was chosen"
    else:
        start = result.diagnostics.get("start", "the model's own values")
        tried = len(result.diagnostics.get("tried", ()))
        more = f", the best of {tried} starts" if tried > 1 else ""
        text = f"shooting refined starting values ({start}{more})"
    return finding("auto_did", text)
