"""Published items: every row has what it promises, files are whole, and a run that was cut off goes on."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import pytest

from identikit import report
from identikit.errors import IdentikitError, OptionError
from identikit.progress import Cancelled, Progress, ProgressEvent
from identikit.result import Panel, PublishedFigure, Reproduction, Series
from identikit_published import ITEMS, Item, Outcome, Scale, reproduce

DOCUMENT = "a document", "nobody, nowhere"


@pytest.mark.parametrize("key", list(ITEMS))
def test_the_work_of_every_item_is_where_its_row_says(key: str) -> None:
    item = ITEMS.find(key)
    assert isinstance(item.work, str)
    module, _, name = item.work.partition(":")
    assert callable(getattr(import_module(module), name))
    assert key.rpartition("-")[2] in item.work and ITEMS.summary(key) == f"{item.where}: {item.title}"


@pytest.fixture
def counted() -> Iterator[list[str]]:
    """Two small items beside the real ones; the list tells how often the first was done."""
    runs: list[str] = []

    def run(scale: Scale, progress: object) -> Outcome:
        runs.append("quick" if scale.quick else "whole")
        figure = PublishedFigure("<script>", "error", "%", 1.5, 1.4, 0.1, 0.05, "printed & wrong")
        return Outcome((figure,), (Panel("p", "time [s]", "x [m]", (Series("a", (0.0, 1.0), (1.0, 2.0)),)),), seeds=3)

    ITEMS.register("test-item", Item("test-item", *DOCUMENT, "Table 0", "a test", run), "Table 0")
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


def test_items_that_fail_are_named_when_the_others_are_done(tmp_path: Path, counted: list[str]) -> None:
    """The two are known in this process only, so that the other one, a real one, fails with them."""
    reproduce("test-item", tmp_path)
    broken = ("test-broken", "test-broken-too")
    for key in broken:
        ITEMS.register(key, ITEMS.find("test-item"), "Table 0")
    try:
        with pytest.raises(IdentikitError, match=r"test-broken and test-broken-too failed.*1 of 3 are in"):
            reproduce(["test-item", *broken], tmp_path)
    finally:
        for key in broken:
            ITEMS.remove(key)
    assert "test-item" in (tmp_path / "index.html").read_text()


def _runs_on(scale: Scale, progress: Progress) -> Outcome:
    for step in range(3):
        progress(step / 3, f"step {step}")  # nobody looks at the answer
    return Outcome(notes=("made of fits that were asked to stop",))


def _trips_over_it(scale: Scale, progress: Progress) -> Outcome:
    found = [step for step in range(3) if progress.part(0.0, 1.0).stopped]
    try:
        progress(0.5, "a fit")
    except Cancelled:  # as a method does that has a best so far
        found = []
    return Outcome(notes=(str(found[0]),))


def _hands_over(scale: Scale, progress: Progress) -> Outcome:
    try:
        progress.stage("solving", 0.5, 1.0, "a fit")
    except Cancelled:
        return Outcome(notes=("the best so far",))
    return Outcome(notes=("whole",))


@pytest.mark.parametrize("run", [_runs_on, _trips_over_it, _hands_over])
def test_nothing_is_written_of_an_item_that_was_asked_to_stop(
    run: Callable[[Scale, Progress], Outcome], tmp_path: Path, counted: list[str]
) -> None:
    def listener(event: ProgressEvent) -> bool:
        return event.fraction == 0.0

    ITEMS.register("test-stopped", Item("test-stopped", *DOCUMENT, "Table 9", "stops", run), "Table 9")
    try:
        assert reproduce("test-stopped", tmp_path, progress=listener) == []
    finally:
        ITEMS.remove("test-stopped")
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]


def test_a_damaged_file_is_left_out_of_the_index(tmp_path: Path, counted: list[str]) -> None:
    (tmp_path / "pendulum-table-1.json").write_text("{ damaged")
    reproduce("test-item", tmp_path)
    page = (tmp_path / "index.html").read_text()
    assert 'id="test-item"' in page and "pendulum-table-1" not in page


def test_several_items_are_reported_on_one_page(tmp_path: Path, counted: list[str]) -> None:
    items = reproduce("test-item", tmp_path)
    page = report([*items, *items], tmp_path / "both.html", interactive=False)
    assert page.count(f"{items[0].source}, {items[0].where}: {items[0].title}") >= 2
    assert "&lt;script&gt;" in page and "<td><script>" not in page
