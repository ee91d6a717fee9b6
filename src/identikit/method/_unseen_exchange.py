"""Exchange of two parameters that only an equation without hidden states shows: two lags in series, two decays.

    z' = (u - z)/tau1,   y' = (z - y)/tau2,   y measured:      tau1 tau2 y'' + (tau1 + tau2) y' + y = u

No relabelling of states exchanges tau1 and tau2; the hidden z becomes another function of the same y. So hidden states
are expressed by measured curves and their derivatives (`reconstruct`), and what is left is asked whether the exchange
multiplies it by a constant. The new states follow from the old: the curves' derivatives from the equations, the states
from these with the parameters exchanged.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import sympy as sp

from identikit.likelihood import Reconstruction, curve_symbol, reconstruct, time_derivative
from identikit.measurement import HIGHEST_DERIVATIVE
from identikit.method._settings import JUDGEMENT
from identikit.model import TIME, Model, Program, size, symbol
from identikit.problem import Problem

COMPARED_POINTS = 16  # at which an equation is compared with its exchange, for one set of parameters
CONSTANT_RATIO = 1e-8  # relative differences of their ratio up to which it is a constant


@dataclass(frozen=True)
class UnseenExchange:
    """The states that belong to the exchanged parameters, as expressions of the old states, parameters and inputs."""

    problem: Problem
    states: tuple[sp.Expr, ...]

    def beginning(self, record: int, x: np.ndarray, p: np.ndarray) -> np.ndarray:
        """States at the beginning of a record, given those that belong to the parameters p before the exchange."""
        model, observed = self.problem.model, self.problem.records[record]
        begin = observed.time[:1]
        names = (*model.state_names, *model.input_names, *model.parameter_names)
        inputs = [float(np.ravel(piece)[0]) for piece in observed.pieces(begin)]
        values = [float(begin[0]), *x, *inputs, *self.problem.vector(p)]
        found = Program(self.states, [TIME, *map(symbol, names)])(np, values)
        return np.array([float(item) for item in found])


def unseen_exchange(problem: Problem, first: int, second: int, p: np.ndarray) -> UnseenExchange | None:
    """The exchange of two free parameters, if nothing that is measured depends on it; None if something may."""
    equations = _equations(problem.model, problem.outputs)
    if equations is None or not _multiplied(equations, problem, first, second, p):
        return None
    a, b = symbol(problem.free[first]), symbol(problem.free[second])
    states = _exchanged_states(reconstruct(problem.model, problem.outputs), {a: b, b: a})
    if states is None:
        return None
    found = UnseenExchange(problem, states)
    return found if _begins_alike(found, p) else None


@lru_cache(maxsize=32)
def _equations(model: Model, outputs: tuple[str, ...]) -> Program | None:
    """What vanishes along a motion, as a program of what moves and then the parameters; None if there is no such."""
    if not model.symbolic:
        return None
    known = reconstruct(model, outputs)
    if known.missing or len(known.remaining) == len(model.states):
        return None  # not all can be told from curves, or nothing is hidden
    left = [
        item
        for i in known.remaining
        if (item := _left_over(known, i)) is not None and size(item) <= JUDGEMENT.largest_equation
    ]
    if len(left) < len(known.remaining):
        return None
    parameters = [symbol(name) for name in model.parameter_names]
    used: set[sp.Symbol] = set().union(*(item.free_symbols for item in left))
    return Program(left, [*sorted(used - set(parameters), key=str), *parameters])


def _left_over(known: Reconstruction, i: int) -> sp.Expr | None:
    """Rate of state i minus its equation, in terms of curves, inputs and parameters: zero along a motion."""
    model = known.model
    value = known.states[i]
    rate = None if value is None else time_derivative(value, known.outputs)
    if rate is None or value is None:
        return None
    for name in model.input_names:
        rate += sp.diff(value, symbol(name)) * symbol(f"_rate_{name}")
    found = {symbol(name): state for name, state in zip(model.state_names, known.states, strict=True)}
    return rate - model.equations[i].xreplace(found)


def _multiplied(equations: Program, problem: Problem, first: int, second: int, p: np.ndarray) -> bool:
    """Whether the exchange multiplies every equation by something that does not depend on the motion."""
    random = np.random.default_rng(0)
    moving = random.normal(size=(len(equations.inputs) - len(problem.model.parameters), COMPARED_POINTS))
    for _ in range(2):
        here = np.where(p == 0, 1.0, p) * 10.0 ** random.uniform(-0.5, 0.5, len(p))
        there = here.copy()
        there[[first, second]] = here[[second, first]]
        with np.errstate(all="ignore"):  # outside the equations' domain there is nothing to compare
            sides = [equations(np, [*moving, *problem.vector(values)]) for values in (here, there)]
            ratios = [
                np.broadcast_to(np.asarray(b / a, float), (COMPARED_POINTS,)) for a, b in zip(*sides, strict=True)
            ]
        if not all(
            np.isfinite(ratio).all() and np.ptp(ratio) <= CONSTANT_RATIO * np.abs(ratio).max() for ratio in ratios
        ):
            return False
    return True


def _exchanged_states(known: Reconstruction, swap: dict[sp.Symbol, sp.Symbol]) -> tuple[sp.Expr, ...] | None:
    """States after the exchange; None where they would need the derivative of an input."""
    model = known.model
    states = [symbol(name) for name in model.state_names]
    inputs = set(map(symbol, model.input_names))
    used: set[sp.Symbol] = set().union(*(item.free_symbols for item in known.states if item is not None))
    curves: dict[sp.Symbol, sp.Expr] = {}
    for output in known.outputs:
        value = model.output(output).expression
        for order in range(HIGHEST_DERIVATIVE + 1):
            curves[curve_symbol(output, order)] = value
            if not used & {curve_symbol(output, d) for d in range(order + 1, HIGHEST_DERIVATIVE + 1)}:
                break
            if value.free_symbols & inputs:
                return None
            slopes = (sp.diff(value, x) * f for x, f in zip(states, model.equations, strict=True))
            value = sp.diff(value, TIME) + sp.Add(*slopes)
    return tuple(item.subs(swap, simultaneous=True).xreplace(curves) for item in known.states if item is not None)


def _begins_alike(found: UnseenExchange, p: np.ndarray) -> bool:
    """Whether nothing, or all, is known of how the records begin, and the exchange does not contradict it."""
    for record, initial in enumerate(found.problem.initial):
        items = initial.values()
        if all(item.free for item in items):
            continue
        if not all(item.known and isinstance(item.value, float) for item in items):
            return False
        x = np.array([item.value for item in items], float)
        if not np.allclose(found.beginning(record, x, p), x, rtol=1e-9, atol=1e-12):
            return False
    return True
