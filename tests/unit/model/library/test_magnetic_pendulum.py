"""The magnetic pendulum: its force comes from a potential with the published wells, and its fit finds it."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from scipy.optimize import brentq

import identikit as ik
import reference
from identikit.model import symbol
from identikit.simulation import simulate

MODEL = ik.library_model("magnetic_pendulum")
READY = MODEL.ready
assert READY is not None
TIME = np.arange(0, READY.duration, READY.spacing)
VALUES = {item.name: item.value for item in MODEL.parameters}
THETA, OMEGA = symbol("theta"), symbol("omega")


def lagrangian() -> tuple[sp.Expr, sp.Expr]:
    """Kinetic and potential energy over m L^2: a point on a circle, gravity, and a polynomial of the magnets."""
    w0, *a = (symbol(name) for name in ("w0", "a1", "a2", "a3"))
    height = 1 - sp.cos(THETA)
    return OMEGA**2 / 2, w0**2 * height + sum(c * THETA ** (n + 2) for n, c in enumerate(a))


def energy(states: np.ndarray) -> np.ndarray:
    value = sp.lambdify([THETA, OMEGA], sum(lagrangian()).subs({symbol(k): v for k, v in VALUES.items()}), "numpy")
    return np.asarray(value(states[0], states[1]))


def test_the_force_is_minus_the_slope_of_the_potential_and_the_damping_is_viscous() -> None:
    _, potential = lagrangian()
    expected = -sp.diff(potential, THETA) - 2 * symbol("mu") * symbol("w0") * OMEGA
    assert sp.simplify(MODEL.equations[1] - expected) == 0
    assert MODEL.equations[0] == OMEGA


def test_the_wells_are_where_the_paper_has_them() -> None:
    force = sp.lambdify(
        THETA, MODEL.equations[1].subs(OMEGA, 0).subs({symbol(k): v for k, v in VALUES.items()}), "numpy"
    )
    for low, high, well in ((-0.9, -0.2, -0.523), (0.2, 0.9, 0.4215)):
        assert brentq(force, low, high) == pytest.approx(well, abs=2e-4)
    assert force(1e-3) > 0 > force(-1e-3)  # between the wells it is pushed away


def test_without_damping_energy_stays() -> None:
    values = energy(simulate(MODEL, TIME, {"mu": 0.0}, tolerance=1e-11).states)
    assert np.ptp(values) < 1e-9 * np.abs(values).max()


def test_with_damping_energy_never_rises() -> None:
    values = energy(simulate(MODEL, TIME, tolerance=1e-11).states)
    assert np.diff(values).max() < 1e-9 * np.abs(values).max()
    assert values[-1] < values[0] - 1


def test_the_ready_experiment_tells_damping_and_magnets_when_w0_is_known() -> None:
    record = ik.synthesize(MODEL, simulate(MODEL, TIME), noise=READY.noise, seed=0)
    result = ik.fit(record, MODEL, method="shooting")
    assert result.status.code.value == "ok"
    for name in MODEL.default_free:
        found = result.parameters[name]
        assert found.std is not None
        assert abs(found.value - VALUES[name]) < 4 * found.std
        assert found.std < 0.01 * abs(VALUES[name])


def swing(start: float, duration: float, rate: float, seed: int) -> ik.Record:
    """A noisy record of an independent integrator."""
    time = np.arange(round(duration * rate) + 1) / rate
    mu, w0, a1, a2, a3 = (VALUES[name] for name in ("mu", "w0", "a1", "a2", "a3"))

    def motion(t: float, x: np.ndarray) -> list[float]:
        theta, omega = x
        magnets = 2 * a1 * theta + 3 * a2 * theta**2 + 4 * a3 * theta**3
        return [omega, -2 * mu * w0 * omega - w0**2 * np.sin(theta) - magnets]

    noise = READY.noise["theta"] * np.random.default_rng(seed).standard_normal(len(time))
    return ik.Record.from_arrays(time, theta=reference.smooth(motion, [start, 0.0], time)[0] + noise)


@pytest.mark.parametrize(("start", "duration", "rate"), [(0.9, 10, 300), (1.5, 20, 50), (1.2, 15, 40)])
def test_with_w0_free_the_split_between_gravity_and_magnets_is_lost_but_not_their_sum(
    start: float, duration: float, rate: float
) -> None:
    """At 50 Hz the smoothed record leads to w0 = 71, far down a valley that is a parabola in the parameters."""
    record = swing(start, duration, rate, seed=1)
    result = ik.fit(record, MODEL, method="shooting", free=["mu", "w0", "a1", "a2", "a3"])
    found = result.parameters
    assert found["w0"].std is None or found["w0"].std > 0.3 * VALUES["w0"]
    stiffness = found["w0"].value ** 2 + 2 * found["a1"].value
    assert stiffness == pytest.approx(VALUES["w0"] ** 2 + 2 * VALUES["a1"], rel=0.01)
    assert result.status.code.value == "not_identifiable"
    assert not any(found[name].identifiable for name in ("mu", "w0", "a1"))
    known = result.diagnostics["identifiability"]["combinations"]
    truths = {
        "2*mu*w0": 2 * VALUES["mu"] * VALUES["w0"],
        "2*a1 + w0^2": VALUES["w0"] ** 2 + 2 * VALUES["a1"],
        "4*a3 - w0^2/6": 4 * VALUES["a3"] - VALUES["w0"] ** 2 / 6,
    }
    for text, truth in truths.items():
        assert abs(known[text]["value"] - truth) < 4 * known[text]["std"] < 0.02 * abs(truth), text
        assert text in result.status.message
