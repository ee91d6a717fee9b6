"""Every system that can be made conservative keeps its energy; every damped one loses it and never gains any.

Energies are written out by hand here, from textbooks and not from the models, and are zero at rest or nearly so:
a drift is compared with the energy of the motion. Integration is at the default tolerance, over the ready
experiment without its drive.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest

from identikit.model import LIBRARY, library_model
from identikit.model.library.miura_origami import crease_energy
from identikit.simulation import simulate

Energy = Callable[[np.ndarray, dict[str, float]], np.ndarray]


def horizontal_pendulum(x: np.ndarray, p: dict[str, float]) -> np.ndarray:
    return x[1] ** 2 / 2 + p["k"] * x[0] ** 2 / 2 - np.sin(x[0])


def pendulum(x: np.ndarray, p: dict[str, float]) -> np.ndarray:
    return x[1] ** 2 / 2 + p["w0"] ** 2 * (1 - np.cos(x[0]))


def magnetic_pendulum(x: np.ndarray, p: dict[str, float]) -> np.ndarray:
    magnets = p["a1"] * x[0] ** 2 + p["a2"] * x[0] ** 3 + p["a3"] * x[0] ** 4
    return x[1] ** 2 / 2 + p["w0"] ** 2 * (1 - np.cos(x[0])) + magnets


def duffing(x: np.ndarray, p: dict[str, float]) -> np.ndarray:
    return p["m"] * x[1] ** 2 / 2 + p["k"] * x[0] ** 2 / 2 + p["k3"] * x[0] ** 4 / 4


def furuta(x: np.ndarray, p: dict[str, float]) -> np.ndarray:
    """From the places and turns of both bodies: z points down along the axis, the arm along x at q0 = 0."""
    q0, q1, w0, w1 = x
    speed2 = (p["L1"] * w0 - p["l2"] * np.cos(q1) * w1) ** 2 + (p["l2"] * np.sin(q1) * w1) ** 2
    speed2 = speed2 + (p["l2"] * np.sin(q1) * w0) ** 2
    spin = p["j2x"] * w1**2 + p["j2y"] * (np.sin(q1) * w0) ** 2 + p["j2z"] * (np.cos(q1) * w0) ** 2
    kinetic = (p["m1"] * p["l1"] ** 2 + p["j1z"]) * w0**2 / 2 + p["m2"] * speed2 / 2 + spin / 2
    down = np.sin(p["phi"]), np.cos(p["phi"])
    arm = p["m1"] * p["l1"] * np.cos(q0) * down[0]
    bob = (p["L1"] * np.cos(q0) + p["l2"] * np.sin(q1) * np.sin(q0)) * down[0] + p["l2"] * np.cos(q1) * down[1]
    hanging = p["m1"] * p["l1"] * down[0] + p["m2"] * (p["L1"] * down[0] + p["l2"] * down[1])
    return kinetic + p["g"] * (hanging - arm - p["m2"] * bob)


def driven_furuta(x: np.ndarray, p: dict[str, float]) -> np.ndarray:
    """Of a point mass and a thin pendulum: what the arm's speed and the pendulum's own add up to."""
    _, q1, w0, w1 = x
    kinetic = p["arm"] * w0**2 / 2 + p["bob"] * (w1**2 + (np.sin(q1) * w0) ** 2) / 2
    return kinetic - p["coupling"] * np.cos(q1) * w0 * w1 + p["gravity"] * (1 - np.cos(q1))


def double_pendulum(x: np.ndarray, p: dict[str, float]) -> np.ndarray:
    theta1, theta2, omega1, omega2 = x
    kinetic = p["inertia"] * omega1**2 / 2 + omega2**2 / 2
    kinetic = kinetic + p["coupling"] * np.cos(theta1 - theta2) * omega1 * omega2
    return kinetic + p["gravity_1"] * (1 + np.cos(theta1)) + p["gravity_2"] * (1 + np.cos(theta2))


def driven_double_pendulum(x: np.ndarray, p: dict[str, float]) -> np.ndarray:
    """Of two links by their absolute angles, and of the rotor that turns with the second joint."""
    q1, q2, w1, w2 = x
    both = w1 + w2
    kinetic = p["inertia_1"] * w1**2 / 2 + p["inertia_2"] * both**2 / 2 + p["rotor"] * w2**2 / 2
    kinetic = kinetic + p["coupling"] * np.cos(q2) * w1 * both
    return kinetic + p["gravity_1"] * (1 - np.cos(q1)) + p["gravity_2"] * (1 - np.cos(q1 + q2))


def miura_origami(x: np.ndarray, p: dict[str, float]) -> np.ndarray:
    return p["m"] * x[1] ** 2 / 2 + crease_energy(x[0] + p["X_0"])


def linear(x: np.ndarray, p: dict[str, float]) -> np.ndarray:
    """Kept where A is skew: x' turns at right angles to x."""
    return (x**2).sum(axis=0) / 2


