"""The right-hand side at any point, for chosen parameters and inputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import sympy as sp

from identikit.errors import ModelError, did_you_mean
from identikit.model import TIME, Model, as_numbers, dynamics_of
from identikit.simulation import parameter_vector


def input_vector(model: Model, values: Mapping[str, float] | None = None) -> np.ndarray:
    """All inputs in the model's order as constants: the given values, else the model's own."""
    given = dict(values or {})
    for name in given:
        if name not in model.input_names:
            raise ModelError(f"model '{model.name}' has no input '{name}'.{did_you_mean(name, model.input_names)}")
    return np.array([float(given.get(item.name, item.value)) for item in model.inputs])


def require_symbolic(model: Model) -> None:
    """Refuse a model that is a function."""
    if not model.symbolic:
        raise ModelError(f"model '{model.name}' is a function: this tool needs its equations as mathematics")


def with_values(model: Model, parameters: Mapping[str, float] | None) -> list[sp.Expr]:
    """The equations with numbers for the parameters, so that terms with a factor of zero are gone."""
    require_symbolic(model)
    p = parameter_vector(model, parameters)
    numbers = as_numbers(dict(zip(model.parameter_names, p.tolist(), strict=True)))
    return [equation.subs(numbers) for equation in model.equations]


def require_autonomous(model: Model, parameters: Mapping[str, float] | None) -> None:
    """Refuse a right-hand side in which time is left once the parameters have their values."""
    for name, equation in zip(model.state_names, with_values(model, parameters), strict=True):
        if TIME in equation.free_symbols:
            raise ModelError(
                f"model '{model.name}', equation of '{name}' depends on time, so nothing rests: "
                "set the amplitude of its forcing to zero"
            )


def has_dry_friction(model: Model, parameters: Mapping[str, float] | None) -> bool:
    """Whether a sign() is left once the parameters have their values."""
    return any(equation.has(sp.sign) for equation in with_values(model, parameters))


class Flow:
    """f(t, x) and df/dx for fixed parameters and constant inputs; sign(0) is 0, the middle of dry friction.

    `still` [states] are changes of the states too small to matter: a switch that near to zero counts as zero.
    """

    def __init__(
        self,
        model: Model,
        parameters: Mapping[str, float] | None = None,
        inputs: Mapping[str, float] | None = None,
        still: np.ndarray | None = None,
    ) -> None:
        self.still = still
        require_symbolic(model)
        self.model = model
        self.dynamics = dynamics_of(model)
        self.p = parameter_vector(model, parameters).tolist()
        self.u = input_vector(model, inputs).tolist()

    def _switches(self, t: Any, x: Any) -> list[Any]:
        if not self.dynamics.guards:
            return []
        guards = self.dynamics.guard(np, t, list(x), self.u, self.p)
        if self.still is None:
            return [np.sign(g) for g in guards]
        slopes = self.dynamics.guard_gradient(np, t, list(x), self.u, self.p)[0]
        reach: list[Any] = [0.0] * len(guards)
        for (row, column), slope in slopes.items():
            reach[row] = reach[row] + np.abs(slope) * self.still[column]
        return [np.where(np.abs(g) > limit, np.sign(g), 0.0) for g, limit in zip(guards, reach, strict=True)]

    def rate(self, t: Any, x: Any) -> np.ndarray:
        """dx/dt, of the shape of x: [states, ...]."""
        x = np.asarray(x, float)
        rows = self.dynamics.rate(np, t, list(x), self.u, [0.0] * len(self.u), self.p, self._switches(t, x))
        return np.stack([np.broadcast_to(np.asarray(row, float), x.shape[1:]) for row in rows])

    def jacobian(self, t: Any, x: np.ndarray) -> np.ndarray:
        """df/dx at points [states, ...]: [..., states, states]."""
        found = self.dynamics.linearise(np, t, list(x), self.u, [0.0] * len(self.u), self.p, self._switches(t, x))
        matrix = np.zeros((*x.shape[1:], len(x), len(x)))
        for (row, column), value in found.state.items():
            matrix[..., row, column] = value
        return matrix
