"""What every method in the registry must do, whatever it is."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import cache

import numpy as np
import pytest
from cases import REFUSES_IRREGULAR_TIMES, case_for, largest_std

import identikit as ik
from identikit.errors import OptionError
from identikit.method import METHODS, Method, method_named, not_applicable
from identikit.progress import ProgressEvent, watched
from identikit.result import SCHEMA, Code, Severity, of_severity

every_method = pytest.mark.parametrize("method", METHODS.values(), ids=lambda method: method.name)
every_identifying_method = pytest.mark.parametrize(
    "method", [method for method in METHODS.values() if method.identifies], ids=lambda method: method.name
)
every_other_method = pytest.mark.parametrize(
    "method", [method for method in METHODS.values() if not method.identifies], ids=lambda method: method.name
)


@every_method
def test_a_method_says_what_it_is(method: type[Method]) -> None:
    assert method.name.isidentifier()
    assert method.title and method.reference and method.__doc__
    assert json.dumps(method.as_dict())
    assert isinstance(method_named(method.name), method)


def test_a_row_is_named_like_its_method_and_auto_chooses_among_them() -> None:
    assert [method.name for method in METHODS.values()] == list(METHODS)
    assert method_named("auto").name not in METHODS


@every_method
def test_defaults_obey_their_own_rules(method: type[Method]) -> None:
    for option in method.options:
        assert option.checked(option.default, method.name) == option.default
        assert option.checked(str(option.default), method.name) == option.default


@every_method
def test_unknown_and_broken_options_are_refused_by_name(method: type[Method]) -> None:
    with pytest.raises(OptionError, match="no_such_option"):
        method.resolve_options({"no_such_option": 1})
    for option in method.options:
        nonsense = 3 if option.kind == "names" else "nonsense"  # any word may be a name
        with pytest.raises(OptionError, match=option.name):
            method.resolve_options({option.name: nonsense})


@cache
def estimated(method: type[Method]) -> ik.Result:
    """The estimate from the method's own case."""
    return method().estimate(case_for(method).noisy(), options=method.resolve_options())


@every_identifying_method
def test_estimates_lie_within_four_standard_errors_of_the_truth_and_these_are_no_excuse(method: type[Method]) -> None:
    case, result = case_for(method), estimated(method)
    assert result.status.code is Code.OK, result.status
    for name, true in case.truth.items():
        found = result.parameters[name]
        assert found.value is not None and found.std is not None
        assert abs(found.value - true) < 4 * found.std, (name, found)
        assert found.crlb is not None and 0 < found.crlb < 1.001 * found.std
        assert found.std < largest_std(method) * found.crlb, (name, found.std / found.crlb)


@every_other_method
def test_a_method_that_does_not_identify_claims_nothing(method: type[Method]) -> None:
    case, result = case_for(method), estimated(method)
    assert not result.ok and of_severity(result.findings, Severity.REFUSAL)
    for name in case.truth:
        found = result.parameters[name]
        assert found.identifiable is False and found.std is None and found.ci95 is None and found.note


@every_identifying_method
def test_missing_samples_and_irregular_times_do_no_harm(method: type[Method]) -> None:
    case = case_for(method)
    random = np.random.default_rng(7)
    time = np.sort(random.uniform(0, case.duration, case.samples))
    values = case.clean(time)
    values = values + 0.4 * case.sigma * random.standard_normal(values.shape)
    values[random.uniform(size=values.shape) < 0.2] = np.nan
    problem = case.problem(values, time)
    refused = REFUSES_IRREGULAR_TIMES.get(method.name)
    assert [item.code for item in method().objections(problem)] == ([refused] if refused else [])
    if refused:
        return
    result = method().estimate(problem, options=method.resolve_options())
    for name, true in case.truth.items():
        assert result.value(name) == pytest.approx(true, rel=0.15)


def echoed(method: type[Method]) -> dict[str, dict[str, float]]:
    """The settings of a method as its results have to tell them."""
    return {type(item).__name__.removesuffix("Settings").lower(): asdict(item) for item in method.settings}


@every_method
def test_a_method_tells_the_numbers_chosen_in_it_even_where_it_does_not_apply(method: type[Method]) -> None:
    for record in method.settings:
        assert record.__dataclass_params__.frozen  # type: ignore[attr-defined]
    told = echoed(method)
    assert len(told) == len(method.settings) > 0
    assert all(type(value) in (int, float) for family in told.values() for value in family.values())
    refused = not_applicable(case_for(method).noisy(), method.name, [], {}, 0)
    assert json.loads(refused.to_json())["provenance"]["settings"] == told


