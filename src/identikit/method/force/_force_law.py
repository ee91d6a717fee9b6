"""The force in a model of one degree of freedom: what is known of it, what is looked for, and over which coordinates.

    x' = v,    v' = known(t, x, v, u) - law(s, r; p) / inertia,    s = x - base displacement, r = v - base velocity

The law is everything that holds a free parameter. It must be a function of displacement and velocity alone, absolute
or relative to a base whose motion is an input; time and other inputs may appear in the known part only.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import sympy as sp

from identikit.errors import UnitError
from identikit.likelihood import Reconstruction, curve_symbol, reconstruct, time_derivative
from identikit.measurement import HIGHEST_DERIVATIVE
from identikit.method._settings import FORCE
from identikit.model import EXTREMA, Model, Program, equations_of_motion, split_sum, sum_terms, symbol
from identikit.units import check


@dataclass(frozen=True)
class ForceLaw:
    """The parts of the model's second equation, as expressions; signs as for a spring: a positive force pulls back."""

    model: Model
    outputs: tuple[str, ...]
    position: int
    velocity: int
    known: sp.Expr
    law: sp.Expr
    inertia: str  # name of the parameter that is the inertia; "" = force per unit of inertia
    base: tuple[str, str]  # inputs that displacement and velocity are relative to; "" = none

    @property
    def reconstruction(self) -> Reconstruction:
        return reconstruct(self.model, self.outputs)

    @property
    def foreign(self) -> list[str]:
        """Symbols the law must not depend on, but does."""
        allowed = {self._x, self._v, *map(symbol, self.model.parameter_names)}
        return sorted(str(item) for item in self.law.free_symbols - allowed)

    @property
    def jumps(self) -> bool:
        """Whether the law jumps where the velocity changes its sign."""
        return bool(self.law.atoms(sp.sign))

    @property
    def _x(self) -> sp.Symbol:
        return symbol(self.model.state_names[self.position])

    @property
    def _v(self) -> sp.Symbol:
        return symbol(self.model.state_names[self.velocity])

    @cached_property
    def _law_program(self) -> Program:
        return Program([self.law], [self._x, self._v, *map(symbol, self.model.parameter_names)])

    def force(self, displacement: np.ndarray, velocity: np.ndarray, p: np.ndarray) -> np.ndarray:
        """The law at relative displacements and velocities, for all parameters p."""
        with np.errstate(all="ignore"):
            found = self._law_program(np, [displacement, velocity, *p])[0]
        return np.broadcast_to(np.asarray(found, float), np.broadcast_shapes(displacement.shape, velocity.shape))

    @cached_property
    def acceleration(self) -> sp.Expr | None:
        """v' in terms of the curves."""
        state = self.reconstruction.states[self.velocity]
        return None if state is None else time_derivative(state, self.outputs)

    @cached_property
    def record_program(self) -> Program:
        """Relative displacement, relative velocity and force from the curves, inputs and parameters."""
        states = dict(zip(map(symbol, self.model.state_names), self.reconstruction.states, strict=True))
        inertia = symbol(self.inertia) if self.inertia else sp.Integer(1)
        assert self.acceleration is not None
        coordinates = [
            states[state] - (symbol(base) if base else 0)
            for state, base in zip((self._x, self._v), self.base, strict=True)
        ]
        force = -inertia * (self.acceleration - self.known.xreplace(states))
        return Program([*coordinates, force], self.reconstruction.symbols)

    @cached_property
    def noise_weights(self) -> np.ndarray | None:
        """d(displacement, velocity, acceleration)/d(curve of output o, derivative d), [3, outputs, derivatives].

        None if one of the three is not a sum of curves.
        """
        states = self.reconstruction.states
        table = [
            [[sp.diff(what, curve_symbol(name, d)) for d in range(HIGHEST_DERIVATIVE + 1)] for name in self.outputs]
            for what in (states[self.position], states[self.velocity], self.acceleration)
        ]
        if not all(entry.is_number for rows in table for row in rows for entry in row):
            return None
        return np.array([[[float(entry) for entry in row] for row in rows] for rows in table])

    def slopes(self, displacement: np.ndarray, velocity: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """d law/d displacement and d law/d velocity by differences, the latter away from the jump at zero."""
        found = []
        for axis, values in enumerate((displacement, velocity)):
            step = 1e-4 * max(float(np.ptp(values)), 1e-300)
            ahead = np.where(values < 0, -step, step) if axis else np.full_like(values, step)
            moved = (displacement + ahead, velocity) if axis == 0 else (displacement, velocity + ahead)
            here = (displacement, velocity)
            if axis:  # at rest the law is that of the side it is moved to
                here = (displacement, np.where(velocity == 0, 1e-9 * ahead, velocity))
            found.append((self.force(*moved, p) - self.force(*here, p)) / ahead)
        return found[0], found[1]

    @property
    def words(self) -> tuple[str, str]:
        """How displacement and velocity are called: X, or X - Y relative to a base."""
        names = [self.model.state_names[i] for i in (self.position, self.velocity)]
        x, v = (f"{name} - {base}" if base else name for name, base in zip(names, self.base, strict=True))
        return x, v

    @property
    def units(self) -> tuple[str, str, str]:
        """Of displacement, velocity and force; the last empty where it cannot be written."""
        x, v = (self.model.states[i].unit for i in (self.position, self.velocity))
        time = self.model.time_unit
        per_time = f"{v}/{time}" if v and time else ""
        if time and v.endswith(f"/{time}"):
            per_time = f"{v}^2"
        if self.inertia:
            inertia = self.model.parameter(self.inertia).unit
            force = "N" if (x, inertia, time) == ("m", "kg", "s") else f"{inertia}*{per_time}"
        else:
            force = per_time
        try:
            check(force)
        except UnitError:
            force = ""
        return x, v, force


@lru_cache(maxsize=32)
def force_law(model: Model, outputs: tuple[str, ...], free: tuple[str, ...]) -> ForceLaw | None:
    """The law of a model with x' = v, or None if the model is of another kind."""
    motions = equations_of_motion(model)
    if len(motions) != 1:
        return None
    motion = motions[0]
    known, unknown = split_sum(sum_terms(motion.acceleration), {symbol(name) for name in free})
    inertia = motion.inertia(model, free)
    law = sp.Add(*(-term * symbol(inertia) for term in sum_terms(unknown))) if inertia else -unknown
    bases = []
    for state in (motion.x, motion.v):
        name, law = _relative(law, state, model.input_names)
        bases.append(name)
    return ForceLaw(model, outputs, motion.position, motion.velocity, known, law, inertia, (bases[0], bases[1]))


def _opened(term: sp.Expr) -> sp.Expr:
    """c (v + w) as c v + c w, where that is cheap, so that a base motion that cancels is seen to cancel."""
    return sp.expand_mul(term) if term.count_ops() < FORCE.most_operations else term


def _relative(law: sp.Expr, state: sp.Symbol, inputs: tuple[str, ...]) -> tuple[str, sp.Expr]:
    """The input that the state appears relative to in all of the law, and the law over the difference."""
    for name in inputs:
        if symbol(name) not in law.free_symbols:
            continue
        rule = {state: state + symbol(name)}
        # comparing the arguments of a minimum is slow, and the same one stands in an expression hundreds of times
        rule |= {limit: limit.xreplace(rule) for limit in law.atoms(*EXTREMA)}
        moved = sp.Add(*map(_opened, sp.Add.make_args(law.xreplace(rule))))
        if symbol(name) not in moved.free_symbols:
            return name, moved
    return "", law
