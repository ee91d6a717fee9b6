"""One model of several: its problem, its fit, and what it says of samples that it has not seen."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from identikit.likelihood import Likelihood
from identikit.problem import Problem
from identikit.result import Code, Result

LACKING = "missing_term"
UNUSABLE = (Code.NOT_APPLICABLE, Code.NOT_CONVERGED)


@dataclass(frozen=True)
class Candidate:
    """`errors` [samples of all records, outputs]: measured minus predicted where the model had not seen the record, NaN
    elsewhere; None if it could not predict."""

    name: str
    problem: Problem
    result: Result
    errors: np.ndarray | None = None

    @property
    def fitted(self) -> bool:
        """Whether there is a fit to compare."""
        return self.result.status.code not in UNUSABLE and self.result.bic is not None

    @property
    def describes(self) -> bool:
        """Whether it leaves no more than noise: neither a misfit, nor a pattern that a further term explains."""
        lacks = any(item.code == LACKING for item in self.result.findings)
        return self.fitted and self.result.status.code is not Code.MISFIT and not lacks

    @property
    def unknowns(self) -> int:
        """Parameters, initial states and noise levels."""
        return int(self.result.diagnostics["likelihood"]["unknowns"])

    @property
    def log_likelihood(self) -> float:
        return float(self.result.log_likelihood or math.nan)

    @property
    def bic(self) -> float:
        """Infinite where there is no fit."""
        return float(self.result.bic) if self.fitted and self.result.bic is not None else math.inf

    @property
    def aicc(self) -> float | None:
        """Akaike's criterion corrected for few values (N. Sugiura 1978; C. M. Hurvich, C.-L. Tsai 1989)."""
        values = int(self.result.diagnostics.get("likelihood", {}).get("values", 0))
        if self.result.aic is None or values <= self.unknowns + 1:
            return None
        return float(self.result.aic) + 2 * self.unknowns * (self.unknowns + 1) / (values - self.unknowns - 1)

    @property
    def sigma(self) -> np.ndarray:
        """rms [outputs] of what it leaves over."""
        return np.array([self.result.fit[name].rmse for name in self.problem.outputs])


def predicted_errors(problem: Problem, part: Result, share: float) -> np.ndarray | None:
    """Errors on the samples after the first `share` of every record, by a fit to what lies before."""
    p = np.array([part.value(name) for name in problem.free])
    if not np.isfinite(p).all():
        return None
    likelihood = Likelihood(problem.unmeasured_after(share), near=p)
    found = []
    for index, record in enumerate(problem.records):
        errors = record.values - likelihood.curve(p, record.time, index).values
        errors[record.time <= record.time[0] + share * np.ptp(record.time)] = np.nan
        found.append(errors)
    table = np.concatenate(found)
    return table if np.isfinite(table).any() else None
