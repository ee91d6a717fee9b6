"""What may reach a terminal: text, and nothing that moves the cursor, changes colours or reverses what is read.

Names of columns, files, models and units come from strangers. Escape sequences in them could rewrite what a terminal
shows, and marks of writing direction could show a number as another. All that a command prints passes here.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

# Control characters but for the line feed and the tab; separators of lines and paragraphs; marks of writing direction;
# halves of characters, which stand for bytes of a file name that are no text.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def visible(text: str) -> str:
    """The text with whatever acts on a terminal spelt out.

    >>> visible("speed\\x1b[31m")
    'speed\\\\x1b[31m'
    """
    return _UNSAFE.sub(lambda match: match.group().encode("unicode_escape").decode(), text)


def one_line(text: str) -> str:
    """The same for a name: line feeds are spelt out too, so that no name makes a line of its own."""
    return visible(text).replace("\n", "\\n")


class VisibleStream:
    """A text stream that prints what is visible, in the characters that the stream has."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream  # as it is, for those who move the cursor on purpose

    def write(self, text: str) -> int:
        encoding = getattr(self.stream, "encoding", None) or "utf-8"
        self.stream.write(visible(text).encode(encoding, "backslashreplace").decode(encoding))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def visible_only() -> Iterator[None]:
    """Within it, `print` and all that writes to stdout and stderr passes through `visible`."""
    plain = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = VisibleStream(plain[0]), VisibleStream(plain[1])
    try:
        yield
    finally:
        sys.stdout, sys.stderr = plain
