"""The Kalman smoother: one trajectory without process noise, smoothed states with it, drift, refusals."""

from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

import identikit as ik
import reference
from corpus import SWING
from identikit.errors import InputError
from identikit.measurement import Experiment
from identikit.problem import Problem
from identikit.result import Code, Result
from stochastic import shaken_pendulum

TRUTH = {"zeta": 0.025, "mu_c": 0.015, "mu_q": 0.025, "k": 20.0}


def swing(seed: int = 0, sigma: float = 0.002, dt: float = 0.01, duration: float = 40.0) -> ik.Record:
    times = np.arange(0, duration, dt)
    states, _ = reference.horizontal_pendulum(times, **TRUTH)
    noise = sigma * np.random.default_rng(seed).standard_normal(len(times))
    return ik.Record.from_arrays(times, {"theta": states[0] + noise})


@lru_cache
def shaken(seed: int = 0, intensity: float = 0.05) -> ik.Record:
    times, theta = shaken_pendulum(seed, intensity)
    return ik.Record.from_arrays(times, {"theta": theta})


@lru_cache
def fitted(seed: int = 0) -> Result:
    return ik.fit(shaken(seed), SWING, method="kalman")


def test_without_process_noise_the_estimate_is_that_of_shooting() -> None:
    record = swing()
    one, other = (
        ik.fit(record, "horizontal_pendulum", free=list(TRUTH), method=name) for name in ("kalman", "shooting")
    )
    assert one.status.code is Code.OK
    assert not any(one.diagnostics["process_noise"].values())
    for name in TRUTH:
        std = other.parameters[name].std
        assert abs(one.value(name) - other.value(name)) < 0.3 * std
        assert one.parameters[name].std == pytest.approx(std, rel=0.05)


@pytest.mark.study
def test_dense_samples_are_averaged_without_loss() -> None:
    record = swing(dt=0.001, duration=20.0, sigma=0.005)
    one, other = (ik.fit(record, "horizontal_pendulum", free=["zeta", "k"], fix={"mu_c": 0.015, "mu_q": 0.025},
    method=n)
                  for n in ("kalman", "shooting"))  # fmt: skip
    assert one.provenance["samples"] == len(record.time)
    for name in ("zeta", "k"):
        std = other.parameters[name].std
        assert abs(one.value(name) - other.value(name)) < 0.3 * std
        assert one.parameters[name].std == pytest.approx(std, rel=0.05)


def test_levels_of_process_and_measurement_noise_are_found() -> None:
    result = fitted()
    assert result.status.code is Code.OK
    assert result.diagnostics["process_noise"]["omega"] == pytest.approx(0.05, rel=0.15)
    assert result.diagnostics["process_noise"]["theta"] == 0
    assert result.noise["theta"].sigma == pytest.approx(0.002, rel=0.1)
    assert result.noise["theta"].white
    assert any(item.code == "process_noise" and item.about == ("omega",) for item in result.findings)


def test_process_noise_covers_where_the_information_of_one_trajectory_does_not() -> None:
    """k is off by what the shaking did, many standard errors of a fit that knows nothing of it."""
    result = fitted()
    bare = ik.fit(shaken(), SWING, method="kalman", options={"process": "none"})
    truth = {"zeta": 0.05, "k": 20.0}
    for name, value in truth.items():
        assert abs(result.value(name) - value) < 3 * result.parameters[name].std
    assert any(abs(bare.value(n) - v) > 4 * bare.parameters[n].std for n, v in truth.items())
    assert bare.noise["theta"].white is False


@pytest.mark.study
def test_levels_that_are_told_are_kept_and_wrong_ones_are_refused() -> None:
    asked = {"model": SWING, "method": "kalman"}
    told = ik.fit(shaken(), **asked, noise={"omega'": 0.05, "theta": 0.002})
    assert told.diagnostics["process_noise"]["omega"] == 0.05
    assert told.noise["theta"].sigma == 0.002
    assert told.status.code is Code.OK
    wrong = ik.fit(shaken(), **asked, noise={"omega'": 0.002, "theta": 0.0005})
    assert wrong.status.code is not Code.OK
    assert any(item.code == "filter_diverged" for item in wrong.findings)


def test_a_drifting_parameter_is_followed_within_its_band(tmp_path: Path) -> None:
    times, theta = shaken_pendulum(1, 0.0, 40.0, drift=0.4)
    record = ik.Record.from_arrays(times, {"theta": theta})
    result = ik.fit(record, SWING, method="kalman", options={"drift": "zeta"})
    curve = next(item for item in result.artifacts.values() if item.get("what") == "drift")
    t, values, std = (np.asarray(curve[key], float) for key in ("t", "values", "std"))
    true = 0.05 * (1 + 0.4 * (t / 40 - 0.5))
    assert np.mean(np.abs(values - true) < 1.96 * std) > 0.8
    assert values[-1] - values[0] > 2 * np.hypot(std[0], std[-1])
    assert result.parameters["zeta"].std is None
    assert "drift" in result.parameters["zeta"].note
    assert result.parameters["k"].std is not None
    assert Result.from_dict(result.as_dict()).artifacts.keys() == result.artifacts.keys()
    ik.plot(result, tmp_path / "drift.png")
    assert (tmp_path / "drift.png").stat().st_size > 0


