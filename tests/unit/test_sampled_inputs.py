"""Inputs that are not known all along are never filled in silently; how they go on between samples is asked."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests import reference

import identikit as ik
from identikit.errors import ProblemError
from identikit.model import Input, Model, Parameter
from identikit.problem import Problem

TIME = np.arange(600) * 0.005
RATE, GAIN, LEVEL, SENT = 31.1, 60.0, 5.0, 1.2


def lag() -> Model:
    """A motor as a first-order lag, w' = -a w + b F."""
    return Model.from_text(
        "lag",
        states={"w": "rad/s"},
        equations={"w": "-a*w + b*F"},
        parameters=[Parameter("a", bounds=(0.01, 1000)), Parameter("b", bounds=(0.01, 1000))],
        inputs=[Input("F")],
        outputs={"w": "w"},
    )


def stepped(seed: int = 0) -> np.ndarray:
    """The exact response to a command of LEVEL from SENT on, from rest, with noise."""
    since = np.maximum(TIME - SENT, 0.0)
    clean = GAIN / RATE * LEVEL * (1 - np.exp(-RATE * since))
    return clean + 0.05 * np.random.default_rng(seed).standard_normal(len(TIME))


def command(**missing: bool) -> np.ndarray:
    """NaN until it is sent; `once`: and after that."""
    column = np.where(TIME >= SENT - 1e-9, LEVEL, np.nan)
    if missing.get("once"):
        column[np.argmax(np.isfinite(column)) + 1 :] = np.nan
    return column


def codes(findings: object) -> list[str]:
    return [item.code for item in findings]  # type: ignore[attr-defined]


def within(result: ik.Result, truth: dict[str, float], errors: float = 3.0) -> None:
    for name, value in truth.items():
        item = result.parameters[name]
        assert item.value is not None and item.std is not None
        assert abs(item.value - value) < errors * item.std, (name, item)


@pytest.mark.parametrize("hold", [None, "zero_order"])
def test_a_command_that_is_unknown_until_it_is_sent_is_not_filled_in_backwards(hold: str | None) -> None:
    record = ik.Record.from_arrays(TIME, w=stepped(), F=command(), time_unit="s", name="log")
    result = ik.fit(record, lag(), hold=hold)
    within(result, {"a": RATE, "b": GAIN})
    said = [item for item in result.findings if item.code == "input_begins_late"]
    assert len(said) == 1 and said[0].about == ("F",)
    assert "1.2 s" in said[0].text and "240 samples left out" in said[0].text


def test_what_the_user_says_of_the_time_before_is_used() -> None:
    record = ik.Record.from_arrays(TIME, w=stepped(), F=command(once=True), time_unit="s")
    result = ik.fit(record, lag(), before={"F": 0.0}, hold="zero_order")
    within(result, {"a": RATE, "b": GAIN})
    assert result.provenance["samples"] == len(TIME)
    assert "input_begins_late" not in codes(result.findings)


