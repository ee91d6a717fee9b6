"""A table as cells: printed in columns, or laid out by whoever writes a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Cells:
    """Headers, rows of text, and which columns are numbers, to stand flush right."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[int, ...] = ()

    @property
    def shown(self) -> tuple[int, ...]:
        """The columns that hold something."""
        return tuple(i for i in range(len(self.headers)) if not self.rows or any(row[i] for row in self.rows))

    def __str__(self) -> str:
        return align(self.headers, self.rows, right=self.right, title_rule=True)


def align(
    headers: Sequence[str], rows: Sequence[Sequence[str]], right: Iterable[int] = (), title_rule: bool = False
) -> str:
    """Columns of text, those without any content left out."""
    kept = [i for i, header in enumerate(headers) if not rows or any(row[i] for row in rows)]
    lines = [[" ".join(cell.splitlines()) for cell in line] for line in (headers, *rows)]
    width = {i: max(len(line[i]) for line in lines) for i in kept}
    flush = set(right)
    text = [
        "  ".join(line[i].rjust(width[i]) if i in flush else line[i].ljust(width[i]) for i in kept).rstrip()
        for line in lines
    ]
    if title_rule:
        text.insert(1, "-" * len(text[0]))
    return "\n".join(text)
