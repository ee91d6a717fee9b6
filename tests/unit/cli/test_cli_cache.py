"""`identikit cache`: where kernels are kept; what it deletes; and that a warmed model's fit finds all it needs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from identikit.cli.main import main
from identikit.simulation import kernel_store

MODEL = """name = "decay"
[parameters]
a = { bounds = [0, 10], value = 1 }
[equations]
x = "-a*x"
"""


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A model file, and an empty store of this test's own."""
    for name, variable in (("cache", "IDENTIKIT_CACHE"), ("state", "XDG_STATE_HOME")):
        (tmp_path / name).mkdir(mode=0o700)
        monkeypatch.setenv(variable, str(tmp_path / name))
    path = tmp_path / "decay.toml"
    path.write_text(MODEL)
    return str(path)


def test_a_fit_after_warming_compiles_nothing(model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "warm", model, "--json"]) == 0
    warmed = json.loads(capsys.readouterr().out)
    assert warmed["kernels"] > 0 and Path(warmed["folder"]).is_dir()
    data = str(tmp_path / "decay.csv")
    words = ["simulate", model, "--initial", "x=1", "--duration", "3", "--dt", "0.05", "--noise", "x=0.01", "-o", data]
    assert main(words) == 0
    assert main(["fit", data, "--model", model]) == 0
    capsys.readouterr()
    assert main(["cache", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == warmed
    assert main(["cache", "clear"]) == 0
    assert f"Deleted {warmed['kernels']} compiled kernels" in capsys.readouterr().out
    store = kernel_store()
    assert store is not None and store.size().kernels == 0


def test_without_a_store_the_command_says_why(
    model: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("IDENTIKIT_CACHE", "")
    assert main(["cache"]) == 0
    assert "Nothing is kept: IDENTIKIT_CACHE is empty" in capsys.readouterr().out
    assert main(["cache", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"folder": None}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["warm"], "cache warm needs a model"),
        (["warm", "duffingg"], "Did you mean 'duffing'?"),
        (["warm", "duffing", "--free", "kk"], "no parameter 'kk'"),
        (["clear", "duffing"], "only warm is about a model"),
        (["--free", "k"], "--free is about a model"),
    ],
)
def test_wrong_words_are_refused_in_one_line(
    model: str, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cache", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line
