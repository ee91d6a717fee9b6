"""Every kind of answer becomes one page that loads nothing, in which texts from outside are text."""

from __future__ import annotations

import base64
import gzip
import json
import re
import sys
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from saved_answers import ANSWERS, HOSTILE, ComparisonReport, fit, selection

import identikit as ik
from identikit.errors import OptionError
from identikit.reporting import REPORTS, document_of
from identikit.result import (
    Code,
    DampingReport,
    DesignReport,
    IdentifiabilityReport,
    Reproduction,
    Result,
    SelectionReport,
    Status,
)

MATHML = "http://www.w3.org/1998/Math/MathML"
OWN_SCRIPTS = {None, "application/json", "application/octet-stream"}


class Page(HTMLParser):
    """What a browser would see: elements with their attributes, and the text outside scripts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text, self.scripts, self._inside = "", [], ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self._inside = tag
            if tag == "script":
                self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == self._inside:
            self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "script":
            self.scripts[-1] += data
        elif not self._inside:
            self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return {kind: ik.report(make(HOSTILE)) for kind, make in ANSWERS.items()}


def figures(page: Page) -> list[dict[str, Any]]:
    kinds = [attributes.get("type") for attributes in page.all("script")]
    return [json.loads(text) for kind, text in zip(kinds, page.scripts, strict=True) if kind == "application/json"]


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
    assert all(str(address).startswith("data:image/svg+xml;base64,") for address in sources)
    assert all(str(address).startswith("#") for address in links)
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
        assert all(figure["layout"][key]["title"]["text"] for key in lowest)


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
