"""`identikit look`: what a newcomer reads, and what can be typed next."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import numpy as np
import pytest

from front_doors import settled, stub_door
from identikit.cli.main import main
from motions import SIGMA, TIMES, dry, two_modes, viscous, white


def written(path: Path, header: str, *columns: np.ndarray) -> str:
    np.savetxt(path, np.stack(columns, 1), delimiter=",", header=header, comments="", fmt="%.6f")
    return str(path)


@pytest.fixture
def swing(tmp_path: Path) -> str:
    return written(tmp_path / "my swing.csv", "t_s,theta[rad],run", TIMES, viscous() + SIGMA * white(1), TIMES * 0)


def test_it_says_what_is_there_and_what_to_type_next(swing: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["look", swing]) == 0
    said = capsys.readouterr().out
    for words in ("4000 samples", "100 Hz", "evenly spaced", "no gaps", "free decay of one oscillation", "white"):
        assert words in said
    assert len(said.splitlines()) < 20


def test_what_it_suggests_can_be_typed(
    swing: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    main(["look", swing])
    commands = [line.strip() for line in capsys.readouterr().out.splitlines() if line.strip().startswith("identikit ")]
    assert [shlex.split(line)[1] for line in commands] == ["damping", "fit"]
    for line in commands:
        words = shlex.split(line)[1:]
        stub = stub_door(monkeypatch, words[0], settled())
        assert main([*words, "--quiet"]) == 0
        question = stub.calls[0][0][0]
        for column in question.outputs.values():
            assert question.experiment()[0].require(column)
        if question.model:
            assert set(question.outputs or {"theta": ""}) <= set(question.problem().outputs)


def test_an_output_of_your_own_model_is_left_to_fill_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path / "two.csv", "t,cart position", TIMES, two_modes() + SIGMA * white(1))
    main(["look", file])
    assert "--model MODEL.toml --map 'OUTPUT=cart position'" in capsys.readouterr().out


def test_json_and_picture_are_written(swing: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved, drawn = tmp_path / "look.json", tmp_path / "look.png"
    assert main(["look", swing, "--json", str(saved), "--plot", str(drawn), "--quiet"]) == 0
    assert capsys.readouterr().out == ""
    document = json.loads(saved.read_text())
    assert document["schema"] == "identikit/look/1"
    assert document["motion"]["kind"] == "free_decay"
    assert drawn.stat().st_size > 10_000
    assert main(["look", swing, "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["columns"][0]["name"] == "theta"


def test_the_options_a_file_was_read_with_are_in_the_suggestion(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path / "log.csv", "stamp,angle", TIMES, dry() + SIGMA * white(1))
    assert main(["look", file, "--time", "stamp", "--unit", "angle=rad", "stamp=s", "--trim", "0:30"]) == 0
    said = capsys.readouterr().out
    assert "--time stamp --unit angle=rad stamp=s --map x=angle --trim 0:30" in said


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["look", "nowhere.csv"], "There is no file nowhere.csv"),
        (["look", "FILE", "--map", "x=thta"], "no column 'thta'"),
        (["look", "FILE", "--plot", "look.doc"], "the ending '.doc' is not known"),
        (["look"], "DATA"),
    ],
)
def test_wrong_input_is_one_line_and_exit_code_two(
    words: list[str], expected: str, swing: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([swing if word == "FILE" else word for word in words]) == 2
    said = capsys.readouterr().err
    assert expected in said
    assert len(said.strip().splitlines()) == 1