def test_a_drift_is_told_of_every_record_and_its_mean_is_over_time() -> None:
    """Up in a long record, down in a short one: from the first beginning to the last end nothing changes."""
    records = []
    for name, seed, duration, drift in (("up", 1, 40.0, 0.5), ("down", 2, 25.0, -0.6)):
        times, theta = shaken_pendulum(seed, 0.0, duration, drift=drift)
        records.append(ik.Record.from_arrays(times, {"theta": theta}, name=name))
    result = ik.fit(Experiment(tuple(records)), SWING, method="kalman", options={"drift": "zeta"})
    told = [item.text for item in result.findings if item.code == "parameter_drifts"]
    curves = [item for item in result.artifacts.values() if item.get("what") == "drift"]
    assert len(told) == len(curves) == 2
    area = 0.0
    for text, record, curve in zip(told, records, curves, strict=True):
        t, values = np.asarray(curve["t"]), np.asarray(curve["values"])
        assert text.startswith(f"zeta drifts from {values[0]:.4g}") and f" in {record.name}" in text
        assert f"to {values[-1]:.4g}" in text and f"at t = {t[-1]:.4g}" in text
        area += np.trapezoid(np.append(values, values[-1]), np.append(t, record.time[-1]))
    assert result.value("zeta") == pytest.approx(area / 65.0, rel=1e-9)


def test_several_records_with_irregular_times_and_missing_samples_are_one_estimate() -> None:
    random, records = np.random.default_rng(0), []
    for start in ((0.5, 0.0), (0.3, 1.0)):
        times = np.sort(random.uniform(0, 15, 1500))
        states, _ = reference.horizontal_pendulum(times, start, zeta=0.05, mu_c=0.02)
        theta = states[0] + 0.002 * random.standard_normal(len(times))
        theta[random.random(len(times)) < 0.3] = np.nan
        records.append(ik.Record.from_arrays(times, {"theta": theta}))
    result = ik.fit(records, "horizontal_pendulum", free=["zeta", "mu_c", "k"], fix={"mu_q": 0}, method="kalman")
    assert result.status.code is Code.OK
    assert not any(result.diagnostics["process_noise"].values())
    for name, value in {"zeta": 0.05, "mu_c": 0.02, "k": 20.0}.items():
        assert abs(result.value(name) - value) < 4 * result.parameters[name].std


def test_the_unscented_filter_agrees_with_the_extended_smoother() -> None:
    other = ik.fit(shaken(), SWING, method="kalman", options={"filter": "unscented"})
    assert other.status.code is Code.OK
    assert other.noise["theta"].white
    for name in ("zeta", "k"):
        std = fitted().parameters[name].std
        assert abs(other.value(name) - fitted().value(name)) < 0.5 * std
        assert other.parameters[name].std == pytest.approx(std, rel=0.15)


def test_process_noise_is_part_of_the_saved_question() -> None:
    question = ik.Question.ask(shaken(), "horizontal_pendulum", noise={"omega'": "auto", "theta": 0.002})
    again = ik.Question.from_dict(question.as_dict() | {"data": shaken()})
    assert again.problem().process == question.problem().process
    assert question.problem().process["omega"].level is None
    assert question.problem().noise["theta"].level == 0.002


@pytest.mark.parametrize(
    ("noise", "words"),
    [
        ({"omga'": 1.0}, "no state has that rate"),
        ({"omega'": -1.0}, "zero or more"),
        ({"omega'": "white"}, "expected an intensity"),
    ],
)
def test_wrong_process_noise_is_one_clear_message(noise: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Problem.pose(ik.library_model("horizontal_pendulum"), shaken(), noise=noise)  # type: ignore[arg-type]


def test_other_methods_say_that_they_do_not_count_with_process_noise() -> None:
    said = ik.fit(shaken(), SWING, method="least_squares", noise={"omega'": 0.05})
    assert any(item.code == "process_noise_ignored" for item in said.findings)
    silent = ik.fit(shaken(), SWING, method="least_squares", noise={"omega'": 0.0})
    assert not any(item.code == "process_noise_ignored" for item in silent.findings)


def test_noise_of_another_kind_and_a_drift_of_something_else_are_refused() -> None:
    refused = ik.fit(swing(), "horizontal_pendulum", method="kalman", noise="ar")
    assert refused.status.code is Code.NOT_APPLICABLE
    with pytest.raises(InputError, match="not a free parameter"):
        ik.fit(swing(), "horizontal_pendulum", free=["zeta", "k"], method="kalman", options={"drift": "mass"})
