"""Control characters in names from strangers do not reach a terminal; JSON keeps them, spelt as JSON spells them."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from front_doors import settled, stub_door
from identikit.cli.main import main
from identikit.progress import Listener, ProgressEvent
from identikit.question import Question
from identikit.result import Result

ACTING = ["\x1b[31m", "\x1b]0;owned\x07", "\r", "\x07", "\x08", "\x9b31m", "\u202e", "\u2066", "\u2028", "\x85", "\x00"]
EVIL = "a" + "".join(ACTING) + "b"


def is_safe(text: str) -> bool:
    return not any(character in text for piece in ACTING for character in piece if not character.isprintable())


def printing(monkeypatch: pytest.MonkeyPatch, text: str, *words: str) -> None:
    """A command prints this text."""

    def fit(question: Question, progress: Listener) -> Result:
        print(text)
        return settled()

    stub_door(monkeypatch, "fit", fit)
    assert main(["fit", "swing.csv", "--model", "duffing", *words]) == 0


@pytest.mark.parametrize("piece", ACTING)
def test_what_acts_on_a_terminal_is_spelt_out(
    piece: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    printing(monkeypatch, f"x{piece}y", "--quiet")
    shown = capsys.readouterr().out
    assert is_safe(shown) and shown.startswith("x\\") and shown.endswith("y\n")


@pytest.mark.parametrize("text", ["θ = 5 µm ± 2 °", "one\ntwo\tthree", "速度", "עברית", "é", "\N{GRINNING FACE}"])
def test_what_is_only_read_stays(
    text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Negative control."""
    printing(monkeypatch, text, "--quiet")
    assert capsys.readouterr().out == f"{text}\n"


def test_a_name_makes_no_line_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    printing(monkeypatch, "", "--json", "a\nidentikit: all is well")
    assert "Saved: a\\nidentikit: all is well\n" in capsys.readouterr().out


def test_halves_of_characters_and_characters_that_a_stream_lacks_are_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    printing(monkeypatch, "caf\udce9 \N{PLUS-MINUS SIGN} 1", "--quiet")
    assert raw.getvalue() == b"caf\\udce9 \\xb1 1\n"


def test_the_line_of_progress_moves_the_cursor_but_its_sentence_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", stream)

    def fit(question: Question, progress: Listener) -> Result:
        progress(ProgressEvent("solving", 0.5, f"{EVIL}\nx"))
        return settled()

    stub_door(monkeypatch, "fit", fit)
    assert main(["fit", "swing.csv", "--model", "duffing"]) == 0
    shown = stream.getvalue().removeprefix("\r\x1b[2K").removesuffix("\r\x1b[2K")
    assert shown and is_safe(shown) and "\n" not in shown


def evil_model(folder: Path) -> Path:
    text = json.dumps(EVIL + "\nidentikit: fine")  # TOML reads JSON's escapes
    path = folder / "evil.toml"
    path.write_text(
        f"name = {text}\ntitle = {text}\nsource = {text}\nnotes = [{text}]\n"
        f"[parameters]\nk = {{ value = 4, bounds = [0, 10], meaning = {text} }}\n"
        f'[states]\nx = {{ meaning = {text} }}\n[equations]\nx = "v"\nv = "-k*x"\n[outputs]\nx = "x"\n'
        "[ready]\ninitial = { x = 1 }\nduration = 3\ndt = 0.05\n"
    )
    return path


def test_a_described_model_is_shown_without_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", str(evil_model(tmp_path))]) == 0
    shown = capsys.readouterr().out
    assert is_safe(shown) and "\nidentikit: fine" not in shown


def test_an_error_is_shown_without_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    typed = EVIL.replace("\x00", "")  # which no argument can hold
    name = f"{typed}\nidentikit: fine.csv"
    (tmp_path / name).write_text("t,x\n0,1\n")
    for arguments in (
        ["fit", str(tmp_path / name), "--model", "duffing"],
        ["fit", typed, "--model", typed],
        ["fit", "x.csv", f"--{typed}"],
        ["models", typed],
        ["simulate", "duffing", "--set", f"{typed}=1"],
        ["simulate", "duffing", "-o", f"{typed}/a.csv"],
    ):
        assert main(arguments) == 2
        shown = capsys.readouterr().err
        assert is_safe(shown) and shown.count("\n") == 1


def test_a_fit_is_shown_without_them_and_its_json_keeps_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import pandas

    time = np.arange(0, 3, 0.05)
    column = EVIL + "\nidentikit: fine"
    data, saved = tmp_path / "data.parquet", tmp_path / f"{EVIL.replace(chr(0), '')}\n.json"
    pandas.DataFrame({"t": time, column: np.cos(2 * time)}).to_parquet(data)
    arguments = ["fit", str(data), "--model", str(evil_model(tmp_path)), "--map", f"x={column}"]
    assert main([*arguments, "--json", str(saved)]) in (0, 3)
    printed = capsys.readouterr()
    assert is_safe(printed.out + printed.err) and "\nidentikit: fine" not in printed.out
    assert json.loads(saved.read_text())["model"] == EVIL + "\nidentikit: fine"
    main([*arguments, "--json", "-"])
    printed = capsys.readouterr()
    assert is_safe(printed.out) and json.loads(printed.out)["model"] == EVIL + "\nidentikit: fine"


def test_the_streams_are_the_old_ones_afterwards() -> None:
    before = sys.stdout, sys.stderr
    main(["methods"])
    assert (sys.stdout, sys.stderr) == before
