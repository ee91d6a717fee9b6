"""Codes of findings that no other test is about, each provoked where a user would meet it."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import identikit as ik
import reference
from identikit.comparison import Answer
from identikit.comparison import judged as compared
from identikit.diagnose import degenerate_end
from identikit.method import method_named
from identikit.planning import SimulatedFits, simulated_fits
from identikit.problem import Problem
from identikit.result import Code, Finding, FitQuality, NoiseFound, ParameterEstimate, Status
from identikit.selection import Candidate, judged
from identikit.uncertainty import UNCERTAINTIES, Fitted

TIME = np.arange(200) * 0.05
NOISE = 0.01 * np.random.default_rng(0).standard_normal(len(TIME))
SPRING = ik.Model.from_text(
    "spring",
    states={"x": "m", "v": "m/s"},
    equations={"x": "v", "v": "-c*v - k*x"},
    parameters={"c": ik.Parameter("c", 0.1, "1/s", (0, 10)), "k": ik.Parameter("k", 4.0, "1/s^2", (0, 100))},
    outputs=["x"],
)
PUSHED = ik.Model.from_text(
    "pushed",
    states={"x": "m", "v": "m/s"},
    equations={"x": "v", "v": "u - c*v - k*x"},
    parameters={"c": ik.Parameter("c", 0.1, "1/s", (0, 10)), "k": ik.Parameter("k", 4.0, "1/s^2", (0, 100))},
    inputs=[ik.Input("u", "m/s^2")],
    outputs=["x"],
)


def swing(count: int = len(TIME), **more: np.ndarray) -> ik.Record:
    values = np.exp(-0.05 * TIME) * np.cos(2 * TIME) + NOISE
    return ik.Record.from_arrays(TIME[:count], {"x": values[:count], **more}, time_unit="s")


def codes(findings: Iterable[Finding]) -> set[str]:
    return {item.code for item in findings}


def about(findings: Iterable[Finding], code: str) -> tuple[str, ...]:
    (found,) = (item for item in findings if item.code == code)
    return found.about


# What is said of columns, before anything is fitted


def test_an_input_without_a_column_beside_columns_that_nobody_uses_is_mentioned() -> None:
    force = np.sin(TIME)
    found = Problem.pose(PUSHED, swing(force=force)).findings
    assert about(found, "input_at_default") == ("u",)
    for record, asked in ((swing(), {}), (swing(force=force), {"inputs": {"u": "force"}})):  # negative controls
        assert "input_at_default" not in codes(Problem.pose(PUSHED, record, **asked).findings)


def test_an_input_that_is_not_known_at_the_last_sample_is_mentioned() -> None:
    cut = np.where(TIME[-1] > TIME, np.sin(TIME), np.nan)
    assert about(Problem.pose(PUSHED, swing(u=cut)).findings, "input_edges") == ("u",)
    assert "input_edges" not in codes(Problem.pose(PUSHED, swing(u=np.sin(TIME))).findings)


def test_samples_that_the_equations_do_not_allow_are_counted() -> None:
    model = ik.Model.from_text("growth", equations={"x": "r*x*log(4/x)"}, parameters={"r": 0.3})
    found = Problem.pose(model, swing()).findings
    assert about(found, "outside_domain") == ("x",)
    above = ik.Record.from_arrays(TIME, {"x": 2 + np.cos(TIME)})
    assert "outside_domain" not in codes(Problem.pose(model, above).findings)


@pytest.mark.parametrize(("header", "said"), [("t,x[m]", True), ("t[s],x[m]", False)])
def test_a_time_without_a_unit_is_taken_as_the_models(header: str, said: bool, tmp_path: Path) -> None:
    file = tmp_path / "swing.csv"
    np.savetxt(file, np.stack([TIME, swing().channels["x"].values], 1), delimiter=",", header=header, comments="")
    model = replace(SPRING, time_unit="s")
    found = ik.Question.ask(file, model).problem().findings
    assert ("time_without_unit" in codes(found)) is said


def test_a_look_says_what_is_the_matter_with_columns_and_the_clock(tmp_path: Path) -> None:
    values = swing().channels["x"].values
    rows = [
        f"{t:.2f},{x:.6f},{x:.6f},,3,{'on' if k % 2 else 'off'},{k // 50}"
        for k, (t, x) in enumerate(zip(TIME, values, strict=True))
        if k not in (40, 41, 90, 120)
    ]
    file = tmp_path / "log.csv"
    file.write_text("\n".join(["t,x,copy,empty,flat,state,run", *rows]))
    found = ik.look(file).findings
    said = [(item.code, item.about) for item in found]
    assert ("column_repeated", ("copy", "x")) in said
    assert ("column_without_values", ("empty",)) in said and ("column_without_values", ("flat",)) in said
    assert ("column_unreadable", ("state",)) in said
    assert ("runs_marked", ("run",)) in said
    assert "samples_lost" in codes(found)
    plain = codes(ik.look(swing()).findings)  # negative control
    assert not plain & {"column_repeated", "column_without_values", "column_unreadable", "runs_marked", "samples_lost"}


# Refusals of methods


def test_a_kalman_filter_refuses_noise_that_it_does_not_know() -> None:
    kalman = method_named("kalman")
    found = kalman.objections(Problem.pose(SPRING, swing(), noise={"x": "ar"}))
    assert about(found, "needs_white_noise") == ("x",)
    assert kalman.objections(Problem.pose(SPRING, swing(), noise={"x": "white"})) == []


def test_gaps_that_leave_no_stretch_to_a_test_function_are_refused() -> None:
    values = np.where(np.arange(len(TIME)) % 40 < 3, swing().channels["x"].values, np.nan)
    result = ik.fit(ik.Record.from_arrays(TIME, {"x": values}), SPRING, method="galerkin")
    assert result.status.code is Code.NOT_APPLICABLE and codes(result.findings) == {"record_too_short"}


def test_a_law_is_not_sought_in_a_few_samples() -> None:
    result = ik.discover(swing(8), states=["x"])
    assert result.status.code is Code.NOT_APPLICABLE and about(result.findings, "record_too_short") == ("x",)


def test_a_library_that_nobody_could_search_is_refused() -> None:
    record = ik.Record.from_arrays(TIME, {name: np.cos(TIME + k) for k, name in enumerate(("q1", "q2", "p1", "p2"))})
    options = {"terms": "polynomial", "degree": 6}
    result = ik.fit(record, "coupled_pendulums", method="sindy", options=options)
    assert result.status.code is Code.NOT_APPLICABLE and codes(result.findings) == {"library_too_large"}


# Laws that are sought


def test_a_law_that_a_library_does_not_hold_is_missed() -> None:
    """A pendulum from 160 degrees is not sought among straight lines."""
    motion = reference.smooth(lambda t, x: [x[1], -4 * np.sin(x[0]) - 0.1 * x[1]], [2.8, 0.0], TIME)[0]
    record = ik.Record.from_arrays(TIME, {"x": motion + 0.1 * NOISE})
    result = ik.discover(record, states=["x"], order=2, options={"terms": "polynomial", "degree": 1})
    assert "library_lacks_something" in codes(result.findings)


def test_of_many_terms_on_a_short_record_some_are_alike_and_not_all_subsets_are_tried() -> None:
    options = {"terms": "polynomial", "degree": 5}
    found = codes(ik.discover(swing(80), states=["x"], order=2, options=options).findings)
    assert {"terms_alike", "search_cut_off"} <= found
    plain = codes(ik.discover(swing(), states=["x"], order=2, options={**options, "degree": 1}).findings)
    assert not {"terms_alike", "search_cut_off", "library_lacks_something"} & plain  # negative control


# What a number rests on


def test_an_end_at_which_another_parameter_disappears_is_no_estimate_of_it() -> None:
    model = ik.Model.from_text("two", equations={"x": "-a*b*x"}, parameters={"a": 1.0, "b": 1.0}, outputs=["x"])
    bounds = {"a": (0.0, 10.0), "b": (0.0, 10.0)}
    found = degenerate_end(model, ("x",), ("a", "b"), np.array([0.0, 3.0]), bounds)
    assert about(found, "degenerate_end") == ("a", "b")
    assert degenerate_end(model, ("x",), ("a", "b"), np.array([0.1, 3.0]), bounds) == ()


@pytest.fixture(scope="module")
def fitted() -> ik.Result:
    return ik.fit(swing(), SPRING, method="shooting")


def test_a_posterior_that_is_none_is_refused(fitted: ik.Result) -> None:
    bayes = UNCERTAINTIES.find("bayes")()
    scale = ik.Model.from_text("scale", equations={"x": "-a*x"}, parameters={"a": 1.0, "b": 1.0}, outputs={"x": "b*x"})
    decay = ik.Record.from_arrays(TIME, {"x": np.exp(-0.3 * TIME) + NOISE})
    unknown = Fitted.of(Problem.pose(scale, decay), ik.fit(decay, scale, method="shooting"))
    assert codes(bayes.objections(unknown)) == {"posterior_improper"}
    shaken = Problem.pose(SPRING, swing(), noise={"v'": 0.01})
    assert codes(bayes.objections(Fitted.of(shaken, fitted))) == {"posterior_out_of_reach"}
    assert bayes.objections(Fitted.of(Problem.pose(SPRING, swing()), fitted)) == []  # negative control


# Answers about models and experiments


UNDAMPED = ik.Model.from_text(
    "undamped",
    states={"x": "m", "v": "m/s"},
    equations={"x": "v", "v": "-k*x"},
    parameters=[SPRING.parameter("k")],
    outputs=["x"],
)


def test_of_models_that_could_not_be_fitted_none_is_chosen() -> None:
    report = ik.select(swing(6), [SPRING, UNDAMPED])
    assert report.status.code is Code.NOT_APPLICABLE and codes(report.findings) == {"no_model_fitted"}


def test_weights_that_count_correlated_samples_as_independent_are_too_sure(fitted: ik.Result) -> None:
    problem = Problem.pose(SPRING, swing())
    for white in (True, False):
        seen = replace(fitted, noise={"x": replace(fitted.noise["x"], white=white)})
        found = judged([Candidate("spring", problem, seen)]).findings
        assert [item.about for item in found if item.code == "weights_overconfident"] == [("x",)] * (not white)


def test_the_best_criterion_and_the_worse_prediction_are_told_together(fitted: ik.Result) -> None:
    problem = Problem.pose(SPRING, swing())
    facts = fitted.diagnostics["likelihood"]
    likelihood = {**facts, "log": facts["log"] - 50.0, "unknowns": facts["unknowns"] - 1}
    unlikely = replace(
        fitted,
        parameters={"k": fitted.parameters["k"]},
        diagnostics={**fitted.diagnostics, "likelihood": likelihood},
    )
    other = Candidate("undamped", problem.fixed_at({"c": 0.0}), unlikely)
    for size, said in ((20.0, True), (1.0, False)):
        candidates = [
            Candidate("spring", problem, fitted, size * NOISE[:, None]),
            replace(other, errors=NOISE[:, None]),
        ]
        found = judged(candidates)
        assert found.best == "spring" and ("prediction_disagrees" in codes(found.findings)) is said


def test_methods_that_differ_though_each_is_sure_are_named() -> None:
    def answer(name: str, k: float, **traits: bool) -> Answer:
        known = ParameterEstimate(k, "", 0.1, (k - 0.196, k + 0.196), 0.1, identifiable=True)
        quality, noise = {"x": FitQuality(1.0, 99.0, 99.9)}, {"x": NoiseFound(1.0, True)}
        result = ik.Result("spring", name, Status(Code.OK, ""), {"k": known}, noise=noise, fit=quality)
        return Answer(name, name, result, seconds=1.0, unseen={"x": 2.0}, **traits)

    problem = Problem.pose(UNDAMPED, swing())
    found = compared(problem, [answer("a", 4.0, likeliest=True), answer("b", 9.0)], {})
    assert about(found.findings, "methods_differ") == ("b",)
    found = compared(problem, [answer("a", 4.0, likeliest=True), answer("b", 4.1)], {})
    assert "methods_differ" not in codes(found.findings)


def test_values_of_a_fit_that_is_not_to_be_trusted_are_judged_with_a_word() -> None:
    hard = reference.smooth(lambda t, x: [x[1], -0.1 * x[1] - 4 * x[0] - 20 * x[0] ** 3], [1.0, 0.0], TIME)[0]
    report = ik.identifiability(SPRING, ik.Record.from_arrays(TIME, {"x": hard + NOISE}))
    assert "judged_at_poor_fit" in codes(report.findings)


def test_a_plan_says_what_it_took_for_granted(fitted: ik.Result) -> None:
    asked = {"runs": 1, "fits": 0, "initial": {"x": 1.0}}
    driven = replace(fitted, question={**(fitted.question or {}), "inputs": {"u": "force"}})  # a column was told
    found = ik.design(fit=driven, **asked).findings
    assert about(found, "input_not_planned") == ("u",) and about(found, "limits_assumed") == ("x", "v")
    plain = codes(ik.design(fit=fitted, limits={"x": (-1.0, 1.0)}, **asked).findings)  # negative control
    assert not {"input_not_planned", "limits_assumed"} & plain


def test_simulated_records_whose_fits_did_not_settle_are_counted(
    fitted: ik.Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    def most(*arguments: Any) -> SimulatedFits:
        found = simulated_fits(*arguments)
        return replace(found, estimates=found.estimates[1:])

    asked = {"runs": 1, "fits": 5, "initial": {"x": 1.0}, "fit": fitted, "limits": {"x": (-1.0, 1.0)}}
    assert "fits_not_settled" not in codes(ik.design(**asked).findings)
    monkeypatch.setattr(sys.modules[ik.design.__module__], "simulated_fits", most)
    (found,) = (item for item in ik.design(**asked).findings if item.code == "fits_not_settled")
    assert found.text.startswith("1 of 5 fits")
