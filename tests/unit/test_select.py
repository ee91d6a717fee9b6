"""Which of several models describes a record."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import identikit as ik
import reference
from identikit.cli.main import main
from identikit.errors import OptionError
from identikit.result import Code, SelectionReport, load_saved

TIME = np.arange(150) * 0.1
SPRING = {"k": ik.Parameter("k", bounds=(0, 20)), "c": ik.Parameter("c", bounds=(0, 5))}
CUBE = ik.Parameter("k3", bounds=(-5, 5))
LINEAR = ik.Model.from_text("linear spring", equations={"x''": "-k*x - c*x'"}, parameters=tuple(SPRING.values()))
CUBIC = ik.Model.from_text(
    "cubic spring", equations={"x''": "-k*x - c*x' - k3*x**3"}, parameters=(*SPRING.values(), CUBE)
)
OTHER = ik.Model.from_text(  # the same motion in other words: the damping as a ratio
    "by ratio",
    equations={"x''": "-k*x - 2*z*sqrt(k)*x'"},
    parameters=(SPRING["k"], ik.Parameter("z", bounds=(0, 2))),
)
DRY = ik.Model.from_text(
    "dry spring", equations={"x''": "-k*x - f*sign(x')"}, parameters=(SPRING["k"], ik.Parameter("f", bounds=(0, 5)))
)


def record(seed: int, k3: float = 0.0, noise: float = 0.02) -> ik.Record:
    rate = lambda t, x: [x[1], -4 * x[0] - 0.2 * x[1] - k3 * x[0] ** 3]  # noqa: E731
    x = reference.smooth(rate, [1.0, 0.0], TIME)[0]
    return ik.Record.from_arrays(TIME, {"x": x + noise * np.random.default_rng(seed).standard_normal(len(TIME))})


@pytest.mark.study
def test_the_true_model_wins_as_often_as_its_criterion_promises() -> None:
    """BIC takes one needless parameter with the chance that chi-square exceeds log n = 5: one time in 40."""
    wins = 0
    for seed in range(20):
        report = ik.select(record(seed), [CUBIC, LINEAR])
        wins += report.best == "linear spring"
    assert wins >= 17


@pytest.fixture(scope="module")
def needed() -> SelectionReport:
    return ik.select(record(1, k3=1.0), [LINEAR, CUBIC])


def test_a_term_that_is_needed_is_asked_for(needed: SelectionReport) -> None:
    """Negative control of the above: here the cubic stiffness is in the record."""
    assert needed.ok and needed.best == "cubic spring"
    assert needed.model("cubic spring").weight > 0.999
    assert needed.model("linear spring").predicts_worse
    (test,) = needed.tests
    assert (test.small, test.large, test.parameters) == ("linear spring", "cubic spring", ("k3",))
    assert test.p_value < 1e-6
    assert any("asks for" in sentence for sentence in needed.sentences)
    assert needed.model("cubic spring").held_out == pytest.approx(1.0, abs=0.35)


def test_what_is_not_needed_is_said_with_its_p_value() -> None:
    report = ik.select(record(3), {"small": LINEAR, "large": CUBIC})
    assert report.tests[0].p_value > 0.01
    assert report.model("small").unknowns + 1 == report.model("large").unknowns


def test_two_models_of_the_same_motion_are_told_to_be_alike() -> None:
    report = ik.select(record(2), [LINEAR, OTHER])
    assert [item.code for item in report.findings] == ["models_alike"]
    assert sorted(report.findings[0].about) == ["by ratio", "linear spring"]
    assert "cannot tell" in str(report)
    assert report.tests == ()


@pytest.mark.study
def test_a_set_of_wrong_models_describes_nothing() -> None:
    report = ik.select(record(4, k3=3.0), [LINEAR, DRY])
    assert report.status.code is Code.MISFIT
    assert "none of the models describes" in report.status.message
    assert [item.code for item in report.findings] == ["no_model_fits"]


def test_a_saved_report_is_the_same_and_drawn(needed: SelectionReport, tmp_path: Path) -> None:
    needed.save(tmp_path / "choice.json")
    loaded = load_saved(tmp_path / "choice.json")
    assert isinstance(loaded, SelectionReport)
    assert loaded.to_json() == needed.to_json() and str(loaded) == str(needed)
    ik.plot(loaded, tmp_path / "choice.png")
    assert (tmp_path / "choice.png").stat().st_size > 20_000


def test_files_of_models_are_compared_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "spring.csv"
    own = record(5)
    data.write_text(
        "t,x\n" + "\n".join(f"{t:.3f},{x:.6f}" for t, x in zip(TIME, own.channels["x"].values, strict=True))
    )
    for name, model in (("a", LINEAR), ("b", CUBIC)):
        (tmp_path / f"{name}.toml").write_text(model.to_toml())
    models = f"{tmp_path / 'a.toml'},{tmp_path / 'b.toml'}"
    assert main(["select", str(data), "--models", models, "--json", str(tmp_path / "out.json")]) == 0
    printed = capsys.readouterr().out
    assert "linear spring describes this record" in printed or "cannot tell" in printed
    free = load_saved(tmp_path / "out.json")
    assert free.best == "linear spring"
    said = ["--initial", "x=1", "--initial-bounds", "x_dot=-1:1", "--json", str(tmp_path / "known.json"), "--quiet"]
    assert main(["select", str(data), "--models", models, *said]) == 0
    assert (
        load_saved(tmp_path / "known.json").model("linear spring").unknowns == free.model("linear spring").unknowns - 1
    )
    assert main(["select", str(data), "--models", str(tmp_path / "a.toml")]) == 2
    assert "one model is given: name two or more" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("models", "asked", "words"),
    [
        ([LINEAR], {}, "^one model is given: name two or more"),
        ([], {}, "^no model is given: name two or more"),
        (LINEAR, {}, "two or more"),
        ([LINEAR, LINEAR], {}, "names of their own"),
        ([LINEAR, CUBIC], {"fix": {"q": 1.0}}, r"none of the models has\. Known: k, c, k3\.$"),  # in the models' order
        ([LINEAR, CUBIC], {"free": ["k4"]}, "none of the models has"),
        ([LINEAR, CUBIC], {"initial": {"y": 1.0}}, "initial names 'y', which none of the models has"),
        ([LINEAR, CUBIC], {"initial": [{"y": 1.0}]}, "initial names 'y', which none of the models has"),
        ([LINEAR, CUBIC], {"inputs": {"u": "x"}}, "inputs names 'u', which none of the models has"),
        ([LINEAR, CUBIC], {"free": ["k3"]}, "free names k3, and 'linear spring' has none of them"),
    ],
)
def test_wrong_questions_are_refused(models: object, asked: dict[str, object], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        ik.select(record(1), models, **asked)


def test_what_is_said_of_a_parameter_holds_for_models_that_have_it() -> None:
    report = ik.select(record(1), [LINEAR, CUBIC], fix={"k3": 0.0, "c": 0.2})
    assert set(report.model("linear spring").parameters) == set(report.model("cubic spring").parameters) == {"k"}


@pytest.mark.study
def test_what_is_said_of_a_state_or_an_input_holds_for_models_that_have_it() -> None:
    lagged = ik.Model.from_text(
        "lagged", equations={"x''": "-k*x - c*x' + f", "f'": "(u - f)/T"}, inputs=("u",), outputs=["x"],
        parameters=(*SPRING.values(), ik.Parameter("T", bounds=(0.01, 10))),
    )  # fmt: skip
    own = record(1)
    both = {"x": own.channels["x"].values, "volt": np.sin(1.3 * TIME)}
    driven = ik.Record.from_arrays(TIME, both)
    known = {"x": 1.0, "f": 0.0}
    for initial in (known, [known]):  # for all records, or one for each
        report = ik.select(driven, [LINEAR, lagged], inputs={"u": "volt"}, initial=initial)
        assert report.best == "linear spring"
        assert report.model("linear spring").unknowns == 4  # two parameters, a velocity, a level
        assert report.model("lagged").unknowns == 5
    # negative control: what is not said of the state is estimated
    assert ik.select(driven, [LINEAR, lagged], inputs={"u": "volt"}).model("lagged").unknowns == 7


def test_a_trifle_of_prediction_is_no_result(needed: SelectionReport) -> None:
    """The same motion in other words: one of the two is first, by rounding."""
    alike = " ".join(ik.select(record(2), [LINEAR, OTHER]).sentences)
    assert "predicts the rest best" not in alike and "none does so better beyond chance" in alike
    assert "predicts the rest best" in " ".join(needed.sentences)


def test_a_stop_leaves_a_report_without_models() -> None:
    stopped = ik.select(record(1), [LINEAR, CUBIC], progress=lambda event: "fitting cubic" not in event.sentence)
    assert stopped.status.code is Code.NOT_CONVERGED and stopped.models == ()
