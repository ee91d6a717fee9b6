"""The validation test of the paper: the model alone, with the estimates, from where the observer began."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from identikit.errors import SimulationError
from identikit.method._report import Evidence
from identikit.method._settings import OBSERVER
from identikit.method.adaptive_observer._told import Told
from identikit.problem import Problem
from identikit.simulation import simulate


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