def test_a_slower_channel_has_its_own_sample_times_and_no_gaps() -> None:
    sent = np.arange(0, 600, 20)
    column = np.full(600, np.nan)
    column[sent] = np.sin(sent)
    record = ik.Record.from_arrays(TIME, w=stepped(), F=column)
    problem = Problem.pose(lag(), record, hold="zero_order")
    assert len(problem.records) == 1 and not {"input_gap", "input_begins_late"} & set(codes(problem.findings))
    kept = problem.records[0]
    np.testing.assert_allclose(kept.pieces(kept.time)[0], np.sin(sent)[np.arange(600) // 20])


@pytest.mark.parametrize("rows", ["empty", "missing"])
def test_a_record_is_cut_where_an_input_is_missing(rows: str) -> None:
    column = np.sin(7 * TIME)
    lost = (TIME > 1.0) & (TIME < 1.3)
    if rows == "empty":
        column[lost] = np.nan
    keep = np.ones(600, bool) if rows == "empty" else ~lost
    record = ik.Record.from_arrays(TIME[keep], w=stepped()[keep], F=column[keep], name="log")
    problem = Problem.pose(lag(), record, initial={"w": 0.0})
    first, second = problem.records
    assert first.time[-1] <= 1.0 < 1.3 <= second.time[0]
    assert problem.initial[0]["w"].known and problem.initial[1]["w"].free
    assert codes(problem.findings).count("input_gap") == 1
    assert "gap" not in codes(problem.findings)  # nothing is bridged


@pytest.mark.parametrize(("gaps", "level"), [("hold", math.sin(7.0)), ("linear", (math.sin(7.0) + math.sin(9.1)) / 2)])
def test_what_the_user_says_of_gaps_is_used(gaps: str, level: float) -> None:
    column = np.where((TIME > 1.0) & (TIME < 1.3), np.nan, np.sin(7 * TIME))
    record = ik.Record.from_arrays(TIME, w=stepped(), F=column)
    for hold in ("linear", "zero_order", "cubic"):
        problem = Problem.pose(lag(), record, gaps=gaps, hold=hold)
        assert len(problem.records) == 1
        assert problem.records[0].pieces(np.array([1.15]))[0, 0] == pytest.approx(level, abs=1e-6)


def test_single_samples_of_a_smooth_input_are_bridged_and_said() -> None:
    column = np.sin(7 * TIME)
    column[[100, 200, 201]] = np.nan
    problem = Problem.pose(lag(), ik.Record.from_arrays(TIME, w=stepped(), F=column))
    assert len(problem.records) == 1
    said = [item.text for item in problem.findings if item.code == "input_bridged"]
    assert len(said) == 1 and "3 single samples are missing in F" in said[0]
    rough = np.random.default_rng(1).standard_normal(600)
    rough[100] = np.nan  # nothing is known of what a rough input did meanwhile
    assert len(Problem.pose(lag(), ik.Record.from_arrays(TIME, w=stepped(), F=rough)).records) == 2


def test_a_command_that_is_written_when_it_changes_holds_until_the_next() -> None:
    random = np.random.default_rng(2)
    sent = np.unique(np.append(0, random.integers(0, 600, 40)))
    column = np.full(600, np.nan)
    column[sent] = random.standard_normal(len(sent))
    problem = Problem.pose(lag(), ik.Record.from_arrays(TIME, w=stepped(), F=column), hold="zero_order")
    assert len(problem.records) == 1 and len(problem.records[0].time) == 600
    assert codes(problem.findings) == ["input_bridged"]


def test_irregular_sampling_is_no_gap() -> None:
    time = np.cumsum(np.random.default_rng(3).exponential(0.01, 800))
    record = ik.Record.from_arrays(time, w=np.cos(time), F=np.sin(time))
    assert len(Problem.pose(lag(), record).records) == 1


def test_mistakes_are_named() -> None:
    record = ik.Record.from_arrays(TIME, w=stepped(), F=np.sin(TIME))
    with pytest.raises(ProblemError, match="'G' is not an input"):
        Problem.pose(lag(), record, before={"G": 0.0})
    with pytest.raises(ProblemError, match="expected hold or linear"):
        Problem.pose(lag(), record, gaps="guess")
    column = np.random.default_rng(1).standard_normal(600)
    column[5::8] = np.nan
    with pytest.raises(ProblemError, match="parts would be left") as caught:
        Problem.pose(lag(), ik.Record.from_arrays(TIME, w=stepped(), F=column))
    assert caught.value.remedy == "fill_gaps"


# The hold between samples


def rig() -> Model:
    return Model.from_text(
        "rig",
        states={"x": "", "v": ""},
        equations={"x": "v", "v": "-c*v - k*x + b*F"},
        parameters=[
            Parameter("c", bounds=(1e-3, 100)),
            Parameter("k", bounds=(1e-2, 1e4)),
            Parameter("b", bounds=(-100, 100)),
        ],
        inputs=[Input("F")],
        outputs={"x": "x"},
    )


TRUTH = {"c": 0.4, "k": 9.0, "b": 2.0}


def driven(hold: str, seed: int, spacing: float = 0.1, count: int = 200) -> ik.Record:
    """A driven oscillator whose input goes on in a known way between samples; outputs in between too."""
    from scipy.interpolate import CubicSpline

    random = np.random.default_rng(seed)
    sent = np.arange(count) * spacing
    u = np.sum(np.sin(np.outer(sent, random.uniform(0.3, 6.3, 12)) + random.uniform(0, 6.3, 12)), axis=1) / 2
    time = np.arange(2 * count - 1) * spacing / 2
    spline = CubicSpline(sent, u, bc_type="natural")
    state, states = np.array([0.5, 0.0]), [np.array([0.5, 0.0])]
    for k in range(count - 1):
        course = {
            "zero_order": lambda t, k=k: u[k],
            "linear": lambda t: np.interp(t, sent, u),
            "cubic": spline,
        }[hold]
        found = reference.smooth(
            lambda t, x, f=course: [x[1], -0.4 * x[1] - 9 * x[0] + 2 * float(f(t))], state, time[2 * k : 2 * k + 3]
        )
        states += [found[:, 1], found[:, 2]]
        state = found[:, 2]
    column = np.full(len(time), np.nan)
    column[::2] = u
    noisy = np.array(states)[:, 0] + 0.01 * random.standard_normal(len(time))
    return ik.Record.from_arrays(time, x=noisy, F=column, time_unit="s", name=hold)


@pytest.mark.study
@pytest.mark.parametrize("hold", ["zero_order", "linear", "cubic"])
def test_the_hold_is_chosen_by_the_residuals_or_named_as_open(hold: str) -> None:
    for seed in range(3):
        result = ik.fit(driven(hold, seed), rig(), method="galerkin" if seed == 2 else "shooting")
        within(result, TRUTH)
        said = [item for item in result.findings if item.code in ("hold_chosen", "hold_open")]
        assert len(said) == 1
        if hold == "zero_order" or said[0].code == "hold_chosen":
            assert result.diagnostics["holds"]["chosen"] == {"F": hold}


def test_a_hold_that_is_given_is_not_asked_about() -> None:
    result = ik.fit(driven("cubic", 0), rig(), hold="linear")
    assert "holds" not in result.diagnostics
    assert not {"hold_chosen", "hold_open"} & set(codes(result.findings))
