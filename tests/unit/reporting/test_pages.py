"""Every kind of answer becomes one page that loads nothing, in which texts from outside are text."""

from __future__ import annotations

import ast
import base64
import gzip
import re
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pages import Page, figures, interactive
from saved_answers import ANSWERS, COMPARED, HOSTILE, TRUTH, ComparisonReport, comparison, damping, fit, look, selection

import identikit as ik
from identikit.errors import OptionError
from identikit.plotting import PALETTE
from identikit.reporting import REPORTS, Block, Facts, Listing, Paragraph, ReportDocument, Table, document_of
from identikit.result import (
    Code,
    DampingReport,
    DesignReport,
    IdentifiabilityReport,
    Panel,
    Reproduction,
    Result,
    SelectionReport,
    Series,
    Status,
    finding,
)

MATHML = "http://www.w3.org/1998/Math/MathML"
OWN_SCRIPTS = {None, "application/json", "application/octet-stream"}


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return {kind: ik.report(make(HOSTILE)) for kind, make in ANSWERS.items()}


def strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for item in inside for text in strings(item)]


def test_every_kind_of_answer_has_a_report_and_every_report_is_tried_here() -> None:
    assert {type(make()).__name__ for make in ANSWERS.values()} == set(REPORTS)


@pytest.mark.parametrize("kind", ANSWERS)
def test_texts_from_outside_are_text(pages: dict[str, str], kind: str) -> None:
    page = Page(pages[kind])
    assert HOSTILE in page.text
    assert all(attributes.get("type") in OWN_SCRIPTS for attributes in page.all("script"))
    assert not any("alert(" in text for text in page.scripts[-1:])  # the page's own script is the last
    assert sum(attributes.get("type") is None for attributes in page.all("script")) == 1
    assert not any(name.startswith("on") for _, attributes in page.elements for name in attributes)
    assert not page.all("b") or all("damping" not in text for text in re.findall(r"<b>(.*?)</b>", pages[kind]))


@pytest.mark.parametrize("kind", ANSWERS)
def test_nothing_is_loaded_from_outside(pages: dict[str, str], kind: str) -> None:
    page = Page(pages[kind])
    sources = [attributes["src"] for _, attributes in page.elements if "src" in attributes]
    links = [attributes["href"] for _, attributes in page.elements if "href" in attributes]
    assert sources and all(str(address).startswith("data:image/svg+xml;base64,") for address in sources)
    assert links and all(str(address).startswith("#") for address in links)
    assert (
        not page.all("link") and not page.all("iframe") and "url(" not in pages[kind] and "@import" not in pages[kind]
    )
    assert set(re.findall(r"https?://[^\s\"'<]+", pages[kind])) <= {MATHML}
    policy = next(item["content"] for item in page.all("meta") if item.get("http-equiv"))
    assert policy is not None and policy.startswith("default-src 'none'")


@pytest.mark.parametrize("kind", ANSWERS)
def test_every_picture_is_there_without_a_script_and_has_words(pages: dict[str, str], kind: str) -> None:
    pictures = Page(pages[kind]).all("img")
    assert pictures
    for picture in pictures:
        drawn = base64.b64decode(str(picture["src"]).partition(",")[2])
        assert ET.fromstring(drawn).tag.endswith("svg")
        assert picture["alt"]


@pytest.mark.parametrize("kind", ANSWERS)
def test_texts_in_interactive_pictures_hold_no_tags(pages: dict[str, str], kind: str) -> None:
    found = figures(Page(pages[kind]))
    assert bool(found) == (kind != "look")  # which is drawn still only
    for figure in found:
        assert not [text for text in strings(figure) if re.search(r"<(?!/?sup>)", text)]
        named = [key for key in figure["layout"] if re.match(r"[xy]axis", key)]
        lowest = [key for key in named if "title" in figure["layout"][key]]
        assert lowest and all(figure["layout"][key]["title"]["text"] for key in lowest)


def test_the_library_is_in_the_page_once_and_whole(pages: dict[str, str]) -> None:
    from plotly.offline import get_plotlyjs

    packed = re.findall(r'<script type="application/octet-stream" id="plotly">(.*?)</script>', pages["fit"])
    assert len(packed) == 1
    assert gzip.decompress(base64.b64decode(packed[0])).decode() == get_plotlyjs()


def test_no_button_of_a_picture_sends_data_away(pages: dict[str, str]) -> None:
    own = Page(pages["fit"]).scripts[-1]
    assert "modeBarButtons = [[" in own and "sendChartToCloud" not in own


def test_without_plotly_pictures_are_still_and_the_page_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "plotly.offline", None)
    page = Page(ik.report(selection()))
    assert "pip install 'identikit[report]'" in page.text
    assert page.all("img") and 'id="plotly"' not in str(page.elements)


def test_a_still_page_is_small_and_holds_no_library() -> None:
    page = ik.report(selection(), interactive=False)
    assert "octet-stream" not in page and "application/json" not in page
    assert len(page) < 1_000_000


