"""What methods and the conclusion have to say carries a code, and names what it is about."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import identikit as ik
import reference
from identikit import decay
from identikit.method import Evidence, envelope, method_named, topological
from identikit.method.energy import Energy
from identikit.method.toolkit import MethodReport, conclude_from, not_started
from identikit.problem import Problem
from identikit.result import Code, Ending, Finding, Result, Severity
from ready import experiment_of

TIME = np.arange(600) * 0.05
DECAY = np.exp(-0.05 * TIME) * np.cos(2.0 * TIME)
SPRING = ik.Model.from_text(
    "spring", equations={"x": "v", "v": "-c*v - k*x"}, parameters={"c": 0.1, "k": 4.0}, outputs=["x"]
)
FUNCTION = ik.Model.from_function(
    "function", lambda t, x, u, p: [-p["k"] * x["x"]], states=["x"], parameters={"k": 1.0}
)


def noisy(values: np.ndarray, sigma: float = 0.002) -> np.ndarray:
    return values + sigma * np.random.default_rng(0).standard_normal(len(values))


def model(v: str = "-c*v - k*x", **extra: Any) -> ik.Model:
    given: dict[str, Any] = {"parameters": {"c": 0.1, "k": 4.0}, "outputs": ["x"], **extra}
    return ik.Model.from_text("spring", equations={"x": "v", "v": v}, **given)


def pose(chosen: ik.Model, count: int = 600, values: np.ndarray = DECAY, **options: Any) -> Problem:
    record = ik.Record.from_arrays(TIME[:count], {chosen.output_names[0]: noisy(values[:count])})
    return Problem.pose(chosen, record, **options)


GAIN = model(parameters={"c": 0.1, "k": 4.0, "g": 1.0}, outputs={"y": "g*x"})
SHIFTED = model(parameters={"c": 0.1, "k": 4.0, "a": 0.1, "b": 0.1}, outputs={"y": "x + a + b"})
IDLE = model(parameters={"c": 0.1, "k": 4.0, "m": 1.0})
VELOCITY = model(outputs={"y": "v"})
HIDDEN = ik.Model.from_text(
    "hidden", equations={"x": "-k*x", "y": "-c*y"}, parameters={"c": 0.1, "k": 4.0}, outputs=["x"]
)
DRIVEN = model("-c*v - k*x + sin(3*t)")
STRETCHED = model("-c*v - sin(k*x)")
CASES = [
    ("least_squares", FUNCTION, {}, "needs_symbolic_equations", ()),
    ("energy", FUNCTION, {}, "needs_symbolic_equations", ()),
    ("averaging", FUNCTION, {}, "needs_symbolic_equations", ()),
    ("envelope", FUNCTION, {}, "needs_symbolic_equations", ()),
    ("restoring_force", FUNCTION, {}, "needs_symbolic_equations", ()),
    ("shooting", SPRING, {"count": 8}, "too_few_samples", ("x",)),
    ("galerkin", HIDDEN, {}, "state_not_measured", ("y",)),
    ("least_squares", IDLE, {}, "parameter_unused", ("m",)),
    ("energy", IDLE, {}, "parameter_unused", ("m",)),
    ("envelope", IDLE, {}, "parameter_unused", ("m",)),
    ("energy", STRETCHED, {}, "parameter_inside_function", ("k",)),
    ("energy", ik.library_model("lorenz"), {}, "not_second_order", ()),
    ("topological", ik.library_model("lorenz"), {}, "not_one_degree_of_freedom", ()),
    ("restoring_force", ik.library_model("lorenz"), {}, "not_one_degree_of_freedom", ()),
    ("reference_points", ik.library_model("pendulum"), {}, "not_linear", ()),
    ("averaging", SPRING, {}, "not_a_pendulum", ()),
    ("restoring_force", model("-c*v - k*x*cos(t)"), {}, "force_not_of_motion", ("t",)),
    ("envelope", DRIVEN, {}, "motion_is_driven", ()),
    ("topological", VELOCITY, {}, "state_not_measured", ("x",)),
    ("envelope", SHIFTED, {}, "inseparable", ("a", "b")),
    ("envelope", SPRING, {"values": np.exp(0.1 * TIME) * np.cos(2 * TIME)}, "not_a_free_decay", ("x",)),
]


@pytest.mark.parametrize(("method", "chosen", "options", "code", "about"), CASES, ids=lambda item: str(item)[:30])
def test_an_objection_has_a_code_and_says_what_it_is_about(
    method: str, chosen: ik.Model, options: dict[str, Any], code: str, about: tuple[str, ...]
) -> None:
    found = method_named(method).objections(pose(chosen, **options))
    assert [(item.code, item.about) for item in found] == [(code, about)]
    assert found[0].severity is Severity.REFUSAL and ":" in found[0].text


def test_a_fine_problem_meets_no_objection() -> None:
    """Negative control of the test before."""
    for method in ("least_squares", "energy", "envelope", "topological", "restoring_force", "galerkin", "shooting"):
        assert method_named(method).objections(pose(SPRING)) == [], method


def test_a_free_scale_has_no_balance_of_energy() -> None:
    (found,) = method_named("energy").objections(pose(GAIN))
    assert (found.code, found.about) == ("state_not_measured", ("x", "v"))


@pytest.mark.parametrize(
    ("method", "room", "limit"),
    [("topological", topological, "fewest_lifespans"), ("envelope", envelope, "fewest_rows")],
)
def test_a_decay_that_hardly_shows_is_refused(
    method: str, room: Any, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, method.upper(), replace(getattr(room, method.upper()), **{limit: 10_000}))
    result = ik.fit(experiment_of(pose(SPRING)), SPRING, method=method)
    assert result.status.code is Code.NOT_APPLICABLE and codes(result) == ["too_little_above_noise"]


def test_a_record_without_motion_is_refused() -> None:
    flat = ik.Record.from_arrays(TIME, x=noisy(np.zeros(len(TIME))))
    result = ik.fit(flat, SPRING)
    assert result.status.code is Code.NOT_APPLICABLE and codes(result) == ["no_motion"] and result.verdict is None


def test_states_that_keep_their_noise_are_mentioned() -> None:
    """A linear spring and a record of one that hardens: no states that follow the one are near the other."""
    options = {"weights": "noise"}
    assert "states_not_cleared" not in codes(
        ik.fit(experiment_of(pose(SPRING)), SPRING, method="galerkin", options=options)
    )
    hard = reference.smooth(lambda t, x: [x[1], -0.1 * x[1] - 4 * x[0] - 20 * x[0] ** 3], [1.0, 0.0], TIME)[0]
    record = ik.Record.from_arrays(TIME, x=noisy(hard, 0.01))
    assert "states_not_cleared" in codes(ik.fit(record, SPRING, method="galerkin", options=options))


def test_what_could_not_be_begun_says_so() -> None:
    result = not_started(pose(SPRING), "shooting", {}, 0)
    assert result.status.code is Code.NOT_CONVERGED and codes(result) == ["not_started"]


@pytest.mark.parametrize(("given", "advice"), [(None, "give the model"), (SPRING, "free what is not known")])
def test_laws_that_could_not_be_compared_are_said_not_to_be(
    given: ik.Model | None, advice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Had the fit with every mechanism, or the restoring force before it, come to no end."""
    if given is None:
        monkeypatch.setattr(sys.modules[ik.damping.__module__], "restoring_force", lambda *_: None)
    else:
        monkeypatch.setattr(decay.LawsByShooting, "whole", lambda *_: None)
    report = ik.damping(experiment_of(pose(SPRING)), given)
    assert report.status.code is Code.NOT_CONVERGED
    assert [item.code for item in report.findings if item.severity is Severity.REFUSAL] == ["laws_not_settled"]
    assert advice in report.status.message


