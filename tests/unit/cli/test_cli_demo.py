"""The demo writes what it says, and says where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import identikit
from identikit.cli.main import main
from identikit.result import Code, ComparisonReport, Status


def test_the_demo_writes_record_comparison_picture_and_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With stand-ins for the comparison, which takes a minute, and the report, which has tests of its own."""
    asked: dict[str, Any] = {}

    def compare(data: Path, model: str, **given: Any) -> ComparisonReport:
        asked.update(given, data=data, model=model)
        return ComparisonReport(Status(Code.OK, "ok"), ("All agree.",))

    monkeypatch.setattr(identikit, "compare", compare, raising=False)
    monkeypatch.setattr(identikit, "report", lambda what, path: Path(path).write_text("<html>"), raising=False)
    folder = tmp_path / "shown"
    assert main(["demo", "--folder", str(folder)]) == 0
    said = capsys.readouterr().out
    names = {"swing.csv", "comparison.json", "comparison.png", "report.html"}
    assert {path.name for path in folder.iterdir()} == names
    assert all(str(folder / name) in said for name in names) and "All agree." in said
    assert identikit.load(asked["data"])[0].channels["theta"].unit == "rad"
    assert asked["truth"] == {"zeta": 0.025, "mu_c": 0.015, "mu_q": 0.025, "k": 20.0}


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["demo", "--folder", str(tmp_path / "file" / "demo")]) == 2
    said = capsys.readouterr()
    assert "the folder cannot be made" in said.err and said.err.count("\n") == 1 and said.out == ""
