"""Numbers that were chosen: one name has one value, and every one has a word."""

from __future__ import annotations

import ast
import io
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import identikit

SOURCE = Path(identikit.__file__).parent
PUBLISHED = Path(__file__).parents[2] / "packages" / "published" / "src"


def texts(source: Path) -> dict[str, str]:
    return {file.relative_to(source).as_posix(): file.read_text(encoding="utf-8") for file in source.rglob("*.py")}


TEXTS = texts(SOURCE)


@dataclass(frozen=True)
class Number:
    """A number, or a tuple of them, that a module or a record of settings names."""

    name: str
    value: object
    explained: bool  # by a comment on its line or directly above, or by a docstring below


@cache
def numbers(text: str) -> tuple[Number, ...]:
    """The upper-case numbers of a module, and all numbers in its classes named ...Settings."""
    tree = ast.parse(text)
    records = [item for item in tree.body if isinstance(item, ast.ClassDef) and item.name.endswith("Settings")]
    if not records and not any(name.isupper() for item in tree.body for name, _ in assigned(item)):
        return ()  # to look for its comments would take longer
    words = {
        token.start[0]
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    }
    lines_of = text.splitlines()
    above = {line for line in words if lines_of[line - 1].lstrip().startswith("#")}
    found = []
    for body in (tree.body, *(record.body for record in records)):
        for item, after in zip(body, [*body[1:], None], strict=True):
            told = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            for name, value in assigned(item):
                if name.isupper() or body is not tree.body:
                    lines = range(item.lineno, (item.end_lineno or item.lineno) + 1)
                    explained = told or not words.isdisjoint(lines)
                    module_word = body is tree.body and item.lineno - 1 in above
                    found.append(Number(name.lstrip("_"), value, explained or module_word))
    return tuple(found)


def assigned(item: ast.stmt) -> Iterator[tuple[str, object]]:
    """Names and the numbers they are given; a, b = 1, 2 gives two."""
    if not isinstance(item, ast.Assign | ast.AnnAssign) or item.value is None:
        return
    target = item.targets[0] if isinstance(item, ast.Assign) else item.target
    pairs = [(target, item.value)]
    if isinstance(target, ast.Tuple) and isinstance(item.value, ast.Tuple):
        pairs = list(zip(target.elts, item.value.elts, strict=True))
    for one, value in pairs:
        parts = value.elts if isinstance(value, ast.Tuple) else [value]
        if isinstance(one, ast.Name) and parts and all(map(is_number, parts)):
            yield one.id, ast.unparse(value)


def is_number(value: ast.expr) -> bool:
    """A literal, or arithmetic with literals and names such as np.pi / 180."""
    if isinstance(value, ast.Constant):
        return isinstance(value.value, int | float) and not isinstance(value.value, bool)
    if isinstance(value, ast.UnaryOp):
        return is_number(value.operand)
    if isinstance(value, ast.BinOp):
        return any(map(is_number, (value.left, value.right)))
    return False


def ambiguous(texts: dict[str, str]) -> dict[str, dict[str, list[str]]]:
    """Upper-case names with several values, and the files of each."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for file, text in texts.items():
        for number in numbers(text):
            if number.name.isupper():
                found[number.name][str(number.value)].append(file)
    return {name: dict(values) for name, values in found.items() if len(values) > 1}


def test_a_name_has_one_value_in_all_files() -> None:
    """But for published items: each has the settings of its own document."""
    assert ambiguous(TEXTS) == {}


def test_every_number_has_a_word() -> None:
    every = TEXTS | texts(PUBLISHED)
    assert {(file, item.name) for file, text in every.items() for item in numbers(text) if not item.explained} == set()


def test_two_values_of_a_name_and_a_number_without_a_word_are_seen() -> None:
    """Negative control."""
    assert ambiguous({"a": "FAR = 2.0", "b": "NEAR, _FAR = 1, 3.0  # metres", "c": "NEAR = 1"}) == {
        "FAR": {"2.0": ["a"], "3.0": ["b"]}
    }
    text = (
        "FAR = 2.0\n\nA = 1  # a\n# b\nB = 2 * pi\nC = -3\n'c'\n\nclass XSettings:\n    d: int = 4\n    e: int = 5  # e"
    )
    assert {item.name: item.explained for item in numbers(text)} == {
        "FAR": False, "A": True, "B": True, "C": True, "d": False, "e": True,
    }  # fmt: skip
