"""The oscillator in a model, the map over half a cycle, and what smoothing does to a turning point."""

from __future__ import annotations

import numpy as np
import pytest

import identikit as ik
import reference
from identikit.model import Model
from identikit.oscillation import DRAG, DRY, OTHER, VISCOUS, HalfCycles, Oscillator, oscillator_of, smoothing_bias
from identikit.problem import Problem

TIME = np.arange(200) * 0.05


def made(model: Model, output: str, **arguments: object) -> Oscillator | list[str]:
    record = ik.Record.from_arrays(TIME, {output: np.cos(TIME)})
    return oscillator_of(Problem.pose(model, record, **arguments))  # type: ignore[arg-type]


def swing(equation: str, parameters: dict[str, float], **other: object) -> Model:
    return Model.from_text("swing", equations={"x''": equation}, parameters=parameters, **other)  # type: ignore[arg-type]


def test_dampings_are_told_by_their_law_not_by_their_names() -> None:
    equation = "-a*x - b*x'/2 - 3*c*sign(x') - d*x'*abs(x') - e*x'**3"
    found = made(swing(equation, dict.fromkeys("abcde", 1.0)), "x")
    assert isinstance(found, Oscillator)
    assert found.dampings == {"b": (VISCOUS, 0.5), "c": (DRY, 3.0), "d": (DRAG, 1.0), "e": (OTHER, None)}
    assert found.stiffnesses == ("a",)


def test_a_parameter_in_the_restoring_force_is_a_stiffness_wherever_else_it_stands() -> None:
    found = made(ik.library_model("pendulum"), "theta", free=["w0", "mu", "offset"])
    assert isinstance(found, Oscillator)
    assert (list(found.dampings), found.stiffnesses, found.offsets) == (["mu"], ("w0",), ("offset",))
    mass = made(ik.library_model("duffing"), "x", free=["m", "c"])
    assert isinstance(mass, Oscillator)
    assert mass.stiffnesses == ("m",)


def test_what_is_no_free_oscillator_is_said_in_words() -> None:
    forced = ik.library_model("duffing")
    assert "hold the time" in made(forced, "x", fix={"F": 1.0})[0].text  # type: ignore[index]
    assert isinstance(made(forced, "x", fix={"F": 0.0}), Oscillator)  # negative control: a force of zero is none
    assert "one degree of freedom" in made(ik.library_model("lorenz"), "x")[0].text  # type: ignore[index]
    only_speed = swing("-k*x - c*x'", {"k": 1.0, "c": 0.1}, outputs={"speed": "x_dot"})
    assert "position" in made(only_speed, "speed")[0].text  # type: ignore[index]
    record = ik.Record.from_arrays(TIME, theta=np.cos(TIME), q_v=np.sin(TIME))
    driven = oscillator_of(Problem.pose(ik.library_model("horizontal_pendulum"), record))
    assert isinstance(driven, list) and "driven" in driven[0].text


def chain(model: Oscillator, p: list[float], amplitude: float, count: int) -> tuple[np.ndarray, np.ndarray, float]:
    vector = np.array(p)
    centre = model.equilibrium(vector, 0.0)
    maps = HalfCycles.of(model, vector[None], centre, 0.3 * amplitude, (amplitude, amplitude))
    found, times = maps.chain(np.array([amplitude]), True, count)
    return found[:, 0], times[:, 0], centre


def test_a_linear_spring_with_dry_friction_loses_two_bands_per_half_cycle() -> None:
    model = made(swing("-k*x - f*sign(x')", {"k": 4.0, "f": 0.02}), "x")
    found, times, _ = chain(model, [4.0, 0.02], 1.0, 10)  # type: ignore[arg-type]
    assert found == pytest.approx(1 - 2 * 0.02 / 4 * np.arange(10), abs=1e-8)
    assert times == pytest.approx(np.pi / 2 * np.arange(10), abs=1e-8)


def test_a_linear_spring_with_viscous_damping_follows_the_closed_form() -> None:
    model = made(swing("-k*x - c*x'", {"k": 4.0, "c": 0.2}), "x")
    found, times, _ = chain(model, [4.0, 0.2], 1.0, 8)  # type: ignore[arg-type]
    damped = np.sqrt(4 - 0.1**2)
    assert found == pytest.approx(np.exp(-0.1 * np.pi / damped * np.arange(8)), abs=1e-7)
    assert times[-1] == pytest.approx(7 * np.pi / damped, rel=1e-7)


def test_a_linear_spring_with_drag_follows_the_exact_recursion() -> None:
    drag = 0.3
    model = made(swing("-k*x - d*x'*abs(x')", {"k": 4.0, "d": drag}), "x")
    a, _, _ = chain(model, [4.0, drag], 0.5, 6)  # type: ignore[arg-type]
    left = (1 + 2 * drag * a[:-1]) * np.exp(-2 * drag * a[:-1])
    right = (1 - 2 * drag * a[1:]) * np.exp(2 * drag * a[1:])
    assert left == pytest.approx(right, abs=1e-8)
    first_order = a[:-1] - 4 / 3 * drag * a[:-1] ** 2  # negative control: the averaged equation is not exact
    assert np.abs(first_order - a[1:]).max() > 1e-3


def test_a_pendulum_with_three_dampings_follows_an_independent_integration() -> None:
    model = made(ik.library_model("horizontal_pendulum"), "theta")
    assert isinstance(model, Oscillator)
    time = np.arange(0, 20, 1e-3)
    exact = reference.horizontal_pendulum(time, zeta=0.025, mu_c=0.015, mu_q=0.025)[0]
    turns = np.flatnonzero(np.diff(np.sign(exact[1])) != 0)[:27]
    values = np.array([np.max(exact[0][max(i - 3, 0) : i + 4]) for i in turns[2::2]])  # the first is the release
    p = [0.025, 0.015, 0.025, 20.0]
    centre = model.equilibrium(np.array(p), 0.1)
    found, _, _ = chain(model, p, np.pi / 6 - centre, 26)
    assert centre + found[2::2] == pytest.approx(values[: len(found[2::2])], abs=2e-6)


def test_friction_that_holds_gives_no_further_amplitude_loss() -> None:
    model = made(swing("-k*x - f*sign(x')", {"k": 4.0, "f": 1.0}), "x")
    maps = HalfCycles.of(model, np.array([[4.0, 1.0]]), 0.0, 0.05, (0.2, 0.2))  # type: ignore[arg-type]
    found, _ = maps.chain(np.array([0.15]), True, 4)  # within the band of 0.25
    assert np.isfinite(found).all() and found.min() >= 0


def test_smoothing_lowers_a_peak_by_what_the_quartic_misses() -> None:
    model = made(swing("-k*x - c*x'", {"k": 1.0, "c": 0.0}), "x")
    half = np.array([0.8, 1.6])
    raised, delayed = smoothing_bias(
        model, np.array([1.0, 0.0]), 0.0, np.ones(2), np.array([True, False]), half  # type: ignore[arg-type]
    )  # fmt: skip
    # leading term of the error of a quartic fitted to a cosine: (w h)^6 / 720 * 5/231
    assert raised[0] == pytest.approx(-(0.8**6) / 720 * 5 / 231, rel=0.06)
    assert raised[1] == pytest.approx(1.6**6 / 720 * 5 / 231, rel=0.2)  # a valley is raised
    assert np.abs(delayed).max() < 1e-12
