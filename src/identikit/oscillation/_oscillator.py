"""The oscillator inside an equation: a problem's model as one free oscillation, its parameters sorted by what they do.

    x'' = a(x, v, p) = a(x, 0, p) + d(x, v, p),        y = gain x + offset

a(x, 0) restores, d damps. A free parameter that is in d alone is a damping; one in a(x, 0) a stiffness, wherever else
it stands; one in y alone an offset.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import sympy as sp

from identikit.model import TIME, EquationOfMotion, Program, as_numbers, equations_of_motion, symbol
from identikit.oscillation._mechanisms import damping_parameters, one_way
from identikit.oscillation._rest_position import rest_position
from identikit.problem import Observed, Problem
from identikit.result import Finding, finding


@dataclass(frozen=True)
class Oscillator:
    """A problem's model as one oscillator, fixed values and constant inputs put in.

    `dampings` maps free damping parameters to their law (viscous, dry, drag, other) and the factor that stands with
    it, a = ... - factor p law(v); `stiffnesses` and `offsets` name the other free parameters.
    """

    problem: Problem
    motion: EquationOfMotion
    output: int
    gain: float
    dampings: dict[str, tuple[str, float | None]]
    stiffnesses: tuple[str, ...]
    offsets: tuple[str, ...]

    @cached_property
    def moving(self) -> tuple[Program, Program]:
        """a(x, v, p) for falling (v < 0) and rising (v > 0) motion: smooth, with sign and modulus taken out."""
        x, v = self.motion.x, self.motion.v
        symbols = [x, v, *map(symbol, self.problem.free)]
        falling, rising = (Program([one_way(self.motion.acceleration, v, way)], symbols) for way in (-1, 1))
        return falling, rising

    @cached_property
    def resting(self) -> Program:
        """a(x, 0, p) without friction, and its slope with respect to x."""
        still = self.motion.restoring
        return Program([still, sp.diff(still, self.motion.x)], [self.motion.x, *map(symbol, self.problem.free)])

    @cached_property
    def _leverage(self) -> Program:
        x, v, free = self.motion.x, self.motion.v, [symbol(name) for name in self.problem.free]
        return Program([sp.diff(one_way(self.motion.acceleration, v, 1), p) for p in free], [x, v, *free])

    def leverage(self, x: float, v: float, p: np.ndarray) -> np.ndarray:
        """|da/dp| of every free parameter in rising motion (v > 0)."""
        return np.maximum(np.abs([float(value) for value in self._leverage(np, [x, v, *p])]), 1e-300)

    def equilibrium(self, p: np.ndarray, near: float) -> float:
        """The position of rest next to `near`; `near` itself if there is none."""
        return rest_position(lambda x: self.resting(np, [x, *p]), near)

    @property
    def reading(self) -> sp.Expr:
        """What is measured, as an expression of the states and parameters."""
        return self.problem.model.output(self.problem.outputs[self.output]).expression

    def reading_at_zero(self, p: np.ndarray) -> float:
        """What is measured at position zero: the sensor's offset."""
        values = dict(zip(map(symbol, self.problem.model.parameter_names), self.problem.vector(p), strict=True))
        return float(self.reading.subs(values).subs({self.motion.x: 0}))

    @cached_property
    def moves(self) -> np.ndarray:
        """Which of the free parameters act on the motion [free]; the others only shift what is measured."""
        return np.array([name not in self.offsets for name in self.problem.free])

    def with_offset(
        self, p: np.ndarray, std: np.ndarray, level: float, level_std: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """All free parameters and their standard errors, from those that move and the sensor's reading at zero."""
        full, spread = p.copy(), np.zeros(len(p))
        spread[self.moves] = std
        for index in np.flatnonzero(~self.moves):
            name = self.problem.free[index]
            slope = float(sp.diff(self.reading, symbol(name)))
            full[index] = np.clip(level / slope, *self.problem.bounds[name])
            spread[index] = level_std / abs(slope)
        return full, spread

    def stiffness(self, p: np.ndarray, x: float) -> float:
        """-da/dx at x."""
        return -float(self.resting(np, [x, *p])[1])


def oscillator_of(problem: Problem) -> Oscillator | list[Finding]:
    """The problem's model as one oscillator, or why it is none."""
    model = problem.model
    if not model.symbolic:
        text = "the model is a function, not equations: give it as text or SymPy, or use shooting with starting values"
        return [finding("needs_symbolic_equations", text)]
    if len(model.states) != 2 or not equations_of_motion(model):
        text = (
            f"model '{model.name}' is not of one degree of freedom (two states x and v with x' = v): "
            "this method is for one oscillation that dies out; use shooting"
        )
        return [finding("not_one_degree_of_freedom", text)]
    inputs = [record.pieces.coefficients[0, :, 0].tolist() for record in problem.records]
    if any(map(input_changes, problem.records)) or any(values != inputs[0] for values in inputs):
        text = "an input changes along the record: the motion is driven, this is not a free decay; use shooting"
        return [finding("motion_is_driven", text)]
    known = {**problem.fixed, **dict(zip(model.input_names, inputs[0], strict=True))}
    motion = equations_of_motion(model, known)[0]
    if TIME in motion.acceleration.free_symbols:
        text = (
            "the equations hold the time: the motion is driven, this is not a free decay; use shooting, or switch the "
            "drive off"
        )
        return [finding("motion_is_driven", text)]
    chosen = _position_output(problem, motion, known)
    if chosen is None:
        text = f"no measured output is a constant times {motion.x}: this method needs the position itself; use shooting"
        return [finding("state_not_measured", text, str(motion.x))]
    output, gain = chosen
    dampings = {
        name: (law, float(factor) if factor is not None and factor.is_number else None)
        for name, (law, factor) in damping_parameters(motion, problem.free).items()
    }
    restoring = _held(problem.free, motion.restoring)
    seen = _held(problem.free, model.output(problem.outputs[output]).expression)
    offsets = tuple(name for name in seen if name not in dampings and name not in restoring)
    if len(offsets) > 1:
        text = f"{' and '.join(offsets)} both shift what is measured and cannot be told apart: fix all but one"
        return [finding("inseparable", text, *offsets)]
    idle = [name for name in problem.free if name not in dampings and name not in restoring and name not in offsets]
    if idle:
        text = f"{', '.join(idle)} acts neither on the motion nor on what is measured: fix it"
        return [finding("parameter_unused", text, *idle)]
    return Oscillator(problem, motion, output, gain, dampings, restoring, offsets)


def _held(names: Iterable[str], expression: sp.Expr) -> tuple[str, ...]:
    return tuple(name for name in names if symbol(name) in expression.free_symbols)


def input_changes(record: Observed) -> bool:
    """Whether an input changes along a record."""
    coefficients = record.pieces.coefficients
    return len(coefficients) > 1 or bool(np.any(coefficients[..., 1:] != 0))


def _position_output(problem: Problem, motion: EquationOfMotion, known: dict[str, float]) -> tuple[int, float] | None:
    for index, name in enumerate(problem.outputs):
        expression = problem.model.output(name).expression.subs(as_numbers(known))
        gain = sp.diff(expression, motion.x)
        if gain.is_number and gain != 0 and not (expression.free_symbols & {motion.v, TIME}):
            return index, float(gain)
    return None
