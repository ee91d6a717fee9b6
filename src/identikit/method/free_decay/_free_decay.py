"""What methods for free decays share: the model as one oscillator, its parameters sorted by what they do, objections.

    x'' = a(x, v, p) = a(x, 0, p) + d(x, v, p),        y = gain x + offset

a(x, 0) restores, d damps. A free parameter that is in d alone is a damping; one in a(x, 0) a stiffness, wherever else
it stands; one in y alone an offset.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import sympy as sp

from identikit.errors import SimulationError
from identikit.measurement import SmoothCurve, free_decay_objections
from identikit.method._base import needs_equations, not_used, too_few_samples
from identikit.method.regression._regression import FilteredRegression, objections
from identikit.model import TIME, Program, degrees_of_freedom, symbol
from identikit.numerics import middle
from identikit.problem import Problem
from identikit.result import Finding, finding
from identikit.simulation import simulate

Curves = Sequence[Sequence[SmoothCurve]]

BEGINNING = 0.4  # periods
SIMULATED = 1e-9
ASTRAY = 0.3  # of the record's spread: a simulation further off is no start
VISCOUS, DRY, DRAG, OTHER = "viscous", "dry", "drag", "other"


@dataclass(frozen=True)
class Oscillator:
    """A problem's model as one oscillator, fixed values and constant inputs put in.

    `dampings` maps free damping parameters to their law (viscous, dry, drag, other) and the factor that stands with
    it, a = ... - factor p law(v); `stiffnesses` and `offsets` name the other free parameters.
    """

    problem: Problem
    position: int
    velocity: int
    output: int
    gain: float
    acceleration: sp.Expr
    dampings: dict[str, tuple[str, float | None]]
    stiffnesses: tuple[str, ...]
    offsets: tuple[str, ...]

    @property
    def x(self) -> sp.Symbol:
        return symbol(self.problem.model.state_names[self.position])

    @property
    def v(self) -> sp.Symbol:
        return symbol(self.problem.model.state_names[self.velocity])

    @cached_property
    def moving(self) -> tuple[Program, Program]:
        """a(x, v, p) for falling (v < 0) and rising (v > 0) motion: smooth, with sign and modulus taken out."""
        symbols = [self.x, self.v, *map(symbol, self.problem.free)]
        return Program([_one_way(self.acceleration, self.v, -1)], symbols), Program(
            [_one_way(self.acceleration, self.v, 1)], symbols
        )

    @cached_property
    def resting(self) -> Program:
        """a(x, 0, p) without friction, and its slope towards x."""
        still = _at_rest(self.acceleration, self.v)
        return Program([still, sp.diff(still, self.x)], [self.x, *map(symbol, self.problem.free)])

    def equilibrium(self, p: np.ndarray, near: float) -> float:
        """The rest position next to `near`, by Newton's method; `near` itself if there is none."""
        x = near
        for _ in range(50):
            force, slope = (float(value) for value in self.resting(np, [x, *p]))
            if not (np.isfinite(force) and slope < 0):
                return near
            step = -force / slope
            x += step
            if abs(step) <= 1e-14 * (abs(x) + 1e-300):
                break
        return float(x)

    def reading_at_zero(self, p: np.ndarray) -> float:
        """What is measured at position zero: the sensor's offset."""
        expression = self.problem.model.output(self.problem.outputs[self.output]).expression
        values = dict(zip(map(symbol, self.problem.model.parameter_names), self.problem.vector(p), strict=True))
        return float(expression.subs(values).subs({self.x: 0}))

    def stiffness(self, p: np.ndarray, x: float) -> float:
        """-da/dx at x."""
        return -float(self.resting(np, [x, *p])[1])


def _one_way(expression: sp.Expr, v: sp.Symbol, direction: int) -> sp.Expr:
    """The expression for v of one sign: sign(g v) and |g v| with a factor that does not move are resolved too."""
    speed = sp.Symbol("speed of one sign", positive=True)
    return expression.subs(v, direction * speed).subs(speed, direction * v)


