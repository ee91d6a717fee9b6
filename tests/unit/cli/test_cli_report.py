"""identikit report writes a page of what was saved, front doors write one of what they found, and both say how to
repeat it."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import identikit as ik
from front_doors import question_of, settled, stub_door
from identikit.cli.main import main
from identikit.question import Question
from identikit.result import Code, ComparisonReport, ParameterEstimate, Result, Status

TIME = np.arange(400) * 0.05
MODEL = """
name = "spring"
[states]
x = {}
v = {}
[parameters]
c = 0.1
k = 6.0
[equations]
x = "v"
v = "-c*v - k*x"
[outputs]
x = "x"
"""


def fitted(question: Question, progress: object) -> Result:
    """What a fit of the spring would find."""
    parameters = {"c": ParameterEstimate(0.1, "", 0.01), "k": ParameterEstimate(6.0, "", 0.01)}
    facts = {"data_sha256": "8b49c1", "records": ["swing"], "samples": 400}
    asked = question.as_dict()
    return replace(settled(asked), model="spring", parameters=parameters, provenance=facts, model_text=MODEL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fit, with a report written on the way; its record is nowhere."""
    made = tmp_path_factory.mktemp("report")
    (made / "spring.toml").write_text(MODEL)
    words = ["fit", f"{made}/swing.csv", "--model", f"{made}/spring.toml", "--method", "shooting"]
    with pytest.MonkeyPatch.context() as patched:
        stub_door(patched, "fit", fitted)
        assert main([*words, "--json", f"{made}/fit.json", "--report", f"{made}/first.html"]) == 0
    return made


def test_a_front_door_writes_a_report_with_the_command_that_was_typed(folder: Path) -> None:
    page = (folder / "first.html").read_text()
    assert "c = 0." in page and "identikit fit " in page and "--method shooting" in page
    assert Result.load(folder / "fit.json").provenance["data_sha256"] in page


def test_a_saved_fit_is_enough_for_a_report(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", f"{folder}/fit.json", "--static"]) == 0
    assert capsys.readouterr().out == f"Saved: {folder}/fit.html\n"
    page = (folder / "fit.html").read_text()
    assert "--method shooting" in page and "octet-stream" not in page


@pytest.mark.parametrize(("ending", "beginning"), [("md", "# spring"), ("tex", r"\documentclass")])
def test_other_formats_follow_the_ending_or_the_option(folder: Path, ending: str, beginning: str) -> None:
    assert main(["report", f"{folder}/fit.json", "-o", f"{folder}/named.{ending}"]) == 0
    assert main(["report", f"{folder}/fit.json", "--format", ending, "-o", f"{folder}/text.txt"]) == 0
    assert (folder / f"named.{ending}").read_text().startswith(beginning)
    assert (folder / "text.txt").read_text() == (folder / f"named.{ending}").read_text()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["missing.json"], "no such result file"),
        (["spring.toml", "-o", "new.html"], "not a saved result"),
        (["fit.json", "-o", "new.pdf"], "the ending '.pdf' is not known"),
        (["fit.json", "--format", "md", "-o", "fit.json"], "is the same file as"),
        (["fit.json", "-o", "nowhere/new.html"], "there is no folder"),
    ],
)
def test_what_cannot_be_reported_is_refused_in_one_line(
    folder: Path, words: list[str], complaint: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert main(["report", *words]) == 2
    printed = capsys.readouterr()
    assert complaint in printed.err and printed.err.count("\n") == 1 and printed.out == ""
    assert not (folder / "new.html").exists()


@pytest.mark.parametrize(
    "words",
    [
        ["a.csv", "--model", "pendulum"],
        ["a b.csv", "c.csv", "--model", "my.toml", "--map", "theta=pos 1", "--free", "w0,mu", "--fix", "mu_c=0.5"],
        ["a.csv", "--model", "pendulum", "--trim", "1:", "--bounds", "w0=0:10", "mu=:1", "--noise", "theta=0.01"],
        ["a.csv", "--model", "pendulum", "--noise", "student", "--uncertainty", "bootstrap", "--seed", "3"],
        ["a.csv", "--model", "pendulum", "--initial", "theta=0.5", "--initial-bounds", "omega=-1:1", "--no-unwrap"],
        ["a.csv", "--model", "pendulum", "--prior", "w0=3:0.1", "mu=0.02:1e-3", "--initial-prior", "theta=-0.5:0.01"],
        ["a.csv", "--model", "pendulum", "--trim", "0.1234567891:12345.678", "--bounds", "w0=0:123456789"],
        ["a.csv", "--model", "pendulum", "--known-initial", "--method", "galerkin", "--option", "order=4"],
    ],
)
def test_the_line_in_a_report_asks_the_same_question(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = question_of(monkeypatch, *words).as_dict()
    program, door, *again = shlex.split(line_of(settled(question), tmp_path / "fit.json", monkeypatch))
    assert (program, door) == ("identikit", "fit")
    assert question_of(monkeypatch, *again).as_dict() == question


def line_of(answer: Result | ComparisonReport, path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the report of a saved answer says is to be typed to ask it again."""
    answer.save(path)
    with monkeypatch.context() as patched:
        patched.chdir(path.parent)
        stub = stub_door(patched, "report", None)
        assert main(["report", path.name]) == 0
    return stub.calls[0][1]["command"]


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--methods", "sindy,shooting", "--truth", "w0=12.3456789", "mu=0.1"],
        ["--option", "sindy.degree=3", "shooting.order=4", "--no-held-out", "--time-limit", "12.5"],
    ],
)
def test_the_line_in_a_report_asks_for_the_same_comparison(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def compare(question: Question, progress: object, **asked: object) -> ComparisonReport:
        saved = {name: list(value) if isinstance(value, tuple) else value for name, value in asked.items()}
        return ComparisonReport(Status(Code.OK, "fine"), question=question.as_dict(), provenance={"asked": saved})

    stub = stub_door(monkeypatch, "compare", compare)

    def asked(words: list[str]) -> tuple[dict[str, object], str]:
        """What the comparison is asked, and the line in its report."""
        assert main([*words, "--quiet", "--json", str(tmp_path / "compared.json")]) == 0
        (question,), others = stub.calls[-1]
        others = {name: value for name, value in others.items() if name != "progress"}
        line = line_of(ComparisonReport.load(tmp_path / "compared.json"), tmp_path / "compared.json", monkeypatch)
        return {"question": question.as_dict(), **others}, line

    first, line = asked(["compare", "a.csv", "--model", "pendulum", *words])
    assert asked(shlex.split(line)[1:]) == (first, line)


def test_a_comparison_that_does_not_hold_what_was_asked_has_no_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = Question.ask("a.csv", "pendulum").as_dict()
    answer = ComparisonReport(Status(Code.OK, ""), question=question)
    assert line_of(answer, tmp_path / "compared.json", monkeypatch) == ""


def test_a_question_that_options_cannot_ask_is_read_from_the_saved_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = Question.ask("a.csv", MODEL, start={"c": 0.1}).as_dict()
    line = line_of(settled(question), tmp_path / "my fit.json", monkeypatch)
    assert line == "identikit fit --again 'my fit.json'"
    in_memory = Question.ask(ik.Record.from_arrays(TIME, {"x": np.cos(TIME)}), "pendulum").as_dict()
    assert "--again" in line_of(settled(in_memory), tmp_path / "fit.json", monkeypatch)
