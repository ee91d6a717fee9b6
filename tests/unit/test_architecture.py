"""What import-linter cannot say: the private files of a room are imported in that room alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import identikit
from identikit.method import toolkit

SOURCE = Path(identikit.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))
PAGES = sorted((Path(__file__).parents[2] / "docs").rglob("*.md"))


def name(file: Path) -> str:
    return file.relative_to(SOURCE).as_posix()


def room(file: Path) -> str:
    return Path(name(file)).parts[0].removesuffix(".py")


def imported(text: str) -> Iterator[str]:
    """Every module or name that the text imports, in full."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def trespasses(text: str, room: str) -> set[str]:
    """Private files and names of other rooms that the text imports; the dotted paths in a registry's rows are text."""
    found = set()
    for path in imported(text):
        parts = path.split(".")
        private = any(part.startswith("_") and not part.startswith("__") for part in parts[2:])
        if parts[0] == "identikit" and private and parts[1] != room:
            found.add(path)
    return found


PUBLISHED = Path(__file__).parents[2] / "packages" / "published" / "src" / "identikit_published"
FOUND = {name(file): trespasses(file.read_text(encoding="utf-8"), room(file)) for file in FILES}


def test_private_files_are_imported_in_their_own_room_alone() -> None:
    assert {file: paths for file, paths in FOUND.items() if paths} == {}


def test_the_published_part_imports_public_names_of_the_product_alone() -> None:
    files = sorted(PUBLISHED.rglob("*.py"))
    assert len(files) > 20
    found = {file.name: trespasses(file.read_text(encoding="utf-8"), "") for file in files}
    assert {file: paths for file, paths in found.items() if paths} == {}


def test_a_trespass_is_seen() -> None:
    """Negative control."""
    for line in (
        "from identikit.method._base import Method",
        "from identikit.method.regression._regression import refine",
        "from identikit.method import _registry",
        "def f():\n    import identikit.method._base",
    ):
        assert trespasses(line, "cli"), line
        assert not trespasses(line, "method"), line
    assert not trespasses("from identikit.method import Method, __doc__", "cli")


def test_the_documentation_imports_public_names_alone() -> None:
    """What a page shows must work in a file of the reader's."""
    pages = {
        page: re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S) for page in PAGES
    }
    assert any("identikit.method.toolkit" in block for blocks in pages.values() for block in blocks)
    assert {page.name: found for page, blocks in pages.items() if (found := trespasses("\n".join(blocks), ""))} == {}


def test_every_name_of_the_toolkit_exists() -> None:
    for item in toolkit.__all__:
        assert getattr(toolkit, item) is not None
        assert f"`{item}`" in (toolkit.__doc__ or ""), f"{item} is not explained"
