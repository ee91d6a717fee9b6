"""How much a test speaks of what is changed: words that both have, the rarer the better.

A statement that ends in every fit is reached by thousands of tests, and noticed by the few that look at its outcome:
these tend to name the finding, the function or the field that is changed.
"""

from __future__ import annotations

import ast
import math
import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from benchmarks.mutants.changes import Change

WORD = re.compile(r"[A-Za-z][A-Za-z_]{2,}")


def words(text: str) -> set[str]:
    """Names and words of a text; of a name with underscores its parts too."""
    found = {word.strip("_").lower() for word in WORD.findall(text)}
    return found | {part for word in found for part in word.split("_") if len(part) > 2}


class Relevance:
    """Of the tests in some files, named by pytest's node ids."""

    def __init__(self, root: Path, tests: Iterable[str]) -> None:
        self.root = root
        self.functions = {test: test.partition("[")[0] for test in tests}

    @cached_property
    def words(self) -> dict[str, set[str]]:
        """Of every test function."""
        found = {}
        for file in {name.partition("::")[0] for name in self.functions.values()}:
            source = (self.root / file).read_text(encoding="utf-8")
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.FunctionDef):
                    first = min([node.lineno, *(item.lineno for item in node.decorator_list)])
                    lines = source.splitlines()[first - 1 : node.end_lineno]
                    found[f"{file}::{node.name}"] = words("\n".join([file, *lines]))
        return found

    @cached_property
    def worth(self) -> dict[str, float]:
        """Of a word: the logarithm of how few tests have it."""
        counts = Counter(word for own in self.words.values() for word in own)
        return {word: math.log(len(self.words) / count) for word, count in counts.items()}

    def of(self, test: str, change: Change) -> float:
        """The sum over common words."""
        function = self.functions[test]
        own = self.words.get(function) or self.words.get(_last(function), set())
        common = own & words(f"{change.module.rpartition('.')[2]} {change.function} {change.before}")
        return sum(self.worth[word] for word in sorted(common))


def _last(function: str) -> str:
    """The node id without classes between file and function."""
    file, *_, name = function.split("::")
    return f"{file}::{name}"
