"""The documentation holds: the README's code prints what is shown, links lead somewhere, and it is complete."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

from documentation import DOCS, docs_script
from identikit.method import METHODS
from identikit.model import LIBRARY, model_from_toml

COMMANDS = sorted((DOCS.parent / "src" / "identikit" / "cli").glob("[a-z]*.py"))
PAGES = sorted(DOCS.rglob("*.md"))
README = DOCS.parent / "README.md"
LINK = re.compile(r"\]\(([^)\s]+)\)")


def name(page: Path) -> str:
    return page.relative_to(DOCS.parent).as_posix().removeprefix("docs/")


@pytest.fixture(scope="module")
def refresh() -> ModuleType:
    """The script that runs pages."""
    return docs_script("refresh")


def without_code(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """The places within a page that links can point to, as GitHub names them."""
    titles = re.findall(r"^#+ (.+)$", without_code(page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_code_of_the_readme_prints_what_is_shown(
    refresh: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its Python; that of all pages, and commands, are run by `make docs-check`."""
    monkeypatch.chdir(tmp_path)
    shown = README.read_text(encoding="utf-8")
    assert "```python" in shown
    assert refresh.differences(shown, refresh.refreshed(shown, "README.md", console=False)) == ""


def test_every_page_with_code_is_checked(refresh: ModuleType) -> None:
    found = refresh.pages_with_code()
    assert {README, DOCS / "tutorial.md", DOCS / "methods" / "kalman.md"} <= set(found)
    for page in (*PAGES, README):
        text = page.read_text(encoding="utf-8")
        assert (page in found) == ("\n```python\n" in text or "\n```console\n" in text), name(page)


def test_a_page_that_fails_is_told_like_one_that_differs(refresh: ModuleType, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\nprint(1)\nraise ValueError('broken')\n```\n", encoding="utf-8")
    before = page.read_text(encoding="utf-8")
    assert "ValueError: broken" in refresh.checked(page) and "ValueError: broken" in refresh.put_in(page)
    assert page.read_text(encoding="utf-8") == before  # nothing half-written
    page.write_text("```python\nprint(1)\n```\n\n```text\n2\n```\n", encoding="utf-8")
    assert "-2" in refresh.checked(page)
    assert refresh.put_in(page) == refresh.checked(page) == ""


SHOWN = "k  8.9994  0.0034  rad\nfits to 98.6 % of 600 values, 3 laws, 1.2e-05"


@pytest.mark.parametrize(
    ("printed", "same"),
    [
        ("k    8.9996    0.0035  rad\nfits to\n98.7 % of 600 values, 3 laws, 1.3e-05", True),
        (SHOWN.replace("8.9994", "8.9997"), False),  # three units of the last digit
        (SHOWN.replace("1.2e-05", "1.2e-04"), False),
        (SHOWN.replace("600", "601"), False),  # counts are equal
        (SHOWN.replace("3 laws", "4 laws"), False),
        (SHOWN.replace("fits", "fitted"), False),
        (SHOWN + " more", False),
    ],
)
def test_a_page_is_compared_to_the_last_digits(refresh: ModuleType, printed: str, same: bool) -> None:
    assert refresh.agree(SHOWN, printed) is same


def test_a_value_that_the_record_leaves_open_is_not_compared(refresh: ModuleType) -> None:
    assert refresh.agree("m  1.42966  -  kg", "m  3.0067  -  kg")
    assert not refresh.agree("m  1.42966  -  kg", "m  3.0067  0.1  kg")


def test_figures_of_a_chaotic_motion_may_be_marked_as_such(refresh: ModuleType) -> None:
    page = "<!-- within: 0.5 -->\n```console\n$ run\nexponent 0.1435 +- 0.0036\n```\n"
    other = page.replace("0.1435 +- 0.0036", "0.1502 +- 0.0051")
    assert refresh.differences(page, other) == ""
    assert "-exponent 0.1435" in refresh.differences(*(text.split("\n", 1)[1] for text in (page, other)))


@pytest.mark.parametrize("page", [*PAGES, README], ids=name)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    for link in LINK.findall(without_code(page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.is_file(), f"{name(page)}: {link}"
        assert not anchor or anchor in anchors(target), f"{name(page)}: {link}"


@pytest.mark.parametrize("page", [*PAGES, README], ids=name)
def test_every_file_that_a_page_names_exists(page: Path) -> None:
    """Paths with a folder, from the root, docs/ or src/identikit/; but for the file that a reader is to write."""
    root = README.parent
    for path in re.findall(r"`([a-z_/]+/[a-z_]+\.py)`", page.read_text(encoding="utf-8")):
        found = any((place / path).is_file() for place in (root, DOCS, root / "src" / "identikit"))
        assert found or path == "src/identikit/method/random_search.py", path


def test_every_page_is_in_the_index() -> None:
    """That of its folder, where the folder has one."""
    indices = {index.parent: index.read_text(encoding="utf-8") for index in PAGES if index.name == "README.md"}
    for page in PAGES:
        home = page.parent if page.parent in indices and page.name != "README.md" else DOCS
        link = page.relative_to(home).as_posix()
        assert page == DOCS / "README.md" or f"({link})" in indices[home], name(page)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_stands_alone(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for word in ("shared/", "DESIGN.md", "FACTS.md", "STYLE.md", "/home/", "/" + "tmp/"):
        assert word not in text, word


@pytest.mark.parametrize("method", METHODS.values(), ids=lambda method: method.name)
def test_every_method_has_its_page(method: type) -> None:
    page = DOCS / "methods" / f"{method.name}.md"  # type: ignore[attr-defined]
    assert page.is_file()
    for option in method.options:  # type: ignore[attr-defined]
        assert f"`{option.name}`" in page.read_text(encoding="utf-8")


def test_every_library_model_is_named_in_the_models_page() -> None:
    text = (DOCS / "models.md").read_text(encoding="utf-8")
    assert [model for model in LIBRARY if f"`{model}`" not in text] == []


def test_the_front_page_shows_equations_of_your_own_and_a_report() -> None:
    front = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    text = front.split("```toml\n")[1].split("```")[0]
    assert model_from_toml(text).output_names == ("x",)
    assert "--model mine.toml --map x=COLUMN --report out.html" in front
    assert "docs/how-to/own-equations.md" in front and "docs/report.md" in front


def test_the_page_on_reports_names_every_command_that_writes_one() -> None:
    page = (DOCS / "report.md").read_text(encoding="utf-8")
    told = next(line for line in page.splitlines() if line.startswith("`--report OUT.html`"))
    writing = [path.stem for path in COMMANDS if "add_written(" in path.read_text(encoding="utf-8")]
    assert len(writing) > 5 and all(f"`{name}`" in told for name in writing)