def coupled_pendulums(x: np.ndarray, p: dict[str, float]) -> np.ndarray:
    return (x[2] ** 2 + x[3] ** 2 + p["a"] * (x[0] ** 2 + x[1] ** 2)) / 2 + p["b"] * x[0] * x[1]


def lotka_volterra(x: np.ndarray, p: dict[str, float]) -> np.ndarray:
    hare, lynx = x
    return p["delta"] * hare - p["gamma"] * np.log(hare) + p["beta"] * lynx - p["alpha"] * np.log(lynx)


def friction_drive(x: np.ndarray, p: dict[str, float]) -> np.ndarray:
    return p["m"] * x[1] ** 2 / 2 - p["offset"] * x[0]


def bouc_wen(x: np.ndarray, p: dict[str, float]) -> np.ndarray:
    """Of mass and both springs; the hysteretic one, stretched by z, stores energy of its own."""
    elastic = p["alpha"] * p["k"] * x[0] ** 2 + (1 - p["alpha"]) * p["k"] * x[2] ** 2 / p["A"]
    return p["m"] * x[1] ** 2 / 2 + elastic / 2


def van_der_pol(x: np.ndarray, p: dict[str, float]) -> np.ndarray:
    return x[1] ** 2 / 2 + p["w0"] ** 2 * x[0] ** 2 / 2


@dataclass(frozen=True)
class Case:
    """The energy, the parameters that take all damping away, and damped cases that only lose energy."""

    energy: Energy
    frictionless: dict[str, float] | None
    damped: tuple[dict[str, float], ...] = ()
    start: dict[str, float] = field(default_factory=dict)


