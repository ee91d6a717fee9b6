"""Every finding has a registered code, every code is used and documented, and no program reads the text."""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import identikit
from documentation import DOCS, docs_script
from identikit.cli._hints import ERROR_HINTS, FINDING_HINTS, error_line, hints
from identikit.errors import OptionError, ProblemError
from identikit.result import KINDS, Ending, Finding, ParameterEstimate, Severity, Verdict, finding, of_severity, ranked
from identikit.result._decoding import decoded

SOURCE = Path(identikit.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))
CORE = [path for path in FILES if path.relative_to(SOURCE).parts[0] != "cli"]
CLI = [path for path in FILES if path not in CORE]
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def calls(name: str) -> Iterator[ast.Call]:
    for path in FILES:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                yield node


def strings(path: Path) -> Iterator[ast.Constant]:
    """String literals that are not docstrings."""
    nodes = list(ast.walk(tree(path)))
    docstrings = {
        id(node.body[0].value)
        for node in nodes
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node


def test_every_finding_made_in_the_source_has_a_registered_code_and_every_code_is_made() -> None:
    # a code may be chosen among literals before it is passed on, as in method/_status.py
    made = [*calls("finding"), *calls("Remark")]  # a remark on a file becomes a finding of its code
    literal = {call.args[0].value for call in made if isinstance(call.args[0], ast.Constant)}
    own = {code for code, kind in KINDS.items() if not kind.package}  # a package that is installed may bring more
    assert literal <= own
    written = {node.value for path in FILES if not path.name.startswith("_finding_") for node in strings(path)}
    assert own <= written
    assert own - literal == {"not_settled", "not_followed"} - literal


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
    assert decoded(Finding, item.as_dict(), "a finding") == item
    verdict = Verdict(Ending.CONFIRMED, (item,))
    assert decoded(Verdict, verdict.as_dict(), "a verdict") == verdict
    assert verdict.message == item.text and Verdict(Ending.CONVERGED).message == "converged"


def test_refusals_come_first() -> None:
    found = ranked(
        [finding("column_guessed", "n"), finding("at_bound", "w"), finding("no_effect", "r"), finding("at_bound", "v")]
    )
    assert [item.text for item in found] == ["r", "w", "v", "n"]
    assert [item.text for item in of_severity(found, Severity.WARNING)] == ["w", "v"]


@pytest.mark.parametrize("path", CORE, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_the_core_names_no_option_of_the_command_line(path: Path) -> None:
    assert [node.value for node in strings(path) if FLAG.search(node.value)] == []


def test_the_search_for_options_finds_some_where_they_are() -> None:
    """Negative control of the test before."""
    assert sum(bool(FLAG.search(node.value)) for path in CLI for node in strings(path)) > 20


def test_every_hint_belongs_to_a_code_and_every_remedy_has_a_hint() -> None:
    assert set(FINDING_HINTS) <= set(KINDS)
    assert not any(KINDS[code].severity is Severity.NOTE for code in FINDING_HINTS)  # nothing to do about a note
    remedies = {
        part.value
        for path in CORE
        for node in ast.walk(tree(path))
        if isinstance(node, ast.keyword) and node.arg == "remedy"
        for part in ast.walk(node.value)
        if isinstance(part, ast.Constant) and part.value
    }
    assert remedies == set(ERROR_HINTS)


def test_the_command_line_adds_the_option_that_helps() -> None:
    error = ProblemError("no column is named\nlike theta", remedy="name_column", about="theta")
    assert error_line(error) == "no column is named like theta (--map theta=COLUMN)"
    assert error_line(ProblemError("k is both free and fixed")) == "k is both free and fixed"  # negative control
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.remedy, again.about) == (str(error), "name_column", "theta")
    found = [finding("no_effect", "nothing depends on k", "k"), finding("at_bound", "c is at its bound", "c")]
    assert hints(found) == "Options that may help: --fix k=VALUE."
    assert hints(found[1:]) == ""


def test_a_held_parameter_that_should_be_free_is_what_to_type() -> None:
    parameters = {"zeta": ParameterEstimate(0.1), "mu_q": ParameterEstimate(0.0, role="fixed")}
    bent = finding("likelihood_bent", "the likelihood is bent", "zeta")
    held = finding("missing_term", "letting mu_q be free would explain 90 %", "mu_q")
    assert hints([bent, held], parameters) == "Options that may help: --free zeta,mu_q."
    added = finding("missing_term", "adding -f*sign(v) to v' would explain 90 %", "v", "mu_q", "f")
    assert hints([bent, added], parameters) == "Options that may help: --uncertainty profile."  # negative control