@every_method
def test_the_same_call_gives_the_same_result_and_survives_json(method: type[Method], tmp_path) -> None:
    case = case_for(method)
    first = estimated(method)
    second = method().estimate(case.noisy(), options=method.resolve_options())
    assert [first.value(name) for name in case.truth] == [second.value(name) for name in case.truth]
    first.save(tmp_path / "fit.json")
    document = json.loads((tmp_path / "fit.json").read_text())
    assert document["schema"] == SCHEMA
    assert document["provenance"]["settings"] == echoed(method)
    loaded = ik.Result.load(tmp_path / "fit.json")
    assert loaded.to_json() == first.to_json()
    assert str(loaded) == str(first)


@every_method
def test_asked_to_stop_it_returns_its_best_so_far_and_says_so(
    method: type[Method], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At every poll of a run, and at none is it anything else than stopped, nor is anyone told anything after it."""
    undisturbed(method)  # while kernels compile there are more polls
    monkeypatch.setattr("identikit.progress.ASKED_AGAIN", -1.0)  # at every poll
    _, events = followed(method)
    assert len(events) > 5
    with_values = 0
    for patience in np.unique(np.linspace(1, len(events) - 1, 6).astype(int)):
        result, told = followed(method, patience)
        assert len(told) == patience
        assert result.status.code is Code.NOT_CONVERGED
        assert "stopped_early" in [item.code for item in result.findings]
        assert ik.Result.from_dict(json.loads(result.to_json())).to_json() == result.to_json()
        assert str(result)
        with_values += all(result.parameters[name].value is not None for name in case_for(method).truth)
    assert with_values  # one that is stopped late has its best so far


@every_method
def test_progress_never_falls_and_ends_at_one(method: type[Method]) -> None:
    result, events = undisturbed(method)
    assert result.ok == method.identifies
    fractions = [event.fraction for event in events]
    assert fractions == sorted(fractions)
    assert fractions[0] >= 0 and fractions[-1] == 1.0 and fractions[-2] < 1.0
    assert len(set(fractions)) > 4
    assert all(event.stage and event.sentence for event in events)
    assert {"smoothing", "solving", "done"} - {event.stage for event in events} <= {"smoothing"}
    assert all(set(event.values) <= set(case_for(method).truth) for event in events)


def followed(method: type[Method], patience: int = 10**9) -> tuple[ik.Result, list[ProgressEvent]]:
    """A fit of the method's own case, stopped at the event with that number, and what it told."""
    events: list[ProgressEvent] = []

    def listener(event: ProgressEvent) -> bool:
        events.append(event)
        return len(events) < patience

    with watched(listener) as progress:
        return method().run(case_for(method).noisy(), options=method.resolve_options(), progress=progress), events


@cache
def undisturbed(method: type[Method]) -> tuple[ik.Result, list[ProgressEvent]]:
    """The same, to its end."""
    return followed(method)


@every_method
def test_too_few_samples_are_an_objection_or_an_honest_failure(method: type[Method]) -> None:
    case = case_for(method)
    time = np.array([0.0, 0.5, 1.0, 1.5])
    record = case.record(case.clean(time), time)
    result = ik.fit(record, case.model, method=method.name, free=list(case.truth), fix=case.fix)
    assert result.status.code is not Code.OK
    assert result.status.message


@every_method
def test_a_channel_that_does_not_change_is_refused_by_name(method: type[Method]) -> None:
    case = case_for(method)
    values = case.clean(case.time())
    values[0] = 0.3
    with pytest.raises(ik.errors.IdentikitError, match=case.outputs[0]):
        case.problem(values, case.time())


@every_method
def test_a_model_that_cannot_describe_the_record_is_not_passed_off_as_good(method: type[Method]) -> None:
    """Negative control: noise alone is never `ok`, and whoever reads the table is told so by a refusal."""
    case = case_for(method)
    for seed in (1, 2, 3):
        values = np.random.default_rng(seed).standard_normal(case.clean(case.time()).shape)
        record = case.record(values, case.time())
        result = ik.fit(record, case.model, method=method.name, free=list(case.truth), fix=case.fix)
        assert not result.ok, result
        assert of_severity(result.findings, Severity.REFUSAL)
