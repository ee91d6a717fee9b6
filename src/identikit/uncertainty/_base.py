"""The contract that every kind of interval keeps: from a fit and its problem to standard errors and intervals.

A kind computes `Intervals`; what becomes of the result is decided here, once: estimates, covariance, findings,
artifacts and what is told of the kind.
"""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy.special import stdtrit

from identikit.diagnose import interval
from identikit.likelihood import Likelihood, Scores
from identikit.method import Option, as_held, echoed, resolved
from identikit.numerics import Heights, Information, best_step
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress, silent
from identikit.result import Finding, ParameterEstimate, Result, finding, ranked
from identikit.uncertainty._settings import UNCERTAINTY

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

COMPARED = "intervals"
COMPARED_COLUMNS = ("kind", "parameter", "value", "low", "high")
FIT = "fit"  # the method's own intervals, which were there first


@dataclass(frozen=True)
class Fitted:
    """An estimate with the problem it answers, as the fit left it: inputs held and noise shaped as it chose."""

    problem: Problem
    result: Result

    @classmethod
    def of(cls, problem: Problem, result: Result) -> Fitted:
        """`problem` is the one that was posed; what the fit chose of holds, noise and first states is in the result."""
        posed = as_held(problem, result).begun(_taken_for_known(problem, result))
        shapes = {}
        for name, found in result.noise.items():
            shape = posed.noise[name].shaped(found.memory, math.inf if found.freedom is None else found.freedom)
            shapes[name] = shape.rounded(found.step) if found.step else shape
        return cls(posed.with_noise(shapes), result)

    @cached_property
    def p(self) -> np.ndarray:
        """The free parameters [free] as estimated."""
        return np.array([self.result.value(name) for name in self.problem.free])

    @property
    def spare_values(self) -> int:
        """Measured values beyond the unknowns (parameters, initial states, noise levels); at least one."""
        facts = self.result.diagnostics["likelihood"]
        return max(int(facts["values"]) - int(facts["unknowns"]), 1)

    @property
    def values(self) -> int:
        """Measured values."""
        return int(self.result.diagnostics["likelihood"]["values"])

    @cached_property
    def level_known(self) -> bool:
        """Whether the noise of every output is known beforehand."""
        return all(item.known_level is not None for item in self.problem.noise.values())

    @property
    def few_values(self) -> float:
        """What a noise level at its likeliest is too small by: sqrt(n / (n - k)); 1 if levels are known."""
        return 1.0 if self.level_known else math.sqrt(self.values / self.spare_values)

    @property
    def reach(self) -> float:
        """Standard errors to either side that hold 95 %: Student's, unless noise levels are known."""
        return float(stdtrit(math.inf if self.level_known else self.spare_values, 0.975))

    @property
    def threshold(self) -> float:
        """By how much log L falls to the end of a 95 % interval: half of chi-squared, or what becomes of it where the
        noise level is estimated from n values with k unknowns, n/2 log(1 + t^2/(n - k))."""
        squared = self.reach**2
        return 0.5 * (squared if self.level_known else self.values * math.log1p(squared / self.spare_values))

    @cached_property
    def likelihood(self) -> Likelihood:
        """The likelihood, quick around the estimate."""
        return Likelihood(self.problem, near=self.p)

    @cached_property
    def expansion(self) -> Heights:
        """log L, its gradient and the information at the estimate, priors on parameters counted in."""
        return self.likelihood.expansion(self.p[None])

    @cached_property
    def covariance(self) -> np.ndarray:
        """The inverse of the information [free, free]."""
        return Information.of_matrix(self.expansion.information[0]).covariance * self.few_values**2

    @property
    def parabola(self) -> np.ndarray:
        """Ends [free, 2] of the intervals if log L were a parabola."""
        reach = self.reach * np.sqrt(np.diag(self.covariance))
        return np.stack([self.p - reach, self.p + reach], axis=1)

    @cached_property
    def scores(self) -> Scores | None:
        """How every segment of the records pulls at the parameters."""
        return self.likelihood.scores(self.p)


def _taken_for_known(problem: Problem, result: Result) -> dict[int, dict[str, float]]:
    """First states that the fit gave no error although the problem does not know them, by record."""
    return {
        k: {
            name: float(item["value"])
            for name, item in found.items()
            if item["std"] == 0 and item["value"] is not None and name in given and given[name].free
        }
        for k, (found, given) in enumerate(zip(result.initial_states, problem.initial, strict=False))
    }


@dataclass(frozen=True)
class Intervals:
    """What a kind of interval finds, for the free parameters in the problem's order.

    Arguments:
        std: standard deviations [free]; NaN = there is none.
        ends: 95 % intervals [free, 2]; an open side is infinite, NaN = there is no interval.
        covariance: [free, free], None if the kind has none of its own.
        notes: by parameter, what a reader of its interval must know.
        facts: what is told of the computation: {"replicates": 200, ...}.
        findings, artifacts: added to those of the result.
    """

    std: np.ndarray
    ends: np.ndarray
    covariance: np.ndarray | None = None
    notes: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    artifacts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


