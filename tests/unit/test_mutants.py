"""The changes that `make mutants` makes, the import hook that makes them, and what is known of them from before."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.mutants.changes import MEMBERS, Change, applied, changes
from benchmarks.mutants.choice import all_changes, chosen
from benchmarks.mutants.frozen import Places, Row, read_equivalent, read_frozen, write_frozen
from benchmarks.mutants.importing import ChangedFinder
from benchmarks.mutants.reach_map import Reach, within
from benchmarks.mutants.relevance import Relevance
from benchmarks.mutants.targets import MODULES, concern_of, modules, source_of

from identikit.problem import NoiseKind
from identikit.result import Code, Ending, Severity

ROOT = Path(__file__).parents[2]
SOURCE = '''
"""A module; its text is not changed."""

LIMIT = 0.5
Given = str | float


class Judge:
    def title(self) -> str:
        """Nor is that of a function that returns text."""
        return "many" if self.count > 1 else "one"

    def verdict(self, values: list[float], limit: float | None = None) -> tuple[Finding, ...]:
        found = []
        for value in values:
            if value < 0 or (limit is not None and value > limit):
                text = f"{value + 1} is too much"
                found.append(finding("too_much", text))
        return tuple(found)
'''


def pieces(source: str) -> set[tuple[str, str, str]]:
    return {(item.kind, item.before, item.after) for item in changes("identikit.victim", ast.parse(source))}


def test_decisions_and_numbers_are_changed_and_text_is_not() -> None:
    both = "value < 0 or (limit is not None and value > limit)"
    assert pieces(SOURCE) == {
        ("number", "LIMIT = 0.5", "LIMIT = 1.0"),
        ("comparison", both, "value >= 0 or (limit is not None and value > limit)"),
        ("end", both, "value <= 0 or (limit is not None and value > limit)"),
        ("number", both, "value < 1 or (limit is not None and value > limit)"),
        ("and, or", both, "value < 0 and (limit is not None and value > limit)"),
        ("and, or", "limit is not None and value > limit", "limit is not None or value > limit"),
        ("comparison", "limit is not None and value > limit", "limit is None and value > limit"),
        ("comparison", "limit is not None and value > limit", "limit is not None and value <= limit"),
        ("statement", "found.append(finding('too_much', text))", "pass"),
        ("code", "finding('too_much', text)", "finding('at_bound', text)"),
        ("silence", "return tuple(found)", "return ()"),
    }


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("return a - b", {"return a + b"}),
        ("return -a", {"return a"}),
        ("return a if b else c", {"return a if not b else c"}),
        ("return not a", {"return a"}),
        ("return min(a, b)", {"return max(a, b)"}),
        ("return a.any()", {"return a.all()"}),
        ("return [x for x in a if x]", {"return [x for x in a if True]"}),
        ("return Code.MISFIT", {"return Code.NOT_CONVERGED"}),
        ("return a.code == 'lost'", {"return a.code != 'lost'", "return a.code == 'none of these'"}),
        ("return dict(a, strict=True)", set()),
        ("assert a > b", set()),
        ("raise ValueError(a + b)", set()),
        ("return a + 'text'", set()),
        ("return max(a, 1e-300)", {"return min(a, 1e-300)"}),
        ("return a > 1e-12", {"return a <= 1e-12", "return a > 1e-06"}),
    ],
)
def test_each_kind_of_change(line: str, changed: set[str]) -> None:
    assert {after for _, _, after in pieces(f"def f(a, b, c):\n    {line}")} == changed


def test_every_change_of_the_modules_has_a_key_of_its_own_and_can_be_made() -> None:
    population = all_changes()
    assert {item.module for item in population} == set(modules())
    assert len({item.key for item in population}) == len(population) > 2000
    for change in chosen(population, 25, seed=5):
        source = source_of(change.module)
        tree = applied(change)(ast.parse(source))
        assert ast.dump(tree) != ast.dump(ast.parse(source)), change
        compile(ast.fix_missing_locations(tree), change.module, "exec")


def test_codes_are_swapped_for_others_that_exist() -> None:
    for kind in (Code, Ending, Severity, NoiseKind):
        assert set(MEMBERS[kind.__name__]) == {item.name for item in kind}


def test_every_module_belongs_to_one_concern_and_exists() -> None:
    assert len(set(MODULES)) == len(MODULES)
    assert all(concern_of(module) for module in MODULES)
    assert set(modules()) == set(MODULES), "code has moved: name the module that has it now, or take it out"


def test_the_hook_changes_what_is_imported_and_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "victim_of_a_test.py"
    file.write_text("def larger(a, b):\n    return a > b\n")
    (change,) = changes("victim_of_a_test", ast.parse(file.read_text()))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    finder = ChangedFinder({change.module: applied(change)})
    finder.install()
    try:
        import victim_of_a_test  # type: ignore[import-not-found]

        assert victim_of_a_test.larger(1, 2)
        assert [item.name for item in tmp_path.rglob("*")] == [file.name], "nothing is kept of the changed module"
        with pytest.raises(RuntimeError, match="imported before"):
            finder.install()
    finally:
        sys.modules.pop("victim_of_a_test", None)
    import importlib

    sys.meta_path.remove(finder)
    assert not importlib.import_module("victim_of_a_test").larger(1, 2)
    sys.modules.pop("victim_of_a_test")


def change(module: str = "identikit.result", function: str = "f", before: str = "a < b", number: int = 0) -> Change:
    return Change(module, function, "comparison", before, "a >= b", number, 1, True)


def test_a_choice_is_a_fair_beginning_of_a_longer_one_and_hardly_changes_with_the_code() -> None:
    population = all_changes()
    longer = chosen(population, 100, seed=1)
    assert chosen(population, 40, seed=1) == longer[:40]
    assert chosen(population, 40, seed=2) != longer[:40]
    kept = {item.key for item in chosen(population[::-1][100:], 100, seed=1)} & {item.key for item in longer}
    assert len(kept) >= 85


def test_a_change_is_found_again_when_its_function_moves_and_is_gone_when_it_is_rewritten() -> None:
    here, other = change(), change(function="g")
    assert Places([here, other]).find(here.key) == here
    moved = change(module="identikit.model")
    assert Places([moved, other]).find(here.key) == moved
    assert Places([moved, change(module="identikit.errors")]).find(here.key) is None, "two could be meant"
    assert Places([change(before="b < a"), moved]).find(here.key) is None, "its function is still there, rewritten"


def test_what_was_frozen_is_read_as_it_was_written(tmp_path: Path) -> None:
    rows = [Row(change().key, "killed", "tests/a.py::test"), Row(change(number=1).key, "survived", "")]
    write_frozen(rows, tmp_path / "frozen.json")
    assert read_frozen(tmp_path / "frozen.json") == rows
    assert len(json.loads((tmp_path / "frozen.json").read_text())) == 2


def test_explained_changes_have_reasons() -> None:
    assert all(len(reason) > 20 for reason in read_equivalent().values())


def test_tests_are_chosen_by_what_they_reach_and_as_long_as_there_is_time() -> None:
    costs = {"a": 1.0, "b": 2.0, "c": 3.0}
    tests = tuple(Reach(f"tests/{name}.py::test", 0b1, cost, {"fixture": 2.0}) for name, cost in costs.items())
    chosen_tests, seconds = within(tests, 5.5)
    assert [item.test[6] for item in chosen_tests] == ["a", "b"]
    assert seconds == 5.0, "what is shared is made once"
    assert len(within(tests[2:], 1.0)[0]) == 1, "one at least"


def test_a_test_that_names_what_is_changed_comes_first(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text(
        "def test_names_it():\n    assert codes(fit()) == ['too_much']\n\n\ndef test_does_not():\n    assert fit().ok\n"
    )
    names = ["test_a.py::test_names_it[case-1]", "test_a.py::test_does_not"]
    relevance = Relevance(tmp_path, names)
    changed = change(before="finding('too_much', text)")
    assert relevance.of(names[0], changed) > relevance.of(names[1], changed) == 0


SCRIPT = """
import json, sys
from pathlib import Path
from benchmarks.mutants.campaign import Campaign
from benchmarks.mutants.choice import all_changes
from benchmarks.mutants.reach_map import from_rows, read_rows
from benchmarks.mutants.trial import preload

