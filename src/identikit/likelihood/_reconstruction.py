"""States as expressions of measured curves: what can be had without integrating.

An output that is linear in one state gives that state. A state equation x' = f with x known and one unknown
state v entering linearly gives v = ..., with x' from the smooth curve. What is used up in this way defines
states; the equations that remain can be tested against the record.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import sympy as sp

from identikit.errors import ProblemError
from identikit.likelihood._settings import LIKELIHOOD
from identikit.measurement import HIGHEST_DERIVATIVE, SmoothCurve
from identikit.model import TIME, Model, Program, size, symbol
from identikit.problem import Observed, Problem

Curves = Sequence[Callable[..., np.ndarray]]  # curve(time, derivative)


def curve_symbol(output: str, derivative: int) -> sp.Symbol:
    return symbol(f"_curve_{output}_{derivative}")


@dataclass(frozen=True)
class Reconstruction:
    """`states[i]` in terms of curves, parameters, inputs and time; `missing` names the states that cannot be
    had.

    `remaining` are the indices of the equations that were not used to define a state.
    """

    model: Model
    outputs: tuple[str, ...]
    states: tuple[sp.Expr | None, ...]
    remaining: tuple[int, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(name for name, state in zip(self.model.state_names, self.states, strict=True) if state is None)

    @cached_property
    def symbols(self) -> list[sp.Symbol]:
        curves = [curve_symbol(name, d) for name in self.outputs for d in range(HIGHEST_DERIVATIVE + 1)]
        parameters = [symbol(name) for name in self.model.parameter_names]
        return [TIME, *curves, *map(symbol, self.model.input_names), *parameters]

    @cached_property
    def _program(self) -> Program:
        return Program([state if state is not None else sp.nan for state in self.states], self.symbols)

    def values(self, curves: Curves, record: Observed, time: np.ndarray, p: np.ndarray) -> np.ndarray:
        """State estimates [times, states]; NaN for missing states."""
        with np.errstate(all="ignore"):  # outside the equations' domain a state is NaN, which the caller sees
            found = self._program(np, curve_values(curves, record, time, p))
        return np.stack([np.broadcast_to(np.asarray(value, float), time.shape) for value in found], axis=1)


def curve_values(curves: Curves, record: Observed, time: np.ndarray, p: np.ndarray) -> list[np.ndarray]:
    """Values for `Reconstruction.symbols`."""
    derivatives = [curve(time, d) for curve in curves for d in range(HIGHEST_DERIVATIVE + 1)]
    return [time, *derivatives, *record.pieces(time), *p]


def smooth_curves(problem: Problem) -> list[list[SmoothCurve]]:
    """One smooth curve per record and output."""
    for record in problem.records:
        for name, column in zip(problem.outputs, record.values.T, strict=True):
            if not np.isfinite(column).any():
                raise ProblemError(
                    f"{record.name or 'the record'}: nothing was measured of output '{name}' in the part that is used: "
                    "leave that output out, or use a longer part"
                )
    return [
        [SmoothCurve(record.time, record.values[:, j]) for j in range(len(problem.outputs))]
        for record in problem.records
    ]


@lru_cache(maxsize=32)
def reconstruct(model: Model, outputs: tuple[str, ...], through_functions: bool = False) -> Reconstruction:
    """Find which states follow from the outputs' curves.

    `through_functions` also takes states out of roots and quotients: good enough as a first guess, too noisy for a
    regression.
    """
    x = [symbol(name) for name in model.state_names]
    if not model.symbolic:
        return Reconstruction(model, outputs, tuple([None] * len(x)), ())
    known: dict[sp.Symbol, tuple[sp.Expr, sp.Expr]] = {}  # state -> expression, derivative of that expression
    for name in outputs:
        expression = model.output(name).expression
        states = [state for state in x if state in expression.free_symbols]
        slope = sp.diff(expression, states[0]) if len(states) == 1 else sp.Integer(0)
        if len(states) == 1 and states[0] not in known and slope.is_number and slope != 0:
            rest = expression - slope * states[0]
            if not rest.free_symbols & {TIME, *map(symbol, model.input_names)}:
                value = sp.expand((curve_symbol(name, 0) - rest) / slope)
                known[states[0]] = (value, curve_symbol(name, 1) / slope)
    remaining = set(range(len(x)))
    progress = True
    while progress:
        progress = False
        for i in sorted(remaining):
            if x[i] not in known:
                continue
            unknown = [state for state in x if state in model.equations[i].free_symbols and state not in known]
            if len(unknown) != 1 or model.equations[i].atoms(sp.sign):
                continue
            solved = _solved(model.equations[i], unknown[0], _RATE, through_functions)
            if solved is None:
                continue
            replaced = {state: value for state, (value, _) in known.items()} | {_RATE: known[x[i]][1]}
            value = solved.xreplace(replaced)
            derivative = time_derivative(value, outputs)
            if derivative is None:
                continue
            known[unknown[0]] = (sp.simplify(value) if value.count_ops() < 60 else value, derivative)
            remaining.discard(i)
            progress = True
    found = tuple(known[state][0] if state in known else None for state in x)
    return Reconstruction(model, outputs, found, tuple(sorted(remaining)))


_RATE, _INNER = symbol("rate of a state"), symbol("function of a state")


def _solved(equation: sp.Expr, unknown: sp.Symbol, rate: sp.Symbol, through_functions: bool) -> sp.Expr | None:
    """The unknown state from rate = equation: where it enters linearly or, `through_functions`, as a quotient of linear
    ones (Monod's growth) or within one root, power, exponential or logarithm (the outflow of a tank)."""
    slope = sp.diff(equation, unknown)
    if slope.is_zero:
        return None
    if unknown not in slope.free_symbols:
        return (rate - (equation - slope * unknown).subs(unknown, 0)) / slope
    if not through_functions or size(equation) > LIKELIHOOD.largest_solved:
        return None
    for atom in equation.atoms(sp.Pow, sp.exp, sp.log):
        argument = atom.args[0]
        inverse = {sp.exp: sp.log, sp.log: sp.exp}.get(atom.func, lambda w, atom=atom: w ** (1 / atom.args[1]))
        if argument != unknown or (atom.is_Pow and not atom.exp.is_number):
            continue
        within = equation.xreplace({atom: _INNER})
        if unknown not in within.free_symbols:
            inner = _solved(within, _INNER, rate, False)
            return None if inner is None else inverse(inner)
    numerator = sp.fraction(sp.together(rate - equation))[0]
    return _solved(rate - numerator, unknown, rate, False)


def time_derivative(expression: sp.Expr, outputs: tuple[str, ...]) -> sp.Expr | None:
    """d/dt along the curves; None if it would need a derivative that is not kept, or that of an input."""
    total = sp.diff(expression, TIME)
    for name in outputs:
        for d in range(HIGHEST_DERIVATIVE + 1):
            slope = sp.diff(expression, curve_symbol(name, d))
            if slope == 0:
                continue
            if d == HIGHEST_DERIVATIVE:
                return None
            total += slope * curve_symbol(name, d + 1)
    return total
