"""What a person sees of an answer: what it prints, its report in every format, its pictures as plain data.

All of it is drawn from the saved document, as `identikit plot` and `identikit report` do it.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import identikit as ik
from golden.panels import panels_of
from golden.shape import CLOCKS
from identikit.errors import IdentikitError
from identikit.reporting import (
    Block,
    Drawing,
    Gallery,
    HtmlRenderer,
    LatexRenderer,
    Listing,
    MarkdownRenderer,
    Paragraph,
    Picture,
    Renderer,
    document_of,
)
from identikit.result import load_saved

KINDS = ("usual", "response", "uncertainty", "posterior")  # of pictures


class _WordsOfPage(HtmlRenderer):
    """The page without its pictures, which are compared as numbers."""

    def picture(self, block: Picture | Drawing) -> Any:
        return super().paragraph(Paragraph(block.caption))


class _WordsAlone(MarkdownRenderer):
    """The report without what it lists, which repeats the document."""

    def listing(self, block: Listing) -> str:
        return super().paragraph(Paragraph(block.caption))


def shown_briefly(answer: Any, kinds: Sequence[str]) -> dict[str, Any]:
    """What it prints, the words of its report and of the pictures there, and its pictures of these kinds."""
    document = document_of(answer)
    words = [_words_of(panel) for part in document.sections for item in _drawn(part.blocks) for panel in item]
    texts = {"report": _WordsAlone().whole(document), "printed": str(answer)}
    if isinstance(answer, ik.Result | ik.Prediction):
        texts["brief"] = repr(answer)
    panels: dict[str, Any] = {kind: panels_of(ik.plot(answer, kind=kind)) for kind in kinds}
    return {"texts": _versionless(texts), "panels": {"report": words, **panels}}


def shown_wholly(answer: Any) -> dict[str, Any]:
    """The same in every format, and all pictures there are; of an answer with a saved form, or of a list of such."""
    document = document_of(answer)
    renderers: dict[str, Renderer] = {
        "page": _WordsOfPage(interactive=False),
        "markdown": MarkdownRenderer(),
        "latex": LatexRenderer(),
    }
    texts = {name: renderer.whole(document) for name, renderer in renderers.items()}
    texts["page"] = texts["page"].partition("<body>")[2].partition("<script>")[0]  # its style and script are no answer
    items = answer if isinstance(answer, list) else [answer]
    texts["printed"] = "\n\n".join(map(str, items))
    panels: dict[str, Any] = {"report": [item for part in document.sections for item in _drawn(part.blocks)]}
    for kind in KINDS:
        try:
            panels[kind] = [panels_of(ik.plot(item, kind=kind)) for item in items]
        except IdentikitError as problem:
            texts[f"no {kind} picture"] = str(problem)
    return {"texts": _versionless(texts), "panels": panels}


def _versionless(texts: Mapping[str, str]) -> dict[str, str]:
    return {name: text.replace(ik.__version__, "VERSION") for name, text in texts.items()}


def _words_of(panel: Mapping[str, Any]) -> list[str]:
    """What stands in a picture of a report, whose numbers are those of the document."""
    names = [panel.get(key, "") for key in ("title", "x_label", "y_label")]
    return [str(name) for name in (*names, *(series["label"] for series in panel.get("series", ())))]


def _drawn(blocks: tuple[Block, ...]) -> Iterator[Any]:
    """The pictures among the blocks of a report."""
    for block in blocks:
        if isinstance(block, Gallery):
            yield from _drawn(block.pictures)
        elif isinstance(block, Picture):
            yield [asdict(panel) for panel in block.panels]
        elif isinstance(block, Drawing):
            yield panels_of(block.figure)["axes"]


def loaded(document: Any) -> Any:
    """The answer that was saved, or a list of them, with every clock at one second."""
    if isinstance(document, list):
        return [loaded(item) for item in document]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "saved.json"
        path.write_text(json.dumps(_at_one_second(document)), encoding="utf-8")
        return load_saved(path)


def _at_one_second(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _one(item) if key in CLOCKS else _at_one_second(item) for key, item in value.items()}
    return [_at_one_second(item) for item in value] if isinstance(value, list) else value


def _one(clock: Any) -> Any:
    if isinstance(clock, Mapping):
        return {key: _one(item) for key, item in clock.items()}
    return 1.0 if isinstance(clock, int | float) else clock
