"""What expressions are searched for: the rates of the states along smooth curves, and the states beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import sympy as sp

from identikit.likelihood import curve_values, reconstruct, smooth_curves, time_derivative
from identikit.method.expression._settings import EXPRESSION
from identikit.model import TIME, Program, symbol
from identikit.problem import Problem


@dataclass(frozen=True)
class Targets:
    """Samples of all records together.

    Arguments:
        columns: {state or input: [samples]}; what does not change is left out.
        time: [samples].
        rates: {state: [samples]} of the equations that can be tested against the record.
    """

    columns: Mapping[str, np.ndarray]
    time: np.ndarray
    rates: Mapping[str, np.ndarray]

    @classmethod
    def of(cls, problem: Problem) -> Targets:
        model = problem.model
        found = reconstruct(model, problem.outputs)
        slopes = {}
        for index in found.remaining:
            state = found.states[index]
            slope = None if state is None else time_derivative(state, problem.outputs)
            slopes[model.state_names[index]] = sp.nan if slope is None else slope
        program = Program(list(slopes.values()), found.symbols)
        p = problem.vector(np.zeros(len(problem.free)))
        names = (*model.state_names, *model.input_names)
        parts: list[np.ndarray] = []
        for record, curves in zip(problem.records, smooth_curves(problem), strict=True):
            time = _sampled(record.time, record.values, len(problem.records))
            with np.errstate(all="ignore"):  # outside the equations' domain there is no state, and no target
                rates = program(np, curve_values(curves, record, time, p))
            states = found.values(curves, record, time, p)
            shown = [np.broadcast_to(np.asarray(item, float), time.shape) for item in (*record.pieces(time), *rates)]
            parts.append(np.vstack([time, states.T, *shown]))
        table = np.hstack(parts)
        columns = {name: table[1 + i] for i, name in enumerate(names) if np.ptp(table[1 + i]) > 0}
        return cls(columns, table[0], dict(zip(slopes, table[1 + len(names) :], strict=True)))

    def values(self, functions: Sequence[sp.Expr]) -> np.ndarray:
        """Functions of states, inputs and time: [functions, samples]."""
        names = [*map(symbol, self.columns), *([] if "t" in self.columns else [TIME])]
        with np.errstate(all="ignore"):  # a function without a value there contributes no sample
            found = Program(functions, names)(np, [*self.columns.values(), self.time][: len(names)])
        return np.array([np.broadcast_to(np.asarray(item, float), self.time.shape) for item in found])

    def left(self, state: str, functions: Sequence[sp.Expr], factors: Sequence[float]) -> np.ndarray:
        """The rate of a state without a sum of functions."""
        if not functions:
            return self.rates[state]
        return np.asarray(self.rates[state] - np.asarray(factors, float) @ self.values(functions))


def _sampled(time: np.ndarray, values: np.ndarray, records: int) -> np.ndarray:
    """Times at which something was measured, evenly taken; without the ends, where smooth curves bend freely."""
    measured = time[np.isfinite(values).any(axis=1)]
    margin = EXPRESSION.ends * (measured[-1] - measured[0])
    inside = measured[(measured >= measured[0] + margin) & (measured <= measured[-1] - margin)]
    kept = inside if len(inside) > 2 else measured
    most = max(EXPRESSION.search_samples // records, 2)
    return kept[:: -(-len(kept) // most)]
