"""Published items: every row has what it promises, files are whole, and a run that was cut off goes on."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from identikit import report
from identikit.errors import IdentikitError, OptionError
from identikit.reproduce import ITEMS, Item, Outcome, Scale, _run, reproduce
from identikit.reproduce._base import PENDULUM_REPORT
from identikit.result import Panel, PublishedFigure, Reproduction, Series


@pytest.mark.parametrize("key", list(ITEMS))
def test_an_item_is_what_its_row_says(key: str) -> None:
    item = ITEMS.find(key)
    assert item.key == key
    assert ITEMS.summary(key).startswith(item.where)


@pytest.fixture
def counted() -> Iterator[list[str]]:
    """Two small items beside the real ones; the list tells how often the first was done."""
    runs: list[str] = []

    def run(scale: Scale, progress: object) -> Outcome:
        runs.append("quick" if scale.quick else "whole")
        figure = PublishedFigure("<script>", "error", "%", 1.5, 1.4, 0.1, 0.05, "printed & wrong")
        return Outcome((figure,), (Panel("p", "time [s]", "x [m]", (Series("a", (0.0, 1.0), (1.0, 2.0)),)),), seeds=3)

    ITEMS.register("test-item", Item("test-item", PENDULUM_REPORT, "Table 0", "a test", run), "Table 0")
    yield runs
    ITEMS.remove("test-item")


def test_what_is_written_reads_back_and_text_is_escaped(tmp_path: Path, counted: list[str]) -> None:
    (found,) = reproduce("test-item", tmp_path)
    assert Reproduction.load(tmp_path / "test-item.json") == found
    rows = list(csv.DictReader((tmp_path / "test-item.csv").read_text().splitlines()))
    assert rows[0]["printed"] == "1.5" and rows[0]["bound"] == "0.05"
    assert (tmp_path / "test-item.png").stat().st_size > 1000
    page = (tmp_path / "index.html").read_text()
    assert "&lt;script&gt;" in page and "<script>" not in page
    assert {"printed", "obtained", "bound"} <= set(json.loads(found.to_json())["figures"][0])


def test_what_is_there_is_not_done_again_unless_asked(tmp_path: Path, counted: list[str]) -> None:
    for _ in range(2):
        reproduce("test-item", tmp_path)
    assert counted == ["whole"]
    reproduce("test-item", tmp_path, again=True)
    reproduce("test-item", tmp_path, quick=True)
    assert counted == ["whole", "whole", "quick"]


def test_an_unknown_key_is_refused_with_a_near_one(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="pendulum-figure-1") as caught:
        reproduce("pendulum-figure1", tmp_path / "none")
    assert "--list" in str(caught.value) and len(str(caught.value)) < 400, "58 names are no message"
    assert not (tmp_path / "none").exists()


def test_items_that_fail_are_named_when_the_others_are_done(
    tmp_path: Path, counted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    reproduce("test-item", tmp_path)

    def begun(keys: tuple[str, ...], folder: Path, quick: bool) -> _run._Worker:
        said = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the worker has ended
        words = [sys.executable, "-c", "import sys; sys.exit('energy-figure-1: no such record')"]
        return _run._Worker(keys, subprocess.Popen(words, stderr=said), said)

    monkeypatch.setattr(_run, "_begun", begun)
    with pytest.raises(IdentikitError, match=r"energy-figure-1.*no such record.*1 of 3 are in"):
        reproduce(["test-item", "energy-figure-1", "energy-figure-3"], tmp_path)
    assert "test-item" in (tmp_path / "index.html").read_text()


def test_several_items_are_reported_on_one_page(tmp_path: Path, counted: list[str]) -> None:
    items = reproduce("test-item", tmp_path)
    page = report([*items, *items], tmp_path / "both.html", interactive=False)
    assert page.count(f"{items[0].source}, {items[0].where}: {items[0].title}") >= 2
    assert "&lt;script&gt;" in page and "<td><script>" not in page
