"""The front door of simulation and of synthetic records: noise of the stated size, errors that name."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.errors import ModelError, OptionError, SimulationError
from identikit.model import Model, Parameter, dynamics_of, library_model
from identikit.simulation import (
    Integrator,
    Pieces,
    Solution,
    noise_deviation,
    parameter_vector,
    sampled,
    simulate,
    synthesize,
)

PENDULUM = library_model("pendulum")
TIMES = np.linspace(0, 10, 3001)


@pytest.fixture(scope="module")
def solution() -> Solution:
    return simulate(PENDULUM, TIMES, {"offset": 0.5})


def test_outputs_are_computed_from_states_and_parameters(solution: Solution) -> None:
    np.testing.assert_allclose(solution.outputs["theta"], solution.states[0] + 0.5, rtol=1e-15)


def test_inputs_are_returned_as_they_acted() -> None:
    model = Model.from_text("driven", equations={"x": "-x + u"}, parameters={}, inputs=["u"])
    steps = np.arange(5.0)
    pieces = sampled(steps, {"u": steps**2}, "zero_order")
    found = simulate(model, steps, inputs=pieces)
    np.testing.assert_array_equal(found.inputs["u"], steps**2)
    expected = 0.0
    for level, value in zip(steps[:-1] ** 2, found.states[0, 1:], strict=True):
        expected = level + (expected - level) * np.exp(-1)
        assert value == pytest.approx(expected, abs=1e-9)


def test_times_need_not_be_even_nor_begin_at_zero() -> None:
    times = np.array([-3.0, -2.9, 0.0, 0.1, 7.0])
    model = Model.from_text("decay", equations={"x": "-x/2"}, parameters={})
    np.testing.assert_allclose(
        simulate(model, times, None, {"x": 2.0}).states[0], 2 * np.exp(-(times + 3) / 2), rtol=1e-8
    )


def test_noise_has_the_stated_deviation_over_seeds(solution: Solution) -> None:
    """The mean of 40 sample variances of 3001 values has a relative sd of 0.4 %; allowed are five."""
    variances = []
    for seed in range(40):
        record = synthesize(PENDULUM, solution, {"theta": 0.02}, seed=seed)
        noise = record.channels["theta"].values - solution.outputs["theta"]
        variances.append(noise.var())
        assert abs(noise.mean()) < 5 * 0.02 / np.sqrt(len(TIMES))
    assert np.mean(variances) == pytest.approx(0.02**2, rel=5 * 0.0041)
    assert abs(np.mean(variances) / 0.021**2 - 1) > 0.05  # negative control: 5 % more would be seen


@pytest.mark.parametrize("kind", ["raw", "ac", "unit"])
def test_a_signal_to_noise_ratio_means_its_kind_of_power(solution: Solution, kind: str) -> None:
    y = solution.outputs["theta"]
    power = {"raw": np.mean(y**2), "ac": np.mean((y - y.mean()) ** 2), "unit": 1.0}[kind]
    assert noise_deviation(y, 20.0, kind) == pytest.approx(np.sqrt(power / 100), rel=1e-12)
    noise = synthesize(PENDULUM, solution, snr=20.0, snr_kind=kind, seed=3).channels["theta"].values - y
    assert noise.std() == pytest.approx(np.sqrt(power / 100), rel=0.07)  # 5 sd of 3001 values


def test_a_seed_reproduces_a_record_and_another_does_not(solution: Solution) -> None:
    first, again, other = (
        synthesize(PENDULUM, solution, {"theta": 0.01}, seed=s).channels["theta"].values for s in (7, 7, 8)
    )
    np.testing.assert_array_equal(first, again)
    assert np.abs(first - other).max() > 0.01


def test_without_noise_the_record_is_the_solution(solution: Solution) -> None:
    record = synthesize(PENDULUM, solution)
    np.testing.assert_array_equal(record.channels["theta"].values, solution.outputs["theta"])
    np.testing.assert_array_equal(record.time, TIMES)


def test_errors_name_the_thing(solution: Solution) -> None:
    with pytest.raises(ModelError, match=r"no parameter 'mu_x'.*Did you mean 'mu_"):
        simulate(PENDULUM, TIMES, {"mu_x": 1.0})
    with pytest.raises(ModelError, match=r"no state 'thet'.*Did you mean 'theta'"):
        simulate(PENDULUM, TIMES, None, {"thet": 1.0})
    with pytest.raises(ModelError, match="initial value of 'theta' is nan"):
        simulate(PENDULUM, TIMES, None, {"theta": np.nan})
    with pytest.raises(ModelError, match=r"parameter 'w0'.*is inf"):
        simulate(PENDULUM, TIMES, {"w0": np.inf})
    bare = Model.from_text("bare", equations={"x": "-k*x"}, parameters=[Parameter("k")])
    with pytest.raises(ModelError, match=r"'k' of model 'bare' has no value: give one") as caught:
        simulate(bare, TIMES)
    assert (caught.value.remedy, caught.value.about) == ("set_value", "k")
    with pytest.raises(OptionError, match=r"1 inputs are given, model 'pendulum' has 0"):
        simulate(PENDULUM, TIMES, inputs=Pieces.constant([1.0]))
    with pytest.raises(OptionError, match="tolerance is 0"):
        simulate(PENDULUM, TIMES, tolerance=0)
    with pytest.raises(OptionError, match="'loud'"):
        noise_deviation(TIMES, 20.0, "loud")
    with pytest.raises(ModelError, match="no output 'omega'"):
        synthesize(PENDULUM, solution, {"omega": 0.1})
    with pytest.raises(OptionError, match=r"noise of 'theta' is -0\.1"):
        synthesize(PENDULUM, solution, {"theta": -0.1})
    with pytest.raises(OptionError, match="both"):
        synthesize(PENDULUM, solution, {"theta": 0.1}, snr=20)


@pytest.mark.parametrize("times", [[], [1.0, 0.0], [0.0, 0.0], [0.0, np.nan], [[0.0, 1.0]]])
def test_times_that_do_not_increase_are_refused(times: list[float]) -> None:
    with pytest.raises(OptionError, match="times of a simulation"):
        simulate(PENDULUM, np.array(times))


def test_a_simulation_error_says_where_it_stopped() -> None:
    with pytest.raises(SimulationError, match=r"'duffing' stopped at t = 1\.0\d* of 30"):
        simulate(library_model("duffing"), np.linspace(0, 30, 31), {"k3": -1.0})


def test_a_start_at_the_equilibrium_stays_there_and_costs_few_steps() -> None:
    """There everything is rounding: neither the error control nor the switches may take it for motion."""
    model = library_model("horizontal_pendulum")
    rest = 0.04993770139785
    for _ in range(60):
        rest -= (20 * rest - np.cos(rest)) / (20 + np.sin(rest))
    integrator = Integrator(dynamics_of(model), (0, 1), sensitivities=False)
    pieces = Pieces.constant([0.0, 0.0])
    run = integrator.run(
        np.zeros(1), np.full(1, 60.0), np.array([[rest, 0.0]]), parameter_vector(model), pieces, np.zeros(1, int)
    )
    assert not run.failed.any()
    assert (np.diff(run.begin) > 0).all()
    assert len(run.begin) < 5000
    assert run.final[0, :, 0] == pytest.approx([rest, 0.0], abs=1e-12)
