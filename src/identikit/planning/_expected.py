"""What an experiment would tell: expected standard errors, and which parameters they leave unknown.

With the Fisher information I(p) of a record, initial states eliminated where they are not known, no unbiased estimate
has a covariance below I(p)^-1 (Cramer-Rao). That needs no data: the information follows from the model, the times of
measurement and the noise (`Likelihood.planned`). With data it is the information that the record holds at p.

Reference: E. Walter, L. Pronzato, Identification of Parametric Models from Experimental Data, Springer 1997, chapter 6.

Not for a likelihood that is bent over the width of an interval (half a period of record, a parameter at its bound):
there the bound is one of several explanations, and a profile tells more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from identikit.diagnose import identifiability
from identikit.errors import OptionError
from identikit.likelihood import Likelihood
from identikit.model import Model
from identikit.result import Finding


class Asked(Protocol):
    """What parameters of a model are asked for: a problem, or a plan that has no record yet."""

    @property
    def model(self) -> Model: ...
    @property
    def free(self) -> tuple[str, ...]: ...
    @property
    def bounds(self) -> Mapping[str, tuple[float, float]]: ...


@dataclass(frozen=True)
class Expected:
    """What is expected of every free parameter of a likelihood, at one place.

    Arguments:
        names, values: of the free parameters, in the problem's order.
        std: Cramer-Rao bounds of the standard errors; infinite where the record holds nothing of a parameter.
        relative: std over the parameter's size: its value or the model's own, whichever is larger; where both are zero,
            an amount that would do what others like it do.
        information: Fisher information [free, free]; rows: [n, free] with information = rows' rows.
        correlation: of the estimates.
        identifiable: verdicts by the rules that an estimate is judged by.
        findings: what cannot be told, and what can hardly be told apart.
        sizes: what relative standard errors are relative to.
    """

    names: tuple[str, ...]
    values: np.ndarray
    std: np.ndarray
    relative: np.ndarray
    information: np.ndarray
    rows: np.ndarray
    correlation: np.ndarray
    identifiable: tuple[bool, ...]
    findings: tuple[Finding, ...]
    sizes: np.ndarray

    @property
    def all_identifiable(self) -> bool:
        return all(self.identifiable)


def expected(likelihood: Likelihood, p: Sequence[float] | np.ndarray) -> Expected:
    """What the likelihood of a planned or measured record tells of its free parameters at p.

    Raises OptionError where the model cannot be integrated at p.
    """
    values = np.asarray(p, float)
    return expected_of_rows(likelihood.problem, values, likelihood.information_rows(values))


def expected_of_rows(problem: Asked, values: np.ndarray, rows: np.ndarray) -> Expected:
    """The same from rows [n, free] whose Gram matrix is the information; with half the noise rows are doubled."""
    if not np.isfinite(rows).all():
        written = ", ".join(f"{name} = {value:g}" for name, value in zip(problem.free, values, strict=True))
        raise OptionError(f"model '{problem.model.name}' has no motion over this record at {written}")
    typical = {name: problem.model.parameter(name).value for name in problem.free}
    judged = identifiability(problem.free, values, rows, problem.bounds, typical)
    stated = np.maximum(np.abs(values), [abs(typical[name] or 0.0) for name in problem.free])
    sizes = np.where(stated > 0, stated, judged.sizes)
    return Expected(
        problem.free,
        values,
        judged.deviation,
        judged.deviation / sizes,
        rows.T @ rows,
        rows,
        judged.correlation,
        judged.identifiable,
        judged.findings,
        sizes,
    )
