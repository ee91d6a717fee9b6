"""`identikit identifiability`: what is printed, written and returned."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from identikit.cli.main import main

SPRING = """name = "spring"
[states]
x = {}
v = {}
[parameters]
m = {}
c = {}
k = {}
[equations]
x = "v"
v = "-(c*v + k*x)/m"
[outputs]
x = "x"
"""


@pytest.fixture
def spring(tmp_path: Path) -> str:
    (tmp_path / "spring.toml").write_text(SPRING)
    return str(tmp_path / "spring.toml")


def test_what_cannot_be_identified_is_named_and_returns_3(
    spring: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "told.json"
    plan = ["--set", "m=1", "c=0.1", "k=4", "--duration", "10", "--dt", "0.1", "--noise", "x=0.01", "--initial", "x=1"]
    assert main(["identifiability", "--model", spring, *plan, "--json", str(saved)]) == 3
    said = capsys.readouterr().out
    for words in ("m, c and k can be multiplied by one common factor", "determined: c/m, k/m", "--fix m=VALUE"):
        assert words in said
    assert json.loads(saved.read_text())["structural"]["rank"] == 4


def test_what_can_be_identified_returns_0(spring: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["identifiability", "--model", spring, "--fix", "m=1"]) == 0
    assert "c and k can be identified" in capsys.readouterr().out


def test_wrong_input_returns_2_in_one_line(spring: str, capsys: pytest.CaptureFixture[str]) -> None:
    for words in ([], ["--model", spring, "--known", "z"], ["--model", spring, "--duration", "3"]):
        assert main(["identifiability", *words]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_record_may_be_named_like_that_of_every_other_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "spring.csv"
    assert main(["simulate", "duffing", "--duration", "10", "--dt", "0.05", "--seed", "1", "-o", str(record)]) == 0
    said = []
    for words in ([str(record), "--model", "duffing"], ["--model", "duffing", "--data", str(record)]):
        assert main(["identifiability", *words]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] and "By the given record (201 samples" in said[0]
