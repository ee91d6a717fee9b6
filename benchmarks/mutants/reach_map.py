"""The map: which tests reach which statements of the changed modules. Made by one run of the suite, and kept.

It is made anew where a changed module or a helper of the tests is another than it was; else only the test files that
are new or other are run again.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from benchmarks.mutants.changes import Change
from benchmarks.mutants.reach import FOLDER
from benchmarks.mutants.relevance import Relevance
from benchmarks.mutants.statements import numbers, statements
from benchmarks.mutants.targets import modules, source_of, source_path

ROOT = Path(__file__).parents[2]
LEARNT = 0.2  # what the cost of a test is multiplied by that has killed a neighbour


@dataclass(frozen=True)
class Reach:
    """What a test reaches, as bits; its seconds; and the seconds of what it shares with others, by name."""

    test: str
    bits: int
    seconds: float
    shared: Mapping[str, float]

    @property
    def file(self) -> str:
        return self.test.partition("::")[0]

    @property
    def cost(self) -> float:
        """Of this test alone."""
        return self.seconds + sum(self.shared.values())


@dataclass(frozen=True)
class ReachMap:
    """All tests that passed."""

    tests: tuple[Reach, ...]

    @cached_property
    def relevance(self) -> Relevance:
        return Relevance(ROOT, [test.test for test in self.tests])

    def reaching(self, change: Change) -> list[Reach]:
        """The tests that run a statement which is changed or, if that one runs on import, one that uses its names."""
        wanted = sum(1 << number for number in _numbers(change))
        return [test for test in self.tests if test.bits & wanted]

    def in_order(self, change: Change, neighbours: Counter[str]) -> list[Reach]:
        """The same: those that tell most in the shortest time first.

        That is, cheap ones, which reach little else, which speak of what is changed, and which have killed `neighbours`
        before; of every file a few before many of one.
        """
        tests = self.reaching(change)
        merit = {
            test.test: (test.cost + 0.05)
            * test.bits.bit_count()
            * (LEARNT if neighbours[test.test] else 1.0)
            / (1 + self.relevance.of(test.test, change)) ** 2
            for test in tests
        }
        rank: dict[str, int] = Counter()
        later: dict[str, float] = {}
        for test in sorted(tests, key=lambda item: (merit[item.test], item.test)):
            later[test.test] = merit[test.test] * (1 + rank[test.file] / 3)
            rank[test.file] += 1
        return sorted(tests, key=lambda item: (later[item.test], item.test))


def within(tests: Sequence[Reach], seconds: float) -> tuple[list[Reach], float]:
    """The first ones, one at least, that take no longer together than that; and how long they take."""
    kept: list[Reach] = []
    paid: set[str] = set()
    total = 0.0
    for test in tests:
        more = test.seconds + sum(cost for name, cost in test.shared.items() if name not in paid)
        if kept and total + more > seconds:
            continue
        kept.append(test)
        paid.update(test.shared)
        total += more
    return kept, total


def by_file(tests: Sequence[Reach]) -> list[str]:
    """Their names, those of one file together, so that what they share is made once."""
    files = dict.fromkeys(test.file for test in tests)
    return [test.test for file in files for test in tests if test.file == file]


def _numbers(change: Change) -> set[int]:
    """The numbers of the statements that show a change."""
    known = numbers()
    if change.inside:
        return {known[change.module, change.line]}
    found: set[int] = set()
    for module in modules():
        tree = ast.parse(source_of(module))
        for node in statements(tree):
            used = {getattr(item, "id", getattr(item, "attr", None)) for item in ast.walk(_header(node))}
            if used & set(change.names):
                found.add(known[module, node.lineno])
        for function in ast.walk(tree) if module == change.module else ():
            if isinstance(function, ast.FunctionDef) and function.name in change.names:
                found |= {known[module, node.lineno] for node in statements(ast.Module([function], []))}
    return found


def _header(node: ast.stmt) -> ast.AST:
    """A statement without those within it."""
    parts = [
        value for field, value in ast.iter_fields(node) if field not in ("body", "orelse", "finalbody", "handlers")
    ]
    flat = [item for part in parts for item in (part if isinstance(part, list) else [part])]
    return ast.Tuple([item for item in flat if isinstance(item, ast.AST)], ast.Load())


# Making and keeping it


def up_to_date(path: Path, jobs: int) -> ReachMap:
    """The kept map, with what is new run; made first where there is none."""
    tests = ROOT / "tests"
    sources = {module: _digest(source_path(module)) for module in modules()}
    helpers = {_name(file): _digest(file) for file in tests.rglob("*.py") if not file.name.startswith("test_")}
    files = {_name(file): _digest(file) for file in tests.rglob("test_*.py")}
    kept = json.loads(path.read_text()) if path.exists() else {}
    changed = kept.get("sources") != sources or any(
        helpers.get(name) != digest for name, digest in kept.get("helpers", {}).items()
    )
    if changed:
        kept = {"files": {}, "tests": {}}
    stale = {name for name, digest in files.items() if kept["files"].get(name) != digest}
    rows = {name: row for name, row in kept["tests"].items() if _file(name) in files and _file(name) not in stale}
    if stale:
        print(f"map: {'the whole suite' if changed else ', '.join(sorted(stale))}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            _run(sorted(stale), Path(folder), jobs)
            rows |= read_rows(Path(folder))
        document = {"sources": sources, "helpers": helpers, "files": files, "tests": rows}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(document))
    return from_rows(rows)


def from_rows(rows: Mapping[str, Mapping[str, Any]], without: Collection[str] = ()) -> ReachMap:
    """The map of the tests that passed."""
    return ReachMap(
        tuple(
            Reach(name, int(row["reached"], 16), row["seconds"], row["shared"])
            for name, row in rows.items()
            if row["outcome"] == "passed" and name not in without
        )
    )


def read_rows(folder: Path) -> dict[str, dict[str, Any]]:
    """What the plugin wrote, by test."""
    lines = [json.loads(line) for file in sorted(folder.glob("*.jsonl")) for line in file.read_text().splitlines()]
    return {line.pop("test"): line for line in lines}


def _run(files: Sequence[str], folder: Path, jobs: int) -> None:
    plugin = ("-p", "benchmarks.mutants.reach", "-m", "not study", "-n", str(jobs), "--dist", "loadfile")
    command = [sys.executable, "-m", "pytest", *plugin, *files]
    subprocess.run(command, cwd=ROOT, env={**os.environ, FOLDER: str(folder)}, check=False)


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]


def _name(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def _file(test: str) -> str:
    return test.partition("::")[0]
