"""What an observer's path comes to: the estimate, its distance from the law's fixed point, and what has to be said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from identikit.errors import SimulationError
from identikit.method._report import Evidence
from identikit.method._settings import OBSERVER
from identikit.method._status import STOPPED_EARLY
from identikit.method.adaptive_observer._adaptation_law import AdaptationLaw
from identikit.method.adaptive_observer._observer import ObserverPath
from identikit.method.adaptive_observer._told import Told
from identikit.problem import Problem
from identikit.result import Ending, Finding, Result, Severity, Verdict, finding, joined, of_severity
from identikit.simulation import simulate

NOTE = "no uncertainty: the estimate does not depend on the data"


@dataclass(frozen=True)
class ObserverOutcome:
    """An estimate [free] with the fixed point of its law, where it began, and how much of the way it went."""

    names: tuple[str, ...]
    path: ObserverPath
    p: np.ndarray
    begin: np.ndarray
    fixed_point: np.ndarray
    share: np.ndarray  # of the way from the beginning to the fixed point, at the end
    departure: float  # largest distance of the path from the law's closed form, over the way's length
    reached: bool  # whether the error fell below the threshold

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        path: ObserverPath,
        begin: np.ndarray,
        law: AdaptationLaw,
        threshold: float,
        window: float,
    ) -> ObserverOutcome:
        """The parameters averaged over a window: the first whose mean error is below the threshold, else the last.

        `window` is the share of all steps that is averaged; a threshold of zero means the last.
        """
        width = max(round(window * len(path.time)), 1)
        total = np.cumsum(np.insert(path.error, 0, 0.0))
        means = (total[width:] - total[:-width]) / width
        below = np.nonzero(means < threshold)[0]
        first = int(below[0]) if len(below) else len(means) - 1
        return cls(
            tuple(names),
            path,
            path.parameters[first : first + width].mean(axis=0),
            begin,
            law.fixed_point(begin),
            -np.expm1(-law.rate * path.covered[-1]),
            float(np.max(law.departure(begin, path.covered, path.parameters), initial=0.0)),
            bool(len(below)),
        )

    @property
    def distance(self) -> np.ndarray:
        """Of the estimate from the fixed point, relative."""
        size = np.where(self.fixed_point == 0, np.maximum(np.abs(self.begin), 1e-300), np.abs(self.fixed_point))
        return np.where(self.p == self.fixed_point, 0.0, np.abs(self.p - self.fixed_point) / size)

    @property
    def arrived(self) -> bool:
        """Whether the estimate is the fixed point."""
        return bool((self.distance <= OBSERVER.coincides).all())

    def verdict(self) -> Verdict:
        """Ambiguous at best: the law leaves every parameter undetermined by the record."""
        said = (self._ignores_record(),)
        if self.path.burst is not None:
            text = (
                f"the observer lost the record at t = {self.path.burst:.6g}: its gain changed sign while it grew, the "
                "bounds lead to parameters with which the model itself diverges, or its steps are too long; give "
                "narrower bounds, another first gain, or more steps between samples"
            )
            return Verdict(Ending.FAILED, (finding("observer_burst", text), *said))
        if self.path.stopped:
            return Verdict(Ending.STOPPED, (STOPPED_EARLY, *said))
        return Verdict(Ending.AMBIGUOUS, said)

    def _ignores_record(self) -> Finding:
        names = ", ".join(self.names)
        if self.arrived:
            text = (
                f"the estimate of {names} does not depend on the data: it is the point that the adaptation law goes to "
                "on any record, (gamma + lambda_u upper + lambda_l lower)/(lambda_u + lambda_l), made of the bounds "
                "and options that were given; use shooting"
            )
        else:
            text = (
                f"the estimate of {names} does not depend on the data, but for one number: the adaptation law moves "
                "all parameters straight from their start towards a point that the bounds and options set, and the "
                f"record decides how far, here {100 * float(np.max(self.share, initial=0.0)):.3g} % of the way; use "
                "shooting"
            )
        return finding("estimate_ignores_record", text, *self.names)

    def diagnostics(self) -> dict[str, Any]:
        def by_name(values: np.ndarray) -> dict[str, float | None]:
            return {n: float(v) if np.isfinite(v) else None for n, v in zip(self.names, values, strict=True)}

        return {
            "uas": {
                "fixed_point": by_name(self.fixed_point),
                "start": by_name(self.begin),
                "distance": by_name(self.distance),
                "arrived": self.arrived,
                "share_of_way": by_name(self.share),
                "departure_from_closed_form": self.departure,
                "threshold_reached": self.reached,
                "gain": float(self.path.gain[-1]),
                "error_rms": float(np.sqrt(np.mean(self.path.error**2))),
            }
        }

    def artifacts(self, problem: Problem) -> dict[str, dict[str, Any]]:
        """The paths for plots and programs, at a few of their times."""
        path = self.path
        kept = np.unique(np.linspace(0, len(path.time) - 1, min(OBSERVER.kept, len(path.time))).astype(int))
        states = dict(zip(problem.model.state_names, path.states[kept].T, strict=True))
        parameters = dict(zip(self.names, path.parameters[kept].T, strict=True))
        return {
            "adaptation": {
                "kind": "history",
                "what": "adaptation",
                "t": path.time[kept].tolist(),
                "record": path.record[kept].tolist(),
                "error": path.error[kept].tolist(),
                "gain": path.gain[kept].tolist(),
                "states": {name: values.tolist() for name, values in states.items()},
                "parameters": {name: values.tolist() for name, values in parameters.items()},
                "fixed_point": self.diagnostics()["uas"]["fixed_point"],
                "time_unit": problem.model.time_unit,
            }
        }


def without_foundation(result: Result, names: Sequence[str]) -> Result:
    """The result with nothing claimed for these parameters: what a trajectory tells of a value is not told of one that
    no record decides."""
    own: Mapping[str, Any] = {
        name: replace(item, std=None, ci95=None, identifiable=False, note=NOTE) if name in names else item
        for name, item in result.parameters.items()
    }
    codes = (
        "not_identifiable",
        "no_effect",
        "strongly_correlated",
        "still_determined",
        "other_explanation",
        "at_bound",
    )
    findings = tuple(item for item in result.findings if item.code not in codes)
    status = replace(result.status, message=joined(of_severity(findings, Severity.REFUSAL)))
    return replace(result, status=status, parameters=own, covariance=None, findings=findings)


def validated(problem: Problem, p: np.ndarray, records: Sequence[Told]) -> Evidence:
    """What the free motion with these values leaves of the records; nothing of it tells anything about the values.

    Where the model cannot be integrated with them, it explains no more than the level of every output.
    """
    parameters = dict(zip(problem.model.parameter_names, problem.vector(p), strict=True))
    residuals, integrated = [], True
    for record, item in zip(problem.records, records, strict=True):
        initial = dict(zip(problem.model.state_names, map(float, item.beginning), strict=True))
        try:
            found = simulate(problem.model, record.time, parameters, initial, record.pieces, OBSERVER.validation)
            modelled = np.stack([found.outputs[name] for name in problem.outputs], axis=1)
        except SimulationError:
            modelled, integrated = np.nanmean(record.values, axis=0), False
        residuals.append(record.values - modelled)
    residual = np.concatenate(residuals)
    level = np.sqrt(np.nanmean(residual**2, axis=0))
    beginnings = tuple(
        {
            name: {"value": float(x), "std": None}
            for name, x in zip(problem.model.state_names, item.beginning, strict=True)
        }
        for item in records
    )
    nothing = np.zeros((1, len(p)))
    details = {"validated": integrated}
    return Evidence(p, nothing, residual, np.maximum(level, 1e-300), beginnings, integrated, False, details)
