"""Help, version and the lists of models and methods answer plainly and without heavy imports."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from identikit import __version__
from identikit.cli.main import COMMANDS, main
from identikit.method import method_names
from identikit.model import LIBRARY

HEAVY = ("numpy", "scipy", "sympy", "jax", "matplotlib", "pint", "pyarrow")


@pytest.mark.parametrize("arguments", [[], *[[name] for name in COMMANDS]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    program = (
        "import sys; from identikit.cli.main import main; code = main(sys.argv[1:]); "
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments, "--help"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("usage: identikit")
    assert done.stderr.strip() == "[]"


def test_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"identikit {__version__}\n"


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "identikit", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"identikit {__version__}\n"


def test_every_model_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()[1:] if line]
    assert listed[: len(LIBRARY)] == list(LIBRARY)


def test_one_model_is_described_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "horizontal_pendulum"]) == 0
    shown = capsys.readouterr().out
    for piece in (
        "d theta/dt = omega",
        "mu_c*sign(omega)",
        "theta [rad]",
        "0.1 to 10000",
        "free",
        "q_v",
        "Source:",
    ):
        assert piece in shown
    assert "60 s, a sample every 0.002 s, from theta = 0.523599" in shown


def test_a_model_file_is_described_too(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "spring.toml"
    file.write_text('[parameters]\nk = {}\n[equations]\nx = "v"\nv = "-k*x"\n')
    assert main(["models", str(file)]) == 0
    assert "d v/dt = -k*x" in capsys.readouterr().out


def test_models_as_json_are_a_list_of_objects(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "--json"]) == 0
    models = {item["name"]: item for item in json.loads(capsys.readouterr().out)}
    assert list(models) == list(LIBRARY)
    assert set(models["duffing"]) >= {"title", "states", "outputs", "inputs", "parameters", "ready"}
    assert set(models["duffing"]["parameters"]["k"]) >= {"value", "unit", "bounds", "fixed"}


def test_every_method_is_listed_and_described(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()[1:] if line]
    assert listed[: len(method_names())] == list(method_names())
    for name in method_names():
        assert main(["methods", name]) == 0
        assert "Reference: " in capsys.readouterr().out


def test_methods_as_json_are_a_list_of_objects(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods", "--json"]) == 0
    assert [item["name"] for item in json.loads(capsys.readouterr().out)] == list(method_names())


def test_a_reader_that_has_seen_enough_is_tolerated() -> None:
    """`true` closes the pipe without reading; what is printed is longer than what a pipe could still swallow."""
    program = (
        "import sys; from types import SimpleNamespace; from identikit.cli.main import COMMANDS, main; "
        "say = SimpleNamespace(configure=lambda parser: None, run=lambda arguments: print(10**6 * chr(97)) or 0); "
        "COMMANDS.register(chr(97), say); sys.exit(main([chr(97)]))"
    )
    line = f"({sys.executable} -c '{program}'; echo code $? >&2) | true"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True)
    assert done.stderr == "code 0\n"


def test_an_interrupt_ends_cleanly(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("identikit.question.find_model", interrupt)
    assert main(["models", "duffing"]) == 130
    assert capsys.readouterr().err == "identikit: interrupted\n"
