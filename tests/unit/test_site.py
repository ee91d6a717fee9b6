"""The site: complete, made from what is there, showing text as text, and asking nothing of the network."""

from __future__ import annotations

import inspect
import json
import re
import sys

import pytest

import identikit as ik
from documentation import DOCS, docs_script
from identikit import plotting
from identikit.cli.main import COMMANDS
from identikit.plotting import PAINTERS
from identikit.result import PublishedFigure, Reproduction, figure_cells

HOSTILE = "<script>alert(1)</script> | `x` *y* $z$ ~~w~~ \\frac{a}{b} [l](javascript:x)"


def test_every_public_name_is_in_the_python_reference() -> None:
    named = re.findall(r"^::: identikit\.(\w+)$", (DOCS / "api.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(named) == sorted(set(ik.__all__) - {"__version__"}), "docs/api.md: one line ::: identikit.NAME each"


def test_every_kind_of_picture_is_in_the_gallery() -> None:
    """What `identikit.plot` draws, and every painter; `plot_finding` chooses among those of what a model does."""
    gallery = docs_script("gallery")
    pictures = [picture for section in gallery.SECTIONS.values() for picture in section]
    shown = {name for picture in pictures for name in picture.shows}
    drawn = set(re.findall(r"plotting\.(plot_\w+)", inspect.getsource(sys.modules[ik.plot.__module__])))
    drawn |= {name for name in dir(sys.modules[plotting.plot_finding.__module__]) if name.startswith("plot_")}
    assert "plot_fit" in drawn and "plot_basins" in drawn
    assert (drawn - {"plot_finding"} | set(PAINTERS)) - shown == set(), "docs/gallery.py: one Picture for each"
    assert shown <= set(dir(plotting)) | set(PAINTERS)
    assert [picture.name for picture in pictures if not (DOCS / "images" / f"{picture.name}.png").is_file()] == []
    assert (DOCS / "gallery.md").read_text(encoding="utf-8") == gallery.page(), "run python docs/gallery.py"


def test_commands_of_the_gallery_exist() -> None:
    lines = re.findall(r"^identikit (\w+)", (DOCS / "gallery.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert lines and all(map(COMMANDS.is_named, lines)), "here, or in a package that is named"


def test_text_of_a_published_item_is_shown_as_text() -> None:
    published = docs_script("published")
    figure = PublishedFigure(HOSTILE, HOSTILE, HOSTILE, HOSTILE, None, None, None, HOSTILE)
    item = Reproduction("key", HOSTILE, HOSTILE, HOSTILE, (figure,), settings={HOSTILE: HOSTILE}, notes=(HOSTILE,))
    for text in published.pages([item]).values():
        assert "<script" not in text and "](javascript" not in text and "$z$" not in text
    row = next(
        line
        for line in published.pages([item])["script-alert-1-script-x-y-z-w-frac-a-b-l-javascript-x.md"].split("\n")
        if line.startswith("| &lt;")
    )
    assert row.count("|") == len(figure_cells(item).headers) + 1  # no cell more than there are


@pytest.mark.parametrize(
    ("text", "ending", "loads"),
    [
        ('<script src="https://unpkg.com/x">', ".html", True),
        ("<script src=//cdn.example/x>", ".html", True),
        ('<link rel="stylesheet" href="https://fonts.example/css">', ".html", True),
        ('<img alt="x" src="http://example.org/x.png">', ".html", True),
        ('@font-face { src: url("https://fonts.example/x.woff2") }', ".css", True),
        ('<script src="assets/x.js"></script><img src="images/x.png">', ".html", False),
        ('<a href="https://example.org">a link that a reader may follow</a>', ".html", False),
        ("a { background: url(../x.svg) }", ".css", False),
    ],
)
def test_a_page_that_loads_from_elsewhere_is_seen(text: str, ending: str, loads: bool) -> None:
    assert bool(docs_script("site").loaded_from_elsewhere(text, ending)) is loads


def test_notebooks_named_on_a_page_exist() -> None:
    named = re.findall(r"`(examples/\w+\.ipynb)`", (DOCS / "how-to" / "notebooks.md").read_text(encoding="utf-8"))
    assert named
    for name in named:
        assert json.loads((DOCS.parent / name).read_text(encoding="utf-8"))["cells"]
