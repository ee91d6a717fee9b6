"""Where the energy of a motion comes from and goes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from identikit.errors import OptionError
from identikit.explore._flow import Flow
from identikit.explore._second_order import conservative_acceleration, degree_of_freedom, potential
from identikit.explore._subject import Subject
from identikit.model import Model
from identikit.simulation import Solution


@dataclass(frozen=True)
class EnergyBalance:
    """Energies and works over time, per unit of inertia; potential and works are zero at the first time.
    `name` is the position.

    `residual` is what does not balance: kinetic + potential, less their first value, damping and driving.
    """

    subject: Subject
    name: str
    time: np.ndarray
    kinetic: np.ndarray
    potential: np.ndarray
    damping: np.ndarray
    driving: np.ndarray

    @property
    def residual(self) -> np.ndarray:
        total = self.kinetic + self.potential
        difference: np.ndarray = total - total[0] - self.damping - self.driving
        return difference

    def __str__(self) -> str:
        from identikit.explore._text import energy_text

        return energy_text(self)


def energy_balance(model: Model, solution: Solution, parameters: Mapping[str, float] | None = None) -> EnergyBalance:
    """v^2/2 + V(x) = const + W_damping + W_driving along a motion of a model of one degree of freedom.

        V = -integral a_c dx,   W_damping = integral [a(t,x,v,u) - a(t,x,0,u)] v dt,
        W_driving = integral [a(t,x,0,u) - a_c(x)] v dt,

    with a_c(x) the acceleration at rest without the terms of time and with the inputs at the model's own values.
    Damping is negative where it takes energy. Works are Simpson sums over the solution's times: have them
    dense.
    """
    from scipy.integrate import cumulative_simpson

    if len(solution.time) < 3:
        raise OptionError(f"a balance of energy needs at least 3 times, the solution has {len(solution.time)}")
    position, velocity = degree_of_freedom(model)
    x, v = solution.states[position], solution.states[velocity]
    conservative = conservative_acceleration(model, parameters)
    flow = Flow(model, parameters)
    flow.u = [solution.inputs[name] for name in model.input_names]
    resting = solution.states.copy()
    resting[velocity] = 0.0
    moving = flow.rate(solution.time, solution.states)[velocity]
    at_rest = flow.rate(solution.time, resting)[velocity]
    return EnergyBalance(
        Subject.of(model, parameters),
        model.state_names[position],
        solution.time,
        v**2 / 2,
        potential(conservative, x),
        cumulative_simpson((moving - at_rest) * v, x=solution.time, initial=0.0),
        cumulative_simpson((at_rest - conservative(x)) * v, x=solution.time, initial=0.0),
    )
