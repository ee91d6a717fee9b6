"""Smooth motion against an independent integrator; lanes, segments, long runs, and the cap on work."""

from __future__ import annotations

import time as clock

import numpy as np
import pytest

from identikit.errors import SimulationError
from identikit.model import Model, dynamics_of, library_model
from identikit.simulation import Integrator, Pieces, parameter_vector, simulate
from reference import horizontal_pendulum, smooth

TIMES = np.linspace(0, 30, 1501)


def _relative(found: np.ndarray, expected: np.ndarray) -> float:
    """Largest error of any state, relative to that state's size."""
    return float((np.abs(found - expected).max(axis=1) / np.abs(expected).max(axis=1)).max())


def test_the_horizontal_pendulum_with_all_damping_is_right_to_1e_8() -> None:
    values = {"zeta": 0.03, "mu_c": 0.03, "mu_q": 0.03}
    expected, events = horizontal_pendulum(TIMES, (np.pi / 6, 0.0), **values)
    assert len(events) > 30
    found = simulate(library_model("horizontal_pendulum"), TIMES, values)
    assert _relative(found.states, expected) < 1e-8


def test_the_pendulum_is_right_to_1e_8() -> None:
    times = TIMES / 3  # 19 swings, as many as the others make
    found = simulate(library_model("pendulum"), times, {"mu_q": 0.02})
    expected = smooth(
        lambda t, x: (x[1], -2 * 0.005 * 11.8 * x[1] - 0.02 * x[1] * abs(x[1]) - 11.8**2 * np.sin(x[0])),
        (np.pi / 3, 0.0),
        times,
    )
    assert _relative(found.states, expected) < 1e-8


def test_the_forced_duffing_oscillator_is_right_to_1e_8() -> None:
    found = simulate(library_model("duffing"), TIMES, {"F": 1.0})
    expected = smooth(lambda t, x: (x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3 + np.cos(1.33 * t)), (2.0, 0.0), TIMES)
    assert _relative(found.states, expected) < 1e-8


def test_the_tolerance_rules_the_error() -> None:
    """Negative control of the claims above: a loose tolerance gives a visibly larger error."""
    model = library_model("duffing")
    fine = simulate(model, TIMES, tolerance=1e-12).states
    errors = [_relative(simulate(model, TIMES, tolerance=tol).states, fine) for tol in (1e-5, 1e-7, 1e-9)]
    assert errors[0] > 10 * errors[1] > 100 * errors[2]
    assert errors[0] > 1e-6


def test_energy_is_kept_without_friction() -> None:
    """Relative drift below 1e-9 over 30 s of the undamped pendulum, at tolerance 1e-11."""
    found = simulate(library_model("pendulum"), TIMES, {"mu": 0.0}, tolerance=1e-11).states
    energy = 0.5 * found[1] ** 2 - 11.8**2 * np.cos(found[0])
    assert np.ptp(energy) < 1e-9 * np.abs(energy).max()


def _lanes(model: Model, begin: np.ndarray, end: np.ndarray, start: np.ndarray, p: np.ndarray, **other: object):  # type: ignore[no-untyped-def]
    integrator = Integrator(dynamics_of(model), (0, 1), sensitivities=False)
    pieces = Pieces.constant([item.value for item in model.inputs])
    return integrator.run(begin, end, start, p, pieces, np.zeros(len(begin), int), **other)  # type: ignore[arg-type]


def test_lanes_equal_single_runs() -> None:
    """Lanes of different parameters, starts and lengths, some with stick, run together as they run alone."""
    model = library_model("horizontal_pendulum")
    random = np.random.default_rng(6)
    count = 7
    p = np.stack([parameter_vector(model, {"mu_c": mu, "zeta": 0.02}) for mu in np.linspace(0, 0.6, count)])
    start = random.uniform(-0.5, 0.5, (count, 2))
    begin, end = np.zeros(count), random.uniform(1, 12, count)
    together = _lanes(model, begin, end, start, p)
    for lane in range(count):
        one = slice(lane, lane + 1)
        alone = _lanes(model, begin[one], end[one], start[one], p[one])
        np.testing.assert_allclose(together.final[lane], alone.final[0], atol=1e-13)


