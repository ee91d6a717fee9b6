"""Which parameters of a model damp, and how: found in the equation, not declared.

For one degree of freedom, x' = v and v' = f(x, v, p), a parameter p that enters f linearly damps by

    viscous damping   if df/dp is odd in v and homogeneous of degree 1,     -c v
    dry friction                                           of degree 0,     -f sign(v)
    drag                                                   of degree 2,     -q v|v|

and by nothing of the kind otherwise (a stiffness, a mass, a frequency that also scales the damping).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import sympy as sp

from identikit.errors import ModelError
from identikit.model import Model, Parameter, Program, degrees_of_freedom, symbol

VISCOUS, DRY, DRAG = "viscous", "dry", "drag"
MECHANISMS = (VISCOUS, DRY, DRAG)
_DEGREE = {VISCOUS: 1, DRY: 0, DRAG: 2}


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
        """The rest position next to `near`, by Newton's method; dry friction left aside."""
        model = self.model
        x = symbol(model.state_names[self.position])
        at_rest = {symbol(model.state_names[self.velocity]): 0} | {
            symbol(item.name): sp.Float(item.value) for item in model.inputs
        }
        force = model.equations[self.velocity].subs(at_rest)
        program = Program([force, sp.diff(force, x)], [x, *map(symbol, model.parameter_names)])
        at = near
        for _ in range(20):
            value, slope = (float(item) for item in program(np, [at, *p]))
            if slope == 0 or not np.isfinite(value / slope):
                return near
            at -= value / slope
        return at

    def _program(self, mechanism: str) -> Program:
        model = self.model
        acceleration = model.equations[self.velocity]
        terms = [-symbol(name) * sp.diff(acceleration, symbol(name)) for name in self.parameters[mechanism]]
        states = [symbol(model.state_names[i]) for i in (self.position, self.velocity)]
        at_rest = {symbol(item.name): sp.Float(item.value) for item in model.inputs}
        return Program([sp.Add(*terms).subs(at_rest)], [*states, *map(symbol, model.parameter_names)])


def damped_model(model: Model) -> DampedModel:
    """Find the damping parameters of a model, and add the mechanisms that it lacks."""
    if not model.symbolic:
        raise ModelError(
            f"model '{model.name}' is a function: which parameters damp can be seen only in equations; "
            "write them as text"
        )
    pairs = degrees_of_freedom(model)
    if len(pairs) != 1:
        raise ModelError(
            f"model '{model.name}' is not of one degree of freedom: the damping laws of a decay are compared for "
            "two states, x and v, with x' = v"
        )
    position, velocity = pairs[0]
    found = _damping_parameters(model, velocity)
    missing = [mechanism for mechanism in MECHANISMS if not found[mechanism]]
    completed, added = _with_missing(model, position, velocity, missing)
    parameters = {key: names or (added[key],) for key, names in found.items()}
    return DampedModel(completed, parameters, tuple(added.values()), position, velocity)


def _damping_parameters(model: Model, velocity: int) -> dict[str, tuple[str, ...]]:
    v = symbol(model.state_names[velocity])
    others = [e for i, e in enumerate(model.equations) if i != velocity] + [item.expression for item in model.outputs]
    found: dict[str, list[str]] = {mechanism: [] for mechanism in MECHANISMS}
    for parameter in model.parameters:
        p = symbol(parameter.name)
        slope = sp.diff(model.equations[velocity], p)
        if slope == 0 or sp.diff(slope, p) != 0 or any(p in other.free_symbols for other in others):
            continue
        for mechanism, degree in _DEGREE.items():
            if _is_damping(slope, v, degree):
                found[mechanism].append(parameter.name)
    return {mechanism: tuple(names) for mechanism, names in found.items()}


def _is_damping(slope: sp.Expr, v: sp.Symbol, degree: int) -> bool:
    """Odd in v, homogeneous of the degree, and against the motion where every other quantity is positive."""
    stretch = sp.Symbol("stretch", positive=True)
    if sp.expand(slope.subs(v, -v) + slope) != 0:
        return False
    if sp.expand(slope.subs(v, stretch * v) - stretch**degree * slope) != 0:
        return False
    at = slope.subs({name: (sp.Float(1e-3) if name != v else 1) for name in slope.free_symbols})
    return bool(at.is_number and at < 0)


def _with_missing(model: Model, position: int, velocity: int, missing: list[str]) -> tuple[Model, dict[str, str]]:
    taken = {*model.state_names, *model.parameter_names, *model.input_names}
    x, v = model.states[position], symbol(model.state_names[velocity])
    names = {mechanism: _free_name(mechanism, taken) for mechanism in missing}
    per_time = f"1/{model.time_unit}" if model.time_unit else ""
    units = {
        VISCOUS: per_time,
        DRY: f"{x.unit}/{model.time_unit}^2" if x.unit and model.time_unit else "",
        DRAG: f"1/{x.unit}" if x.unit else "",
    }
    shape = {VISCOUS: 2 * v, DRY: sp.sign(v), DRAG: v * sp.Abs(v)}
    meaning = {
        VISCOUS: "viscous damping: half the coefficient of the velocity",
        DRY: "dry friction over inertia",
        DRAG: "quadratic drag over inertia",
    }
    equations = list(model.equations)
    for mechanism, name in names.items():
        equations[velocity] = equations[velocity] - symbol(name) * shape[mechanism]
    extra = tuple(Parameter(name, 0.0, units[key], (0.0, np.inf), meaning=meaning[key]) for key, name in names.items())
    return replace(model, equations=tuple(equations), parameters=(*model.parameters, *extra)), names


def _free_name(wanted: str, taken: set[str]) -> str:
    while wanted in taken:
        wanted += "_"
    return wanted
