"""A text taken apart: its words, with a mark in the place of each number, and the numbers.

Spaces and rules are made one, since the width of a table follows its numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MARK = "#"
_NUMBER = re.compile(r"(?<![\w.])(?:(?<=[\s(\[,;:=|/])[-−+]|^[-−+])?\d+(?:\.\d+)?(?:[eE][-+−]?\d+)?(?![\w])", re.M)
_RULE = re.compile(r"[-─=]{3,}")


@dataclass(frozen=True)
class Template:
    """Words, and the numbers as they stand between them."""

    words: str
    numbers: tuple[str, ...]


def template_of(text: str) -> Template:
    """Take a text apart."""
    numbers: list[str] = []

    def cut(match: re.Match[str]) -> str:
        numbers.append(match[0].replace("−", "-"))
        return MARK

    words = _NUMBER.sub(cut, text)
    lines = (" ".join(_RULE.sub("---", line).split()) for line in words.splitlines())
    return Template("\n".join(lines).strip(), tuple(numbers))


def resolution(number: str) -> float:
    """One in the last place that is printed."""
    digits, _, exponent = number.lower().partition("e")
    return 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))
