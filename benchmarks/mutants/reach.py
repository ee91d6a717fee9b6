"""A pytest plugin that writes down, for every test, which statements of the changed modules ran and how long it took.

What fixtures of a module and cached helpers do is done in the first test that needs them, and belongs to every test
that needs them: it is kept apart and counted for each. The same holds for cached functions of the changed modules.

    python -m pytest -p benchmarks.mutants.reach ...        with MUTANTS_REACH=<folder>

Every process appends a line of JSON for each test to a file of its own in that folder, so it works under xdist.
"""

from __future__ import annotations

import functools
import json
import os
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from benchmarks.mutants.importing import ChangedFinder
from benchmarks.mutants.statements import RECORDER, numbers, recording
from benchmarks.mutants.targets import modules

FOLDER = "MUTANTS_REACH"
REACHED: set[int] = set()  # statements that ran since the current test, fixture or cached call began


@dataclass
class Shared:
    """Work that is done once for several tests: what it reached, and its seconds."""

    reached: set[int] = field(default_factory=set)
    seconds: float = 0.0


@dataclass
class Running:
    """What the test that runs now has used, and what of its time belongs to others."""

    shared: dict[str, Shared] = field(default_factory=dict)
    elsewhere: float = 0.0
    outcome: str = "passed"


TEST = Running()


@contextmanager
def apart(shared: Shared, name: str) -> Iterator[None]:
    """The time of what runs inside is counted to `shared`, and what it reaches to it and to the test."""
    before, begun, elsewhere = set(REACHED), time.perf_counter(), TEST.elsewhere
    REACHED.clear()
    try:
        yield
    finally:
        inside = TEST.elsewhere - elsewhere  # of shared work within this one
        lasted = time.perf_counter() - begun
        shared.reached |= REACHED
        shared.seconds += lasted - inside
        TEST.elsewhere = elsewhere + lasted
        TEST.shared[name] = shared
        REACHED.update(before | shared.reached)


class Remembered:
    """A cached function whose every call counts as having reached what the first one reached."""

    def __init__(self, function: Any, name: str) -> None:
        self.function, self.name = function, name
        self.calls: dict[Any, tuple[str, Shared]] = {}
        functools.update_wrapper(self, function)

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        key = (arguments, tuple(sorted(options.items())))
        name, shared = self.calls.setdefault(key, (f"{self.name}#{len(self.calls)}", Shared()))
        with apart(shared, name):
            return self.function(*arguments, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.function, name)


_KNOWN: dict[int, Remembered] = {}


def remember_caches(module: ModuleType) -> None:
    """Replace the cached functions of a module."""
    for name, value in list(vars(module).items()):
        if isinstance(value, functools._lru_cache_wrapper):
            known = _KNOWN.setdefault(id(value), Remembered(value, f"{module.__name__}.{name}"))
            setattr(module, name, known)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """Before anything of the package is imported."""
    finder = ChangedFinder(
        {module: recording(module) for module in modules()}, {RECORDER: REACHED.add}, remember_caches
    )
    finder.install()


def pytest_collection_finish(session: pytest.Session) -> None:
    tests = str(Path(session.config.rootpath) / "tests")
    for module in list(sys.modules.values()):
        if str(getattr(module, "__file__", None)).startswith(tests):
            remember_caches(module)


@pytest.hookimpl(hookwrapper=True)
def pytest_fixture_setup(fixturedef: Any, request: Any) -> Generator[None]:
    if fixturedef.scope == "function":
        yield
        return
    name = f"{fixturedef.baseid}::{fixturedef.argname}"
    shared = _FIXTURES.setdefault(name, Shared())
    with apart(shared, name):
        yield


_FIXTURES: dict[str, Shared] = {}


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any]:
    outcome = yield
    report = outcome.get_result()
    if report.outcome != "passed":
        TEST.outcome = report.outcome


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None]:
    global TEST
    TEST = Running()
    REACHED.clear()
    begun = time.perf_counter()
    yield
    seconds = time.perf_counter() - begun - TEST.elsewhere
    for definitions in item._fixtureinfo.name2fixturedefs.values():
        for definition in definitions:
            name = f"{definition.baseid}::{definition.argname}"
            if name in _FIXTURES:
                TEST.shared[name] = _FIXTURES[name]
                REACHED.update(_FIXTURES[name].reached)
    line = {
        "test": item.nodeid,
        "outcome": TEST.outcome,
        "seconds": round(seconds, 4),
        "reached": packed(REACHED),
        "shared": {name: round(part.seconds, 4) for name, part in TEST.shared.items()},
    }
    folder = Path(os.environ[FOLDER])
    with (folder / f"{os.getpid()}.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def packed(reached: set[int]) -> str:
    """Numbers of statements as a hexadecimal number with these bits."""
    bits = bytearray(len(numbers()) // 8 + 1)
    for number in reached:
        bits[number // 8] |= 1 << (number % 8)
    return f"{int.from_bytes(bits, 'little'):x}"
