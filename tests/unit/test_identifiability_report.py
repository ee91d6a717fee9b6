"""The front door to identifiability: refusals that are due, what they name, and how they are saved and drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import identikit as ik
from identikit.errors import InputError
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