def _at_rest(expression: sp.Expr, v: sp.Symbol) -> sp.Expr:
    return expression.subs(v, 0)


def oscillator(problem: Problem) -> Oscillator | list[Finding]:
    """The problem's model as one oscillator, or why it is none."""
    model = problem.model
    if not model.symbolic:
        return needs_equations(problem)
    pairs = degrees_of_freedom(model)
    if len(pairs) != 1:
        text = (
            f"model '{model.name}' is not of one degree of freedom (two states x and v with x' = v): "
            "this method is for one oscillation that dies out; use shooting"
        )
        return [finding("not_one_degree_of_freedom", text)]
    position, velocity = pairs[0]
    x, v = symbol(model.state_names[position]), symbol(model.state_names[velocity])
    known = {symbol(name): _exact(value) for name, value in problem.fixed.items()}
    driven = _driven(problem)
    if driven:
        return driven
    known |= {
        symbol(name): _exact(float(problem.records[0].pieces.coefficients[0, i, 0]))
        for i, name in enumerate(model.input_names)
    }
    acceleration = model.equations[velocity].subs(known)
    if TIME in acceleration.free_symbols:
        text = (
            "the equations hold the time: the motion is driven, not a free decay; use shooting, or switch the drive off"
        )
        return [finding("motion_is_driven", text)]
    chosen = _position_output(problem, x, v, known)
    if chosen is None:
        name = model.state_names[position]
        text = f"no measured output is a constant times {name}: this method needs the position itself; use shooting"
        return [finding("state_not_measured", text, name)]
    output, gain = chosen
    still = _at_rest(acceleration, v)
    dampings: dict[str, tuple[str, float | None]] = {}
    stiffnesses, offsets, idle = [], [], []
    seen = model.output(problem.outputs[output]).expression.free_symbols
    for name in problem.free:
        p = symbol(name)
        if p in still.free_symbols:
            stiffnesses.append(name)
        elif p in acceleration.free_symbols:
            dampings[name] = _law(acceleration, p, v)
        elif p in seen:
            offsets.append(name)
        else:
            idle.append(name)
    if len(offsets) > 1:
        text = f"{' and '.join(offsets)} both shift what is measured and cannot be told apart: fix all but one"
        return [finding("inseparable", text, *offsets)]
    if idle:
        return [not_used(idle, "the motion and in what is measured")]
    return Oscillator(
        problem, position, velocity, output, gain, acceleration, dampings, tuple(stiffnesses), tuple(offsets)
    )


def decay_objections(problem: Problem) -> list[Finding]:
    """Why the free-decay methods do not apply; empty if they do."""
    found = too_few_samples(problem)
    if found:
        return found
    made = oscillator(problem)
    if isinstance(made, list):
        return made
    for record in problem.records:
        output = problem.outputs[made.output]
        where = f"record '{record.name}': " if len(problem.records) > 1 else ""
        found = [
            finding("not_a_free_decay", where + text, output)
            for text in free_decay_objections(record.time, record.values[:, made.output])
        ]
        if found:
            return found
    return []


def first_values(problem: Problem, curves: Curves, seed: int) -> np.ndarray:
    """The user's values, else a regression's, else the model's own, else the middle of the bounds."""
    low = np.array([problem.bounds[name][0] for name in problem.free])
    high = np.array([problem.bounds[name][1] for name in problem.free])
    given = np.array([problem.start.get(name, np.nan) for name in problem.free])
    own = np.array([problem.model.parameter(name).value for name in problem.free], float)
    found = np.full(len(low), np.nan)
    if not np.isfinite(given).all() and not objections(problem):
        found = FilteredRegression(problem, curves).solve(seed)
    for other in (found, own, middle(low, high)):
        given = np.where(np.isfinite(given), given, other)
    return np.clip(given, low, high)


