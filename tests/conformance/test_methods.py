"""What every method in the registry must do, whatever it is."""

from __future__ import annotations

import json

import numpy as np
import pytest

import identikit as ik
import reference
from identikit.errors import OptionError
from identikit.method import METHODS, Method, method_named
from identikit.problem import Problem
from identikit.result import SCHEMA, Code

TIME = np.arange(600) * 0.05
TRUTH = {"c": 0.1, "k": 1.0, "k3": 0.5}


@pytest.fixture(scope="module")
def clean() -> np.ndarray:
    return reference.smooth(lambda t, x: [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3], [2.0, 0.0], TIME)[0]


def problem_of(values: np.ndarray, time: np.ndarray = TIME, **other: object) -> Problem:
    return Problem.pose(ik.library_model("duffing"), ik.Record.from_arrays(time, x=values), **other)  # type: ignore[arg-type]


def noisy(clean: np.ndarray, seed: int = 0) -> np.ndarray:
    return clean + 0.05 * np.random.default_rng(seed).standard_normal(len(clean))


every_method = pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)


@every_method
def test_a_method_says_what_it_is(method: type[Method]) -> None:
    assert method.name.isidentifier()
    assert method.title and method.reference and method.__doc__
    assert json.dumps(method.as_dict())
    assert isinstance(method_named(method.name), method)


def test_names_are_unique_and_auto_is_one_of_them() -> None:
    names = [method.name for method in METHODS]
    assert len(set(names)) == len(names)
    assert method_named("auto").name in names


@every_method
def test_defaults_obey_their_own_rules(method: type[Method]) -> None:
    for option in method.options:
        assert option.checked(option.default, method.name) == option.default
        assert option.checked(str(option.default), method.name) == option.default


@every_method
def test_unknown_and_broken_options_are_refused_by_name(method: type[Method]) -> None:
    with pytest.raises(OptionError, match="no_such_option"):
        method.settle({"no_such_option": 1})
    for option in method.options:
        with pytest.raises(OptionError, match=option.name):
            method.settle({option.name: "nonsense"})


@every_method
def test_estimates_lie_within_four_deviations_of_the_truth(method: type[Method], clean: np.ndarray) -> None:
    result = method().estimate(problem_of(noisy(clean)), options=method.settle())
    assert result.status.code is Code.OK
    for name, true in TRUTH.items():
        found = result.parameters[name]
        assert found.value is not None and found.std is not None
        assert abs(found.value - true) < 4 * found.std
        assert found.crlb is not None and found.crlb > 0


@every_method
def test_missing_samples_and_irregular_times_do_no_harm(method: type[Method]) -> None:
    random = np.random.default_rng(7)
    time = np.sort(random.uniform(0, 30, 700))
    time[0] = 0.0
    exact = reference.smooth(lambda t, x: [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3], [2.0, 0.0], time)[0]
    values = exact + 0.02 * random.standard_normal(len(time))
    values[random.uniform(size=len(time)) < 0.2] = np.nan
    result = method().estimate(problem_of(values, time), options=method.settle())
    assert result.value("k") == pytest.approx(1.0, rel=0.1)


@every_method
def test_the_same_call_gives_the_same_result_and_survives_json(
    method: type[Method], clean: np.ndarray, tmp_path
) -> None:
    first = method().estimate(problem_of(noisy(clean)), options=method.settle(), seed=3)
    second = method().estimate(problem_of(noisy(clean)), options=method.settle(), seed=3)
    assert [first.value(name) for name in TRUTH] == [second.value(name) for name in TRUTH]
    first.save(tmp_path / "fit.json")
    document = json.loads((tmp_path / "fit.json").read_text())
    assert document["schema"] == SCHEMA
    loaded = ik.Result.load(tmp_path / "fit.json")
    assert loaded.to_json() == first.to_json()
    assert str(loaded) == str(first)


@every_method
def test_asked_to_stop_it_returns_its_best_so_far_and_says_so(method: type[Method], clean: np.ndarray) -> None:
    calls = []

    def impatient(fraction: float, sentence: str) -> bool:
        calls.append((fraction, sentence))
        return len(calls) < 3

    result = method().estimate(problem_of(noisy(clean)), options=method.settle(), progress=impatient)
    assert result.status.code is Code.NOT_CONVERGED
    assert "stopped" in result.status.message
    assert all(0 <= fraction <= 1 and sentence for fraction, sentence in calls)


@every_method
def test_too_few_samples_are_an_objection_or_an_honest_failure(method: type[Method]) -> None:
    time = np.array([0.0, 0.5, 1.0, 1.5])
    result = ik.fit(ik.Record.from_arrays(time, x=np.array([2.0, 1.6, 0.7, -0.4])), "duffing", method=method.name)
    assert result.status.code is not Code.OK
    assert result.status.message


@every_method
def test_a_model_that_cannot_describe_the_record_is_not_passed_off_as_good(
    method: type[Method], clean: np.ndarray
) -> None:
    """Negative control: noise alone."""
    values = np.random.default_rng(1).standard_normal(len(TIME))
    result = ik.fit(ik.Record.from_arrays(TIME, x=values), "duffing", method=method.name)
    good = result.ok and result.fit["x"].fit_percent > 50
    assert not good
