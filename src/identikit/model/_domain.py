"""Where a model's equations can be evaluated: bounds of its states, stated or implied, and samples beyond them.

sqrt(h), log(h) and h**0.7 exist for h >= 0 only, so a state that stands in one of them by itself, or less a number,
is bounded below whether the model says so or not. Differences of states, as in sqrt(h1 - h2), bound neither state.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import sympy as sp

from identikit.model._model import Model
from identikit.model._parser import symbol
from identikit.model._program import Program
from identikit.model._structure import not_negative


@lru_cache(maxsize=64)
def state_bounds(model: Model) -> tuple[tuple[float, float], ...]:
    """(low, high) of every state: what the model states, narrowed to what its equations and outputs allow."""
    found = {symbol(state.name): state.bounds for state in model.states}
    expressions = [*model.equations, *(output.expression for output in model.outputs)]
    for argument in set().union(*map(not_negative, expressions)):
        free = argument.free_symbols
        if len(free) != 1 or not free <= set(found):
            continue
        (state,) = free
        slope = sp.diff(argument, state)
        if not slope.is_number or slope == 0:
            continue
        edge = float(-argument.subs(state, 0) / slope)
        low, high = found[state]
        found[state] = (max(low, edge), high) if slope > 0 else (low, min(high, edge))
    return tuple(found[symbol(state.name)] for state in model.states)


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
