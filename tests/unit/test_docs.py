"""The documentation holds: its code runs, its links lead somewhere, and it is complete."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from identikit.method import METHODS, _registry
from identikit.model import LIBRARY_NAMES
from identikit.result import KINDS, _finding

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
CODE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
WITH_CODE = [page for page in PAGES if CODE.search(page.read_text(encoding="utf-8"))]


def name(page: Path) -> str:
    return page.relative_to(DOCS).as_posix()


def without_code(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """The places within a page that links can point to, as GitHub names them."""
    titles = re.findall(r"^#+ (.+)$", without_code(page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", WITH_CODE, ids=name)
def test_the_code_on_a_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(_registry, "METHODS", METHODS)  # restored, whatever the page does to it
    monkeypatch.setattr(_finding, "KINDS", dict(KINDS))
    space: dict[str, object] = {"__name__": "docs"}
    for block in CODE.findall(page.read_text(encoding="utf-8")):
        exec(compile(block, name(page), "exec"), space)


def test_the_tutorial_has_code() -> None:
    assert DOCS / "tutorial.md" in WITH_CODE


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    for link in LINK.findall(without_code(page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.is_file(), f"{name(page)}: {link}"
        assert not anchor or anchor in anchors(target), f"{name(page)}: {link}"


def test_every_page_is_in_the_index() -> None:
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    assert [name(page) for page in PAGES if page.name != "README.md" and f"({name(page)})" not in index] == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_stands_alone(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for word in ("shared/", "DESIGN.md", "FACTS.md", "STYLE.md", "/home/", "/" + "tmp/"):
        assert word not in text, word


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_every_method_has_its_page(method: type) -> None:
    page = DOCS / "methods" / f"{method.name}.md"  # type: ignore[attr-defined]
    assert page.is_file()
    for option in method.options:  # type: ignore[attr-defined]
        assert f"`{option.name}`" in page.read_text(encoding="utf-8")


def test_every_library_model_is_named_in_the_models_page() -> None:
    text = (DOCS / "models.md").read_text(encoding="utf-8")
    assert [model for model in LIBRARY_NAMES if f"`{model}`" not in text] == []
