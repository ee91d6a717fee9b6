"""The tilted Furuta pendulum against Lagrange's equations of two rigid bodies; its friction; its fit."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import identikit as ik
from identikit.model import symbol
from identikit.simulation import simulate

MODEL = ik.library_model("furuta")
READY = MODEL.ready
assert READY is not None
TIME = np.arange(0, READY.duration, READY.spacing)
VALUES = {item.name: item.value for item in MODEL.parameters}
RIG = {symbol(name): value for name, value in VALUES.items()}
Q = [symbol("q0"), symbol("q1")]
W = [symbol("w0"), symbol("w1")]
FRICTIONLESS = {f"mu_{kind}{joint}": 0.0 for kind in "dsv" for joint in (0, 1)}


def energies() -> tuple[sp.Expr, sp.Expr]:
    """Kinetic and potential energy from rotation matrices, places and angular velocities of two rigid bodies."""
    m1, m2, l1, l2, arm, j1, jx, jy, jz, g, phi = (
        symbol(name) for name in ("m1", "m2", "l1", "l2", "L1", "j1z", "j2x", "j2y", "j2z", "g", "phi")
    )
    turn = sp.Matrix([[sp.cos(Q[0]), -sp.sin(Q[0]), 0], [sp.sin(Q[0]), sp.cos(Q[0]), 0], [0, 0, 1]])
    swing = sp.Matrix([[1, 0, 0], [0, sp.cos(Q[1]), -sp.sin(Q[1])], [0, sp.sin(Q[1]), sp.cos(Q[1])]])
    x, z = sp.Matrix([1, 0, 0]), sp.Matrix([0, 0, 1])
    centres = [turn * x * l1, turn * x * arm + turn * swing * z * l2]
    speeds = [centre.jacobian(Q) * sp.Matrix(W) for centre in centres]
    spin = (turn * swing).T * (z * W[0] + turn * x * W[1])  # of the pendulum, in its own axes
    kinetic = m1 * speeds[0].dot(speeds[0]) / 2 + m2 * speeds[1].dot(speeds[1]) / 2 + j1 * W[0] ** 2 / 2
    kinetic += (jx * spin[0] ** 2 + jy * spin[1] ** 2 + jz * spin[2] ** 2) / 2
    down = sp.Matrix([sp.sin(phi), 0, sp.cos(phi)])
    return kinetic, -g * (m1 * down.dot(centres[0]) + m2 * down.dot(centres[1]))


def on(states: np.ndarray, expression: sp.Expr, values: dict[str, float] | None = None) -> np.ndarray:
    numbers = RIG | {symbol(name): value for name, value in (values or {}).items()}
    return np.asarray(sp.lambdify([*Q, *W], expression.subs(numbers), "numpy")(*states))


def friction_torque(joint: int, velocity: float) -> float:
    """What friction does in the model: the generalised force that is missing without it."""
    mass = sp.hessian(energies()[0], W)
    slowed = sp.Matrix(MODEL.equations[2:])
    free = slowed.subs({symbol(name): 0 for name in FRICTIONLESS})
    force = (mass * (free - slowed)).subs(RIG).subs({Q[0]: 0.3, Q[1]: 0.7, W[1 - joint]: 0, W[joint]: velocity})
    assert abs(float(force[1 - joint])) < 1e-12  # the other joint feels nothing
    return float(force[joint])


def test_without_friction_the_equations_are_those_of_lagrange_whatever_the_inertias() -> None:
    kinetic, potential = energies()
    lagrangian = kinetic - potential
    mass = sp.hessian(lagrangian, W)
    rest = sp.Matrix(
        [
            sp.diff(lagrangian, q) - sum(sp.diff(lagrangian, w, other) * v for other, v in zip(Q, W, strict=True))
            for q, w in zip(Q, W, strict=True)
        ]
    )
    names = [*Q, *W, *(symbol(name) for name in MODEL.parameter_names)]
    expected = sp.lambdify(names, [mass, rest], "numpy")
    given = sp.lambdify(names, list(MODEL.equations[2:]), "numpy")
    random = np.random.default_rng(0)
    for _ in range(20):  # all three inertias of the pendulum differ, so that none can stand for another
        drawn = {name: random.uniform(0.5, 2) for name in MODEL.parameter_names} | FRICTIONLESS
        point = [*random.normal(0, 2, 4), *drawn.values()]
        matrix, right = expected(*point)
        assert given(*point) == pytest.approx(np.linalg.solve(matrix, right).ravel(), rel=1e-9, abs=1e-9)
    assert MODEL.equations[:2] == tuple(W)


def test_without_friction_energy_stays() -> None:
    solution = simulate(MODEL, TIME, FRICTIONLESS, tolerance=1e-11)
    values = on(solution.states, sum(energies()))
    assert np.ptp(values) < 1e-9 * np.abs(values).max()


def test_without_tilt_the_momentum_about_the_axis_stays() -> None:
    level = FRICTIONLESS | {"phi": 0.0}
    solution = simulate(MODEL, TIME, level, {"w0": 2.0}, tolerance=1e-11)
    values = on(solution.states, sp.diff(energies()[0], W[0]), level)
    assert np.ptp(solution.states[2]) > 1  # the arm's velocity does change
    assert np.ptp(values) < 1e-9 * np.abs(values).max()


def test_with_friction_energy_never_rises() -> None:
    solution = simulate(MODEL, TIME, tolerance=1e-10)
    values = on(solution.states, sum(energies()))
    assert np.diff(values).max() < 1e-8 * np.abs(values).max()
    assert values[-1] < values[0] - 0.05


@pytest.mark.parametrize("joint", [0, 1])
def test_friction_is_static_at_the_transition_and_dynamic_plus_viscous_far_above(joint: int) -> None:
    load, dynamic, static, viscous, transition = (
        VALUES[f"{name}{joint}"] for name in ("F_n", "mu_d", "mu_s", "mu_v", "v_t")
    )
    assert friction_torque(joint, transition) == pytest.approx(load * static + viscous * transition, rel=1e-3)
    assert friction_torque(joint, 10.0) == pytest.approx(load * dynamic + viscous * 10, rel=1e-3)
    assert friction_torque(joint, -10.0) == pytest.approx(-friction_torque(joint, 10.0))


def test_the_normal_forces_are_the_weights_that_the_docstring_says() -> None:
    mass, tilt, g = VALUES["m1"] + VALUES["m2"], VALUES["phi"], VALUES["g"]
    assert VALUES["F_n0"] == pytest.approx(mass * g * np.cos(tilt), rel=1e-4)
    assert VALUES["F_n1"] == pytest.approx(VALUES["m2"] * g, rel=1e-4)


def test_the_ready_experiment_tells_dynamic_and_viscous_friction() -> None:
    record = ik.synthesize(MODEL, simulate(MODEL, TIME), noise=READY.noise, seed=0)
    result = ik.fit(record, MODEL, method="shooting")
    for name in MODEL.default_free:
        found = result.parameters[name]
        assert found.std is not None
        assert abs(found.value - VALUES[name]) < 4 * found.std
    assert all(result.parameters[name].std < 0.03 * VALUES[name] for name in ("mu_d0", "mu_d1", "mu_v1"))