def test_the_report_of_a_fit_answers_first_and_cites_last() -> None:
    assert [item.title for item in document_of(fit()).sections] == [
        "Question and answer",
        "Data against model",
        "Residuals and their tests",
        "Parts of the record",
        "Phase portrait and spectrum",
        "Identifiability",
        "Agreement of methods",
        "Findings, and what to do",
        "What was done",
        "Equations",
        "References",
        "Tables to copy",
    ]


def test_a_report_says_the_same_from_the_saved_document_alone(tmp_path: Path, pages: dict[str, str]) -> None:
    fit(HOSTILE).save(tmp_path / "fit.json")
    assert ik.report(tmp_path / "fit.json") == pages["fit"]


def test_a_finding_stands_beside_what_to_do(pages: dict[str, str]) -> None:
    assert "What to do: Quote them together" in Page(pages["fit"]).text


def test_what_is_no_answer_is_refused() -> None:
    with pytest.raises(OptionError, match="no report can be written of a dict"):
        ik.report({"schema": "identikit/result/1"})
    with pytest.raises(OptionError, match="no report in the format 'pdf'"):
        ik.report(fit(), format="pdf")


EMPTY = {
    "fit": Result("m", "uas", Status(Code.NOT_APPLICABLE, "no bounds"), {}),
    "damping": DampingReport("m", "auto", Status(Code.NOT_APPLICABLE, "no free decay")),
    "selection": SelectionReport("shooting", Status(Code.MISFIT, "none fits")),
    "design": DesignReport("m", Status(Code.NOT_IDENTIFIABLE, "nothing helps"), "largest", {}, "s"),
    "identifiability": IdentifiabilityReport("m", Status(Code.NOT_IDENTIFIABLE, "none"), ("k",)),
    "comparison": ComparisonReport(Status(Code.NOT_APPLICABLE, "no method applies")),
    "reproduction": Reproduction("key", "paper", "Table 1", "nothing yet"),
}


@pytest.mark.parametrize("kind", EMPTY)
@pytest.mark.parametrize("format", ["html", "md", "tex"])
def test_an_answer_that_found_nothing_says_so(kind: str, format: str) -> None:
    answer = EMPTY[kind]
    text = ik.report(answer, format=format)
    status = getattr(answer, "status", None)
    assert status is None or kind == "identifiability" or status.message in text


def texts(document: ReportDocument, title: str) -> str:
    """All words of one section."""
    found = []
    for block in next(item for item in document.sections if item.title == title).blocks:
        found += [block.text] if isinstance(block, Paragraph | Listing) else []
        found += [block.caption] if isinstance(block, Table) else []
        found += list(getattr(block, "items", ()))
    return "\n".join(found)


def calls(document: ReportDocument) -> list[str]:
    blocks = [block for item in document.sections for block in item.blocks]
    return [block.text for block in blocks if isinstance(block, Listing) and block.caption == "The same in Python"]


@pytest.mark.parametrize("z", [0.4, 3.5, 9.0])
@pytest.mark.parametrize("code", ["agrees", "explained", "differs"])
def test_whether_methods_agree_is_said_as_the_fit_says_it(code: str, z: float) -> None:
    """One page must not say both: the distance alone decides nothing here."""
    said = finding(f"second_opinion_{code}", "what the fit says of it")
    opinion = {"auto": {"second_opinion": {"method": "galerkin", "z": {"k": z}}}}
    document = document_of(replace(fit(), findings=(said,), diagnostics=opinion))
    assert "asked: what the fit says of it." in texts(document, "Agreement of methods")


def test_a_second_method_that_did_not_converge_neither_agrees_nor_differs() -> None:
    document = document_of(replace(fit(), findings=(finding("no_second_opinion", "it came to no estimate"),)))
    assert "Agreement of methods" not in [item.title for item in document.sections]


@pytest.mark.parametrize("model", ["pendulum", 'name = "own"\n[states]', {"function": "own"}])
@pytest.mark.parametrize("door", ["fit", "damping", "compare"])
def test_every_printed_call_is_python_and_asks_the_same(door: str, model: Any) -> None:
    question = {"model": model, "data": ["a.csv", "b.csv"], "fix": {"m": 1.0}, "trim": [None, 12345.678]}
    answers = {"fit": fit, "damping": damping, "compare": comparison}
    (text,) = calls(document_of(replace(answers[door](), question=question)))
    (call,) = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and node.keywords]
    given = {word.arg: ast.literal_eval(word.value) for word in call.keywords}
    asked = {"fix": {"m": 1.0}, "trim": [None, 12345.678], **(COMPARED if door == "compare" else {})}
    assert {name: value for name, value in given.items() if name != "model"} == asked
    assert ast.unparse(call.func) == f"ik.{door}" and "model" in given


@pytest.mark.parametrize("kind", ANSWERS)
def test_the_calls_in_reports_are_python(kind: str) -> None:
    found = calls(document_of(ANSWERS[kind](HOSTILE)))
    assert bool(found) == (kind in ("fit", "damping", "comparison"))
    for text in found:
        ast.parse(text)