class Uncertainty(ABC):
    """A kind of interval. It has no state; `options` and `settings` are as those of a method."""

    name: ClassVar[str]
    title: ClassVar[str]
    reference: ClassVar[str]
    options: ClassVar[tuple[Option, ...]] = ()
    extra: ClassVar[str] = ""
    settings: ClassVar[tuple[DataclassInstance, ...]] = (UNCERTAINTY,)
    answers: ClassVar[tuple[str, ...]] = ()  # codes of findings about intervals that no longer hold with these

    @classmethod
    def check(cls, options: Mapping[str, Any], free: Sequence[str]) -> None:
        """Refuse resolved options that do not go with these free parameters, before any work is done."""
        return

    def objections(self, fitted: Fitted) -> list[Finding]:
        """Empty if the kind applies to this fit; otherwise why not and what would help."""
        return []

    @abstractmethod
    def intervals(
        self, fitted: Fitted, *, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Intervals:
        """Standard errors and intervals of the estimate, which exists. `options` have been through `resolved`."""

    def run(
        self,
        problem: Problem,
        result: Result,
        *,
        options: Mapping[str, Any],
        seed: int = 0,
        progress: Progress = silent,
    ) -> Result:
        """The result with these intervals; as it was, with a warning, where they cannot be had or work was stopped."""
        if any(result.parameters[name].value is None for name in problem.free):
            return _without(result, self.name, "there is no estimate to give one to")
        fitted = Fitted.of(problem, result)
        objections = self.objections(fitted)
        if objections:
            return _without(result, self.name, "; ".join(item.text for item in objections))
        begun = time.perf_counter()
        try:
            found = self.intervals(fitted, options=options, seed=seed, progress=progress)
        except Cancelled:
            return _without(result, self.name, "stopped on request")
        facts = {"kind": self.name, "title": self.title, "options": dict(options), **found.facts}
        standing = (item for item in result.findings if item.code not in self.answers)
        estimates = _estimates(fitted, found)
        return replace(
            result,
            parameters={**result.parameters, **estimates},
            covariance=result.covariance if found.covariance is None else _covariance(problem.free, found.covariance),
            findings=ranked((*standing, *found.findings)),
            artifacts={**result.artifacts, **found.artifacts, **compared_intervals(result, self.name, estimates)},
            diagnostics={**result.diagnostics, "uncertainty": facts},
            provenance={**result.provenance, "settings": {**result.provenance["settings"], **echoed(self.settings)}},
            seconds={**result.seconds, "uncertainty": time.perf_counter() - begun},
        )

    @classmethod
    def resolve_options(cls, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """All options with the given ones checked and put in."""
        return resolved(cls.options, given, f"Uncertainty {cls.name}", cls.name)


def _estimates(fitted: Fitted, found: Intervals) -> dict[str, ParameterEstimate]:
    """The free parameters with their new intervals; what bounds cut is cut."""
    made = {}
    for i, name in enumerate(fitted.problem.free):
        item, (low, high) = fitted.result.parameters[name], fitted.problem.bounds[name]
        first, last = (float(end) for end in found.ends[i])
        has = not (math.isnan(first) or math.isnan(last))
        std = float(found.std[i])
        made[name] = replace(
            item,
            std=std if math.isfinite(std) else None,
            ci95=(max(first, low), min(last, high)) if has else None,
            note="; ".join(
                part for part in (*_remarks(fitted, name, std, (first, last)), found.notes.get(name)) if part
            ),
        )
    return made


def _remarks(fitted: Fitted, name: str, std: float, ends: tuple[float, float]) -> tuple[str, ...]:
    """What holds of the estimate whatever its intervals are: bounds, and whether the record tells it at all."""
    item, bounds = fitted.result.parameters[name], fitted.problem.bounds[name]
    assert item.value is not None
    lies = interval(item.value, std, bounds, fitted.problem.model.parameter(name).value)
    cut = tuple(
        (word, edge)
        for word, edge, beyond in (("lower", bounds[0], ends[0] < bounds[0]), ("upper", bounds[1], ends[1] > bounds[1]))
        if beyond and math.isfinite(edge)
    )
    unknown = ("not identifiable from this record",) if item.identifiable is False else ()
    return (*replace(lies, cut=cut).remarks, *unknown)


def _covariance(free: tuple[str, ...], matrix: np.ndarray) -> dict[str, Any] | None:
    """Of the parameters whose variance is known."""
    known = np.isfinite(np.diag(matrix))
    if not known.any():
        return None
    names = [name for name, has in zip(free, known, strict=True) if has]
    return {"names": names, "matrix": matrix[np.ix_(known, known)].tolist()}


def _without(result: Result, kind: str, why: str) -> Result:
    text = f"no {kind} intervals: {why}; those of the fit stand"
    return replace(result, findings=ranked((*result.findings, finding("uncertainty_not_assessed", text))))


def not_likeliest(fitted: Fitted) -> list[Finding]:
    """The objection to an estimate of another kind; empty if no step within the bounds promises more than chance."""
    here = fitted.expansion
    low, high = fitted.problem.limits
    promise = best_step(here.gradient[0], here.information[0], low - fitted.p, high - fitted.p)[1]
    if promise <= UNCERTAINTY.off_top:
        return []
    text = (
        f"the estimate of {fitted.result.method} is not where the likelihood is largest (log L could rise by "
        f"{promise:.3g}): refine it with shooting, or take the bootstrap"
    )
    return [finding("uncertainty_not_assessed", text, *fitted.problem.free)]


def compared_intervals(
    result: Result, kind: str, estimates: Mapping[str, ParameterEstimate]
) -> dict[str, Mapping[str, Any]]:
    """The table of all kinds so far with this one: rows of kind, parameter, value and both ends."""
    before = result.artifacts.get(COMPARED)
    rows = list(before["rows"]) if before else _rows(FIT, {name: result.parameters[name] for name in estimates})
    rows = [row for row in rows if row[0] != kind] + _rows(kind, estimates)
    return {COMPARED: {"kind": "table", "what": COMPARED, "columns": list(COMPARED_COLUMNS), "rows": rows}}


def _rows(kind: str, estimates: Mapping[str, ParameterEstimate]) -> list[list[Any]]:
    return [[kind, name, item.value, *(item.ci95 or (None, None))] for name, item in estimates.items()]
