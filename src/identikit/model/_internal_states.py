"""States that friction laws with a memory bring into a model: dz/dt of `lugre(omega; ...)` as the state `z_omega`."""

from __future__ import annotations

from collections.abc import Collection

import sympy as sp

from identikit.model._parser import symbol
from identikit.model.friction import FrictionLaw


class InternalStates:
    """Collects them while the equations of one model are read.

    The same call in two equations, as in a machine whose joints pull at each other, is one contact and one state.
    """

    def __init__(self, taken: Collection[str]) -> None:
        self._taken = set(taken)
        self._known: dict[tuple[str, tuple[sp.Expr, ...]], sp.Symbol] = {}
        self.equations: dict[str, sp.Expr] = {}
        self.velocities: dict[str, sp.Expr] = {}

    def deflection(self, law: FrictionLaw, arguments: tuple[sp.Expr, ...]) -> sp.Symbol:
        """The state z of a law for this velocity and these parameters, made when first asked for."""
        assert law.deflection_rate is not None
        key = (law.name, arguments)
        if key not in self._known:
            velocity, *parameters = arguments
            z = self._known[key] = symbol(self._free_name(velocity))
            self.equations[z.name] = law.deflection_rate(velocity, z, *parameters)
            self.velocities[z.name] = velocity
        return self._known[key]

    def _free_name(self, velocity: sp.Expr) -> str:
        name = "_".join(["z", *sorted(map(str, velocity.free_symbols))])
        count = 1
        while (chosen := name if count == 1 else f"{name}_{count}") in self._taken:
            count += 1
        self._taken.add(chosen)
        return chosen
