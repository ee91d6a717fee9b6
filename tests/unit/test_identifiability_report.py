"""The front door to identifiability: refusals that are due, what they name, and how they are saved and drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.signal import lfilter

import identikit as ik
from identikit.errors import InputError, OptionError
from identikit.model import Parameter
from identikit.result import Code, IdentifiabilityReport, Severity, load_saved
from reference import smooth


@pytest.fixture(scope="module")
def scaled() -> IdentifiabilityReport:
    return ik.identifiability("duffing", free=["m", "c", "k", "k3"])


def codes(report: IdentifiabilityReport) -> set[str]:
    return {item.code for item in report.findings}


def texts(report: IdentifiabilityReport) -> str:
    assert report.practical is not None
    return " ".join(item.text for item in report.practical.combinations)


def test_a_spring_and_a_mass_that_scale_together_are_refused_by_the_equations(scaled: IdentifiabilityReport) -> None:
    assert scaled.status.code is Code.NOT_IDENTIFIABLE
    assert scaled.structural is not None and scaled.structural.combinations == ("c/m", "k/m", "k3/m")
    assert texts(scaled) == "c/m k/m k3/m"
    refusals = [item for item in scaled.findings if item.severity is Severity.REFUSAL]
    assert [item.code for item in refusals] == ["structurally_unidentifiable"]  # and not put down to the record
    assert "would_free" in codes(scaled)


def test_two_wells_and_gravity_are_refused_by_the_record_alone() -> None:
    report = ik.identifiability("magnetic_pendulum", free=["mu", "w0", "a1", "a2", "a3"], initial={"theta": 1.5})
    assert report.structural is not None and report.structural.ok
    assert report.practical is not None and report.practical.unidentified == ("mu", "w0", "a1")
    for words in ("2*mu*w0", "2*a1 + w0^2"):
        assert words in texts(report)
    assert {"mu", "w0", "a1"} <= set(report.practical.weakest[0].changes)
    quieter = next(item for item in report.practical.variants if item.name == "half the noise")
    assert quieter.relative["w0"] == pytest.approx(report.practical.parameters["w0"].relative / 2)  # type: ignore[operator]


def test_half_a_period_does_not_tell_three_dampings_apart() -> None:
    values = {"zeta": 0.025, "mu_c": 0.015, "mu_q": 0.025}
    report = ik.identifiability("horizontal_pendulum", parameters=values, duration=0.7, dt=0.01)
    assert report.status.code is Code.NOT_IDENTIFIABLE
    assert report.practical is not None and set(report.practical.unidentified) == set(values)
    assert "inseparable" in codes(report)
    longer = ik.identifiability("horizontal_pendulum", parameters=values, duration=60.0, dt=0.02)
    assert longer.ok and longer.practical is not None and not longer.practical.unidentified


def test_an_experiment_that_tells_all_is_said_to() -> None:
    report = ik.identifiability("lotka_volterra")
    assert report.ok and all(map(report.identifiable, report.free))
    assert "can be identified" in str(report)


def test_a_record_is_judged_at_given_values() -> None:
    """A swing of half a second, from an integrator that is not the package's own."""
    time = np.arange(0.0, 0.5, 0.01)
    model = ik.library_model("magnetic_pendulum")
    truth = {item.name: float(item.value or 0) for item in model.parameters}

    def rate(t: float, x: np.ndarray) -> list[float]:
        magnets = 2 * truth["a1"] * x[0] + 3 * truth["a2"] * x[0] ** 2 + 4 * truth["a3"] * x[0] ** 3
        return [x[1], -2 * truth["mu"] * truth["w0"] * x[1] - truth["w0"] ** 2 * np.sin(x[0]) - magnets]

    noisy = smooth(rate, [0.9, 0.0], time)[0] + 0.0047 * np.random.default_rng(1).normal(size=len(time))
    record = ik.Record.from_arrays(time, {"theta": noisy})
    free = ["mu", "w0", "a1", "a2", "a3"]
    report = ik.identifiability(model, record, free=free, parameters={name: truth[name] for name in free})
    assert report.practical is not None and not report.practical.record.planned
    assert report.practical.record.noise["theta"] == pytest.approx(0.0047, rel=0.3)
    assert {"mu", "w0", "a1"} <= set(report.practical.unidentified)


