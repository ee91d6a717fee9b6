"""Without a home, and with a cache that cannot be written to, everything works as before, only compiled anew."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import identikit
from identikit.simulation import cache_folder, kernel_store

WHERE = ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "IDENTIKIT_CACHE")


def test_a_simulation_runs_without_home_and_says_nothing(tmp_path: Path) -> None:
    """A user that the system has never heard of, as in a container: no HOME and no entry among the users."""
    script = (
        "import os, pwd, sys\n"
        "def nobody(*_): raise KeyError\n"
        "pwd.getpwuid = nobody\n"
        "from identikit.cli.main import main\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    keep = {name: value for name, value in os.environ.items() if name not in WHERE}
    keep["PYTHONPATH"] = str(Path(identikit.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script, "simulate", "duffing", "--duration", "1", "--dt", "0.5"],
        env=keep,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("t[s],x")
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in WHERE:
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def test_the_usual_cache_is_in_the_home(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environment.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "identikit"
    environment.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
    assert cache_folder() == tmp_path / "other" / "identikit"
    environment.setenv("XDG_CACHE_HOME", "relative")  # its specification: to be ignored
    assert cache_folder() == tmp_path / ".cache" / "identikit"
    environment.setenv("IDENTIKIT_CACHE", "")
    assert cache_folder() is None and kernel_store() is None


def test_a_file_in_the_place_of_the_cache_means_no_cache(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".cache").write_text("")
    environment.setenv("HOME", str(tmp_path))
    assert kernel_store() is None
    environment.setenv("IDENTIKIT_CACHE", str(tmp_path / ".cache"))
    assert kernel_store() is None
    environment.setenv("IDENTIKIT_CACHE", "/proc/nowhere")
    assert kernel_store() is None
