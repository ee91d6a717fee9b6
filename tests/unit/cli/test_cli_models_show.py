"""`identikit models NAME --show VIEW` draws a picture, prints what was found, and refuses in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from identikit.cli.main import main
from identikit.cli.models import VIEWS as OFFERED
from identikit.explore import VIEWS


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_views_offered_are_those_there_are() -> None:
    assert tuple(VIEWS) == OFFERED


def test_without_a_name_the_picture_is_named_after_model_and_view(
    empty_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["models", "magnetic_pendulum", "--show", "wells"]) == 0
    shown = capsys.readouterr().out
    assert "-0.522899" in shown and "0.421461" in shown
    assert shown.endswith("Saved: magnetic_pendulum-wells.png\n")
    assert [path.name for path in empty_folder.iterdir()] == ["magnetic_pendulum-wells.png"]


def test_basins_are_printed_with_their_boundaries(empty_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = [
        "models",
        "duffing",
        "--show",
        "basins",
        "--set",
        "k=-1",
        "k3=0.25",
        "--range",
        "x=-2.5:2.5",
        "-o",
        "b.svg",
    ]
    assert main(command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[:2] == ["A", "-2"] and lines[2].split()[:2] == ["B", "2"]
    assert ["0", "A", "to", "B"] in [line.split() for line in lines]
    assert (empty_folder / "b.svg").read_bytes().startswith(b"<?xml")


def test_a_model_file_can_be_shown(empty_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("spring.toml").write_text('[parameters]\nk = 4\nc = 0.2\n[equations]\nx = "v"\nv = "-k*x - c*v"\n')
    assert main(["models", "spring.toml", "--show", "portrait", "--initial", "x=1"]) == 0
    shown = capsys.readouterr().out
    assert "stable, a focus" in shown and "Saved: spring-portrait.png" in shown
    assert Path("spring-portrait.png").is_file()


def test_the_exponent_is_printed_with_its_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "duffing", "--show", "lyapunov", "--duration", "400"]) == 0
    shown = capsys.readouterr().out.split()
    assert shown[:3] == ["Largest", "Lyapunov", "exponent"]
    assert float(shown[3]) == pytest.approx(-0.05, abs=0.005)
    assert shown[4] == "+-" and 0 < float(shown[5]) < 0.005


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tank_reactor", "--show", "wells"], "not of one degree of freedom"),
        (["double_pendulum", "--show", "energy"], "not of one degree of freedom"),
        (["friction_drive", "--show", "wells"], "never vanishes"),
        (["duffing", "--show", "basins", "--set", "F=1"], "depends on time"),
        (["duffing", "--show", "basins", "--set", "c=0"], "nothing damps"),
        (["van_der_pol", "--show", "basins"], "unstable"),
        (["tank_reactor", "--show", "poincare"], "steps"),
        (["duffing", "--show", "welds"], "invalid choice"),
        (["duffing", "--show", "wells", "--set", "q=1"], "no parameter 'q'"),
        (["duffing", "--show", "wells", "--set", "k=stiff"], "expected a number"),
        (["duffing", "--show", "wells", "--initial", "y=1"], "no state 'y'"),
        (["duffing", "--show", "wells", "--range", "x=1:"], "expected both ends"),
        (["duffing", "--show", "wells", "--range", "x=1:0"], "lower first"),
        (["duffing", "--show", "wells", "--duration", "3"], "takes no duration"),
        (["duffing", "--show", "wells", "-o", "w.gif"], "expected one of .png"),
        (["duffing", "--show", "wells", "-o", "none/w.png"], "no folder"),
        (["duffing", "--show", "wells", "--json"], "give one of them"),
        (["--show", "wells"], "needs a model"),
        (["duffing", "--set", "k=1"], "say which with --show"),
        (["pendulums", "--show", "wells"], "Did you mean 'pendulum'"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line_and_nothing_is_written(
    arguments: list[str], words: str, empty_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["models", *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert words in shown.err
    assert shown.err.count("\n") == 1
    assert list(empty_folder.iterdir()) == []
