"""Measured values at which a model's equations have no value."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from identikit.model._model import Model
from identikit.model._parser import symbol
from identikit.model._program import Program
from identikit.model._structure import not_negative


def outside_domain(model: Model, outputs: Sequence[str], values: np.ndarray) -> dict[str, int]:
    """How many samples [samples, outputs] break each condition of the equations, such as {"h >= 0": 12}.

    sqrt(h), log(h) and h**0.7 need h >= 0, and noise takes a level that is nearly zero below it. Only conditions on
    states that are measured as they are, without parameters, can be counted.
    """
    expressions = [model.output(name).expression for name in outputs]
    states = {symbol(name) for name in model.state_names}
    measured = {state: column for state, column in zip(expressions, values.T, strict=True) if state in states}
    found: dict[str, int] = {}
    for condition in sorted(set().union(*map(not_negative, model.equations)), key=str):
        if condition.free_symbols <= set(measured):
            with np.errstate(all="ignore"):
                (value,) = Program([condition], list(measured))(np, list(measured.values()))
            count = int(np.sum(np.asarray(value) < 0))
            if count:
                found[f"{condition} >= 0"] = count
    return found
