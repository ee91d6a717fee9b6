"""Does the model describe the record? What is left over against the noise that the record itself shows.

Three questions, asked before any about single parameters:

- are the residuals white (as the chosen noise has it)?
- if not, do they exceed the noise that the record shows without a model? Then there is a pattern that the model
  misses;
- does the pattern matter? If a tenth of the signal is not explained, or if a hundredth is not and a parameter that
  every part of the record tells well differs between parts by a large share of itself, nobody should quote the numbers:
  the status is `misfit`.

A pattern that does not matter leaves the status as it is: standard errors are wider, and a finding says why.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from identikit.likelihood import Agreement
from identikit.method._settings import JUDGEMENT
from identikit.problem import Noise, NoiseKind, Problem
from identikit.result import Finding, FitQuality, NoiseFound, finding


@dataclass(frozen=True)
class Misfit:
    """What is left over, output by output; `excess` is the residual's rms over the record's own noise, 1 if unknown."""

    noise: Mapping[str, NoiseFound]
    quality: Mapping[str, FitQuality]
    excess: Mapping[str, float]

    @classmethod
    def of(
        cls,
        problem: Problem,
        own_noise: np.ndarray | None,
        noise: Mapping[str, NoiseFound],
        quality: Mapping[str, FitQuality],
    ) -> Misfit:
        own = {} if own_noise is None else dict(zip(problem.outputs, map(float, own_noise), strict=True))
        # a few gross errors make up most of the mean square, and are no pattern: then the level of the others counts
        heavy = {name for name, item in noise.items() if item.freedom is not None and item.absolute}
        left = {name: noise[name].sigma if name in heavy else item.rmse for name, item in quality.items()}
        return cls(noise, quality, {name: size / own[name] if own.get(name) else 1.0 for name, size in left.items()})

    @property
    def white(self) -> bool:
        return all(item.white for item in self.noise.values())

    @property
    def missed(self) -> tuple[str, ...]:
        """Outputs with a pattern that is no noise."""
        return tuple(
            name
            for name, item in self.noise.items()
            if item.white is False and not item.memory and self.excess[name] > JUDGEMENT.above_noise
        )

    @property
    def pattern(self) -> bool:
        return bool(self.missed)

    def refusals(self, problem: Problem, p: np.ndarray, agreement: Agreement | None) -> tuple[Finding, ...]:
        """Why nobody should quote the numbers; empty if one may."""
        return (*self._unexplained(), *self._unsteady(problem, p, agreement))

    def _unexplained(self) -> tuple[Finding, ...]:
        found = []
        for name in self.missed:
            fit = self.quality[name].fit_percent
            if fit < JUDGEMENT.least_fit:
                text = (
                    f"the model explains {fit:.0f} % of {name}, and what is left is a pattern {self.excess[name]:.2g} "
                    "times as large as the record's own noise: look at the residuals; a term is missing, or something "
                    "else moved the system"
                )
                found.append(finding("unexplained_pattern", text, name))
        return tuple(found)

    def _unsteady(self, problem: Problem, p: np.ndarray, agreement: Agreement | None) -> tuple[Finding, ...]:
        matters = any(self.quality[name].fit_percent < JUDGEMENT.close_fit for name in self.missed)
        if agreement is None or not matters or agreement.agree:
            return ()
        found = []
        for i, name in enumerate(problem.free):
            values = np.array([p[i] + part.change[i] for part in agreement.parts])
            std = np.array([part.std[i] for part in agreement.parts])
            size = float(np.max(np.abs(values)))
            known = bool((std > 0).all()) and bool((std < JUDGEMENT.well_known * size).all())
            if known and np.ptp(values) > JUDGEMENT.unsteady * size:
                text = (
                    f"{name} is {values[0]:.3g} in the first part of the record and {values[-1]:.3g} in the last "
                    f"(between {values.min():.3g} and {values.max():.3g}): no single value describes it, so a term is "
                    "missing"
                )
                found.append(finding("unsteady_parameter", text, name))
        return tuple(found)

    def findings(self) -> tuple[Finding, ...]:
        """Residuals that are not white, by how much they exceed the noise."""
        found = []
        for name, item in self.noise.items():
            if item.white is False:
                share = 100 - self.quality[name].fit_percent
                text = f"the residuals of {name} ({share:.2g} % of the signal) are correlated from sample to sample"
                text += (
                    f" and {self.excess[name]:.2g} times the record's own noise: the model misses something"
                    if name in self.missed
                    else ": the noise is coloured, or the model misses something"
                )
                found.append(finding("coloured_residuals", text, name))
        return tuple(found)


def noise_findings(problem: Problem) -> tuple[Finding, ...]:
    """What was chosen for the noise of each output."""
    return tuple(
        finding("noise_chosen", f"the noise of {name} was taken as {item.title}, {_why(item)}", name)
        for name, item in problem.noise.items()
        if item.memory or np.isfinite(item.freedom) or item.step
    )


def _why(noise: Noise) -> str:
    return "as the residuals show it" if noise.kind is NoiseKind.AUTO else "as asked, with the numbers that fit best"
