"""The learned term as curves: over each variable, with its band, from what the record visited to a little beyond."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from identikit.method.unknown_term._settings import NEURAL_ODE
from identikit.method.unknown_term._term_training import TrainedTerm
from identikit.model import Program, symbol, to_text

BAND = 1.96  # standard errors on either side: 95 %


def curve_artifacts(trained: TrainedTerm, formula: sp.Expr | None = None) -> dict[str, dict[str, Any]]:
    """A section of the term along each of its variables, the others in the middle of what was visited.

    `formula` is the expression that was found for the term, drawn beside it.
    """
    network = trained.network
    middle = {name: (low + high) / 2 for name, (low, high) in network.visited.items()}
    units = {state.name: state.unit for state in trained.problem.model.states}
    made = {}
    for name in network.term.variables:
        at = _abscissae(*network.visited[name], network.term.friction)
        columns = {other: at if other == name else np.full_like(at, middle[other]) for other in middle}
        value, std = trained.values(columns)
        made[f"{network.term.name} over {name}"] = {
            "kind": "curve",
            "what": "learned term",
            "phrase": network.term.phrase,
            "along": name,
            "unit": units[name],
            "at": {other: middle[other] for other in middle if other != name},
            "value_unit": network.unit,
            "x": at,
            "value": value,
            "low": value - BAND * std,
            "high": value + BAND * std,
            "std": std,
            "visited": list(network.visited[name]),
            "jumps": network.term.friction,
            "formula": None if formula is None else _evaluated(formula, columns),
            "formula_text": None if formula is None else to_text(formula),
        }
    return made


def _abscissae(low: float, high: float, friction: bool) -> np.ndarray:
    """Over the visited range and a little beyond it; two points next to zero where a friction jumps."""
    reach = NEURAL_ODE.beyond * (high - low) / (2 if friction else 1)
    if not friction:
        return np.linspace(low - reach, high + reach, NEURAL_ODE.abscissae)
    away = np.linspace(0.0, high + reach, NEURAL_ODE.abscissae)
    away[0] = 1e-6 * high
    return np.concatenate([-away[::-1], away])


def _evaluated(formula: sp.Expr, columns: dict[str, np.ndarray]) -> np.ndarray:
    at = next(iter(columns.values()))
    with np.errstate(all="ignore"):  # beyond the visited range a formula may have no value
        found = Program([formula], [symbol(name) for name in columns])(np, list(columns.values()))[0]
    return np.broadcast_to(np.asarray(found, float), at.shape)


def network_artifact(trained: TrainedTerm) -> dict[str, dict[str, Any]]:
    """Every weight, its function and its standard error, for programs."""
    network, deviation = trained.network, np.sqrt(np.diag(trained.covariance))[trained.own :]
    rows = [
        [name, to_text(phi), float(value), float(std)]
        for name, phi, value, std in zip(network.weights, network.features, trained.weights, deviation, strict=True)
    ]
    return {"network": {"kind": "table", "columns": ["weight", "function", "value", "std"], "rows": rows}}
