"""One model of several: its problem, its fit, and what it says of samples that it has not seen."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from identikit.likelihood import Likelihood, NoiseModel
from identikit.problem import Problem
from identikit.result import Code, Result

LACKING = "missing_term"
UNUSABLE = (Code.NOT_APPLICABLE, Code.NOT_CONVERGED)


@dataclass(frozen=True)
class Candidate:
    """`errors` [samples of all records, outputs]: measured minus predicted where the model had not seen the record, NaN
    elsewhere; None if it could not predict. All candidates of a choice have their outputs in the same order."""

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
        """Parameters, initial states and numbers of the noise: levels, memory, degrees of freedom."""
        facts = self.result.diagnostics["likelihood"]
        return int(facts["unknowns"]) + int(facts["shape"])

    @property
    def log_likelihood(self) -> float:
        return float(self.result.log_likelihood or math.nan)

    @property
    def _values(self) -> int:
        """How many were measured."""
        return int(self.result.diagnostics["likelihood"]["values"])

    @property
    def bic(self) -> float:
        """Infinite where there is no fit."""
        return -2 * self.log_likelihood + self.unknowns * math.log(self._values) if self.fitted else math.inf

    @property
    def aicc(self) -> float | None:
        """Akaike's criterion corrected for few values (N. Sugiura 1978; C. M. Hurvich, C.-L. Tsai 1989)."""
        spare = self._values - self.unknowns - 1 if self.fitted else 0
        return -2 * self.log_likelihood + 2 * self.unknowns * (1 + (self.unknowns + 1) / spare) if spare > 0 else None

    @property
    def noise_shape(self) -> dict[str, tuple[int, bool, bool]]:
        """By output how much the noise remembers, and whether it has outliers and is rounded."""
        return {
            name: (len(item.memory), item.freedom is not None, bool(item.step))
            for name, item in self.result.noise.items()
        }

    @property
    def coloured(self) -> list[str]:
        """Outputs whose residuals are not white."""
        return [name for name, item in self.result.noise.items() if item.white is False]

    @property
    def level(self) -> np.ndarray:
        """rms [outputs] of what it leaves over, in the scale in which the noise is alike."""
        found = [(self.result.noise[name], self.result.fit[name]) for name in self.problem.outputs]
        return np.array([quality.rmse if noise.absolute else noise.sigma for noise, quality in found])

    @property
    def scaled_errors(self) -> np.ndarray | None:
        """The errors in that scale: of log y, or over each sample's own standard deviation, where the noise is such.

        None also where what it predicts is none that log-normal noise could have: zero or less.
        """
        if self.errors is None:
            return None
        noise = NoiseModel.of(self.problem)
        usable = np.isfinite(self.errors) & np.isfinite(noise.scaled_measured)
        scaled = np.where(usable, noise.scaled(self.errors), np.nan)
        return scaled if np.isfinite(scaled[usable]).all() else None


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
