"""The driven double pendulum against Lagrange's equations derived anew, and its ready experiment."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import identikit as ik
from identikit.model import library_model, symbol
from reference import smooth

MODEL = library_model("driven_double_pendulum")
L1, R1, R2, M1, M2, G = 0.3, 0.25, 0.18, 0.5, 0.6, 9.81
A = sp.symbols("a1 a2")
I1, I2, ROTOR, GEAR = 0.04, 0.022, 8e-5, 6.0  # inertias about the centres of mass


def lagrangian() -> list[sp.Expr]:
    """Both equations, zero without friction or torque, from the centres of mass and the speeds of the rotors."""
    t = sp.Symbol("t")
    q1, q2 = sp.Function("q1")(t), sp.Function("q2")(t)
    first = sp.Matrix([R1 * sp.sin(q1), -R1 * sp.cos(q1)])
    second = sp.Matrix([L1 * sp.sin(q1) + R2 * sp.sin(q1 + q2), -L1 * sp.cos(q1) - R2 * sp.cos(q1 + q2)])
    kinetic = (M1 * first.diff(t).dot(first.diff(t)) + M2 * second.diff(t).dot(second.diff(t))) / 2
    kinetic += (I1 * q1.diff(t) ** 2 + I2 * (q1 + q2).diff(t) ** 2) / 2
    # the first rotor turns against the ground, the second is carried by link 1 and turns against it, the other way
    kinetic += ROTOR * ((GEAR * q1.diff(t)) ** 2 + (q1.diff(t) - GEAR * q2.diff(t)) ** 2) / 2
    function = kinetic - G * (M1 * first[1] + M2 * second[1])
    equations = [function.diff(q.diff(t)).diff(t) - function.diff(q) for q in (q1, q2)]
    names = {q1.diff(t, 2): A[0], q2.diff(t, 2): A[1]}
    slower = {q1.diff(t): symbol("w1"), q2.diff(t): symbol("w2")}
    return [e.subs(names).subs(slower).subs({q1: symbol("q1"), q2: symbol("q2")}) for e in equations]


def accelerations(equations: list[sp.Expr], at: dict[sp.Symbol, float]) -> np.ndarray:
    """The equations are linear in the accelerations: solved at one state."""
    numeric = [e.subs(at) for e in equations]
    matrix = np.array([[float(e.diff(a)) for a in A] for e in numeric])
    return np.linalg.solve(matrix, [-float(e.subs(dict.fromkeys(A, 0))) for e in numeric])


def values(rotor: float = ROTOR) -> dict[str, float]:
    """The model's parameters for the rig above."""
    return {
        "inertia_1": I1 + M1 * R1**2 + M2 * L1**2 + (GEAR**2 + GEAR + 1) * rotor,
        "inertia_2": I2 + M2 * R2**2 - GEAR * rotor,
        "coupling": M2 * L1 * R2,
        "gravity_1": (M1 * R1 + M2 * L1) * G,
        "gravity_2": M2 * R2 * G,
        "rotor": (GEAR**2 + GEAR) * rotor,
        **dict.fromkeys(("c1", "c2", "f1", "f2", "tau_1", "tau_2"), 0.0),
    }


@pytest.fixture(scope="module")
def derived() -> list[sp.Expr]:
    return lagrangian()


@pytest.mark.parametrize("state", [(0.3, -0.8, 1.5, -2.5), (2.0, 1.1, -3.0, 4.0), (-1.2, 3.0, 0.0, 6.0)])
def test_the_accelerations_are_those_of_lagrange(derived: list[sp.Expr], state: tuple[float, ...]) -> None:
    at = {symbol(name): value for name, value in zip(MODEL.state_names, state, strict=True)}
    rig = {symbol(name): value for name, value in values().items()}
    without = {symbol(name): value for name, value in values(rotor=0.0).items()}
    for truth, equation in zip(accelerations(derived, at), MODEL.equations[2:], strict=True):
        assert float(equation.subs(at).subs(rig)) == pytest.approx(truth, rel=1e-9)
        assert float(equation.subs(at).subs(without)) != pytest.approx(truth, rel=1e-3)  # negative control: no rotors


def test_torques_and_friction_act_on_the_joints() -> None:
    """M q'' changes by exactly tau - c w - f sign(w), joint by joint."""
    at = {symbol(n): v for n, v in zip(MODEL.state_names, (0.3, -0.8, 1.5, -2.5), strict=True)}
    rig = {symbol(name): value for name, value in values().items()}
    driven = rig | {symbol("tau_1"): 0.7, symbol("c2"): 0.02, symbol("f2"): 0.1}
    change = [float((e.subs(at).subs(driven) - e.subs(at).subs(rig)).evalf()) for e in MODEL.equations[2:]]
    v = values()
    m12 = v["inertia_2"] + v["coupling"] * np.cos(-0.8)
    m11 = v["inertia_1"] + m12 + v["coupling"] * np.cos(-0.8)
    torque = np.array([[m11, m12], [m12, v["inertia_2"] + v["rotor"]]]) @ change
    assert torque == pytest.approx([0.7, 0.02 * 2.5 + 0.1], rel=1e-9)


@pytest.mark.study
def test_inertias_are_found_from_known_torques_and_independent_data() -> None:
    """Without dry friction, so that a plain integrator will do; joint angles alone are measured."""
    time = np.arange(0, 5, 0.02)
    torques = {"tau_1": "0.9*sin(4.7*t)", "tau_2": "0.6*sin(2.9*t) + 0.3*sin(9.3*t)"}
    truth = values() | {"c1": 0.02, "c2": 0.01}
    rig = {symbol(name): value for name, value in truth.items() if name not in torques}
    arguments = [symbol(name) for name in (*MODEL.state_names, *MODEL.input_names)]
    rate = sp.lambdify(arguments, [equation.subs(rig) for equation in MODEL.equations])

    def driven(t: float, x: np.ndarray) -> list[float]:
        return rate(*x, 0.9 * np.sin(4.7 * t), 0.6 * np.sin(2.9 * t) + 0.3 * np.sin(9.3 * t))

    states = smooth(driven, [0.0] * 4, time)
    noise = np.random.default_rng(1).normal(0, 1e-3, (2, len(time)))
    record = ik.Record.from_arrays(time, q1=states[0] + noise[0], q2=states[1] + noise[1])
    free = ["inertia_1", "inertia_2", "coupling", "gravity_1", "gravity_2", "c1", "c2"]
    fixed = {"f1": 0.0, "f2": 0.0, "rotor": truth["rotor"]}
    result = ik.fit(record, MODEL, free=free, fix=fixed, inputs=torques)
    assert result.ok, result.status.message
    for name in free:
        found = result.parameters[name]
        assert abs(found.value - truth[name]) < 4 * found.std, (name, found)
        assert found.std < 0.2 * truth[name]
