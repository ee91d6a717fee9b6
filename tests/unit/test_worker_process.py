"""A process of its own imports what this one imports, and its last words are kept."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from identikit.worker_process import WorkerProcess


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the user is in, with a module among the data."""
    (tmp_path / "among_the_data.py").write_text("import sys; sys.exit('this was run')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [item for item in sys.path if item])
    return tmp_path


def ending(module: str) -> str:
    worker = WorkerProcess(module)
    try:
        worker.process.wait()
        return worker.how_it_ended()
    finally:
        worker.end()


def test_a_module_among_the_data_is_not_run(folder: Path) -> None:
    assert "No module named among_the_data" in ending("among_the_data")


def test_where_this_process_looks_in_the_folder_the_other_does_too(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Negative control: an interactive session, or python -c."""
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    assert ending("among_the_data") == "exit code 1: this was run"


def test_one_that_runs_on_is_ended_when_asked_how_it_ended(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "among_the_data.py").write_text("import time; time.sleep(600)")
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    worker = WorkerProcess("among_the_data", talks=True)
    assert worker.how_it_ended() == "what it wrote could not be read"
    assert worker.ended
    worker.end()
