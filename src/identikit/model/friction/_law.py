"""FrictionLaw: a force over velocity that model texts call by name, `stribeck(omega; f_c, f_s, v_s)`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from identikit.model._parameter import Parameter


@dataclass(frozen=True)
class FrictionLaw:
    """One law. Its force has the sign of the velocity: subtract it in an equation of motion.

    `force` and `deflection_rate` are functions of SymPy expressions, in the order velocity, deflection (only where the
    law has one), parameters. `deflection_rate` is dz/dt of the law's internal state z, a deflection with the unit
    of velocity times time; without it the force depends on the velocity alone. `parameters` carry the values of the
    example that is drawn, in newtons and metres; for a torque over an angular velocity read N*m and rad. `scale` is a
    velocity beyond which the example shows nothing new.
    """

    title: str
    parameters: tuple[Parameter, ...]
    force: Callable[..., Any]
    reference: str
    scale: float
    deflection_rate: Callable[..., Any] | None = None

    @property
    def name(self) -> str:
        return self.force.__name__

    @property
    def description(self) -> str:
        """The equation, what it is for and what it is not for."""
        return inspect.getdoc(self.force) or ""

    @property
    def parameter_names(self) -> tuple[str, ...]:
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def call(self) -> str:
        """How it is written in an equation, for a velocity v."""
        return f"{self.name}(v; {', '.join(self.parameter_names)})"

    @property
    def sticks(self) -> bool:
        """Whether the force jumps with the velocity's sign, so that a body can be held at exactly zero."""
        arguments = [sp.Symbol(name, real=True) for name in ("v", *self.parameter_names)]
        return self.deflection_rate is None and bool(self.force(*arguments).atoms(sp.sign))

    def steady_deflection(self, velocity: sp.Expr, *parameters: sp.Expr) -> sp.Expr:
        """z in steady sliding, where z' = 0; z' is linear in z. Zero for laws without a deflection."""
        if self.deflection_rate is None:
            return sp.S.Zero
        z = sp.Dummy("z", real=True)
        rate = self.deflection_rate(velocity, z, *parameters)
        return -rate.subs(z, 0) / sp.diff(rate, z)

    def steady_force(self, velocity: sp.Expr, *parameters: sp.Expr) -> sp.Expr:
        """The force in steady sliding, as an expression."""
        deflection = () if self.deflection_rate is None else (self.steady_deflection(velocity, *parameters),)
        return self.force(velocity, *deflection, *parameters)

    def as_dict(self) -> dict[str, Any]:
        """JSON-able description, as `identikit friction --json` prints it."""
        return {
            "name": self.name,
            "title": self.title,
            "call": self.call,
            "parameters": {parameter.name: parameter.as_dict() for parameter in self.parameters},
            "internal_state": self.deflection_rate is not None,
            "sticks": self.sticks,
            "description": self.description,
            "reference": self.reference,
        }