def test_a_comparison_that_does_not_hold_what_was_asked_prints_no_call() -> None:
    assert f"truth={TRUTH!r}" in calls(document_of(comparison()))[0]
    assert calls(document_of(replace(comparison(), provenance={}))) == []


def test_a_document_without_a_history_says_so_instead_of_showing_an_empty_table() -> None:
    def done(provenance: dict[str, Any]) -> tuple[Block, ...]:
        document = document_of(replace(look(), provenance=provenance, seconds={}))
        return next(item.blocks for item in document.sections if item.title == "What was done")

    (only,) = done({})
    assert isinstance(only, Paragraph) and "does not say how it was made" in only.text
    (facts,) = done({"seed": 3})  # negative control
    assert isinstance(facts, Facts) and facts.rows == (("seed", "3"),)


def test_methods_without_an_estimate_are_not_said_not_to_apply() -> None:
    made = comparison()
    crashed = replace(made.entries[-1], objections=(), status=Code.NOT_CONVERGED, message="it did not end within 60 s")
    cut_off = replace(made.entries[1], not_predicted="its fit to the first 70 % was cut off")
    document = document_of(replace(made, entries=(made.entries[0], cut_off, crashed)))
    assert "uas: it did not end within 60 s" in texts(document, "Methods without an estimate")
    assert "galerkin: its fit to the first 70 % was cut off" in texts(document, "Quality and time")


def test_the_weight_of_a_damping_law_counts_with_a_loss_outside_the_laws() -> None:
    assert "among them and one loss outside them" in texts(document_of(damping()), "Question and answer")


@pytest.mark.parametrize(
    "values",
    [
        [1.7e9, 1.7e9 + 0.1, 1.7e9 + 0.2],  # times since 1970
        [101325.0, 101325.01, 101324.99],  # ripples of a pressure
        [1.0, 1e-3, 1e-9],  # of a logarithmic axis
    ],
)
def test_values_that_a_picture_tells_apart_stay_apart(values: list[float]) -> None:
    panel = Panel("", "t", "x", (Series("a", tuple(values), tuple(values)),))
    drawn = interactive((panel,), (3.0,))["data"][0]
    span = max(values) - min(values)
    for shown in (drawn["x"], drawn["y"]):
        assert shown == pytest.approx(values, rel=1e-6, abs=1e-6 * span)
        assert len(set(shown)) == 3
        steps = [b - a for a, b in pairwise(values)]
        assert [b - a for a, b in pairwise(shown)] == pytest.approx(steps, abs=2e-6 * span)


def test_plain_curves_never_have_the_colour_of_an_emphasised_one() -> None:
    plain = tuple(Series(f"curve {k}", (0.0, 1.0), (float(k), 1.0)) for k in range(4))
    bound = Series("bound", (0.0, 1.0), (0.0, 0.0), emphasis="bound")
    first, second = Panel("", "t", "x", (*plain, bound)), Panel("", "t", "x", plain)
    data = interactive((first, second), (3.0, 3.0))["data"]
    own = [trace["line"]["color"] for trace in data if trace["name"] == "bound"]
    others = [trace["line"]["color"] for trace in data if trace["name"] != "bound"]
    assert own[0] in PALETTE and own[0] not in others
    assert others[:4] == others[4:], "one legend, so that a name has one colour"


def test_a_correlation_that_was_saved_as_unknown_is_a_dash() -> None:
    told = {"identifiability": {"correlation": {"a": {"a": 1.0, "b": None}, "b": {"a": None, "b": 1.0}}}}
    document = document_of(replace(fit(), diagnostics=told))
    tables = [
        block for item in document.sections if item.title == "Identifiability" for block in item.blocks
        if isinstance(block, Table)
    ]  # fmt: skip
    assert tables[-1].cells.rows == (("a", "1.00", "-"), ("b", "-", "1.00"))


def test_an_ending_that_no_report_has_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"no report has the ending '.pdf': expected one of .html"):
        ik.report(fit(), tmp_path / "x.pdf")
    assert not list(tmp_path.iterdir())
    ik.report(fit(), tmp_path / "x.pdf", format="md")  # negative controls: the format is named, or there is no ending
    ik.report(fit(), tmp_path / "page", interactive=False)
    assert (tmp_path / "x.pdf").read_text().startswith("# ") and (tmp_path / "page").read_text().startswith("<!doctype")


def test_a_report_does_not_replace_the_document_that_it_reads(tmp_path: Path) -> None:
    saved = tmp_path / "fit.json"
    fit().save(saved)
    before = saved.read_bytes()
    (tmp_path / "link.html").symlink_to(saved)
    for target in (saved, tmp_path / "link.html"):
        with pytest.raises(OptionError, match="is the same file as the one that is read"):
            ik.report(saved, target, format="html")
    assert saved.read_bytes() == before
