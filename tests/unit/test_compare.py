"""The front door of the comparison: every method answers or objects, and what is said of it is true."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import identikit as ik
import reference
from front_doors import stub_door
from identikit.cli.main import main
from identikit.errors import OptionError
from identikit.method import METHODS
from identikit.result import Code, ComparisonReport, load_saved

TIME = np.arange(300) * 0.1
TRUTH = {"k": 4.0, "c": 0.2}
MODEL = """name = "spring"
[states]
x = { unit = "m" }
v = { unit = "m/s" }
[parameters]
k = { bounds = [0, 20] }
c = { bounds = [0, 5] }
[equations]
x = "v"
v = "-k*x - c*v"
[outputs]
x = "x"
"""


def swing(seed: int = 0) -> ik.Record:
    x = reference.smooth(lambda t, x: [x[1], -4 * x[0] - 0.2 * x[1]], [1.0, 0.0], TIME)[0]
    return ik.Record.from_arrays(TIME, {"x": x + 0.02 * np.random.default_rng(seed).standard_normal(len(TIME))})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("compare")
    (made / "spring.toml").write_text(MODEL)
    rows = [f"{t!r},{x!r}" for t, x in zip(TIME.tolist(), swing().channels["x"].values.tolist(), strict=True)]
    (made / "swing.csv").write_text("\n".join(["t,x", *rows]) + "\n")
    return made


@pytest.fixture(scope="module")
def report(folder: Path) -> ComparisonReport:
    names = ["shooting", "galerkin", "energy", "reference_points"]
    return ik.compare(swing(), folder / "spring.toml", methods=names, truth=TRUTH)


def test_methods_that_agree_are_said_to(report: ComparisonReport) -> None:
    assert report.ok and report.reference == "shooting"
    assert report.entry("galerkin").agrees and report.entry("energy").agrees
    assert report.entry("reference_points").status is Code.NOT_APPLICABLE
    assert report.entry("reference_points").objections
    assert report.result is not None and report.result.model_text is not None
    assert max(abs(one) for one in report.entry("shooting").error_over_crlb.values()) < 3.5


def test_the_unseen_part_is_predicted_to_the_noise(report: ComparisonReport) -> None:
    unseen = report.entry("shooting").held_out
    assert unseen is not None and 0.8 < unseen < 1.5


def test_a_saved_comparison_is_the_same_and_drawn(report: ComparisonReport, tmp_path: Path) -> None:
    report.save(tmp_path / "compared.json")
    loaded = load_saved(tmp_path / "compared.json")
    assert isinstance(loaded, ComparisonReport)
    assert loaded.to_json() == report.to_json() and str(loaded) == str(report)
    ik.plot(loaded, tmp_path / "compared.png")
    assert (tmp_path / "compared.png").stat().st_size > 1000


def test_the_question_is_saved_so_that_it_can_be_asked_again(report: ComparisonReport, folder: Path) -> None:
    again = ik.Question.from_dict({**report.question, "data": str(folder / "swing.csv")})
    assert again.problem().free == ("k", "c")


BAD = (
    (["--methods", "shootin"], "unknown method 'shootin'"),
    (["--methods", "auto"], "'auto' is no method of its own"),
    (["--truth", "q=1"], "the truth of 'q' is given, which is no parameter of the model"),
    (["--fix", "c=0.2", "--truth", "c=0.2"], "the truth of 'c' is given, which is fixed, not estimated"),
    (["--truth", "k=four"], "--truth k is 'four': expected a number"),
    (["--option", "degree=3"], "--option degree=3: expected METHOD.KEY=VALUE"),
    (["--option", "sindi.degree=3"], "options are given for 'sindi', which is not compared. Did you mean 'sindy'?"),
    (["--option", "sindy.degrees=3"], "sindy"),
    (["--time-limit", "0"], "expected a number above zero"),
    (["--json", "nowhere/compared.json"], "there is no folder"),
)


@pytest.mark.parametrize(("words", "message"), BAD, ids=[" ".join(row[0]) for row in BAD])
def test_bad_input_is_refused_in_one_line_before_any_work(
    words: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", str(folder / "swing.csv"), "--model", str(folder / "spring.toml"), *words]) == 2
    said = capsys.readouterr()
    assert message in said.err and said.err.count("\n") == 1 and said.out == ""


def test_model_and_data_must_be_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", str(folder / "swing.csv")]) == 2
    assert "no model is given" in capsys.readouterr().err
    assert main(["compare", "--model", "pendulum"]) == 2
    assert "no DATA is given" in capsys.readouterr().err


def test_what_is_about_one_fit_is_refused(folder: Path) -> None:
    with pytest.raises(OptionError, match="each method states its own intervals"):
        ik.compare(swing(), folder / "spring.toml", uncertainty="profile")
    with pytest.raises(OptionError, match="methods says which are compared"):
        ik.compare(swing(), folder / "spring.toml", method="energy")


def test_the_command_prints_and_saves(
    report: ComparisonReport,
    folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stub = stub_door(monkeypatch, "compare", report)
    words = ["compare", str(folder / "swing.csv"), "--model", str(folder / "spring.toml"), "--no-held-out"]
    out = tmp_path / "compared.json"
    assert main([*words, "--methods", "galerkin,energy", "--truth", "k=4", "--json", str(out)]) == 0
    said = capsys.readouterr().out
    assert "error/CRLB" in said and f"Saved: {out}" in said
    assert ComparisonReport.load(out).truth == TRUTH
    asked = stub.calls[0][1]
    assert asked["methods"] == ["galerkin", "energy"] and asked["truth"] == {"k": 4.0} and not asked["held_out"]


def test_every_method_answers_or_objects(folder: Path) -> None:
    """Conformance: all rows of the registry on one small record, none fails."""
    found = ik.compare(swing(1), folder / "spring.toml", held_out=False)
    assert [item.method for item in found.entries] == list(METHODS)
    for item in found.entries:
        assert item.answered or item.objections, f"{item.method}: {item.message}"
        assert not (item.answered and item.objections)
    assert found.ok and not any(one.code == "method_failed" for one in found.findings)
