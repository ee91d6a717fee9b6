"""Whom a comparison trusts, and what it says of the others: on made-up results."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import identikit as ik
from identikit.comparison import Answer, Judgement, failed, judged
from identikit.method import METHODS
from identikit.problem import Problem
from identikit.result import (
    Code,
    ComparisonReport,
    FitQuality,
    MethodEntry,
    NoiseFound,
    ParameterEstimate,
    Result,
    Status,
    finding,
)

SPRING = ik.Model.from_text(
    "spring", equations={"x''": "-k*x"}, parameters=(ik.Parameter("k", bounds=(0, 20)),), outputs={"x": "x"}
)


@pytest.fixture(scope="module")
def problem() -> Problem:
    time = np.arange(40) * 0.1
    return Problem.pose(SPRING, ik.Record.from_arrays(time, {"x": np.cos(2 * time)}))


def answer(
    name: str,
    k: float | None = 4.0,
    std: float | None = 0.1,
    code: Code = Code.OK,
    rmse: float = 1.0,
    white: bool = True,
    codes: tuple[str, ...] = (),
    **traits: bool,
) -> Answer:
    ends = None if std is None or k is None else (k - 1.96 * std, k + 1.96 * std)
    result = Result(
        "spring",
        name,
        Status(code, f"status of {name}"),
        {"k": ParameterEstimate(k, "N/m", std, ends, 0.1, identifiable=True)},
        noise={"x": NoiseFound(rmse, white)},
        fit={"x": FitQuality(rmse, 99.0, 99.9)},
        findings=tuple(finding(one, f"text of {one}") for one in codes),
    )
    return Answer(name, name.title(), result, seconds=1.0, unseen={"x": 2 * rmse}, **traits)


def verdict(problem: Problem, *answers: Answer, truth: dict[str, float] | None = None) -> Judgement:
    return judged(problem, answers, truth or {})


def entry(found: Judgement, name: str) -> MethodEntry:
    return next(item for item in found.entries if item.method == name)


def test_the_likeliest_estimate_whose_check_holds_is_the_reference(problem: Problem) -> None:
    first, second = answer("a", std=0.05), answer("b", likeliest=True)
    assert verdict(problem, first, second).reference == "b"
    astray = answer("b", likeliest=True, code=Code.MISFIT, rmse=2.0)
    assert verdict(problem, first, astray).reference == "a"


def test_where_no_check_holds_the_status_says_so(problem: Problem) -> None:
    found = verdict(problem, answer("a", code=Code.MISFIT, likeliest=True), answer("b", code=Code.NOT_CONVERGED))
    assert found.reference == "a" and found.status.code is Code.MISFIT
    assert found.sentences[0].startswith("No estimate is to be trusted")


def test_an_estimate_that_ignores_the_record_is_never_the_reference(problem: Problem) -> None:
    ignorant = answer("a", code=Code.NOT_CONVERGED, codes=("estimate_ignores_record",))
    assert verdict(problem, ignorant).reference is None
    found = verdict(problem, ignorant, answer("b", code=Code.NOT_CONVERGED))
    assert found.reference == "b"


def test_agreement_and_sameness_are_told_apart(problem: Problem) -> None:
    found = verdict(problem, answer("a", likeliest=True), answer("b", 4.15, 0.2), answer("c", 4.00005))
    assert entry(found, "b").agrees and entry(found, "c").agrees
    assert "b agrees with it within the intervals." in found.sentences
    assert any(words.startswith("c ends at the very same values") for words in found.sentences)
    assert [item.code for item in found.findings] == ["methods_agree"]


def test_an_estimate_that_comes_near_in_another_way_confirms(problem: Problem) -> None:
    """Negative control: the same value with another standard error is not the end of the same fit."""
    found = verdict(problem, answer("a", likeliest=True), answer("c", 4.00005, 0.101))
    assert [item.code for item in found.findings] == ["methods_agree"]


def test_an_estimate_that_only_repeats_the_reference_confirms_nothing(problem: Problem) -> None:
    found = verdict(problem, answer("a", likeliest=True), answer("c", 4.00005))
    assert [item.code for item in found.findings] == ["no_second_opinion"]


REASONS = (
    (answer("b", 9.0, codes=("biased_by_noise",)), {}, "noise biases"),
    (answer("b", 9.0, code=Code.NOT_CONVERGED), {}, "its own check failed (status of b)"),
    (answer("b", 9.0), {"white": False}, "coloured"),
    (answer("b", 9.0), {"code": Code.MISFIT}, "the model misses something"),
    (answer("b", 9.0, rmse=1.5, smooths=True), {}, "smoothing the record biases it beyond its interval"),
    (answer("b", 9.0, rmse=1.5), {}, "the approximations that it makes bias it"),
    (answer("b", 9.0), {}, "nothing in either fit tells why"),
)


@pytest.mark.parametrize(("other", "reference", "words"), REASONS, ids=[row[2][:20] for row in REASONS])
def test_what_is_off_is_said_with_its_likely_reason(
    problem: Problem, other: Answer, reference: dict[str, object], words: str
) -> None:
    if "code" in reference:  # two misfits: the likelier of them is the reference
        assert other.result is not None
        other = replace(other, result=replace(other.result, status=Status(Code.MISFIT, "")))
    found = verdict(problem, answer("a", likeliest=True, **reference), other)  # type: ignore[arg-type]
    assert entry(found, "b").agrees is False
    assert words in entry(found, "b").reason
    assert any(sentence.startswith("b is off: its k = 9") and words in sentence for sentence in found.sentences)


def test_an_estimate_without_an_interval_is_not_called_off(problem: Problem) -> None:
    found = verdict(problem, answer("a", likeliest=True), answer("b", 9.0, None))
    assert entry(found, "b").agrees is None
    assert "it states no interval" in entry(found, "b").reason and "50 standard errors of a" in entry(found, "b").reason


def test_objections_and_failures_are_told_apart(problem: Problem) -> None:
    objecting = answer("b", None, None, Code.NOT_APPLICABLE, codes=("not_linear",))
    crashed = failed(METHODS.find("energy"), "its process ended without an answer (signal 11)")
    found = verdict(problem, answer("a", likeliest=True), objecting, crashed)
    assert entry(found, "b").objections == ("text of not_linear",) and entry(found, "b").status is Code.NOT_APPLICABLE
    assert entry(found, "energy").objections == () and entry(found, "energy").status is Code.NOT_CONVERGED
    assert {"b does not apply.", "energy came to no estimate."} <= set(found.sentences)
    assert found.status.code is Code.OK


def test_without_any_estimate_there_is_no_reference(problem: Problem) -> None:
    objecting = answer("b", None, None, Code.NOT_APPLICABLE, codes=("not_linear",))
    found = verdict(problem, objecting)
    assert found.reference is None and found.result is None and found.status.code is Code.NOT_APPLICABLE
    assert [item.code for item in found.findings] == ["no_method_answered"]


def test_a_truth_is_set_against_the_bound_and_the_intervals(problem: Problem) -> None:
    found = verdict(problem, answer("a", likeliest=True), answer("b", 4.5, 0.2), truth={"k": 4.1})
    assert entry(found, "a").error_over_crlb["k"] == pytest.approx(-1.0)
    assert "Of 2 intervals of 95 % that were stated, 1 hold the truth." in found.sentences
    assert not any(item.code == "truth_missed" for item in found.findings)
    found = verdict(problem, answer("a", likeliest=True), truth={"k": 5.0})
    assert any(item.code == "truth_missed" for item in found.findings)


@pytest.mark.parametrize("code", [Code.NOT_IDENTIFIABLE, Code.MISFIT])
def test_what_speaks_against_the_likeliest_estimate_is_believed(problem: Problem, code: Code) -> None:
    """A weaker check of another method does not make a model right, or parameters known."""
    modest = answer("a", likeliest=True, code=code)
    found = verdict(problem, modest, answer("b", std=0.05, rmse=0.9))
    assert found.reference == "a" and found.status.code is code
    assert "b does not notice: its own checks hold." in found.sentences
    assert verdict(problem, modest, answer("b", rmse=0.5)).reference == "b"  # one that fits much better is believed
    other_noise = answer("b", rmse=0.5, counts_process_noise=True)  # nobody said that something moves the states
    assert verdict(problem, modest, other_noise).reference == "a"


def test_unseen_errors_are_told_over_what_the_reference_leaves(problem: Problem) -> None:
    found = verdict(problem, answer("a", likeliest=True), answer("b", rmse=3.0))
    assert entry(found, "a").held_out == pytest.approx(2.0) and entry(found, "b").held_out == pytest.approx(6.0)


def first_words(problem: Problem, *answers: Answer) -> str:
    return verdict(problem, *answers).sentences[0]


def test_standard_errors_are_called_the_smallest_only_where_they_are(problem: Problem) -> None:
    one = answer("galerkin", std=0.01)
    assert first_words(problem, one) == "galerkin is the reference: its checks hold."
    wider = answer("energy", std=0.02, code=Code.MISFIT)
    assert first_words(problem, one, wider).endswith("its checks hold, and its standard errors are the smallest.")
    silent = answer("uas", std=None)
    assert first_words(problem, one, silent) == "galerkin is the reference: its checks hold."


def test_beside_a_narrower_estimate_whose_checks_fail_no_more_is_said_than_is_true(problem: Problem) -> None:
    narrower = answer("energy", std=0.005, code=Code.MISFIT)
    words = first_words(problem, answer("galerkin", std=0.01), narrower)
    assert words.endswith("its checks hold, and no other estimate whose checks hold is more certain.")
    # an estimate whose checks hold, but which counts with noise that nobody spoke of
    other = answer("kalman", std=0.005, counts_process_noise=True)
    assert first_words(problem, answer("galerkin", std=0.01), other) == "galerkin is the reference: its checks hold."


@pytest.mark.parametrize(
    ("code", "measure"), [(Code.OK, "the noise"), (Code.MISFIT, "the residuals of a"), (Code.NOT_IDENTIFIABLE, "the r")]
)
def test_what_a_misfit_leaves_over_is_not_called_noise(problem: Problem, code: Code, measure: str) -> None:
    for others in ((), (answer("b", code=Code.MISFIT, rmse=3.0),)):
        found = verdict(problem, answer("a", likeliest=True, code=code), *others)
        (words,) = [text for text in found.sentences if text.startswith("Fitted to the first 70 %")]
        assert f"times {measure}" in words


def test_an_unseen_part_is_told_in_words_that_hold_for_the_reference(problem: Problem) -> None:
    for code, header in ((Code.OK, "held-out / noise"), (Code.MISFIT, "held-out / residuals")):
        found = verdict(problem, answer("a", likeliest=True, code=code))
        report = ComparisonReport(found.status, found.sentences, found.reference, entries=found.entries)
        assert header in str(report)
