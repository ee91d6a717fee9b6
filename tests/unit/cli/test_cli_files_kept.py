"""Nothing that a command reads is overwritten by what it writes, however the file is spelt."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from identikit.cli.main import main

MODEL = '[parameters]\nk = 4\n[inputs]\nu = 0\n[equations]\nx = "v"\nv = "u - k*x"\n[ready]\nduration = 1\ndt = 0.1\n'
DATA = "t,x,u\n" + "".join(f"{0.1 * i},{(-1) ** i},0\n" for i in range(30))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "model.toml").write_text(MODEL)
    (tmp_path / "data.csv").write_text(DATA)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def plain(read: Path, ending: str) -> str:
    return read.name


def dotted(read: Path, ending: str) -> str:
    return f"./../{read.parent.name}/./{read.name}"


def linked(read: Path, ending: str) -> str:
    (read.parent / f"link{ending}").symlink_to(read.name)
    return f"link{ending}"


def hard_linked(read: Path, ending: str) -> str:
    (read.parent / f"hard{ending}").hardlink_to(read)
    return f"hard{ending}"


SPELLINGS = [plain, dotted, linked, hard_linked]
FIT = ["fit", "data.csv", "--model", "model.toml"]
COMMANDS = {
    "fit --json": (FIT, "--json", ".json"),
    "fit --plot": (FIT, "--plot", ".png"),
    "fit --report": (FIT, "--report", ".html"),
    "damping --json": (["damping", "data.csv", "--model", "model.toml"], "--json", ".json"),
    "damping --plot": (["damping", "data.csv", "--model", "model.toml"], "--plot", ".png"),
    "simulate -o": (["simulate", "model.toml", "--inputs-from", "data.csv"], "-o", ".csv"),
    "models -o": (["models", "model.toml", "--show", "wells"], "-o", ".png"),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("read", ["data.csv", "model.toml"])
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_read_is_not_written(
    command: str, read: str, spelling: Callable[..., str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, option, ending = COMMANDS[command]
    if command == "models -o" and read == "data.csv":
        return
    written = spelling(folder / read, ending)
    refused_by_ending = not written.endswith(ending) and option != "--json"
    assert main([*arguments, option, written]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.count("\n") == 1
    assert ("ending" if refused_by_ending else "is the same file as") in printed.err
    assert (folder / "model.toml").read_text() == MODEL and (folder / "data.csv").read_text() == DATA


def test_a_file_that_comes_through_stdin_is_kept(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stdin = os.dup(0)
    try:
        with (folder / "data.csv").open() as source:
            os.dup2(source.fileno(), 0)
            assert main(["fit", "-", "--model", "model.toml", "--json", "data.csv"]) == 2
    finally:
        os.dup2(stdin, 0)
        os.close(stdin)
    assert "is the same file as -, which is read" in capsys.readouterr().err


def test_two_outputs_through_two_links_to_one_new_file_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one.json", "two.png"):
        (folder / name).symlink_to("new")
    assert main([*FIT, "--json", "one.json", "--plot", "two.png"]) == 2
    assert "same file" in capsys.readouterr().err
    assert not (folder / "new").exists()


def test_a_link_to_itself_is_refused_in_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "loop.json").symlink_to("loop.json")
    code = main([*FIT, "--json", "loop.json"])
    assert code in (0, 2, 3)  # replaced by the result, or refused
    assert "Traceback" not in capsys.readouterr().err


def test_a_model_of_the_library_is_no_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Negative control: a name of the library may be the name of the file that is written."""
    for _ in range(2):
        assert main(["simulate", "duffing", "--duration", "1", "--dt", "0.1", "-o", "duffing"]) == 0


def test_stdin_that_is_no_file_protects_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Negative control: with data from a pipe, the only files are those that are named."""
    monkeypatch.setattr("sys.stdin", io.StringIO(DATA))
    assert main([*FIT, "--json", "other.json", "--quiet"]) in (0, 3)
    assert (folder / "other.json").exists()
