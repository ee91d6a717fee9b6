"""identikit report writes a page of what was saved, front doors write one of what they found, and both say how to
repeat it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import identikit as ik
from identikit.cli import compare as compare_command
from identikit.cli._command_line import command_of
from identikit.cli._data_options import asked
from identikit.cli.main import _parser, main
from identikit.question import Question
from identikit.result import Code, ComparisonReport, Result, Status

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


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record and its fit, with a report written on the way; the record is gone afterwards."""
    made = tmp_path_factory.mktemp("report")
    noise = 0.01 * np.random.default_rng(0).standard_normal(len(TIME))
    values = np.exp(-0.05 * TIME) * np.cos(2.45 * TIME) + noise
    (made / "swing.csv").write_text("t,x\n" + "\n".join(f"{t},{x}" for t, x in zip(TIME, values, strict=True)))
    (made / "spring.toml").write_text(MODEL)
    words = ["fit", f"{made}/swing.csv", "--model", f"{made}/spring.toml", "--method", "shooting"]
    assert main([*words, "--json", f"{made}/fit.json", "--report", f"{made}/first.html"]) == 0
    (made / "swing.csv").unlink()
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
def test_the_line_in_a_report_asks_the_same_question(words: list[str]) -> None:
    question = asked(_parser("fit").parse_args(["fit", *words])).as_dict()
    answer = Result("m", "shooting", Status(Code.OK, ""), {}, question=question)
    program, door, *again = shlex.split(command_of(answer, "fit.json"))
    assert (program, door) == ("identikit", "fit")
    assert asked(_parser("fit").parse_args(["fit", *again])).as_dict() == question


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--methods", "sindy,shooting", "--truth", "w0=12.3456789", "mu=0.1"],
        ["--option", "sindy.degree=3", "shooting.order=4", "--no-held-out", "--time-limit", "12.5"],
    ],
)
def test_the_line_in_a_report_asks_for_the_same_comparison(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[dict[str, Any]] = []

    def compare(question: Question, progress: object, **asked: Any) -> ComparisonReport:
        heard.append({"question": question.as_dict(), **asked})
        saved = {name: list(value) if isinstance(value, tuple) else value for name, value in asked.items()}
        return ComparisonReport(Status(Code.OK, "fine"), question=question.as_dict(), provenance={"asked": saved})

    monkeypatch.setattr("identikit._compare.compare", compare)
    arguments = _parser("compare").parse_args(["compare", "a.csv", "--model", "pendulum", *words, "--quiet"])
    monkeypatch.setattr("identikit.cli.compare.save", lambda report, _: saved.append(report) or [])
    saved: list[ComparisonReport] = []
    assert compare_command.run(arguments) == 0
    line = command_of(saved[0], "compared.json")
    again = _parser("compare").parse_args([*shlex.split(line)[1:], "--quiet"])
    assert compare_command.run(again) == 0
    assert heard[0] == heard[1] and command_of(saved[1], "compared.json") == line


def test_a_comparison_that_does_not_hold_what_was_asked_has_no_line() -> None:
    question = Question.ask("a.csv", "pendulum").as_dict()
    assert command_of(ComparisonReport(Status(Code.OK, ""), question=question), "compared.json") == ""


def test_a_question_that_options_cannot_ask_is_read_from_the_saved_fit() -> None:
    question = Question.ask("a.csv", MODEL, start={"c": 0.1}).as_dict()
    answer = Result("m", "shooting", Status(Code.OK, ""), {}, question=question)
    assert command_of(answer, "my fit.json") == "identikit fit --again 'my fit.json'"
    in_memory = ik.Record.from_arrays(TIME, {"x": np.cos(TIME)})
    assert "--again" in command_of(
        Result("m", "shooting", Status(Code.OK, ""), {}, question=Question.ask(in_memory, "pendulum").as_dict()), "f"
    )
