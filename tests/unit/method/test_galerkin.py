"""Galerkin's weak form: what it claims on records made by an independent integrator."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import identikit as ik
import reference
from identikit.errors import OptionError
from identikit.method.galerkin import Galerkin
from identikit.problem import Problem
from identikit.result import Code, Result
from ready import experiment_of

K, C = 4.0, 0.3


def fitted(problem: Problem, **options: object) -> Result:
    return Galerkin().estimate(problem, options=Galerkin.resolve_options(options))


def oscillator(start: dict[str, float] | None = None, seed: int = 0, sigma: float = 0.1, count: int = 400) -> Problem:
    """A damped oscillation with position and velocity measured, both noisy."""
    model = ik.Model.from_text(
        "damped",
        equations={"x": "v", "v": "-k*x - c*v"},
        parameters={"k": 1.0, "c": 0.1},
        outputs={"x": "x", "v": "v"},
    )
    time = np.arange(count) * 0.05
    clean = _decay(count)
    noisy = clean + sigma * np.random.default_rng(seed).standard_normal(clean.shape)
    return Problem.pose(model, ik.Record.from_arrays(time, x=noisy[0], v=noisy[1]), start=start)


@cache
def _decay(count: int) -> np.ndarray:
    return reference.smooth(lambda t, x: [x[1], -K * x[0] - C * x[1]], [1.0, 0.0], np.arange(count) * 0.05)


def test_noise_weights_remove_the_bias_that_least_squares_has() -> None:
    """Negative control: the same records by least squares on the narrow tests as published."""
    seeds = range(12)
    with_noise = np.array([[fitted(oscillator(seed=s)).value(n) for n in ("k", "c")] for s in seeds])
    printed = np.array(
        [[fitted(oscillator(seed=s), width=1, weights="none").value(n) for n in ("k", "c")] for s in seeds]
    )
    mean_error = np.std(with_noise, axis=0, ddof=1) / np.sqrt(len(seeds))
    assert (np.abs(with_noise.mean(axis=0) - [K, C]) < 3.5 * mean_error).all()
    mean_error = np.std(printed, axis=0, ddof=1) / np.sqrt(len(seeds))
    assert np.abs(printed.mean(axis=0) - [K, C])[0] > 10 * mean_error[0]


def test_least_squares_counts_its_bias_into_the_deviation_and_says_so() -> None:
    results = [fitted(oscillator(seed=s), width=1, weights="none") for s in range(8)]
    scaled = [(r.value("k") - K) / r.parameters["k"].std for r in results]
    assert np.abs(scaled).max() < 4
    assert sum("biased_by_noise" in [item.code for item in r.findings] for r in results) >= 5
    quiet = fitted(oscillator(sigma=1e-4), weights="none")  # negative control: hardly any noise
    assert "biased_by_noise" not in [item.code for item in quiet.findings]


def test_standard_errors_are_those_of_the_scatter() -> None:
    results = [fitted(oscillator(seed=s)) for s in range(24)]
    for name, true in (("k", K), ("c", C)):
        scaled = [(r.value(name) - true) / r.parameters[name].std for r in results]
        assert 0.65 < np.sqrt(np.mean(np.square(scaled))) < 1.45


def test_the_weak_bound_is_the_cramer_rao_bound_of_the_trajectory() -> None:
    problem = oscillator(seed=1)
    weak = fitted(problem)
    strong = ik.fit(experiment_of(problem), problem.model, method="shooting")
    for name in ("k", "c"):
        assert weak.parameters[name].crlb == pytest.approx(strong.parameters[name].crlb, rel=0.15)
        assert weak.value(name) == pytest.approx(strong.value(name), abs=1.0 * strong.parameters[name].std)


def test_equations_linear_in_the_parameters_need_no_start_and_two_solves() -> None:
    result = fitted(oscillator(sigma=0.001), weights="none")
    assert result.diagnostics["iterations"] <= 3  # one solve, one after weighing the equations, one that confirms
    assert result.value("k") == pytest.approx(K, rel=2e-3)


def tank(step: float = 1 / 12) -> ik.Record:
    """The reactor, 0 to 16 min, with a step of the feed at 4 min and one of the coolant at 10 min."""
    time = np.round(np.arange(0, 16 + step / 2, step), 9)
    feed, coolant = 1.0 + 0.5 * (time >= 4), 335.0 + 5.0 * (time >= 10)

    def rate(flow: float, cool: float):  # type: ignore[no-untyped-def]
        def slope(t: float, x: np.ndarray) -> list[float]:
            k = 0.461 * np.exp(-1e4 * 0.833 * (1 / x[1] - 1 / 350))
            alpha = 1.678 * 15**1.5 / (15 + 1.678 * 15**0.5 / 2)
            return [
                -(k + flow) * x[0] + flow * 2.0,
                -(alpha + flow) * x[1] + 130 * k * x[0] + flow * 323 + alpha * cool,
            ]

        return slope

    values, x = np.empty((2, len(time))), np.array([1.5965, 341.3754])
    for begin, end, flow, cool in ((0, 4, 1.0, 335.0), (4, 10, 1.5, 335.0), (10, 16, 1.5, 340.0)):
        inside = (time >= begin) & (time <= end)
        values[:, inside] = reference.smooth(rate(flow, cool), x, time[inside])
        x = values[:, inside][:, -1]
    other = {"C_in": 2.0, "T_in": 323.0, "F_co": 15.0}
    channels = {"C": values[0], "T": values[1], "F_in": feed, "T_co": coolant}
    channels |= {name: np.full(len(time), value) for name, value in other.items()}
    return ik.Record.from_arrays(time, channels, time_unit="min")


@pytest.mark.parametrize("weights", ["none", "noise"])
def test_steps_of_the_input_stay_steps(weights: str) -> None:
    """Negative control: the inputs joined by straight lines."""
    truth = {"tau": 0.833, "kappa": 0.461, "a": 1.678}
    start = {name: 0.8 * value for name, value in truth.items()}
    model, record = ik.library_model("tank_reactor"), tank()
    result = fitted(Problem.pose(model, record, start=start), weights=weights)
    for name, value in truth.items():
        assert result.value(name) == pytest.approx(value, rel=5e-4)
    joined = fitted(Problem.pose(model, record, start=start, hold="linear"), weights=weights)
    assert abs(joined.value("a") / truth["a"] - 1) > 2e-3


def test_several_records_share_the_parameters() -> None:
    first, second = oscillator(seed=1), oscillator(seed=2)
    both = Problem.pose(first.model, ik.Experiment((*experiment_of(first).records, *experiment_of(second).records)))
    alone, together = fitted(first), fitted(both)
    assert together.parameters["k"].std == pytest.approx(alone.parameters["k"].std / np.sqrt(2), rel=0.25)
    assert abs(together.value("k") - K) < 4 * together.parameters["k"].std
    assert len(together.initial_states) == 2


def test_position_alone_is_enough_with_dry_friction() -> None:
    time = np.arange(3000) * 0.005
    clean = reference.horizontal_pendulum(time, zeta=0.03, mu_c=0.02)[0][0]
    noisy = clean + 0.002 * np.random.default_rng(0).standard_normal(len(time))
    record = ik.Record.from_arrays(time, theta=noisy)
    result = ik.fit(record, "horizontal_pendulum", method="galerkin", free=["zeta", "mu_c", "k"], fix={"mu_q": 0})
    assert result.ok
    for name, true in (("zeta", 0.03), ("mu_c", 0.02), ("k", 20.0)):
        assert abs(result.value(name) - true) < 4 * result.parameters[name].std
    assert result.parameters["k"].std < 0.01


def test_a_start_is_used_where_the_equations_are_not_linear_and_its_way_is_shown() -> None:
    model = ik.Model.from_text(
        "decay", equations={"x": "-x/(T*(1 + b*x))"}, parameters={"T": 1.0, "b": 0.1}, outputs={"x": "x"}
    )
    time = np.arange(300) * 0.05
    clean = reference.smooth(lambda t, x: [-x[0] / (3.0 * (1 + 0.5 * x[0]))], [4.0], time)[0]
    record = ik.Record.from_arrays(time, x=clean + 0.01 * np.random.default_rng(0).standard_normal(300))
    problem = Problem.pose(model, record, start={"T": 1.5, "b": 0.25}, bounds={"T": (0.1, 50), "b": (0, 20)})
    result = fitted(problem)
    path = result.artifacts["iterations"]["parameters"]
    assert path["T"][0] == 1.5 and path["b"][0] == 0.25 and len(path["T"]) > 3
    for name, true in (("T", 3.0), ("b", 0.5)):
        assert abs(result.value(name) - true) < 4 * result.parameters[name].std


def test_width_is_a_number_or_auto() -> None:
    assert Galerkin.resolve_options({"width": "3"})["width"] == 3.0
    assert Galerkin.resolve_options()["width"] == "auto"
    for wrong in ("wide", 0.5, "nan"):
        with pytest.raises(OptionError, match=r"width.*or auto"):
            Galerkin.resolve_options({"width": wrong})


def test_a_state_that_does_not_follow_from_the_record_is_an_objection() -> None:
    model = ik.Model.from_text(
        "hidden",
        equations={"x": "-a*x + y*z", "y": "-b*y", "z": "-z"},
        parameters={"a": 1.0, "b": 1.0},
        outputs={"x": "x"},
    )
    time = np.arange(100) * 0.1
    result = ik.fit(ik.Record.from_arrays(time, x=np.exp(-time)), model, method="galerkin")
    assert result.status.code is Code.NOT_APPLICABLE
    assert "y" in result.status.message


def test_what_splines_round_off_at_dry_friction_is_counted_into_std() -> None:
    """A drive that sticks and slips: its estimates are off by several of the errors that noise alone would leave."""
    model = ik.library_model("friction_drive")
    assert model.ready is not None
    for seed in range(3):
        record = ik.simulate(model, seed=seed)
        found = ik.fit(record, model, inputs=model.ready.inputs, method="galerkin")
        off = [
            (item.value - model.parameter(name).value) / item.std
            for name, item in found.parameters.items()
            if item.std and item.value is not None
        ]
        assert len(off) == 4
        assert np.abs(off).max() < 3.5
        assert "bias_counted" in {item.code for item in found.findings}


def test_a_start_at_which_a_hidden_state_has_no_value_is_left_without_a_word_of_numpy() -> None:
    """z is solved out of the equations by a division by a, which is zero at the start. Warnings are errors here."""
    model = ik.Model.from_text(
        "hidden",
        equations={"x": "v", "v": "-k*x - a*z", "z": "v - z"},
        parameters=[ik.Parameter("k", 1.0, bounds=(0.1, 100)), ik.Parameter("a", 0.5, bounds=(0, 5))],
        outputs={"x": "x", "v": "v"},
    )
    time = np.arange(400) * 0.05
    clean = reference.smooth(lambda t, x: [x[1], -4 * x[0] - 0.3 * x[2], x[1] - x[2]], [1.0, 0.0, 0.0], time)[:2]
    noisy = clean + 0.01 * np.random.default_rng(0).standard_normal(clean.shape)
    posed = Problem.pose(model, ik.Record.from_arrays(time, x=noisy[0], v=noisy[1]), start={"k": 4.0, "a": 0.0})
    found = fitted(posed)
    assert found.value("a") == pytest.approx(0.3, abs=0.01) and found.value("k") == pytest.approx(4.0, abs=0.01)
