"""What import-linter cannot say: the private files of a room are imported in that room alone; and tests ask at front
doors and at the public names of rooms, but for a few whose mathematics is tested by itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import identikit
from identikit.method import toolkit

SOURCE = Path(identikit.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))
TESTS = Path(__file__).parents[1]
PAGES = sorted((TESTS.parent / "docs").rglob("*.md"))

MOST_INSIDE = 25
INSIDE = {
    "unit/decay/test_parts_of_a_decay.py": "the spread between parts of a decay, and what it widens",
    "unit/explore/test_pace.py": "the common period of several waves",
    "unit/likelihood/test_noise_densities.py": "densities of noise, and motion that is none",
    "unit/likelihood/test_parameter_step.py": "steps within bounds, in the equations' coefficients",
    "unit/method/test_averaging.py": "the averaged solution and its derivatives",
    "unit/method/test_energy.py": "rows of the balance of energy, their noise and their bias",
    "unit/method/test_led_on.py": "the way down from a fit that came to a stop",
    "unit/method/test_missing_terms.py": "terms that a model may lack",
    "unit/method/test_neural_ode.py": "networks in the place of a term",
    "unit/method/test_pinn.py": "elimination of a network's linear weights, windows, quadrature",
    "unit/method/test_reference_points.py": "solutions of linear systems through local fits",
    "unit/method/test_regression.py": "rows of the filtered regression",
    "unit/method/test_restoring_force.py": "points of a force, and what is known of it",
    "unit/method/test_sparse_library.py": "libraries of terms, units, a law in a model's parameters",
    "unit/method/test_status.py": "the table of the rule by which a status follows",
    "unit/method/test_symbolic.py": "products, units and forms of expressions",
    "unit/method/test_twin.py": "simulated twins and rounding",
    "unit/method/test_uas.py": "the adaptive observer and its Nussbaum functions",
    "unit/method/test_weak_form.py": "test functions, integrals, noise operators",
    "unit/planning/test_ensemble.py": "information of many runs, and where samples lie",
    "unit/simulation/test_tableau.py": "coefficients and order of Runge-Kutta pairs",
    "unit/structure/test_prime_field.py": "algebra over a prime field",
    "unit/uncertainty/test_bootstrap.py": "draws of noise",
    "unit/uncertainty/test_posterior_mathematics.py": "coordinates, volumes and intervals of a posterior",
    "unit/uncertainty/test_profile.py": "paths and curves of a profile",
}
"""Test files that import private modules, and what for."""


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


def reached_into(text: str) -> set[str]:
    """Private files and names that a test imports or replaces by their path, in the programs that it starts too."""
    programs = [text]
    replaced = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            programs += re.findall(r"(?:^|[\n;])[ \t]*((?:from|import) identikit[^\n;]*)", node.value)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name) and node.args:
            called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
            first = node.args[0]
            if called in ("setattr", "patch", "import_module") and isinstance(first, ast.Constant):
                replaced.add(str(first.value))
    return {path for path in (*chain.from_iterable(map(parsable, programs)), *replaced) if is_private(path)}


def parsable(text: str) -> list[str]:
    try:
        return list(imported(text))
    except SyntaxError:  # a sentence that begins like a program
        return []


def is_private(path: str) -> bool:
    first, *parts = path.split(".")
    return first == "identikit" and any(part.startswith("_") and not part.startswith("__") for part in parts)


PUBLISHED = Path(__file__).parents[2] / "packages" / "published" / "src" / "identikit_published"


def test_private_files_are_imported_in_their_own_room_alone() -> None:
    found = {name(file): trespasses(file.read_text(encoding="utf-8"), room(file)) for file in FILES}
    assert len(found) > 500
    assert {file: paths for file, paths in found.items() if paths} == {}


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


def test_tests_ask_at_front_doors_but_for_a_few() -> None:
    """What a user can see is tested where a user sees it, so that code can move without its tests."""
    inside = {
        file.relative_to(TESTS).as_posix(): found
        for file in sorted({*TESTS.rglob("*.py")} - {Path(__file__)})  # this one holds examples of it
        if (found := reached_into(file.read_text(encoding="utf-8")))
    }
    assert {path: found for path, found in inside.items() if path not in INSIDE} == {}
    assert set(INSIDE) - set(inside) == set(), "no longer needed in the list"
    assert len(INSIDE) <= MOST_INSIDE


def test_a_test_that_reaches_inside_is_seen() -> None:
    """Negative control."""
    for line in (
        "from identikit.method._base import Method",
        "from identikit.cli.main import _parser",
        "from identikit import _fit",
        "import identikit.simulation._simulate as module",
        "def test(monkeypatch):\n    monkeypatch.setattr('identikit._fit.fit', None)",
        "PROGRAM = 'import sys; from identikit.plotting._painters import PAINTERS'",
        'PROGRAM = """\nimport os\nimport identikit.cli._progress as line\n"""',
    ):
        assert reached_into(line), line
    for line in (
        "from identikit import __version__, fit",
        "from identikit.method import Method",
        "words = 'from identikit it is heard that names begin with _x'",
        "expected = 'identikit.result._result.Result'",
    ):
        assert not reached_into(line), line
