"""Where a model's equations can be evaluated: the bounds of its states, stated or implied.

sqrt(h), log(h) and h**0.7 exist for h >= 0 only, so a state that stands in one of them by itself, or less a number,
is bounded below whether the model says so or not. Differences of states, as in sqrt(h1 - h2), bound neither state.
"""

from __future__ import annotations

from functools import lru_cache

import sympy as sp

from identikit.model._model import Model
from identikit.model._parser import symbol
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
