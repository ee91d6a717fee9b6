"""Pages of reports, as a browser would see them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Any

from identikit.reporting import HtmlRenderer, Picture
from identikit.result import Panel


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


def figures(page: Page) -> list[dict[str, Any]]:
    kinds = [attributes.get("type") for attributes in page.all("script")]
    return [json.loads(text) for kind, text in zip(kinds, page.scripts, strict=True) if kind == "application/json"]


def interactive(panels: Sequence[Panel], heights: Sequence[float]) -> dict[str, Any]:
    """The picture of these panels that can be zoomed into, as a page holds it."""
    (figure,) = figures(Page(HtmlRenderer().picture(Picture(tuple(panels), tuple(heights), "words"))))
    return figure