def test_a_report_is_saved_and_read_back(scaled: IdentifiabilityReport, tmp_path: Path) -> None:
    scaled.save(tmp_path / "told.json")
    again = load_saved(tmp_path / "told.json")
    assert isinstance(again, IdentifiabilityReport)
    assert str(again) == str(scaled) and again.structural == scaled.structural
    assert again.findings == scaled.findings


def test_a_report_is_drawn_with_a_bar_for_every_parameter(scaled: IdentifiabilityReport, tmp_path: Path) -> None:
    figure = scaled.plot(tmp_path / "told.png")
    assert len(figure.axes[0].get_yticks()) == 4
    assert (tmp_path / "told.png").stat().st_size > 5000
    by_equations = ik.identifiability(_spring())
    assert by_equations.practical is None and len(by_equations.plot().axes[0].patches) == 3


def test_equations_alone_are_judged_where_nothing_is_planned() -> None:
    report = ik.identifiability(_spring(), known=["x"])
    assert report.practical is None and "nothing_planned" in codes(report)
    assert report.structural is not None and report.structural.known == ("x",)
    assert ik.identifiability(_spring(), fix={"m": 1.0}).ok


def test_a_function_is_judged_by_its_record_alone() -> None:
    model = ik.Model.from_function(
        "f",
        lambda t, x, u, p: [x["v"], -p["k"] * x["x"] - p["c"] * x["v"]],
        states=["x", "v"],
        parameters={"k": 4.0, "c": 0.1},
        outputs=["x"],
    )
    report = ik.identifiability(model, duration=10.0, dt=0.1, noise={"x": 0.01}, initial={"x": 1.0})
    assert report.ok and report.structural is None and "structure_not_analysed" in codes(report)
    with pytest.raises(InputError, match="is a function"):
        ik.identifiability(model)


def test_the_sign_that_nothing_shows_is_noted() -> None:
    model = ik.Model.from_text(
        "swing",
        equations={"x''": "-w**2*sin(x) - c*x'"},
        parameters={"w": Parameter("w", 3.0), "c": Parameter("c", 0.1)},
    )
    report = ik.identifiability(model, duration=10.0, dt=0.1, noise={"x": 0.01}, initial={"x": 1.0})
    assert report.ok and "equivalent_explanation" in codes(report)


