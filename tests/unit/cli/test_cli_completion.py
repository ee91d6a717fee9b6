"""Shell completion: the words are those that the parsers take, and a key press runs nothing but the shell."""

from __future__ import annotations

import argparse
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from identikit.cli.main import COMMANDS, main
from identikit.method import METHODS
from identikit.model import LIBRARY

BASH = shutil.which("bash")
DRIVER = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_identikit
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("completion") / "identikit.bash"
    path.write_text(printed_by("bash"), encoding="utf-8")
    return path


def printed_by(shell: str) -> str:
    import contextlib
    import io

    with contextlib.redirect_stdout(io.StringIO()) as text:
        assert main(["completion", shell]) == 0
    return text.getvalue()


def offered(script: Path, *words: str, folder: Path | None = None) -> set[str]:
    """What bash offers for the last of the words, with no program within reach."""
    if BASH is None:
        pytest.skip("bash is not installed")
    done = subprocess.run(
        [BASH, "--norc", "-c", DRIVER, "bash", str(script), "identikit", *words],
        env={"PATH": ""},
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return set(done.stdout.split("\n")) - {""}


def options_of(name: str) -> set[str]:
    parser = argparse.ArgumentParser()
    COMMANDS.find(name).configure(parser)
    return {option for option in parser._option_string_actions if option.startswith("--")}


def test_every_command_is_offered(script: Path) -> None:
    assert offered(script, "") >= set(COMMANDS)
    assert offered(script, "dis") == {"discover"}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_options_of_a_command_are_those_of_its_parser(script: Path, name: str) -> None:
    assert {word for word in offered(script, name, "-") if word.startswith("--")} == options_of(name)


def test_models_and_methods_are_offered_where_one_is_meant(script: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").touch()
    assert offered(script, "fit", "--method", "", folder=tmp_path) == {"auto", *METHODS}
    assert offered(script, "fit", "--method=", "=", "sho", folder=tmp_path) == set()
    assert offered(script, "fit", "--method", "=", "sho", folder=tmp_path) == {"shooting"}
    assert offered(script, "fit", "--model", "", folder=tmp_path) == {"mine.toml", *LIBRARY}
    assert offered(script, "models", "lot", folder=tmp_path) == {"lotka_volterra"}
    assert offered(script, "fit", "--hold", "", folder=tmp_path) == {"linear", "zero_order", "cubic"}


def test_files_are_offered_where_one_is_meant_and_only_there(script: Path, tmp_path: Path) -> None:
    (tmp_path / "two words.csv").touch()
    assert offered(script, "fit", "tw", folder=tmp_path) == {"two words.csv"}
    assert offered(script, "fit", "--json", "tw", folder=tmp_path) == {"two words.csv"}
    assert offered(script, "fit", "--rate", "tw", folder=tmp_path) == set()
    assert offered(script, "fit", "--fix", "tw", folder=tmp_path) == set()


def test_after_a_switch_the_next_word_is_free(script: Path, tmp_path: Path) -> None:
    (tmp_path / "swing.csv").touch()
    assert offered(script, "fit", "--quiet", "sw", folder=tmp_path) == {"swing.csv"}


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_other_shells_read_their_script(shell: str, tmp_path: Path) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    path = tmp_path / "script"
    path.write_text(printed_by(shell), encoding="utf-8")
    done = subprocess.run([program, "-n", str(path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_every_command_and_option_stands_in_the_script_of_the_other_shells(shell: str) -> None:
    text = printed_by(shell)
    for name in COMMANDS:
        assert name in text
        for option in options_of(name):
            assert (option if shell == "zsh" else f" -l {option[2:]} ") in text


@pytest.fixture
def odd_command() -> Iterator[None]:
    """A command of another package, whose words a shell would run."""

    def configure(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--kind", choices=["$(touch hacked)", "it's"], help="`touch hacked`; 'x' $(touch hacked)")
        parser.add_argument("word", choices=["plain; touch hacked"])

    COMMANDS.register("odd", SimpleNamespace(configure=configure), "$(touch hacked) 'quoted' \\")
    yield
    COMMANDS.remove("odd")


@pytest.mark.usefixtures("odd_command")
def test_words_of_other_packages_are_quoted(tmp_path: Path) -> None:
    """Nothing in a script is run but what we wrote."""
    path = tmp_path / "script"
    path.write_text(printed_by("bash"), encoding="utf-8")
    assert offered(path, "odd", "--kind", "", folder=tmp_path) == {"$(touch hacked)", "it's"}
    assert offered(path, "odd", "", folder=tmp_path) == {"plain; touch hacked"}
    for shell in ("zsh", "fish"):
        program = shutil.which(shell)
        path.write_text("compdef() { : }\n" * (shell == "zsh") + printed_by(shell), encoding="utf-8")
        if program is not None:
            done = subprocess.run([program, str(path)], cwd=tmp_path, capture_output=True, text=True, check=False)
            assert (done.returncode, done.stderr) == (0, "")
    assert [item.name for item in tmp_path.iterdir()] == ["script"]


def test_an_unknown_shell_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "tcsh"]) == 2
    said = capsys.readouterr().err
    assert "bash" in said and said.count("\n") == 1
