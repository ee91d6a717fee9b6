"""What a person sees of an answer: what it prints, its report in every format, its pictures as plain data.

All of it is drawn from the saved document, as `identikit plot` and `identikit report` do it.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
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


def shown(answer: Any) -> dict[str, Any]:
    """Texts and panels of an answer with a saved form, or of a list of such."""
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
    texts["brief"] = "\n".join(repr(item) for item in items if isinstance(item, ik.Result | ik.Prediction))
    panels: dict[str, Any] = {"report": [picture for part in document.sections for picture in _drawn(part.blocks)]}
    for kind in KINDS:
        try:
            panels[kind] = [panels_of(ik.plot(item, kind=kind)) for item in items]
        except IdentikitError as problem:
            texts[f"no {kind} picture"] = str(problem)
    return {"texts": texts, "panels": panels}


def _drawn(blocks: tuple[Block, ...]) -> Iterator[Any]:
    """The pictures among the blocks of a report."""
    for block in blocks:
        if isinstance(block, Gallery):
            yield from _drawn(block.pictures)
        elif isinstance(block, Picture):
            yield [asdict(panel) for panel in block.panels]
        elif isinstance(block, Drawing):
            yield panels_of(block.figure)


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