reach = from_rows(read_rows(Path(sys.argv[1])))
here = [item for item in all_changes() if item.module.endswith("diagnose._interval")]
ends = [item for item in here if "max(low, first)" in item.before and "min(low, first)" in item.after]
elsewhere = [item for item in all_changes() if item.module.endswith("decay._parts")][:1]
preload()
campaign = Campaign(reach, 10.0, 1)
outcomes = campaign.run([*ends, *elsewhere], lambda change, outcome: None)
told = [[item.ended, item.test] for item in outcomes.values()]
print(json.dumps([told, sorted(campaign.failing({test.test for test in reach.tests}))]))
"""


def test_a_trial_kills_what_a_test_reaches_and_the_tests_pass_without_a_change(tmp_path: Path) -> None:
    """In a process of its own: it forks."""
    tests = "tests/unit/diagnose/test_interval.py"
    paths = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    environment = {
        **os.environ,
        "MUTANTS_REACH": str(tmp_path),
        "PYTHONPATH": paths,
        "OPENBLAS_NUM_THREADS": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    mapping = [sys.executable, "-m", "pytest", "-p", "benchmarks.mutants.reach", "-p", "no:cacheprovider", tests]
    subprocess.run(mapping, cwd=ROOT, env=environment, check=True, capture_output=True)
    trials = [sys.executable, "-c", SCRIPT, str(tmp_path)]
    answer = subprocess.run(trials, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    told, failing = json.loads(answer.stdout)
    assert [item[0] for item in told] == ["killed", "unreached"]
    assert told[0][1].startswith(tests)
    assert failing == []
