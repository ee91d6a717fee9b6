"""What a method hands over: what it says of its work, and what a verdict needs of its estimate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from identikit.model import Model, as_numbers, five_digits, to_text
from identikit.result import Finding, Verdict


@dataclass(frozen=True)
class MethodReport:
    """What a method says beyond the iteration's end: its own standard errors, verdict, findings, artifacts, times."""

    method: str
    seconds: Mapping[str, float]
    options: Mapping[str, Any]
    seed: int
    deviation: np.ndarray | None = None  # None: maximum likelihood, the standard error follows from the information
    coloured: np.ndarray | None = None  # what standard errors are at least where residuals are not white
    diagnostics: Mapping[str, Any] | None = None
    artifacts: Mapping[str, dict[str, Any]] | None = None
    verdict: Verdict | None = None  # on its own work; None: it ends in the very curve that is judged here
    findings: tuple[Finding, ...] = ()  # warnings and notes besides those of the verdict
    others: tuple[tuple[np.ndarray, np.ndarray], ...] = ()  # other explanations as good: parameters, information rows
    history: bool = True


@dataclass(frozen=True)
class Evidence:
    """What a verdict needs of an estimate, however the states that belong to it were found.

    `information` are rows A with Fisher information A'A of the parameters; `residual` [samples of all records,
    outputs] is measured minus modelled; `details` go to the diagnostics as they are; `own_noise` [outputs] is the noise
    that the record shows without a model, None = not known. Where process noise moves the states, the residual is what
    the smoothed ones leave: `draws` [any number, outputs] of unit size then tell whether the noise is white, and
    `log_likelihood` is that of the innovations; None = both follow from the residual.
    """

    p: np.ndarray
    information: np.ndarray
    residual: np.ndarray
    sigma: np.ndarray
    initial_states: tuple[dict[str, dict[str, float | None]], ...]
    converged: bool
    stopped: bool
    details: Mapping[str, Any]
    findings: tuple[Finding, ...] = ()
    history: tuple[np.ndarray, ...] = ()
    own_noise: np.ndarray | None = None
    draws: np.ndarray | None = None
    log_likelihood: float | None = None


def law_artifact(model: Model) -> dict[str, dict[str, Any]]:
    """The equations of a model whose parameters have values, as the artifact "law"."""
    numbers = as_numbers({p.name: p.value for p in model.parameters if p.value is not None})
    equations = {
        name: to_text(five_digits(equation.subs(numbers)))
        for name, equation in zip(model.state_names, model.equations, strict=True)
    }
    return {"law": {"kind": "equation", "equations": equations}}
