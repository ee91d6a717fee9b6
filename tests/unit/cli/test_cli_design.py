"""`identikit design`: what is typed, what is written, and the exit codes."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import pytest

from front_doors import stub_door
from identikit.cli.main import main
from identikit.result import Code, DesignReport, PlannedExperiment, PlannedRun, Status

MODEL = """
name = "mass on a spring"
[states]
x = { unit = "m" }
v = { unit = "m/s" }
[parameters]
c = { value = 0.2, bounds = [0, 10] }
k = { value = 4, bounds = [0.01, 100] }
[inputs]
a = {}
[equations]
x = "v"
v = "a - c*v - k*x"
[outputs]
x = "x"
"""


@pytest.fixture
def given(tmp_path: Path) -> list[str]:
    (tmp_path / "spring.toml").write_text(MODEL)
    present = ["--initial", "x=100cm", "--duration", "10", "--dt", "0.05", "--noise", "x=1cm"]
    return ["design", "--model", str(tmp_path / "spring.toml"), *present, "--fits", "0", "--runs", "1"]


def test_a_plan_is_printed_and_written(given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    json_file, table = tmp_path / "plan.json", tmp_path / "plan.csv"
    picture = tmp_path / "plan.png"
    more = ["--limit", "x=-200cm:2", "--json", str(json_file), "--plot", str(picture), "-o", str(table)]
    assert main([*given, *more]) == 0
    said = capsys.readouterr().out
    for words in ("present", "What to do:", "measure x", "begin at x =", f"Saved: {json_file}"):
        assert words in said
    document = json.loads(json_file.read_text())
    assert document["schema"] == "identikit/design/1"
    chosen = next(item for item in document["experiments"] if item["name"] == document["recommended"])
    assert abs(chosen["runs"][0]["initial"]["x"]) == 2.0
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert len(rows) == chosen["runs"][0]["samples"] and float(rows[0]["t[s]"]) == 0.0
    assert picture.stat().st_size > 5000


def test_an_input_is_written_as_a_column(given: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = PlannedRun({"x": 1.0}, ((0.0, 10.0),), 0.1, 101)
    drives, known = {"a": "a sine"}, {"c": True, "k": True}
    driven = PlannedExperiment("one run", (run,), {}, {"a": "sin(2*t)"}, drives, {"x": 0.01}, 1.0, {}, known)
    report = DesignReport("m", Status(Code.OK, ""), "k", {}, "s", (driven,), "one run", model_text=MODEL)
    stub = stub_door(monkeypatch, "design", report)
    table = tmp_path / "plan.csv"
    assert main([*given, "--input-limit", "a=-1:1", "--criterion", "k", "--quiet", "-o", str(table)]) == 0
    asked = stub.calls[0][1]
    assert asked["input_limits"] == {"a": (-1.0, 1.0)} and asked["criterion"] == "k"
    assert asked["initial"] == {"x": 1.0} and asked["noise"] == {"x": 0.01}, "in the model's metres"
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert len(rows) == 101 and set(rows[0]) == {"run", "t[s]", "a"}
    for row in rows:
        assert float(row["a"]) == pytest.approx(math.sin(2 * float(row["t[s]"])))


def test_a_goal_out_of_reach_ends_with_3(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*given, "--reach", "c=0.1%"]) == 3
    assert "times the samples would do" in capsys.readouterr().err


def test_a_goal_that_is_reached_ends_with_0_though_another_parameter_stays_unknown(
    given: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    noisy = ["x=80cm" if text == "x=1cm" else text for text in given]
    assert main([*noisy, "--limit", "x=-20:20", "--samples", "40", "--reach", "k=20%"]) == 0
    assert "Warning: c stays unknown; 'one run' tells it." in capsys.readouterr().out


def test_where_nothing_would_move_the_option_that_helps_is_one_of_design(
    given: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["x=0" if text == "x=100cm" else text for text in given]) == 2
    said = capsys.readouterr().err
    assert "nothing moves" in said and "--initial STATE=VALUE" in said and "--start" not in said


@pytest.mark.parametrize(
    "wrong, words",
    [
        (["--limit", "x=5"], "expected two values with a colon"),
        (["--limit", "x=-1kg:1kg"], "kg"),
        (["--limit", "x=a:b"], "is not a number"),
        (["--spread", "200%"], "expected a share below one"),
        (["--reach", "c=much"], "expected a number"),
        (["--free", "k,k"], "listed twice"),
        (["--set", "k=-4"], "outside its bounds [0.01, 100]"),
        (["-o", "plan.xlsx"], "expected one of .csv"),
        (["swing.csv"], "a saved fit (--from FIT.json), not from data"),
    ],
)
def test_wrong_input_is_one_line(
    given: list[str], wrong: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*given, *wrong]) == 2
    said = capsys.readouterr()
    assert words in said.err and said.err.count("\n") == 1 and not said.out


def test_without_model_or_fit_it_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["design"]) == 2
    assert "--model nor --from" in capsys.readouterr().err
