"""Outputs y = h(t, x, u, p) with their derivatives, evaluated by NumPy on whole records."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp

from identikit.model._model import Model
from identikit.model._parser import TIME, symbol
from identikit.model._program import Program


@lru_cache(maxsize=64)
def observe(model: Model, outputs: tuple[str, ...], free: tuple[str, ...] = ()) -> Observation:
    """The observation of these outputs; equal models share it, since deriving it takes longer than using it."""
    return Observation(model, outputs, free)


class Observation:
    """Evaluate chosen outputs of a model and chain their derivatives with the states' own.

    `wanted` are the states (by index) that these outputs depend on: the only ones that are read between
    steps. `parameters` are the parameters (by index) that stand in them.
    """

    def __init__(self, model: Model, outputs: Sequence[str], free: Sequence[str] = ()) -> None:
        self.names = tuple(outputs)
        expressions = [model.output(name).expression for name in outputs]
        used = set().union(*(expression.free_symbols for expression in expressions))
        self.wanted = tuple(i for i, name in enumerate(model.state_names) if symbol(name) in used) or (0,)
        states = [symbol(model.state_names[i]) for i in self.wanted]
        parameters = [symbol(name) for name in model.parameter_names]
        self.parameters = frozenset(i for i, name in enumerate(parameters) if name in used)
        symbols = [TIME, *states, *map(symbol, model.input_names), *parameters]
        self._value = Program(expressions, symbols)
        to_state = [sp.diff(expression, state) for expression in expressions for state in states]
        to_free = [sp.diff(expression, symbol(name)) for expression in expressions for name in free]
        self._slope = Program([*to_state, *to_free], symbols)
        self._free = len(free)

    def __call__(self, t: np.ndarray, x: np.ndarray, u: np.ndarray, p: Sequence[Any] | np.ndarray) -> np.ndarray:
        """Values [samples, outputs] for wanted states x [samples, wanted], inputs u [inputs, samples], and parameters,
        each a number or one value per sample."""
        with np.errstate(all="ignore"):  # outside its domain an output is NaN, which the caller sees
            found = self._value(np, [t, *x.T, *u, *p])
        return np.stack([np.broadcast_to(value, t.shape) for value in found], axis=1)

    def values(self, xp: Any, t: Any, x: Any, u: Any, p: Any) -> list[Any]:
        """All outputs for all states x, by any array module, elementwise."""
        return list(self._value(xp, [t, *(x[i] for i in self.wanted), *u, *p]))

    def at(self, xp: Any, output: int, t: Any, x: Any, u: Any, p: Any) -> tuple[Any, Any, Any]:
        """One output at one point of all states x [states], by any array module: its value, and its derivatives with
        respect to all states and to the free parameters."""
        given = [t, *(x[i] for i in self.wanted), *u, *p]
        value, slopes = self._value(xp, given)[output], self._slope(xp, given)
        wanted, outputs = len(self.wanted), len(self.names)
        by_state = xp.zeros(len(x))
        for j, state in enumerate(self.wanted):
            by_state = by_state.at[state].set(slopes[output * wanted + j])
        own = outputs * wanted + output * self._free
        by_free = (
            xp.stack([xp.asarray(slopes[own + m], float) for m in range(self._free)]) if self._free else xp.zeros(0)
        )
        return value, by_state, by_free

    def with_derivatives(
        self, t: np.ndarray, X: np.ndarray, u: np.ndarray, p: Sequence[Any] | np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Values [samples, outputs] and derivatives [samples, outputs, columns].

        X [samples, wanted, 1 + columns] carries the states' own derivatives, free parameters in the last
        columns.
        """
        values = self(t, X[:, :, 0], u, p)
        with np.errstate(all="ignore"):
            slopes = self._slope(np, [t, *X[:, :, 0].T, *u, *p])
        outputs, wanted, columns = len(self.names), len(self.wanted), X.shape[2] - 1
        derivatives = np.zeros((len(t), outputs, columns))
        zero = self._slope.structurally_zero
        for i in range(outputs):
            for j in range(wanted):
                k = i * wanted + j
                if not zero[k]:
                    derivatives[:, i] += np.asarray(slopes[k]).reshape(-1, 1) * X[:, j, 1:]
            for m in range(self._free):
                k = outputs * wanted + i * self._free + m
                if not zero[k]:
                    derivatives[:, i, columns - self._free + m] += slopes[k]
        return values, derivatives
