"""The page of a fit answers what was asked; only a discovery says which equations a record obeys."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pages import interactive
from saved_answers import MODEL_TEXT, fit

from front_doors import stub_door
from identikit.cli.main import main
from identikit.plotting import plot_panels
from identikit.reporting import Equations, Listing, ReportDocument, document_of
from identikit.result import Panel, Series, finding, sentences

BETTER = MODEL_TEXT.replace('"-2*zeta*v - k*x"', '"-2*zeta*v - k*x - zeta*v*abs(v)"')
LACKS_A_TERM = replace(fit("run"), discovered=BETTER, findings=(finding("missing_term", "zeta*v*abs(v) is missing"),))
LAW = {"law": {"kind": "equation", "equations": {"x": "v", "v": "-0.1*v - 20*x"}}}
DISCOVERY = replace(LACKS_A_TERM, artifacts={**LACKS_A_TERM.artifacts, **LAW})


def words(document: ReportDocument) -> str:
    return "\n".join(str(getattr(block, "text", "")) for item in document.sections for block in item.blocks)


def test_a_fit_that_lacks_a_term_has_the_page_of_a_fit() -> None:
    document = document_of(LACKS_A_TERM)
    assert document.kind == "Parameters of a model, estimated from a record"
    answer = document.sections[0]
    assert "What are zeta and k of run" in words(document) and "found no law" not in words(document)
    assert not any(isinstance(block, Equations) for block in answer.blocks), "the better model is not the user's"
    assert words(document).count(sentences(LACKS_A_TERM)) == 1
    shown = next(item for item in document.sections if item.title == "Equations")
    assert [block.text for block in shown.blocks if isinstance(block, Listing)] == [MODEL_TEXT, BETTER]


def test_a_discovery_has_the_page_of_a_law_and_says_its_summary_once() -> None:
    document = document_of(DISCOVERY)
    assert document.kind == "A law that was discovered"
    assert "Which equations does the record run.csv obey?" in words(document)
    assert isinstance(document.sections[0].blocks[1], Equations)
    assert words(document).count(sentences(DISCOVERY)) == 1


def test_what_asks_for_a_fit_again_is_not_printed_of_a_discovery(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stub = stub_door(monkeypatch, "report", None)
    for answer in (LACKS_A_TERM, DISCOVERY):
        answer.save(tmp_path / "fit.json")
        assert main(["report", str(tmp_path / "fit.json")]) == 0
    (_, fitted), (_, discovered) = stub.calls
    assert fitted["command"].startswith("identikit fit run.csv") and discovered["command"] == ""


def test_a_page_says_the_title_of_the_model() -> None:
    titled = replace(fit("run"), model_text=MODEL_TEXT.replace('name = "spring"', 'name = "spring"\ntitle = "A cart."'))
    assert "What are zeta and k of run (A cart), by the record run.csv?" in words(document_of(titled))
    assert "(A cart)" not in words(document_of(fit("run")))  # negative control


def test_a_band_has_a_name_in_the_legend_and_one_colour_on_screen_and_paper() -> None:
    curve = Series("model", (0.0, 1.0), (0.0, 1.0), low=(-1.0, 0.0), high=(1.0, 2.0), emphasis="model", band="95 %")
    panel = Panel("", "t", "x", (curve,))
    shown = {trace["name"]: trace for trace in interactive((panel,), (3.0,))["data"] if trace["showlegend"]}
    assert set(shown) == {"model", "95 %"}
    still = plot_panels((panel,), (3.0,), 5.0)
    assert [text.get_text() for text in still.legends[0].get_texts()] == ["95 %", "model"]
    colour = still.axes[0].collections[0].get_facecolor()[0]
    red, green, blue = (round(255 * part) for part in colour[:3])
    assert shown["95 %"]["fillcolor"] == f"rgba({red},{green},{blue},{colour[3]:g})"


def test_a_narrow_range_far_from_zero_has_plain_numbers_along_its_axis() -> None:
    narrow = Series("k", (0.0, 1.0), (19.9998, 20.0002))
    still = plot_panels((Panel("", "t", "k", (narrow,)),), (3.0,), 5.0)
    still.canvas.draw()
    assert still.axes[0].yaxis.get_offset_text().get_text() == ""