NO_FRICTION = {f"mu_{kind}{joint}": 0.0 for kind in "dsv" for joint in (0, 1)}
CASES = {
    "horizontal_pendulum": Case(
        horizontal_pendulum,
        {"zeta": 0.0, "mu_c": 0.0, "mu_q": 0.0},
        ({"zeta": 0.05}, {"zeta": 0.0, "mu_c": 0.05}, {"zeta": 0.0, "mu_q": 0.1}),
    ),
    "pendulum": Case(
        pendulum,
        {"mu": 0.0, "mu_c": 0.0, "mu_q": 0.0},
        ({"mu": 0.005}, {"mu": 0.0, "mu_c": 0.5}, {"mu": 0.0, "mu_q": 0.02}),
    ),
    "magnetic_pendulum": Case(magnetic_pendulum, {"mu": 0.0}, ({"mu": 0.0509},)),
    "duffing": Case(duffing, {"c": 0.0}, ({"c": 0.1}, {"c": 0.3, "k": -1.0})),
    "furuta": Case(
        furuta, NO_FRICTION, ({}, NO_FRICTION | {"mu_v1": 1e-3}, NO_FRICTION | {"mu_d0": 1e-3, "mu_s0": 1e-3})
    ),
    "driven_furuta": Case(
        driven_furuta,
        {"c0": 0.0, "c1": 0.0, "f0": 0.0, "f1": 0.0},
        ({}, {"c0": 0.0, "c1": 0.0}, {"f0": 0.0, "f1": 0.0}),
        {"q1": 2.0},
    ),
    "double_pendulum": Case(
        double_pendulum,
        {"c1": 0.0, "c2": 0.0, "f1": 0.0, "f2": 0.0},
        ({}, {"c1": 0.0, "c2": 0.0, "f1": 1.0}, {"c1": 0.0, "c2": 0.0, "f2": 0.5}),
    ),
    "driven_double_pendulum": Case(
        driven_double_pendulum,
        {"c1": 0.0, "c2": 0.0, "f1": 0.0, "f2": 0.0, "rotor": 0.01},
        ({}, {"c1": 0.0, "c2": 0.0}, {"f1": 0.0, "f2": 0.0}),
        {"q1": 1.5, "q2": 0.5},
    ),
    "miura_origami": Case(miura_origami, {"c": 0.0}, ({},), {"X": 0.052}),
    "linear": Case(linear, {"a_11": 0.0, "a_22": 0.0}, ({},)),
    "coupled_pendulums": Case(coupled_pendulums, {}),
    "lotka_volterra": Case(lotka_volterra, {}),
    "friction_drive": Case(
        friction_drive, {"c": 0.0, "f": 0.0}, ({}, {"c": 0.0}, {"f": 0.0, "offset": 0.0}), {"v": 3.0}
    ),
    "bouc_wen": Case(bouc_wen, {"c": 0.0, "beta": 0.0, "gamma": 0.0}, ({"gamma": 1.0}, {"gamma": -1.0}), {"x": 1.0}),
    "van_der_pol": Case(van_der_pol, {"mu": 0.0}),
}
WITHOUT_ENERGY = {"tank_reactor", "coupled_chua", "lorenz", "fitzhugh_nagumo"}


def run(name: str, values: dict[str, float]) -> tuple[np.ndarray, np.ndarray]:
    """Energy over time, and the states."""
    model = library_model(name)
    assert model.ready is not None
    time = np.arange(round(model.ready.duration / model.ready.spacing) + 1) * model.ready.spacing
    states = simulate(model, time, values, CASES[name].start).states
    numbers = {item.name: float(item.value or 0.0) for item in model.parameters} | values
    return CASES[name].energy(states, numbers), states


def drift(energy: np.ndarray) -> float:
    return float(np.ptp(energy) / np.abs(energy).max())


def test_every_library_model_is_looked_at() -> None:
    assert set(CASES) | WITHOUT_ENERGY == set(LIBRARY)
    assert not set(CASES) & WITHOUT_ENERGY


@pytest.mark.parametrize("name", CASES)
def test_without_damping_energy_drifts_less_than_1e_9(name: str) -> None:
    frictionless = CASES[name].frictionless
    assert frictionless is not None
    energy, states = run(name, frictionless)
    assert drift(energy) < 1e-9
    assert np.ptp(states, axis=1).max() > 1e-3  # it did move


@pytest.mark.parametrize("name", CASES)
def test_a_wrong_energy_would_be_seen(name: str) -> None:
    """Negative control: a hundredth more of the square of the fastest state, and the same claim fails."""
    energy, states = run(name, CASES[name].frictionless or {})
    fastest = states[np.argmax(np.ptp(states, axis=1))]
    assert drift(energy + 0.01 * np.abs(energy).max() * (fastest / np.abs(fastest).max()) ** 2) > 1e-6


@pytest.mark.parametrize(
    ("name", "values"), [(name, values) for name, case in CASES.items() for values in case.damped], ids=str
)
def test_damping_takes_energy_and_never_gives_any(name: str, values: dict[str, float]) -> None:
    energy, _ = run(name, values)
    size = np.ptp(energy)
    assert np.diff(energy).max() < 1e-9 * size
    assert size > 1e-3 * np.abs(energy).max()
    assert energy[-1] == pytest.approx(energy.min(), abs=1e-8 * size)


def test_damping_that_feeds_a_limit_cycle_does_give_energy() -> None:
    """Negative control: the claim on damping fails where it should."""
    energy, _ = run("van_der_pol", {})
    assert np.diff(energy).max() > 1e-3 * np.ptp(energy)