def test_more_lanes_than_fit_a_block_equal_single_runs() -> None:
    model = library_model("duffing")
    start = np.random.default_rng(7).uniform(-2, 2, (300, 2))
    times = np.linspace(0, 3, 4)
    run = _lanes(model, np.zeros(300), np.full(300, 3.0), start, parameter_vector(model))
    sampled = run.sample(np.tile(times, 300), np.arange(301) * 4).reshape(300, 4, 2)
    for lane in (0, 255, 256, 299):
        alone = simulate(model, times, None, {"x": start[lane, 0], "v": start[lane, 1]}).states.T
        np.testing.assert_allclose(sampled[lane], alone, atol=1e-12)


def test_a_record_cut_into_segments_is_the_whole() -> None:
    """Each segment starts where the whole passes; the difference is the integrator's error, below 1e-8."""
    model = library_model("horizontal_pendulum")
    values = {"zeta": 0.0, "mu_c": 0.1}
    cuts = np.linspace(0, 36, 31)
    whole = simulate(model, cuts, values).states
    run = _lanes(
        model,
        cuts[:-1],
        cuts[1:],
        whole[:, :-1].T,
        parameter_vector(model, values),
        scale=np.abs(whole).max(axis=1),
    )
    np.testing.assert_allclose(run.final[:, :, 0], whole[:, 1:].T, atol=1e-8)


def test_a_run_of_thousands_of_steps_goes_on_beyond_its_buffer() -> None:
    """x'' = -x over 1500 periods: the phase error stays below 1e-5 and every sample is there."""
    times = np.linspace(0, 3000 * np.pi, 4001)
    model = library_model("duffing")
    run = _lanes(model, times[:1], times[-1:], np.array([[1.0, 0.0]]), parameter_vector(model, {"c": 0, "k3": 0}))
    assert len(run.begin) > 2000
    assert run.passes > 1500
    assert np.all(np.abs(run.begin[1:] - (run.begin + run.length)[:-1]) < 1e-9 * times[-1])
    found = run.sample(times, np.array([0, len(times)]))[:, :, 0]
    np.testing.assert_allclose(found, np.stack([np.cos(times), -np.sin(times)], axis=1), atol=1e-5)


def test_a_lane_of_no_duration_answers_with_its_initial_state() -> None:
    model = library_model("horizontal_pendulum")
    assert simulate(model, np.array([2.0])).states[:, 0] == pytest.approx([np.pi / 6, 0.0], rel=1e-11, abs=0)


def test_a_solution_that_blows_up_is_reported_with_its_time() -> None:
    """x' = x^2 from 1 is 1/(1 - t)."""
    model = Model.from_text("explosion", equations={"x": "a*x**2"}, parameters={"a": 1.0})
    simulate(model, np.linspace(0, 0.5, 3), None, {"x": 1.0})
    begin = clock.perf_counter()
    with pytest.raises(SimulationError, match=r"'explosion' stopped at t = (1|0\.99\d*) of 3"):
        simulate(model, np.linspace(0, 3, 31), None, {"x": 1.0})
    assert clock.perf_counter() - begin < 2


@pytest.mark.parametrize("values", [{"k": 1e14}, {"c": 1e6, "k": 1e6}, {"k3": -1.0}, {"m": 1e-6, "c": 1e6}])
def test_absurd_parameters_end_in_an_error_or_an_answer_but_end(values: dict[str, float]) -> None:
    begin = clock.perf_counter()
    integrator = Integrator(dynamics_of(library_model("duffing")), (0, 1), False, most_passes=20_000)
    p = parameter_vector(library_model("duffing"), values)
    one = np.array([[1.5, 0.0]])
    run = integrator.run(np.zeros(1), np.full(1, 1e3), one, p, Pieces.constant([]), np.zeros(1, int))
    assert run.failed.all()
    assert run.passes < 25_000
    assert clock.perf_counter() - begin < 10


def test_a_failed_lane_does_not_disturb_its_neighbours() -> None:
    model = library_model("duffing")
    p = np.stack([parameter_vector(model, {"k3": k3}) for k3 in (0.5, -5.0, 0.5)])
    start = np.array([[2.0, 0.0], [2.0, 0.0], [1.0, 0.0]])
    run = _lanes(model, np.zeros(3), np.full(3, 5.0), start, p)
    assert run.failed.tolist() == [False, True, False]
    expected = simulate(model, np.array([0.0, 5.0]), None, {"x": 1.0}).states[:, -1]
    np.testing.assert_allclose(run.final[2, :, 0], expected, atol=1e-12)
