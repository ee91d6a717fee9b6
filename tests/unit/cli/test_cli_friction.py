"""`identikit friction`: the list, one law in full, its picture, and what is refused."""

from __future__ import annotations

import json

import pytest

from identikit.cli.main import main
from identikit.model import FRICTION_LAWS


def test_every_law_is_listed_as_it_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["friction"]) == 0
    shown = capsys.readouterr().out
    assert all(law.call in shown for law in FRICTION_LAWS.values())
    assert main(["friction", "--json"]) == 0
    assert [item["name"] for item in json.loads(capsys.readouterr().out)] == list(FRICTION_LAWS)


def test_one_law_is_described_with_units_and_source_and_drawn(capsys: pytest.CaptureFixture[str], tmp_path) -> None:
    target = tmp_path / "law.svg"
    assert main(["friction", "lugre", "--set", "f_s=2", "--fastest", "0.2", "--plot", str(target)]) == 0
    shown = capsys.readouterr().out
    for piece in ("sigma_0 z + sigma_1 z'", "N*s/m", "Adds a state", "Reference: C. Canudas de Wit", "Saved: "):
        assert piece in shown
    assert target.stat().st_size > 5_000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["stribek"], "unknown friction law 'stribek'. Did you mean 'stribeck'?"),
        (["--set", "f_c=1"], "--set is about one law"),
        (["coulomb", "--fastest", "1"], "--fastest is about a picture: add --plot FILE"),
        (["coulomb", "--plot", "law.docx"], "the ending '.docx' is not known"),
        (["coulomb", "--set", "f_c=x", "--plot", "law.png"], "--set f_c is 'x': expected a number"),
        (["coulomb", "--set", "f=1", "--plot", "law.png"], "no parameter 'f'"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_written(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["friction", *words]) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
