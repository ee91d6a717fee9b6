"""Every finding has a registered code, every code is used and documented, and no program reads the text."""

from __future__ import annotations

import ast
import json
import pickle
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import identikit
from documentation import DOCS, docs_script
from front_doors import settled, stub_door
from identikit.cli.main import main
from identikit.errors import IdentikitError, OptionError, ProblemError
from identikit.result import (
    KINDS,
    Ending,
    Finding,
    ParameterEstimate,
    Result,
    Severity,
    Verdict,
    finding,
    of_severity,
    ranked,
)

SOURCE = Path(identikit.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))
CORE = [path for path in FILES if path.relative_to(SOURCE).parts[0] != "cli"]
CLI = [path for path in FILES if path not in CORE]
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def nodes(path: Path) -> list[ast.AST]:
    """Of the syntax tree; only of files whose text holds what is looked for, since this takes seconds for all."""
    return list(ast.walk(ast.parse(text_of(path))))


def calls(name: str) -> Iterator[ast.Call]:
    for path in FILES:
        for node in nodes(path) if f"{name}(" in text_of(path) else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                yield node


def strings(path: Path) -> Iterator[ast.Constant]:
    """String literals that are not docstrings."""
    docstrings = {
        id(node.body[0].value)
        for node in nodes(path)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in nodes(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node


def test_every_finding_made_in_the_source_has_a_registered_code_and_every_code_is_made() -> None:
    # a code may be chosen among literals before it is passed on, as in method/_status.py
    made = [*calls("finding"), *calls("Remark")]  # a remark on a file becomes a finding of its code
    literal = {call.args[0].value for call in made if isinstance(call.args[0], ast.Constant)}
    own = {code for code, kind in KINDS.items() if not kind.package}  # a package that is installed may bring more
    assert literal <= own
    others = (path for path in FILES if not path.name.startswith("_finding_"))
    holding = (path for path in others if any(code in text_of(path) for code in own))
    written = {node.value for path in holding for node in strings(path)}
    assert own <= written
    assert own - literal == {"not_settled", "not_followed"} - literal


UNTRIED = {
    "formula_fits_worse": "a network is trained for minutes before",
    "network_stands_in": "the same",
    "law_not_settled": "a search that goes round in circles",
    "higher_likelihood": "a fit that missed the top by so little that profiles are drawn all the same",
    "rest_ambiguous": "a motion that may have come to rest in several ways",
    "scale_not_known": "a velocity with a free scale of its own",
}
"""Codes that no test provokes, and what it would take."""


def test_every_code_is_named_in_a_test_but_for_a_few() -> None:
    variants = DOCS.parent / "packages" / "published" / "tests"  # which end without a law
    folders = (Path(__file__).parents[2], variants)
    tests = (path for folder in folders for path in folder.rglob("test_*.py") if path != Path(__file__))
    words = {word for path in tests for word in re.findall(r"""["'](\w+)["']""", path.read_text(encoding="utf-8"))}
    own = {code for code, kind in KINDS.items() if not kind.package}
    assert own - words == set(UNTRIED)


def test_an_unknown_code_is_refused_with_the_nearest_known() -> None:
    with pytest.raises(OptionError, match="'at_bound'"):
        finding("at_bond", "k is at its lower bound")


def test_a_row_says_what_it_means_and_what_to_do() -> None:
    for kind in KINDS.values():
        assert re.fullmatch(r"[a-z]+(_[a-z]+)*", kind.code)
        assert kind.meaning.endswith(".") and kind.remedy.endswith(".")


def test_the_page_of_findings_is_the_registry() -> None:
    module = docs_script("findings")
    assert (DOCS / "findings.md").read_text(encoding="utf-8") == module.page(), "run python docs/findings.py"


def test_a_finding_and_a_verdict_survive_json() -> None:
    item = finding("at_bound", "k is at its lower bound 0", "k")
    verdict = Verdict(Ending.CONFIRMED, (item,))
    result = replace(settled(), findings=(item,), verdict=verdict)
    again = Result.from_dict(json.loads(result.to_json()))
    assert again.findings == (item,) and again.verdict == verdict
    assert verdict.message == item.text and Verdict(Ending.CONVERGED).message == "converged"


def test_refusals_come_first() -> None:
    found = ranked(
        [finding("column_guessed", "n"), finding("at_bound", "w"), finding("no_effect", "r"), finding("at_bound", "v")]
    )
    assert [item.text for item in found] == ["r", "w", "v", "n"]
    assert [item.text for item in of_severity(found, Severity.WARNING)] == ["w", "v"]


@pytest.mark.parametrize("path", CORE, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_the_core_names_no_option_of_the_command_line(path: Path) -> None:
    if FLAG.search(text_of(path)):
        assert [node.value for node in strings(path) if FLAG.search(node.value)] == []


def test_the_search_for_options_finds_some_where_they_are() -> None:
    """Negative control of the test before."""
    assert sum(bool(FLAG.search(node.value)) for path in CLI for node in strings(path)) > 20


def rows_of(table: str) -> set[str]:
    """The keys of a table in the source of the command line."""
    (found,) = (
        node.value.keys
        for path in CLI
        if table in text_of(path)
        for node in nodes(path)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == table
        if isinstance(node.value, ast.Dict)
    )
    return {key.value for key in found if isinstance(key, ast.Constant)}


def test_every_hint_belongs_to_a_code_and_every_remedy_has_a_hint() -> None:
    hinted = rows_of("FINDING_HINTS")
    assert len(hinted) > 20 and hinted <= set(KINDS)
    assert not any(KINDS[code].severity is Severity.NOTE for code in hinted)  # nothing to do about a note
    remedies = {
        part.value
        for path in CORE
        if "remedy" in text_of(path)
        for node in nodes(path)
        if isinstance(node, ast.keyword) and node.arg == "remedy"
        for part in ast.walk(node.value)
        if isinstance(part, ast.Constant) and part.value
    }
    assert remedies == rows_of("ERROR_HINTS")


Printed = Callable[..., str]


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Printed:
    """What the command line says of an error."""

    def of(error: IdentikitError) -> str:
        def refusing(*_: object, **__: object) -> None:
            raise error

        stub_door(monkeypatch, "fit", refusing)
        assert main(["fit", "swing.csv", "--model", "pendulum"]) == 2
        return capsys.readouterr().err.removeprefix("identikit: ").removesuffix("\n")

    return of


@pytest.fixture
def hints(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Printed:
    """What the command line says may help, of a fit with these findings."""

    def of(findings: list[Finding], parameters: dict[str, ParameterEstimate] | None = None) -> str:
        stub_door(monkeypatch, "fit", replace(settled(), findings=tuple(findings), parameters=parameters or {}))
        assert main(["fit", "swing.csv", "--model", "pendulum"]) == 0
        lines = capsys.readouterr().out.splitlines()
        return next((line for line in lines if line.startswith("Options that may help")), "")

    return of


def test_the_command_line_adds_the_option_that_helps(refused: Printed, hints: Printed) -> None:
    error = ProblemError("no column is named\nlike theta", remedy="name_column", about="theta")
    assert refused(error) == "no column is named like theta (--map theta=COLUMN)"
    assert refused(ProblemError("k is both free and fixed")) == "k is both free and fixed"  # negative control
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.remedy, again.about) == (str(error), "name_column", "theta")
    found = [finding("no_effect", "nothing depends on k", "k"), finding("at_bound", "c is at its bound", "c")]
    assert hints(found) == "Options that may help: --fix k=VALUE."
    assert hints(found[1:]) == ""


def test_a_held_parameter_that_should_be_free_is_what_to_type(hints: Printed) -> None:
    parameters = {"zeta": ParameterEstimate(0.1), "mu_q": ParameterEstimate(0.0, role="fixed")}
    bent = finding("likelihood_bent", "the likelihood is bent", "zeta")
    held = finding("missing_term", "letting mu_q be free would explain 90 %", "mu_q")
    assert hints([bent, held], parameters) == "Options that may help: --free zeta,mu_q."
    added = finding("missing_term", "adding -f*sign(v) to v' would explain 90 %", "v", "mu_q", "f")
    assert hints([bent, added], parameters) == "Options that may help: --uncertainty profile."  # negative control
