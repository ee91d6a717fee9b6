"""Experiments are judged by what is printed of them; what cannot be made is said, and why."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import identikit as ik
from identikit.errors import IdentikitError, InputError
from identikit.planning import Criterion, Plan, PresentGiven, Run, expected, present_plan, recommended
from identikit.result import DesignReport, PlannedExperiment

OSCILLATOR = ik.Model.from_text(
    "oscillator",
    states={"x": "m", "v": "m/s"},
    equations={"x": "v", "v": "-2*z*w*v - w**2*x"},
    parameters=[ik.Parameter("w", 4.0, "rad/s", (0.1, 50)), ik.Parameter("z", 0.03, "", (0, 1))],
    outputs=["x"],
)
DRY = ik.Model.from_text(
    "dry friction",
    states={"x": "m", "v": "m/s"},
    equations={"x": "v", "v": "-w**2*x - f*sign(v)"},
    parameters=[ik.Parameter("w", 4.0, "rad/s", (0.1, 50)), ik.Parameter("f", 0.5, "", (0, 10))],
    outputs=["x"],
)
BLOWS_UP = ik.Model.from_text(
    "explosion", equations={"x": "k*x**2"}, parameters=[ik.Parameter("k", 1.0, "", (0.1, 10))], outputs=["x"]
)
STOPS = {"initial": {"x": 1.0}, "duration": 30.0, "dt": 0.05, "noise": {"x": 0.01}, "runs": 2}  # at rest after 12.5 s


def codes(report: DesignReport) -> set[str]:
    return {item.code for item in report.findings}


def largest(report: DesignReport, item: PlannedExperiment) -> float:
    return max(item.std[name] / report.parameters[name].size for name in item.std)


@pytest.mark.study
def test_where_friction_stops_the_motion_nothing_worse_than_the_present_is_proposed() -> None:
    report = ik.design(DRY, **STOPS, fits=0)
    for item in report.experiments:
        assert item.score == pytest.approx(largest(report, item), rel=1e-3), "judged and printed by one rule"
    assert largest(report, report.experiment()) <= min(largest(report, item) for item in report.experiments)
    wide = ik.design(DRY, **STOPS, limits={"x": (-3.0, 3.0)}, fits=0)
    assert wide.recommended != "present", "negative control: a better experiment is proposed"
    assert largest(wide, wide.experiment()) < largest(wide, wide.experiments[0])


@pytest.mark.study
def test_what_is_expected_of_a_motion_that_stops_is_what_fits_of_it_find() -> None:
    report = ik.design(DRY, **{**STOPS, "runs": 1}, fits=24)
    assert report.recommended == "present" and report.check is not None and report.check.settled == 24
    assert abs(report.check.ratio["f"] - 1) < 3 * report.check.uncertainty
    (run,) = report.experiment().runs
    moves = run.times[run.times < 12.5]
    plan = Plan(DRY, ("w", "f"), {"w": 4.0, "f": 0.5}, {"x": 0.01}, (Run({"x": 1.0, "v": 0.0}, moves),), {})
    without = report.check.std["f"] / expected(plan.likelihood(), plan.centre).std[1]
    assert abs(without - 1) > 3 * report.check.uncertainty, "negative control: without the rest it is not"


def test_what_is_better_on_average_only_is_not_recommended() -> None:
    model, free = OSCILLATOR, ("w", "z")
    values = {"w": 4.0, "z": 0.03}
    criterion = Criterion("largest", free, np.array([4.0, 0.03]), np.full(2, np.inf))

    def told(duration: float):
        plan = Plan(model, free, values, {"x": 0.01}, (Run({"x": 1.0, "v": 0.0}, np.arange(0, duration, 0.05)),), {})
        return expected(plan.likelihood(), plan.centre)

    def row(name: str, score: float) -> PlannedExperiment:
        known = dict.fromkeys(free, True)
        return PlannedExperiment(name, (), {}, {}, {}, {}, score, dict.fromkeys(free, 1.0), known)

    rows = (row("present", 1.0), row("more", 0.5))
    assert recommended(rows, [told(10.0), told(9.0)], criterion).name == "present"
    assert recommended(rows, [told(9.0), told(10.0)], criterion).name == "more"


def test_a_goal_that_is_reached_is_reached_whatever_else_stays_unknown() -> None:
    given = {"initial": {"x": 1.0}, "duration": 3.0, "dt": 0.05, "noise": {"x": 0.3}, "limits": {"x": (-20.0, 20.0)}}
    report = ik.design(OSCILLATOR, **given, reach={"w": "5%"}, runs=1, fits=0)
    assert report.ok and report.recommended == "present" and not report.experiment().identifiable["z"]
    assert report.experiment("one run").identifiable["z"] and "goal_reached" in codes(report)
    assert not codes(report) & {"not_freed", "would_help"}
    (warning,) = [item for item in report.findings if item.code == "flat_combination"]
    assert warning.about == ("z",) and "'one run' tells it" in warning.text
    both = ik.design(OSCILLATOR, **given, reach={"w": "5%", "z": "5%"}, runs=1, fits=0)
    assert both.ok and both.recommended == "one run", "negative control: a goal for it asks for more"
    missed = ik.design(OSCILLATOR, **given, reach={"w": "0.001%"}, runs=1, fits=0)
    assert not missed.ok and "goal_missed" in codes(missed)


def test_an_experiment_that_reaches_its_goal_needs_as_many_samples_as_unknowns_ask_for() -> None:
    given = {"initial": {"x": 1.0}, "duration": 10.0, "dt": 0.05, "noise": {"x": 0.001}}
    report = ik.design(OSCILLATOR, **given, reach={"w": "50%"}, runs=1, fits=0)
    (reached,) = [item.text for item in report.findings if item.code == "goal_reached"]
    assert "; 8 samples, spread likewise" in reached
    ik.design(OSCILLATOR, **given, samples=8, runs=1, fits=0)  # so many are accepted
    with pytest.raises(InputError, match="expected at least 8"):
        ik.design(OSCILLATOR, **given, samples=7, runs=1, fits=0)


def test_a_present_experiment_at_rest_is_refused_unless_something_may_be_chosen() -> None:
    still = {"duration": 10.0, "dt": 0.05, "noise": {"x": 0.03}, "runs": 1, "fits": 0}
    with pytest.raises(InputError, match="nothing moves in the present experiment"):
        ik.design(OSCILLATOR, **still)
    report = ik.design(OSCILLATOR, **still, limits={"x": (-1.0, 1.0)})
    present = report.experiments[0]
    assert report.ok and present.name == "present" and set(present.std.values()) == {None}
    assert report.recommended != "present" and {item["experiment"] for item in report.curves} == {report.recommended}


def test_a_present_experiment_that_cannot_be_integrated_tells_nothing() -> None:
    given = {"initial": {"x": 1.0}, "duration": 2.0, "dt": 0.02, "noise": {"x": 0.01}, "runs": 1, "fits": 0}
    report = ik.design(BLOWS_UP, **given, limits={"x": (0.1, 0.4)})
    assert report.ok and report.experiments[0].std == {"k": None} and report.recommended != "present"


def test_where_nothing_can_be_made_the_reason_is_told() -> None:
    given = {"initial": {"x": 90.0}, "duration": 2.0, "dt": 0.05, "noise": {"x": 0.01}, "runs": 1, "fits": 0}
    plan = present_plan(BLOWS_UP, PresentGiven(initial={"x": 90.0}, duration=2.0, dt=0.05, noise={"x": 0.01}))
    with pytest.raises(IdentikitError) as raised:
        plan.likelihood()
    report = ik.design(BLOWS_UP, **given, limits={"x": (80.0, 90.0)})
    assert not report.ok and not report.experiments and codes(report) == {"not_freed"}
    assert str(raised.value).rstrip(".") in report.status.message


def test_one_output_that_does_not_change_costs_nothing() -> None:
    """Two masses that know nothing of each other, one of which stays where it is."""
    model = ik.Model.from_text(
        "two", equations={"x": "-k*x", "y": "-k*y"}, parameters=[ik.Parameter("k", 1.0, "", (0.1, 10))]
    )
    given = {"duration": 3.0, "dt": 0.05, "noise": {"x": 0.01, "y": 0.01}, "initial": {"x": 1.0}, "runs": 1, "fits": 0}
    both = ik.design(model, **given).experiments[0].std["k"]
    alone = ik.design(model, **{**given, "noise": {"x": 0.01}}).experiments[0].std["k"]
    assert both == pytest.approx(alone, rel=1e-3)


def test_simulated_records_are_fitted_without_being_told_where_to_start() -> None:
    plan = present_plan(OSCILLATOR, PresentGiven(initial={"x": 1.0}, duration=3.0, dt=0.05, noise={"x": 0.01}))
    assert not plan.simulated(0).start
    assert replace(plan, known=("v",)).simulated(0).initial[0]["v"].known
