"""`fit` reads what `simulate` writes, prints and saves, and says when its numbers are not to be trusted."""

from __future__ import annotations

import io
import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from front_doors import question_of, settled, stub_door
from identikit.cli.main import main
from identikit.measurement import load
from identikit.progress import Listener, ProgressEvent
from identikit.question import Question
from identikit.result import Result

TRUE = {"c": 0.1, "k": 1.0, "k3": 0.5}


@pytest.fixture(scope="module")
def duffing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("duffing") / "swing.csv"
    assert main(["simulate", "duffing", "--seed", "1", "-o", str(file)]) == 0
    return file


def test_the_round_trip_finds_the_true_values_and_saves_them(
    duffing: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved, picture = tmp_path / "fit.json", tmp_path / "fit.png"
    code = main(["fit", str(duffing), "--model", "duffing", "--json", str(saved), "--plot", str(picture)])
    assert code == 0
    result = Result.load(saved)
    for name, value in TRUE.items():
        item = result.parameters[name]
        assert item.value is not None
        assert item.std is not None
        assert abs(item.value - value) < 4 * item.std
        assert item.std < 0.05 * value
    printed = capsys.readouterr()
    assert printed.err == ""
    assert printed.out == f"{result}\nSaved: {saved}, {picture}\n"
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert {path.name for path in tmp_path.iterdir()} == {"fit.json", "fit.png"}


def test_json_on_standard_output_replaces_the_table(duffing: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit", str(duffing), "--model", "duffing", "--json", "-"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "identikit/result/1"
    assert document["parameters"]["m"] == {**document["parameters"]["m"], "value": 1.0, "role": "fixed"}


def test_quiet_prints_nothing(duffing: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit", "--model", "duffing", "--quiet", str(duffing)]) == 0
    assert capsys.readouterr() == ("", "")


def test_a_fit_not_to_be_trusted_is_saved_with_exit_code_3(
    duffing: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "fit.json"
    common = ["fit", str(duffing), "--model", "duffing", "--free", "m,c,k,k3", "--json", str(saved)]
    assert main(common) == 3
    assert Result.load(saved).status.code == "not_identifiable"
    assert "cannot be told apart" in capsys.readouterr().out
    assert main([*common, "--quiet"]) == 3
    assert capsys.readouterr().err.startswith("identikit: the fit is not to be trusted (not identifiable): ")


def test_a_method_that_does_not_apply_ends_with_exit_code_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    short = tmp_path / "short.csv"
    short.write_text("t,x\n0,1\n0.1,0.9\n0.2,0.7\n")
    picture = tmp_path / "fit.png"
    assert main(["fit", str(short), "--model", "duffing", "--plot", str(picture)]) == 3
    printed = capsys.readouterr().out
    assert "3 measured values for 5 unknowns" in printed
    assert printed.rstrip().splitlines()[-2].endswith("Options that may help: --fix NAME=VALUE.")
    assert picture.exists()


def test_columns_units_segments_and_trim_are_understood(
    duffing: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    header, *rows = duffing.read_text().splitlines()
    assert header == "t[s],x[m]"
    lines = ["clock_ms,run,position"]
    for run in (1, 2):
        for row in rows:
            t, x = map(float, row.split(","))
            lines.append(f"{1000 * t!r},{run},{1000 * x!r}")
    file = tmp_path / "log.csv"
    file.write_text("\n".join(lines) + "\n")
    arguments = [str(file), "--model", "duffing", "--time", "clock_ms", "--segments", "run"]
    arguments += ["--map", "x=position", "--unit", "position=mm", "clock_ms=ms", "--trim", "0:20000"]
    problem = question_of(monkeypatch, *arguments, "--bounds", "k=-5:5", "--start", "k=0.9").problem()
    original = load(duffing)[0].channels["x"].values
    assert len(problem.records) == 2 and problem.samples == 802
    for record in problem.records:
        assert record.time[-1] == pytest.approx(20.0)
        assert record.values[:, 0] == pytest.approx(original[: len(record.time)])
    assert problem.bounds["k"] == (-5.0, 5.0) and problem.start["k"] == 0.9


def test_progress_shows_on_a_terminal_and_never_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    def half_way(question: Question, progress: Listener) -> Result:
        assert progress(ProgressEvent("solving", 0.5, "round 1"))
        return settled()

    stub_door(monkeypatch, "fit", half_way)
    for stream, words, shown in (
        (Terminal(), [], True),
        (Terminal(), ["--quiet"], False),
        (io.StringIO(), [], False),
    ):
        monkeypatch.setattr(sys, "stderr", stream)
        assert main(["fit", "swing.csv", "--model", "duffing", *words]) == 0
        assert ("50 %  solving: round 1" in stream.getvalue()) is shown
        assert stream.getvalue().endswith("\r\x1b[2K") is shown


def test_the_two_commands_of_the_front_page_run_as_typed(tmp_path: Path) -> None:
    def type_in(line: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "identikit", *line.split()[1:]]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    made = type_in(
        "identikit simulate horizontal_pendulum --set zeta=0.05 --duration 10 --dt 0.01 --noise theta=0.002 "
        "--seed 1 -o swing.csv"
    )
    assert (made.returncode, made.stdout, made.stderr) == (0, "", "")
    found = type_in(
        "identikit fit swing.csv --model horizontal_pendulum --method shooting --free zeta,mu_c,mu_q,k --json fit.json"
    )
    # Ten seconds are too short to tell the three dampings apart, and the fit says so; the stiffness it knows.
    assert (found.returncode, found.stderr) == (3, "")
    assert "zeta, mu_c and mu_q cannot be told apart by this record" in found.stdout
    result = Result.load(tmp_path / "fit.json")
    stiffness = result.parameters["k"]
    assert stiffness.std is not None
    assert math.isclose(result.value("k"), 20.0, abs_tol=5 * stiffness.std)


def test_a_fit_reads_from_a_pipe(duffing: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Standard input is one that cannot be read twice."""
    before = os.dup(0)
    with subprocess.Popen(["cat", str(duffing)], stdout=subprocess.PIPE) as piped:
        assert piped.stdout is not None
        os.dup2(piped.stdout.fileno(), 0)
        try:
            assert main(["fit", "-", "--model", "duffing"]) == 0
        finally:
            os.dup2(before, 0)
            os.close(before)
    printed = capsys.readouterr()
    assert "There are no warnings." in printed.out and printed.err == ""
