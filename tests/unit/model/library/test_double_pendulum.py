"""The double pendulum against Lagrange's equations of two bodies, and its fits."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import identikit as ik
from identikit.model import symbol
from identikit.simulation import simulate

MODEL = ik.library_model("double_pendulum")
READY = MODEL.ready
assert READY is not None
TIME = np.arange(0, READY.duration, READY.spacing)
VALUES = {item.name: item.value for item in MODEL.parameters}
Q = [symbol("theta1"), symbol("theta2")]
W = [symbol("omega1"), symbol("omega2")]
RIG = dict(zip(sp.symbols("m1 m2 a1 a2 L1 I1 I2 g"), (0.9, 0.4, 0.11, 0.13, 0.25, 0.004, 0.003, 9.81), strict=True))
FRICTIONLESS = {"c1": 0.0, "c2": 0.0}


def energies() -> tuple[sp.Expr, sp.Expr]:
    """Kinetic and potential energy of two bodies from the places of their centres, angles from upright."""
    m1, m2, a1, a2, length, i1, i2, g = RIG

    def along(angle: sp.Expr) -> sp.Matrix:
        return sp.Matrix([sp.sin(angle), sp.cos(angle)])

    centres = [a1 * along(Q[0]), length * along(Q[0]) + a2 * along(Q[1])]
    speeds = [centre.jacobian(Q) * sp.Matrix(W) for centre in centres]
    kinetic = sum(m * v.dot(v) / 2 for m, v in zip((m1, m2), speeds, strict=True))
    kinetic += i1 * W[0] ** 2 / 2 + i2 * W[1] ** 2 / 2
    return kinetic, g * (m1 * centres[0][1] + m2 * centres[1][1])


def ratios() -> dict[str, float]:
    m1, m2, a1, a2, length, i1, i2, g = RIG.values()
    unit = i2 + m2 * a2**2
    return {
        "inertia": (i1 + m1 * a1**2 + m2 * length**2) / unit,
        "coupling": m2 * length * a2 / unit,
        "gravity_1": (m1 * a1 + m2 * length) * g / unit,
        "gravity_2": m2 * a2 * g / unit,
    }


def test_the_equations_are_those_of_lagrange_for_two_bodies_with_torques_and_friction_in_the_joints() -> None:
    kinetic, potential = energies()
    m2, a2, i2 = (RIG[item] for item in sp.symbols("m2 a2 I2"))
    unit = i2 + m2 * a2**2
    lagrangian = kinetic - potential
    c1, c2, f1, f2, tau_1, tau_2 = (symbol(name) for name in ("c1", "c2", "f1", "f2", "tau_1", "tau_2"))
    joints = [Q[0], Q[1] - Q[0]]
    rates = [W[0], W[1] - W[0]]
    torques = [
        tau_1 - c1 * rates[0] - f1 * sp.sign(rates[0]),
        tau_2 - c2 * rates[1] - f2 * sp.sign(rates[1]),
    ]
    # virtual work: each joint's torque works on the joint's angle
    forces = [unit * sum(t * sp.diff(j, q) for t, j in zip(torques, joints, strict=True)) for q in Q]
    mass = sp.hessian(lagrangian, W)
    rest = sp.Matrix(
        [
            force
            + sp.diff(lagrangian, q)
            - sum(sp.diff(lagrangian, w, other) * v for other, v in zip(Q, W, strict=True))
            for force, q, w in zip(forces, Q, W, strict=True)
        ]
    )
    names = [*Q, *W, c1, c2, f1, f2, tau_1, tau_2]
    expected = sp.lambdify(names, [mass.subs(RIG), rest.subs(RIG)], "numpy")
    numbers = {symbol(name): value for name, value in ratios().items()}
    given = sp.lambdify(names, [e.subs(numbers) for e in MODEL.equations[2:]], "numpy")
    draws = np.random.default_rng(0).normal(0, 2, (20, len(names)))
    for draw in draws:
        matrix, right = expected(*draw)
        assert given(*draw) == pytest.approx(np.linalg.solve(matrix, right).ravel(), rel=1e-10, abs=1e-10)
    assert MODEL.equations[:2] == tuple(W)


def energy(states: np.ndarray) -> np.ndarray:
    kinetic, potential = energies()
    m2, a2, i2 = (RIG[item] for item in sp.symbols("m2 a2 I2"))
    total = sp.lambdify([*Q, *W], ((kinetic + potential) / (i2 + m2 * a2**2)).subs(RIG), "numpy")
    return np.asarray(total(*states))


def test_without_friction_energy_stays() -> None:
    solution = simulate(MODEL, TIME, ratios() | FRICTIONLESS, tolerance=1e-11)
    values = energy(solution.states)
    assert np.ptp(values) < 1e-9 * np.abs(values).max()


@pytest.mark.parametrize("friction", [{"c1": 0.3, "c2": 0.0}, {"c1": 0.0, "c2": 0.3}, {"f1": 1.0, "f2": 0.5}])
def test_friction_in_either_joint_never_raises_energy(friction: dict[str, float]) -> None:
    solution = simulate(MODEL, TIME, ratios() | FRICTIONLESS | friction, tolerance=1e-11)
    values = energy(solution.states)
    assert np.diff(values).max() < 1e-9 * np.abs(values).max()
    assert values[-1] < values[0] - 1


def test_friction_of_the_second_joint_rests_when_the_links_turn_together() -> None:
    turning = {symbol("omega1"): 3.0, symbol("omega2"): 3.0}
    for equation in MODEL.equations[2:]:
        assert sp.diff(equation, symbol("c2")).subs(turning) == 0
        assert sp.diff(equation, symbol("c1")).subs(turning) != 0


def test_hanging_is_stable_and_upright_is_not() -> None:
    numbers = {symbol(name): value for name, value in VALUES.items()} | dict.fromkeys(W, 0)
    numbers |= {symbol("tau_1"): 0, symbol("tau_2"): 0}
    slope = sp.Matrix(MODEL.equations[2:]).jacobian(Q).subs(numbers)
    for angle, sign in ((sp.pi, -1), (0, 1)):
        values = np.linalg.eigvals(np.array(slope.subs(dict.fromkeys(Q, angle)), float))
        assert (sign * values.real > 0).all()


@pytest.mark.study
def test_the_ready_experiment_tells_every_ratio_and_both_dampings() -> None:
    record = ik.synthesize(MODEL, simulate(MODEL, TIME), noise=READY.noise, seed=0)
    result = ik.fit(record, MODEL, method="shooting")
    assert result.status.code.value == "ok"
    for name in MODEL.default_free:
        found = result.parameters[name]
        assert found.std is not None
        assert abs(found.value - VALUES[name]) < 4 * found.std
    assert all(result.parameters[name].std < 2e-3 * VALUES[name] for name in ratios())
