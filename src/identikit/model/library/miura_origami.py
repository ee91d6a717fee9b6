"""Two stacked Miura-ori cells of different height, a bistable spring, under a mass."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from identikit.model._extremum import Maximum, Minimum
from identikit.model._model import Model, Output
from identikit.model._parameter import Input, Parameter, ReadyExperiment, State
from identikit.model._parser import symbol
from identikit.model._program import Program

_MARGIN = 1e-6  # of the height, kept from flat and from fully folded, where the force has no bound

_PARAMETERS = (
    Parameter("k_1", 0.0181, "N/rad", (0, 2), meaning="stiffness per length of creases of cell A and between cells"),
    Parameter("k_2", 2.1134, "N/rad", (0.01, 100), meaning="stiffness per length of the creases of cell B"),
    Parameter("c", 1.0347, "N*s/m", (0, 20), meaning="viscous damping between mass and base"),
    Parameter("theta_A0", -0.5194, "rad", (-1.4, -0.02), meaning="folding angle of cell A at which no crease is bent"),
    Parameter("X_0", 0.0401, "m", (0.0, 0.1), meaning="height of the stack when X = Y = 0: the sensor's origin"),
    Parameter("m", 0.135, "kg", (1e-3, 10), fixed=True, meaning="mass on top"),
    Parameter("b", 0.0381, "m", (1e-4, 1), fixed=True, meaning="length of the creases shared by both cells"),
    Parameter("a_A", 0.0381, "m", (1e-4, 1), fixed=True, meaning="length of the other creases of cell A"),
    Parameter("gamma_A", np.pi / 3, "rad", (0.1, 1.5), fixed=True, meaning="angle of the facets of cell A"),
    Parameter("gamma_B", np.pi * 75 / 180, "rad", (0.1, 1.5), fixed=True, meaning="angle of the facets of cell B"),
)


def model() -> Model:
    """m X'' + c (X' - W) + F_H(H) = 0,  H = X - Y + X_0: a mass on a folded stack whose base is shaken.

    Y is the base's displacement and W = Y' its velocity; X is the mass's displacement, both measured along the
    height H of the stack. With s = sin theta_A, A = a_B sin gamma_B and B = a_A sin gamma_A (a_B cos gamma_B =
    a_A cos gamma_A for the cells to fit), the height gives the folding angle in closed form,

        H = A sin theta_B - B sin theta_A,   cos theta_B = cos theta_A tan gamma_A / tan gamma_B
        =>  sin theta_A = (A^2 - B^2 - H^2) / (2 H B),

    and the force is the slope of the energy in the creases, each a linear torsional spring,

        F_H = (dPi/dtheta_A) / (dH/dtheta_A),
        Pi = 1/2 [sum_i K_Ai (rho_Ai - rho_Ai0)^2 + sum_i K_Bi (rho_Bi - rho_Bi0)^2 + 4 K_C (rho_C - rho_C0)^2],
        rho_x1 = rho_x3 = pi - 2 theta_x,   rho_x2 = 2 pi - rho_x4 = 2 atan2(cos theta_x, sin theta_x cos gamma_x),
        rho_C = theta_B - theta_A;   K_A1 = k_1 b, K_A2 = k_1 a_A, K_B1 = k_2 b, K_B2 = k_2 a_B, K_C = k_1 b.

    H lies between A - B and A + B; beyond, the force stays at its value next to the end. No gravity and no
    bending of facets.
    """
    velocity, base_velocity = symbol("V"), symbol("W")
    height = symbol("X") - symbol("Y") + symbol("X_0")
    force = _force(_folding(height)) + symbol("c") * (velocity - base_velocity)
    return Model(
        name="miura_origami",
        title="Stacked Miura-ori: a bistable origami spring with a mass on a shaken base",
        states=(
            State("X", "m", "displacement of the mass"),
            State("V", "m/s", "velocity of the mass"),
        ),
        parameters=_PARAMETERS,
        equations=(velocity, -force / symbol("m")),
        outputs=(Output("X", symbol("X"), "m"), Output("V", velocity, "m/s")),
        inputs=(
            Input("Y", "m", 0.0, "displacement of the base", hold="cubic"),
            Input("W", "m/s", 0.0, "velocity of the base", hold="cubic"),
        ),
        ready=ReadyExperiment(
            {"X": 0.04135, "V": 0.0},
            6.0,
            0.004,
            {"X": 1e-4, "V": 5e-3},
            {"Y": "0.00617*sin(13.2*pi*t)", "W": "0.00617*13.2*pi*cos(13.2*pi*t)"},
        ),
        source="Z. Liu, H. Fang, K.-W. Wang, J. Xu, A parameter identification method for continuous-time nonlinear "
        "systems and its realization on a Miura-origami structure, Mechanical Systems and Signal Processing (2018), "
        "equations 6-9 and 45-47, tables 3 and 4",
        notes=(
            "Printed as a product, F_H is the quotient of dPi/dtheta_A and dH/dtheta_A; m X' in one equation of motion "
            "should be m X''.",
            "With k_1 = 0 the energy is even in theta_A, and theta_A0 and -theta_A0 cannot be told apart: theta_A0 is "
            "bounded below zero, the bulged-out side.",
            "X_0 is where the sensor's zero lies. The value 0.0401 m is no height of rest: these are 81.45 and "
            "50.45 mm (stable) and 60.07 mm (unstable).",
            "Shaken by 6.17 mm at 6.6 Hz it jumps between its wells without period; by 3 mm it stays in one, by 8 mm "
            "it jumps periodically.",
        ),
    )


def restoring_force(height: Any, **values: float) -> np.ndarray:
    """The force F_H (N) at a height (m), for the model's own parameters but those given."""
    return _evaluate("force", height, values)


def stiffness(height: Any, **values: float) -> np.ndarray:
    """dF_H/dH (N/m)."""
    return _evaluate("stiffness", height, values)


def crease_energy(height: Any, **values: float) -> np.ndarray:
    """The energy in the creases (J)."""
    return _evaluate("energy", height, values)


@cache
def _program(what: str) -> Program:
    height = symbol("H")
    folding = _folding(height)
    slope = _force(folding) if what != "energy" else _energy(folding)
    expression = sp.diff(slope, height) if what == "stiffness" else slope
    return Program([expression], [height, *(symbol(item.name) for item in _PARAMETERS)])


def _evaluate(what: str, height: Any, values: dict[str, float]) -> np.ndarray:
    heights = np.asarray(height, float)
    unknown = sorted(set(values) - {item.name for item in _PARAMETERS})
    if unknown:
        raise TypeError(f"miura_origami has no parameter '{unknown[0]}'")
    numbers = [float(values.get(item.name, item.value or 0.0)) for item in _PARAMETERS]
    return np.asarray(_program(what)(np, [heights, *numbers])[0])


class _Cells:
    """Sine, cosine and value of both folding angles, and the lengths A and B."""

    def __init__(self, sine: sp.Expr, cosine: sp.Expr, theta: sp.Expr) -> None:
        self.A, self.B = _lengths()
        ratio = self.B / self.A  # tan gamma_A / tan gamma_B
        self.sine_A, self.cosine_A, self.theta_A = sine, cosine, theta
        self.cosine_B = ratio * cosine
        self.sine_B = sp.sqrt(1 - self.cosine_B**2)
        self.theta_B = sp.atan2(self.sine_B, self.cosine_B)
        self.turn = ratio * sine / self.sine_B  # dtheta_B/dtheta_A

    def crease(self, cell: str) -> sp.Expr:
        """rho_x2, free of branches: smooth where theta passes zero."""
        sine, cosine = (self.sine_A, self.cosine_A) if cell == "A" else (self.sine_B, self.cosine_B)
        return 2 * sp.atan2(cosine, sine * sp.cos(symbol(f"gamma_{cell}")))

    def crease_slope(self, cell: str) -> sp.Expr:
        """drho_x2/dtheta_x."""
        sine, gamma = self.sine_A if cell == "A" else self.sine_B, symbol(f"gamma_{cell}")
        return -2 * sp.cos(gamma) / (1 - sine**2 * sp.sin(gamma) ** 2)


def _lengths() -> tuple[sp.Expr, sp.Expr]:
    a_A, gamma_A, gamma_B = (symbol(name) for name in ("a_A", "gamma_A", "gamma_B"))
    return a_A * sp.cos(gamma_A) * sp.tan(gamma_B), a_A * sp.sin(gamma_A)


def _folding(height: sp.Expr) -> _Cells:
    """The folding angles at a height, kept from the ends."""
    A, B = _lengths()
    inside = Minimum(Maximum(height, (A - B) * (1 + _MARGIN)), (A + B) * (1 - _MARGIN))
    sine = (A**2 - B**2 - inside**2) / (2 * inside * B)
    return _Cells(sine, sp.sqrt(1 - sine**2), sp.asin(sine))


def _stress_free() -> _Cells:
    theta = symbol("theta_A0")
    return _Cells(sp.sin(theta), sp.cos(theta), theta)


def _stiffnesses() -> dict[str, sp.Expr]:
    k_1, k_2, b, a_A = (symbol(name) for name in ("k_1", "k_2", "b", "a_A"))
    a_B = a_A * sp.cos(symbol("gamma_A")) / sp.cos(symbol("gamma_B"))
    return {"A1": k_1 * b, "A2": k_1 * a_A, "B1": k_2 * b, "B2": k_2 * a_B, "C": k_1 * b}


def _bends(now: _Cells) -> dict[str, sp.Expr]:
    """How far each kind of crease is from its stress-free angle (the folding angle itself for A1 and B1)."""
    free = _stress_free()
    bend_A, bend_B = now.theta_A - free.theta_A, now.theta_B - free.theta_B
    return {
        "A1": bend_A,
        "A2": now.crease("A") - free.crease("A"),
        "B1": bend_B,
        "B2": now.crease("B") - free.crease("B"),
        "C": bend_B - bend_A,
    }


def _energy(now: _Cells) -> sp.Expr:
    K, bend = _stiffnesses(), _bends(now)
    weight = {"A1": 4, "A2": 1, "B1": 4, "B2": 1, "C": 2}
    return sp.Add(*(weight[name] * K[name] * bend[name] ** 2 for name in K))


def _force(now: _Cells) -> sp.Expr:
    """F_H = (dPi/dtheta_A) / (dH/dtheta_A)."""
    K, bend = _stiffnesses(), _bends(now)
    by_A = 8 * K["A1"] * bend["A1"] + 2 * K["A2"] * bend["A2"] * now.crease_slope("A")
    by_B = 8 * K["B1"] * bend["B1"] + 2 * K["B2"] * bend["B2"] * now.crease_slope("B")
    connection = 4 * K["C"] * bend["C"] * (now.turn - 1)
    return (by_A + by_B * now.turn + connection) / (now.B * now.cosine_A * (now.turn - 1))