def test_a_stop_is_answered_with_what_there_is() -> None:
    report = ik.identifiability("pendulum", progress=lambda event: event.stage != "record")
    assert report.status.code is Code.NOT_CONVERGED and report.practical is None
    assert report.structural is not None and report.structural.ok


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"free": ["q"]}, "no parameter 'q'"),
        ({"known": ["z"]}, "no state 'z'"),
        ({"initial": {"z": 1.0}}, "no state 'z'"),
        ({"parameters": {"q": 1.0}}, "no parameter 'q'"),
        ({"free": ["m"], "fix": {"m": 1.0}}, "both free and fixed"),
        ({"noise": {"x": "white"}}, "expected a number"),
        ({"duration": 20.0}, "has no value"),
        ({"parameters": {"m": 1, "c": 1, "k": 1}, "duration": 9.0, "dt": 0.1, "noise": {"x": 0.1}}, "stays at 0"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        ik.identifiability(_spring(), **asked)


def _spring() -> ik.Model:
    return ik.Model.from_text(
        "spring",
        equations={"x": "v", "v": "-(c*v + k*x)/m"},
        parameters={"m": None, "c": None, "k": None},
        outputs=["x"],
    )


def coloured(kind: str) -> ik.Record:
    """A decay with noise that remembers, or that stands far out at times."""
    random, time = np.random.default_rng(4), np.arange(1000) * 0.02
    noise = 0.01 * random.standard_t(3, 1000)
    if kind == "memory":
        noise = lfilter([1.0], [1.0, -0.9], 0.01 * random.standard_normal(1000))
    return ik.Record.from_arrays(time, {"x": np.exp(-0.1 * time) * np.cos(4 * time) + noise})


RING = ik.Model.from_text(
    "ring",
    equations={"x''": "-w**2*x - c*x'"},
    parameters=[ik.Parameter("w", 4.0, bounds=(0.1, 50)), ik.Parameter("c", 0.2, bounds=(0, 10))],
)


@pytest.mark.study
@pytest.mark.parametrize("kind", ["memory", "outliers"])
def test_a_record_is_judged_with_the_noise_that_its_fit_found(kind: str) -> None:
    record = coloured(kind)
    fitted, report = ik.fit(record, RING), ik.identifiability(RING, record)
    for name in ("w", "c"):
        assert report.practical.parameters[name].std == pytest.approx(fitted.parameters[name].std, rel=0.05)
    assert ("twice as dense" in {item.name for item in report.practical.variants}) == (kind == "outliers")
    # negative control: at given values no fit is made, white noise is counted with, and that is said
    given = ik.identifiability(RING, record, parameters={"w": 4.0, "c": 0.2})
    wrong = given.practical.parameters["w"].std / fitted.parameters["w"].std
    assert not 0.8 < wrong < 1.25
    assert ("judged_with_white_noise" in {item.code for item in given.findings}) == (kind == "memory")


def test_a_level_that_is_no_standard_deviation_is_called_what_it_is() -> None:
    model = ik.Model.from_text(
        "decay", equations={"c": "-k*c"}, parameters=[ik.Parameter("k", 0.5, bounds=(0, 10))], outputs=["c"]
    )
    time = np.arange(100) * 0.1
    clean, random = 100 * np.exp(-0.5 * time), np.random.default_rng(1)
    values = clean * np.exp(0.1 * random.standard_normal(100))
    record = ik.Record.from_arrays(time, {"c": values, "s": 0.1 * clean})
    assert "% of its value" in str(ik.identifiability(model, record, noise="lognormal"))
    assert "times column s" in str(ik.identifiability(model, record, noise={"c": {"column": "s"}}))


def test_the_order_of_records_does_not_change_what_the_equations_tell() -> None:
    model = ik.library_model("lotka_volterra")
    records = [ik.simulate(model, noise={"hare": 1.0}, seed=seed) for seed in range(2)]
    told = []
    for initial in ([{"lynx": 5.9}, {}], [{}, {"lynx": 5.9}]):
        report = ik.identifiability(
            model, ik.Experiment(tuple(records)), outputs={"hare": "hare"}, initial=initial,
            parameters={name: model.parameter(name).value for name in model.default_free},
        )  # fmt: skip
        told.append((report.status.code, report.structural.ok))
    assert told[0] == told[1]
    assert told[0][1]


def test_an_input_that_the_record_keeps_at_rest_tells_nothing() -> None:
    model = ik.Model.from_text(
        "spring",
        equations={"x": "v", "v": "(F - c*v - k*x)/m"},
        parameters=[ik.Parameter(name, bounds=(0.01, 100)) for name in ("m", "c", "k")],
        inputs=["F"],
        outputs=["x"],
    )
    time = np.arange(400) * 0.05
    x = np.exp(-0.1 * time) * np.cos(2 * time)
    values = {"m": 2.0, "c": 0.4, "k": 8.0}
    push = np.sin(3 * time)
    for force, ok in ((np.zeros(400), False), (push, True)):
        record = ik.Record.from_arrays(time, {"x": x, "F": force})
        report = ik.identifiability(model, record, parameters=values)
        assert report.structural.ok == ok


@pytest.mark.parametrize(
    ("values", "words"), [({"w": -5.0, "c": 0.1}, "within its bounds"), ({"w": 4.0, "c": 0.1, "k3": 1.0}, "not free")]
)
def test_values_to_judge_at_are_those_of_free_parameters_within_their_bounds(
    values: dict[str, float], words: str
) -> None:
    model = ik.Model.from_text(
        "ring",
        equations={"x''": "-w**2*x - c*x' - k3*x**3"},
        parameters=[*RING.parameters, ik.Parameter("k3", 0.0, bounds=(-10, 10), fixed=True)],
    )
    with pytest.raises(OptionError, match=words):
        ik.identifiability(model, coloured("outliers"), parameters=values)
