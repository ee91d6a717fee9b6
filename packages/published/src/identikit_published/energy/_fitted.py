"""Fits of the paper's records by methods of the library, and the bound in the paper's error norm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from identikit._fit import fit
from identikit.likelihood import Likelihood
from identikit.measurement import Experiment, Record
from identikit.model import library_model
from identikit_published.energy.oscillators import Array, error_norm
from identikit.result import Result


def fitted(
    model: str, time: Array, measured: Array, free: Sequence[str], method: str, **asked: Any
) -> dict[str, float]:
    """Estimates of a record of the model's one output; NaN where a method came to none."""
    return _values(fit(_record(model, time, measured), model, method=method, free=list(free), **asked), free)


def fitted_together(
    model: str, time: Array, measured: Sequence[Array], free: Sequence[str], **asked: Any
) -> dict[str, float]:
    """Estimates by shooting of several records at the same times, each with an initial state of its own."""
    records = Experiment(tuple(_record(model, time, values) for values in measured))
    return _values(fit(records, model, method="shooting", free=list(free), **asked), free)


def _record(model: str, time: Array, measured: Array) -> Record:
    return Record.from_arrays(time, {library_model(model).output_names[0]: measured})


def _values(result: Result, free: Sequence[str]) -> dict[str, float]:
    values = {name: result.parameters[name].value for name in free}
    return {name: float("nan") if value is None else value for name, value in values.items()}


def planned(
    model: str,
    time: Array | Sequence[Array],
    noise: float,
    truth: Mapping[str, float],
    starts: Sequence[Mapping[str, float]],
    fix: Mapping[str, float] | None = None,
) -> Likelihood:
    """The likelihood of records not yet taken, one per start, at the same times or each at its own."""
    times = [time] * len(starts) if isinstance(time, np.ndarray) else time
    return Likelihood.planned(
        library_model(model),
        times,
        {library_model(model).output_names[0]: noise},
        parameters={**truth, **(fix or {})},
        initial=list(starts),
        free=list(truth),
        fix=dict(fix or {}),
    )


def bounds_of(likelihood: Likelihood, truth: Mapping[str, float]) -> dict[str, float]:
    """Cramer-Rao bounds of the parameters at the truth, initial states unknown."""
    p = np.array(list(truth.values()))
    relative = np.linalg.inv(likelihood.information(p) * np.outer(p, p))
    return dict(zip(truth, (np.abs(p) * np.sqrt(np.diag(relative))).tolist(), strict=True))


def norm_bound(bounds: Mapping[str, float], truth: Mapping[str, float]) -> float:
    """The root mean square of E_p over the noise, of an efficient estimate."""
    return error_norm({name: truth[name] + bounds[name] for name in truth}, truth)


def rms_norm(estimates: Sequence[Mapping[str, float]], truth: Mapping[str, float]) -> float:
    """The root mean square of E_p over the noise draws that came to a number; NaN if none did."""
    norms = np.array([error_norm(one, truth) for one in estimates])
    known = norms[np.isfinite(norms)]
    return float(np.sqrt(np.mean(known**2))) if len(known) else float("nan")
