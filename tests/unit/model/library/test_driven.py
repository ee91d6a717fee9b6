"""The driven systems: a mass with dry friction, and Bouc and Wen's hysteresis."""

from __future__ import annotations

import numpy as np
import pytest

import identikit as ik
import ready
from identikit.model import library_model
from identikit.simulation import simulate

DRIVE = library_model("friction_drive")
BOUC_WEN = library_model("bouc_wen")


def drive(u: str, time: np.ndarray, **values: float) -> np.ndarray:
    return simulate(DRIVE.with_input_expressions({"u": u}), time, values).states


def test_a_force_below_the_friction_moves_nothing() -> None:
    assert np.all(drive("1.1*sin(t)", np.linspace(0, 20, 201), f=1.5, offset=0.3) == 0)


def test_the_constant_force_adds_to_the_drive() -> None:
    assert drive("1.3", np.linspace(0, 5, 6), f=1.5, offset=0.3)[0, -1] > 0.01
    assert np.all(drive("-1.7", np.linspace(0, 5, 6), f=1.5, offset=0.3) == 0)


def test_a_thrown_mass_brakes_evenly_and_sticks() -> None:
    time = np.linspace(0, 4, 401)
    x, v = simulate(DRIVE, time, {"m": 2.0, "c": 0.0, "f": 1.5, "offset": 0.3}, {"v": 1.2}).states
    halt = 1.2 * 2 / (1.5 - 0.3)
    np.testing.assert_allclose(v, np.maximum(1.2 - 0.6 * time, 0), atol=1e-9)
    assert np.all(v[time > halt] == 0)
    assert x[-1] == pytest.approx(1.2 * halt / 2, rel=1e-9)


def test_a_constant_force_leads_to_its_terminal_speed() -> None:
    v = drive("4", np.array([0.0, 60.0]), m=2.0, c=1.0, f=1.5, offset=0.3)[1, -1]
    assert v == pytest.approx(4 + 0.3 - 1.5, rel=1e-9)


def test_its_ready_experiment_sticks_at_times_and_tells_all_four() -> None:
    assert DRIVE.ready is not None
    v = drive(DRIVE.ready.inputs["u"], np.linspace(0, 20, 2001))[1]
    assert np.count_nonzero(v == 0) > 10 and v.max() > 0.5 and v.min() < -0.5
    ready.assert_recovered(DRIVE)


def test_motion_one_way_does_not_tell_friction_from_the_constant_force() -> None:
    one_way = "6 + 2*sin(2*t) + 1.5*sin(3.3*t)"
    time = np.linspace(0, 15, 601)
    driven = DRIVE.with_input_expressions({"u": one_way})
    record = ik.synthesize(driven, simulate(driven, time, initial={"v": 1.0}), noise={"x": 0.002})
    result = ik.fit(record, DRIVE, inputs={"u": one_way})
    assert not result.ok
    assert "f" in result.status.message and "offset" in result.status.message
    assert result.parameters["m"].identifiable and result.parameters["c"].identifiable


@pytest.mark.study
@pytest.mark.parametrize("model", [DRIVE, BOUC_WEN], ids=lambda model: model.name)
def test_a_sampled_force_serves_as_well_as_its_formula(model: ik.Model) -> None:
    whole = ready.record_of(model)
    t = whole.time
    force = {
        "friction_drive": 4 * np.sin(1.3 * t) + 2.5 * np.sin(3.1 * t),
        "bouc_wen": 4 * np.sin(1.5 * t) + 3 * np.sin(2.6 * t),
    }
    result = ik.fit(ik.Record.from_arrays(t, x=whole.channels["x"].values, u=force[model.name]), model)
    assert result.ok, result.status.message
    for name in model.default_free:
        found, truth = result.parameters[name], model.parameter(name).value
        assert found.std is not None and truth is not None
        assert abs(result.value(name) - truth) < 4 * found.std, (name, found)


def steady_loop(**values: float) -> tuple[np.ndarray, np.ndarray]:
    """x and the force of the spring over ten cycles of a slow drive, after ten more."""
    time = np.linspace(0, 40 * np.pi, 20001)
    driven = BOUC_WEN.with_input_expressions({"u": "6*sin(t)"})
    x, _, z = simulate(driven, time, values).states[:, 10000:]
    alpha, k = values.get("alpha", 0.3), values.get("k", 10.0)
    return x, alpha * k * x + (1 - alpha) * k * z


@pytest.mark.parametrize("values", [{}, {"n": 2.0}, {"gamma": -1.0}], ids=str)
def test_the_hysteresis_loop_takes_energy(values: dict[str, float]) -> None:
    x, force = steady_loop(**values)
    area = np.trapezoid(force, x) / 10
    assert area > 0.1 * np.ptp(x) * np.ptp(force)


def test_without_beta_the_spring_is_elastic() -> None:
    x, force = steady_loop(beta=0.0, gamma=0.0, c=1.0)
    assert abs(np.trapezoid(force, x)) < 1e-6
    np.testing.assert_allclose(force, 10 * x, atol=1e-8)


@pytest.mark.parametrize("n", [1.0, 2.0, 3.5])
def test_the_hysteretic_displacement_approaches_its_known_bound(n: float) -> None:
    pulled = BOUC_WEN.with_input_expressions({"u": "30*sin(0.2*t)"})
    z = simulate(pulled, np.linspace(0, 60, 3001), {"n": n}).states[2]
    bound = (1 / (2.0 + 1.0)) ** (1 / n)
    assert 0.98 * bound < np.abs(z).max() <= bound * (1 + 1e-9)


@pytest.mark.study
def test_an_oscillator_with_hysteresis_is_found_from_its_position() -> None:
    ready.assert_recovered(BOUC_WEN)