def test_a_balance_that_could_not_be_evaluated_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Energy().balance(pose(SPRING), Energy.resolve_options())
    broken = replace(plain, fit=replace(plain.fit, theta=np.full_like(plain.fit.theta, np.nan)))
    monkeypatch.setattr(Energy, "balance", lambda *_, **__: broken)
    result = Energy().estimate(pose(SPRING), options=Energy.resolve_options())
    assert result.verdict is not None and result.verdict.code is Ending.FAILED
    assert result.status.code is Code.NOT_CONVERGED and "balance_not_evaluated" in codes(result)


def concluded(residual: np.ndarray, p: tuple[float, float] = (0.1, 4.0), **changes: Any) -> Result:
    record = ik.Record.from_arrays(TIME, x_m=noisy(DECAY))
    problem = Problem.pose(SPRING, record, bounds={"c": (0.1, 1.0)} if p[0] == 0.1 else None)
    given: dict[str, Any] = {"converged": True, "stopped": False, "findings": (), **changes}
    evidence = Evidence(
        np.array(p), np.array([[1e3, 0.0], [0.0, 1e3]]), residual[:, None], np.array([np.std(residual)]), (),
        given["converged"], given["stopped"], {}, given["findings"],
    )  # fmt: skip
    return conclude_from(problem, evidence, MethodReport("shooting", {"total": 0.0}, {}, 0))


def codes(result: Result) -> list[str]:
    return [item.code for item in result.findings]


def about(result: Result, code: str) -> tuple[str, ...]:
    return next(item.about for item in result.findings if item.code == code)


def test_the_conclusion_says_what_qualifies_a_number() -> None:
    found = concluded(0.1 * np.cos(0.3 * TIME))
    assert codes(found) == ["at_bound", "coloured_residuals", "column_guessed"]
    assert about(found, "at_bound") == ("c",) and about(found, "coloured_residuals") == ("x",)
    assert found.parameters["c"].note.startswith("at its lower bound 0.1")
    assert found.diagnostics["warnings"] == ["x was read from column 'x_m'"]  # as readers of schema 1 know it
    assert found.ok and found.verdict is not None and found.verdict.code is Ending.CONVERGED
    plain = concluded(noisy(np.zeros(len(TIME))), (0.2, 4.0))  # negative control
    assert codes(plain) == ["column_guessed"]


def test_the_conclusion_says_what_refuses_a_number() -> None:
    poor = concluded(np.cos(0.3 * TIME))
    assert poor.status.code is Code.MISFIT and poor.findings[0].code == "poor_fit"
    assert about(poor, "poor_fit") == ("x",)
    lost = concluded(0.1 * np.cos(0.3 * TIME), converged=False)
    assert lost.status.code is Code.NOT_CONVERGED and lost.findings[0].code == "not_settled"
    assert lost.verdict is not None and lost.verdict.code is Ending.FAILED


def test_findings_come_back_from_json(tmp_path) -> None:  # type: ignore[no-untyped-def]
    found = concluded(np.cos(0.3 * TIME))
    found.save(tmp_path / "fit.json")
    loaded = ik.Result.load(tmp_path / "fit.json")
    assert loaded.findings == found.findings and loaded.verdict == found.verdict
    assert all(isinstance(item, Finding) for item in loaded.findings)
    assert str(loaded) == str(found)
