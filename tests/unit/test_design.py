"""`identikit.design`: what it proposes works, what it cannot reach it says, and why."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import identikit as ik
import reference
from identikit.errors import InputError
from identikit.measurement import Experiment, Record
from identikit.planning import plan_table
from identikit.progress import ProgressEvent
from identikit.result import DesignReport, PlannedExperiment, load_saved

MCK = ik.Model.from_text(
    "mass on a spring",
    states={"x": "m", "v": "m/s"},
    equations={"x": "v", "v": "(F - c*v - k*x)/m"},
    parameters=[
        ik.Parameter("m", 2.0, "kg", (0.01, 100)),
        ik.Parameter("c", 0.4, "N*s/m", (0, 100)),
        ik.Parameter("k", 8.0, "N/m", (0.01, 1000)),
    ],
    inputs=[ik.Input("F", "N")],
    outputs=["x"],
)
NOW = {"initial": {"x": 1.0}, "duration": 20.0, "dt": 0.05, "noise": {"x": 0.01}, "fits": 0}
PENDULUM = {"zeta": 0.025, "mu_c": 0.015, "mu_q": 0.025}


def codes(report: DesignReport) -> set[str]:
    return {item.code for item in report.findings}


def largest(report: DesignReport, experiment: PlannedExperiment) -> float:
    return max(
        value if (value := report.relative(experiment, name)) is not None else math.inf for name in experiment.std
    )


@pytest.fixture(scope="module")
def planned() -> DesignReport:
    """Of a model with a cubic spring, which tells more the farther out it begins."""
    return ik.design("duffing", samples=3001, dt=0.002, runs=2, fits=0)


@pytest.mark.study
def test_the_largest_error_of_the_pendulum_is_halved_with_as_many_samples_from_sixty_degrees() -> None:
    wide = {"theta": (-np.pi / 3, np.pi / 3)}
    report = ik.design("horizontal_pendulum", parameters=PENDULUM, limits=wide, samples=3001, dt=0.02, runs=2, fits=0)
    present, chosen = report.experiments[0], report.experiment()
    assert chosen.samples <= present.samples == 3001
    assert largest(report, chosen) < 0.5 * largest(report, present)
    assert max(abs(run.initial["theta"]) for run in chosen.runs) <= np.pi / 3 + 1e-9


@pytest.mark.study
@pytest.mark.parametrize("given", [{"dt": 0.002, "runs": 1}, {"dt": 0.02, "runs": 2}])
def test_words_and_table_are_the_samples_that_were_judged(given: dict) -> None:
    report = ik.design("horizontal_pendulum", parameters=PENDULUM, samples=1000, fits=0, **given)
    chosen = report.experiment()
    assert "samples placed" in chosen.name and chosen.samples <= 1000
    _, (numbers, times) = plan_table(report)
    for number, run in enumerate(chosen.runs, 1):
        own = times[numbers == number]
        curves = [item for item in report.curves if item["experiment"] == chosen.name]
        sampled = curves[number - 1]["sampled"]
        assert own == pytest.approx(np.asarray(sampled), abs=1e-9)  # all of them: below two thousand
        line = next(text for text in report.instructions if text.startswith(f"run {number}: "))
        every = float(re.search(r"sample every (\S+) s", line)[1])
        told = [np.linspace(a, b, round((b - a) / every) + 1) for a, b in _stretches(line)]
        assert np.concatenate(told) == pytest.approx(own, abs=1e-3 * every) and f"({len(own)} samples)" in line
        assert run.duration == own[-1]


def _stretches(line: str) -> list[tuple[float, float]]:
    return [(float(a), float(b)) for a, b in re.findall(r"([\d.]+) to ([\d.]+) s", line)]


def test_a_run_that_is_sampled_evenly_ends_with_its_last_sample() -> None:
    given = {**NOW, "duration": 10.0, "dt": 0.001, "samples": 1000, "limits": {"x": (-3.0, 3.0)}}
    report = ik.design(MCK, **given, free=["c", "k"], runs=1)
    (run,) = report.experiment("one run").runs
    # at a spacing of three digits as many samples as may be do not quite fill ten seconds
    assert (run.samples, run.spacing, run.windows) == (1000, 0.01, ((0.0, 9.99),))
    assert run.times == pytest.approx(np.arange(1000) * 0.01, abs=1e-12)


def test_the_sample_times_of_a_record_with_a_clock_of_its_own_are_kept() -> None:
    random = np.random.default_rng(7)
    time = np.sort(random.uniform(0.0, 20.0, 300))
    x = reference.smooth(lambda t, x: (x[1], -0.2 * x[1] - 4 * x[0]), [1.0, 0.0], time - time[0])[0]
    fit = ik.fit(Record.from_arrays(time, x=x + 0.01 * random.standard_normal(300), time_unit="s"), MCK, fix={"m": 2.0})
    (run,) = ik.design(fit=fit, runs=1, fits=0).experiments[0].runs
    assert run.times == pytest.approx(time - time[0]) and run.windows == ((0.0, run.times[-1]),)


def test_a_proposal_keeps_its_limits(planned: DesignReport) -> None:
    assert len(planned.experiments) > 2
    for item in planned.experiments[1:]:
        assert item.samples <= 3001 and len(item.runs) <= 2
        for run in item.runs:
            assert abs(run.initial["x"]) <= 2.0 + 1e-9 and run.initial["v"] == 0.0
            assert run.duration <= 30.0 and run.spacing >= 0.002 * (1 - 1e-9)


def test_experiments_are_listed_from_the_simplest_on_and_each_is_better(planned: DesignReport) -> None:
    scores = [item.score for item in planned.experiments]
    assert len(scores) > 1 and scores == sorted(scores, reverse=True)
    assert planned.experiments[0].name == "present" and planned.recommended == planned.experiments[-1].name


def test_the_same_question_has_the_same_answer(planned: DesignReport) -> None:
    again = ik.design("duffing", samples=3001, dt=0.002, runs=2, fits=0)
    assert again.experiments == planned.experiments and again.instructions == planned.instructions


def test_expected_errors_are_met_by_fits_of_records_from_another_integrator() -> None:
    """The mean square of thirty errors over what was expected is known to 26 %."""
    model = ik.library_model("duffing")
    report = ik.design(model, runs=2, fits=0)
    chosen, truth = report.experiment(), {name: item.value for name, item in report.parameters.items()}

    def rate(t: float, x: np.ndarray) -> tuple[float, float]:
        return x[1], -truth["c"] * x[1] - truth["k"] * x[0] - truth["k3"] * x[0] ** 3

    errors = []
    for seed in range(10):
        random, records = np.random.default_rng(seed), []
        for number, run in enumerate(chosen.runs):
            x = reference.smooth(rate, [run.initial["x"], run.initial["v"]], run.times)[0]
            noisy = x + chosen.noise["x"] * random.standard_normal(len(x))
            records.append(Record.from_arrays(run.times, {"x": noisy}, name=str(number)))
        found = ik.fit(Experiment(tuple(records)), model, method="shooting")
        errors.append([(found.value(name) - value) / chosen.std[name] for name, value in truth.items()])
    assert 0.5 < np.mean(np.square(errors)) < 1.8


def test_the_check_by_simulation_tells_the_same() -> None:
    report = ik.design("duffing", runs=1, fits=12)
    assert report.check is not None and report.check.settled == 12
    for name, std in report.check.std.items():
        assert report.check.ratio[name] == pytest.approx(std / report.experiment().std[name])
        assert abs(report.check.ratio[name] - 1) < 4 * report.check.uncertainty
    assert "check_differs" not in codes(report)


def test_a_mass_and_a_spring_that_scale_together_need_a_known_value_or_a_force() -> None:
    report = ik.design(MCK, **NOW)
    assert report.status.code == "not_identifiable" and codes(report) >= {"not_freed", "flat_combination", "would_help"}
    assert set(next(item for item in report.findings if item.code == "flat_combination").about) == {"m", "c", "k"}
    assert "k/m" in next(item.text for item in report.findings if item.code == "still_determined")
    helpful = {item.about for item in report.findings if item.code == "would_help"}
    assert helpful >= {("m",), ("F",)}
    assert ("x",) not in helpful, "no sensor is so exact that it tells a mass from its spring"
    assert report.recommended == "present", "nothing within the limits is worth more work"


def test_where_noise_is_all_that_is_wrong_the_exactness_that_it_takes_is_named_and_works() -> None:
    asked = {**NOW, "free": ["c", "k"], "noise": {"x": 1.5}, "reach": {"c": 0.02}, "runs": 1}
    report = ik.design(MCK, **asked)
    (named,) = [item for item in report.findings if item.code == "would_help" and item.about == ("x",)]
    assert "30 times as exact (with a noise of 0.05 of x)" in named.text
    assert ik.design(MCK, **{**asked, "noise": {"x": 0.05}}).experiment().reaches
    assert not ik.design(MCK, **{**asked, "noise": {"x": 0.15}}).experiment().reaches, "three times less is too little"


def test_samples_are_shared_among_no_more_runs_than_they_suffice_for() -> None:
    report = ik.design(MCK, **NOW, free=["c", "k"], samples=9, runs=6)
    for item in report.experiments:
        assert item.samples <= 9 and len(item.runs) <= 3  # three samples for the two states of a run and one more
        assert all(math.isfinite(run.spacing) and run.samples >= 2 for run in item.runs)


@pytest.mark.study
def test_a_force_within_limits_frees_them() -> None:
    report = ik.design(MCK, **{**NOW, "fits": 8}, input_limits={"F": (-2.0, 2.0)})
    assert report.ok and all(report.experiment().identifiable.values())
    assert largest(report, report.experiment()) < 0.05
    assert report.check is not None and report.check.settled == 8
    assert any(line.startswith("drive F") for line in report.instructions)
    force = np.array(report.curves[-1]["inputs"]["F"])
    assert report.curves[-1]["units"] == {"x": "m", "F": "N"}
    assert len(force) > 100 and force.min() >= -2 and force.max() <= 2


def test_a_goal_in_reach_is_reached_by_the_simplest_experiment() -> None:
    present = ik.design(MCK, **NOW, free=["c", "k"]).experiments[0].std["c"]
    assert present is not None
    easy = ik.design(MCK, **NOW, free=["c", "k"], reach={"c": 1.2 * present})
    assert easy.ok and easy.recommended == "present" and "goal_reached" in codes(easy)
    more = ik.design(MCK, **NOW, free=["c", "k"], reach={"c": 0.8 * present})
    assert more.ok and more.recommended != "present" and more.experiment().reaches


def test_a_goal_out_of_reach_says_how_many_samples_would_do() -> None:
    report = ik.design(MCK, **NOW, free=["c", "k"], reach={"c": "0.01%"})
    assert report.status.code == "not_identifiable" and report.experiment().reaches is False
    missed = next(item for item in report.findings if item.code == "goal_missed")
    std = report.experiment().std["c"]
    assert missed.about == ("c",) and std is not None
    assert f"{(std / (1e-4 * 0.4)) ** 2:.2g} times the samples" in missed.text


def test_a_further_sensor_is_weighed() -> None:
    report = ik.design(MCK, **NOW, free=["c", "k"], sensors={"v": 0.01}, runs=1)
    chosen = report.experiment()
    assert chosen.noise == {"x": 0.01, "v": 0.01} and chosen.name.endswith("with v")


def test_a_setting_within_limits_is_chosen() -> None:
    report = ik.design(
        "duffing", free=["m", "c", "k", "k3"], limits={"F": (0.0, 2.0), "x": (-2.0, 2.0)}, runs=1, fits=0
    )
    assert report.ok and report.experiment().settings["F"] > 0.5
    assert not all(report.experiments[0].identifiable.values()), "negative control: without a force they scale together"


def test_uncertain_values_make_another_experiment_than_the_worst_of_them() -> None:
    mean, worst = (ik.design(MCK, **NOW, free=["c", "k"], spread=0.4, runs=1, worst=which) for which in (False, True))
    assert mean.provenance["draws"] > 1
    assert worst.experiments[0].score > mean.experiments[0].score


def test_the_next_experiment_after_a_fit_takes_its_record_values_and_noise() -> None:
    record = ik.simulate("duffing", seed=3)
    fit = ik.fit(record, "duffing")
    report = ik.design(fit=fit, runs=1, fits=0)
    present = report.experiments[0]
    assert present.samples == len(record.time) and present.noise["x"] == pytest.approx(fit.noise["x"].sigma)
    assert report.parameters["k"].value == fit.value("k")
    for name, std in present.std.items():
        assert std == pytest.approx(fit.parameters[name].std, rel=0.1)
    assert present.runs[0].initial["v"] == 0.0 or abs(present.runs[0].initial["v"]) > 0.01


@pytest.mark.parametrize("column", [True, False])
def test_noise_that_differs_from_sample_to_sample_is_planned_with_in_the_unit_of_the_output(column: bool) -> None:
    model = ik.Model.from_text("decay", equations={"x": "-k*x"}, parameters=[ik.Parameter("k", 1.0, "", (0.01, 10))])
    time = np.arange(0.0, 5.0, 0.02)
    curve, draw = 100 * np.exp(-time), np.random.default_rng(4).standard_normal(len(time))
    spread = np.geomspace(0.1, 0.4, len(time)) if column else 0.05 * curve
    values = curve + spread * draw if column else curve * np.exp(0.05 * draw)
    record = Record.from_arrays(time, x=values, x_std=spread, time_unit="s")
    fit = ik.fit(record, model, outputs={"x": "x"}, noise={"x": "x_std"} if column else "lognormal")
    report = ik.design(fit=fit, runs=1, fits=0)
    present = report.experiments[0]
    assert present.noise["x"] == pytest.approx(np.sqrt(np.mean(spread**2)), rel=0.15)
    ratio = present.std["k"] / fit.parameters["k"].std  # with one level for all samples it is roughly so
    assert 0.3 < ratio < 3 and "noise_planned_constant" in codes(report)
    told = ik.design(fit=fit, noise={"x": 0.2}, runs=1, fits=0)
    assert told.experiments[0].noise["x"] == 0.2 and "noise_planned_constant" not in codes(told)


def test_it_can_be_stopped_and_shows_what_there_is() -> None:
    seen: list[ProgressEvent] = []

    def listener(event: ProgressEvent) -> bool:
        seen.append(event)
        return event.stage != "judging" or event.fraction < 0.65

    report = ik.design(MCK, **NOW, free=["c", "k"], progress=listener)
    assert "stopped_early" in codes(report) and report.experiments and report.check is None
    assert [event.fraction for event in seen] == sorted(event.fraction for event in seen)
    at_once = ik.design(MCK, **NOW, free=["c", "k"], progress=lambda event: False)
    assert not at_once.experiments or "stopped_early" in codes(at_once)


def test_a_report_is_saved_read_and_drawn(planned: DesignReport, tmp_path: Path) -> None:
    planned.save(tmp_path / "plan.json")
    loaded = load_saved(tmp_path / "plan.json")
    assert isinstance(loaded, DesignReport) and str(loaded) == str(planned)
    assert replace(loaded, curves=()) == replace(planned, curves=())
    ik.plot(loaded, tmp_path / "plan.png")
    assert (tmp_path / "plan.png").stat().st_size > 10_000
    lines = str(planned).splitlines()
    assert max(map(len, lines)) < 400 and any(line.startswith(">") for line in lines)


@pytest.mark.parametrize(
    "given, words",
    [
        ({"limits": {"y": (0, 1)}}, "expected an initial state or a fixed parameter"),
        ({"limits": {"k": (0, 1)}}, "it is to be estimated"),
        ({"limits": {"x": (1, 1)}}, "the smaller first"),
        ({"input_limits": {"G": (0, 1)}}, "has no input 'G'"),
        ({"reach": {"m0": 1.0}}, "is not to be estimated"),
        ({"reach": {"m": "-1%"}}, "expected a standard error"),
        ({"criterion": "best"}, "expected one of determinant"),
        ({"criterion": "goal"}, "needs standard errors"),
        ({"sensors": {"q": 1.0}}, "no output or state 'q'"),
        ({"sensors": {"x": 1.0}}, "measured already"),
        ({"samples": 5}, "expected at least"),
        ({"known": ["y"]}, "has no state 'y'"),
        ({"noise": {"x": 0.0}}, "above zero"),
        ({"runs": 0}, "expected at least one"),
        ({"longest": 0.01}, "shortest time between samples"),
    ],
)
def test_what_cannot_be_is_refused_before_the_work(given: dict, words: str) -> None:
    with pytest.raises(InputError, match=words):
        ik.design(MCK, **{**NOW, **given})
