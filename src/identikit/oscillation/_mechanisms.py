"""Which parameters of a model damp, and how: found in the equation, not declared.

For one degree of freedom, x' = v and v' = a(x, v, p), a parameter damps if it is in a and vanishes from it at v = 0.
One that enters linearly, da/dp = -factor law(v) with a factor that does not depend on v, damps by

    viscous damping   law(v) = v
    dry friction      law(v) = sign(v)
    drag              law(v) = v|v|

and otherwise in another way ("other"). A parameter that acts at v = 0 as well (a stiffness, a mass, a frequency that
also scales the damping) does not count as one that damps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import sympy as sp

from identikit.errors import ModelError
from identikit.model import EquationOfMotion, Model, Parameter, Program, equations_of_motion, symbol
from identikit.oscillation._rest_position import rest_position

VISCOUS, DRY, DRAG, OTHER = "viscous", "dry", "drag", "other"
MECHANISMS = (VISCOUS, DRY, DRAG)


def damping_parameters(motion: EquationOfMotion, names: Iterable[str]) -> dict[str, tuple[str, sp.Expr | None]]:
    """Those of the named parameters that damp, each with its law and its factor, v' = ... - factor p law(v).

    The factor is None where the law is another than the three.
    """
    damping = motion.acceleration.free_symbols - motion.restoring.free_symbols
    return {name: _law(motion, symbol(name)) for name in names if symbol(name) in damping}


def _law(motion: EquationOfMotion, p: sp.Symbol) -> tuple[str, sp.Expr | None]:
    slope = sp.expand(-sp.diff(motion.acceleration, p))
    if p in slope.free_symbols:
        return OTHER, None
    for law, shape in _shapes(motion.v).items():
        rising, falling = (sp.expand(one_way(slope / shape, motion.v, way)) for way in (1, -1))
        if motion.v not in rising.free_symbols and sp.expand(rising - falling) == 0:
            return law, rising
    return OTHER, None


def _shapes(v: sp.Symbol) -> dict[str, sp.Expr]:
    return {VISCOUS: v, DRY: sp.sign(v), DRAG: v * sp.Abs(v)}


def one_way(expression: sp.Expr, v: sp.Symbol, direction: int) -> sp.Expr:
    """The expression for v of one sign: sign(g v) and |g v| with a factor that does not move are resolved too."""
    speed = sp.Symbol("speed of one sign", positive=True)
    return expression.subs(v, direction * speed).subs(speed, direction * v)


@dataclass(frozen=True)
class DampedModel:
    """A model of one degree of freedom with all three mechanisms: `parameters` {mechanism: names}, `added` those that
    the model did not have and that were added to its equation, `position` and `velocity` where the states stand."""

    model: Model
    parameters: Mapping[str, tuple[str, ...]]
    added: tuple[str, ...]
    position: int
    velocity: int

    def mechanism(self, name: str) -> str | None:
        """The mechanism a parameter belongs to, if any."""
        return next((key for key, names in self.parameters.items() if name in names), None)

    def deceleration(self, mechanism: str, x: np.ndarray, v: np.ndarray, p: np.ndarray) -> np.ndarray:
        """What one mechanism takes from v' at states x, v and parameters p in the model's order, as a positive loss
        for v > 0."""
        return np.asarray(self._program(mechanism)(np, [x, v, *p])[0] * np.ones_like(x), float)

    def rest(self, near: float, p: np.ndarray) -> float:
        """The position of rest next to `near` at parameters p in the model's order."""
        program = self._restoring
        return rest_position(lambda at: program(np, [at, *p]), near)

    def restoring(self, x: np.ndarray, p: np.ndarray) -> np.ndarray:
        """The acceleration at rest at positions x, and parameters p in the model's order."""
        return np.asarray(self._restoring(np, [x, *p])[0] * np.ones_like(x), float)

    @property
    def _restoring(self) -> Program:
        x, still = self._motion.x, self._motion.restoring
        return Program([still, sp.diff(still, x)], [x, *map(symbol, self.model.parameter_names)])

    @property
    def _motion(self) -> EquationOfMotion:
        """The equation of motion under inputs that keep their usual values."""
        return equations_of_motion(self.model, {item.name: item.value for item in self.model.inputs})[0]

    def _program(self, mechanism: str) -> Program:
        motion = self._motion
        terms = [-symbol(name) * sp.diff(motion.acceleration, symbol(name)) for name in self.parameters[mechanism]]
        return Program([sp.Add(*terms)], [motion.x, motion.v, *map(symbol, self.model.parameter_names)])


def damped_model(model: Model) -> DampedModel:
    """Find the damping parameters of a model, and add the mechanisms that it lacks."""
    if not model.symbolic:
        raise ModelError(
            f"model '{model.name}' is a function: which parameters damp can be seen only in equations; "
            "write them as text"
        )
    motions = equations_of_motion(model)
    if len(motions) != 1:
        raise ModelError(
            f"model '{model.name}' is not of one degree of freedom: the damping laws of a decay are compared for "
            "two states, x and v, with x' = v"
        )
    motion = motions[0]
    seen = set().union(*(output.expression.free_symbols for output in model.outputs))
    found: dict[str, tuple[str, ...]] = dict.fromkeys(MECHANISMS, ())
    for name, (law, factor) in damping_parameters(motion, model.parameter_names).items():
        if factor is not None and _opposes(factor) and symbol(name) not in seen:
            found[law] = (*found[law], name)
    completed, added = _with_missing(model, motion, [mechanism for mechanism, names in found.items() if not names])
    parameters = {key: names or (added[key],) for key, names in found.items()}
    return DampedModel(completed, parameters, tuple(added.values()), motion.position, motion.velocity)


def _opposes(factor: sp.Expr) -> bool:
    """Against the motion, for small positive values of every other quantity."""
    at = factor.subs({name: sp.Float(1e-3) for name in factor.free_symbols})
    return bool(at.is_number and at > 0)


def _with_missing(model: Model, motion: EquationOfMotion, missing: list[str]) -> tuple[Model, dict[str, str]]:
    taken = {*model.state_names, *model.parameter_names, *model.input_names}
    x = model.states[motion.position]
    names = {mechanism: _free_name(mechanism, taken) for mechanism in missing}
    t = model.time_unit
    # factor of the law, unit, meaning
    table = {
        VISCOUS: (2, f"1/{t}" if t else "", "viscous damping: half the coefficient of the velocity"),
        DRY: (1, f"{x.unit}/{t}^2" if x.unit and t else "", "dry friction over inertia"),
        DRAG: (1, f"1/{x.unit}" if x.unit else "", "quadratic drag over inertia"),
    }
    equations, extra = list(model.equations), []
    for mechanism, name in names.items():
        factor, unit, meaning = table[mechanism]
        equations[motion.velocity] -= factor * symbol(name) * _shapes(motion.v)[mechanism]
        extra.append(Parameter(name, 0.0, unit, (0.0, np.inf), meaning=meaning))
    return replace(model, equations=tuple(equations), parameters=(*model.parameters, *extra)), names


def _free_name(wanted: str, taken: set[str]) -> str:
    while wanted in taken:
        wanted += "_"
    return wanted