def first_states(made: Oscillator, p: np.ndarray, periods: Sequence[float]) -> np.ndarray:
    """Position and velocity at the first sample of each record [records, 2], from a cubic over the first 0.4 periods.

    The end of a smoothing spline would not do: its slope there is mostly noise.
    """
    problem = made.problem
    level = made.reading_at_zero(p)
    found = np.zeros((len(problem.records), 2))
    for index, (record, period) in enumerate(zip(problem.records, periods, strict=True)):
        known = np.isfinite(record.values[:, made.output])
        t, y = record.time[known], record.values[known, made.output]
        count = min(max(int(np.searchsorted(t, t[0] + BEGINNING * period)), 8), len(t))
        scaled = (t[:count] - record.time[0]) / (BEGINNING * period)
        cubic = np.polynomial.polynomial.polyfit(scaled, y[:count], 3)
        found[index, made.position] = (cubic[0] - level) / made.gain
        found[index, made.velocity] = cubic[1] / made.gain / (BEGINNING * period)
    return found


def modelled_curves(made: Oscillator, p: np.ndarray, initial: np.ndarray, sigma: Sequence[float]) -> Curves | None:
    """Smooth curves through a simulation of the records, to start their fit from; None if it does not follow them."""
    problem = made.problem
    curves = []
    for record, states, own in zip(problem.records, initial, sigma, strict=True):
        try:
            solution = simulate(
                problem.model,
                record.time,
                dict(zip(problem.model.parameter_names, problem.vector(p), strict=True)),
                dict(zip(problem.model.state_names, states, strict=True)),
                record.pieces,
                SIMULATED,
            )
        except SimulationError:
            return None
        measured, modelled = record.values[:, made.output], solution.outputs[problem.outputs[made.output]]
        if np.nanstd(measured - modelled) > ASTRAY * np.nanstd(measured):
            return None  # an initial state a little off may end in another well
        curves.append([SmoothCurve(record.time, solution.outputs[name], own) for name in problem.outputs])
    return curves


def _exact(value: float) -> sp.Expr:
    """Zero and one vanish from products, so that a drive of amplitude zero is none."""
    return sp.Integer(int(value)) if value in (0.0, 1.0) else sp.Float(value)


def _driven(problem: Problem) -> list[Finding]:
    for record in problem.records:
        coefficients = record.pieces.coefficients
        if (
            len(coefficients) > 1
            or np.any(coefficients[..., 1:] != 0)
            or np.any(coefficients[0] != problem.records[0].pieces.coefficients[0])
        ):
            text = "an input changes along the record: the motion is driven, not a free decay; use shooting"
            return [finding("motion_is_driven", text)]
    return []


def _position_output(
    problem: Problem, x: sp.Symbol, v: sp.Symbol, known: dict[sp.Symbol, sp.Expr]
) -> tuple[int, float] | None:
    for index, name in enumerate(problem.outputs):
        expression = problem.model.output(name).expression.subs(known)
        gain = sp.diff(expression, x)
        if gain.is_number and gain != 0 and not (expression.free_symbols & {v, TIME}):
            return index, float(gain)
    return None


def _law(acceleration: sp.Expr, p: sp.Symbol, v: sp.Symbol) -> tuple[str, float | None]:
    """How a parameter damps: its term's law of speed, and the number that stands with it (None if none does)."""
    slope = sp.expand(-sp.diff(acceleration, p))
    if p in slope.free_symbols:
        return OTHER, None
    for kind, law in ((VISCOUS, v), (DRY, sp.sign(v)), (DRAG, v * sp.Abs(v))):
        factor = sp.simplify(_one_way(slope / law, v, 1))
        if v not in factor.free_symbols and sp.simplify(factor - _one_way(slope / law, v, -1)) == 0:
            return kind, float(factor) if factor.is_number else None
    return OTHER, None
