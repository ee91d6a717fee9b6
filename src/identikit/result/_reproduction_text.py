"""A reproduction in words: the table of figures, and what is to be said about them."""

from __future__ import annotations

import textwrap

from identikit.result._cells import Cells
from identikit.result._reproduction import PublishedFigure, Reproduction

WIDTH = 110  # characters of a line
HEADERS = ("case", "figure", "printed", "as printed, here", "best here", "bound")
DIGITS = 4  # of a number


def describe_reproduction(item: Reproduction) -> str:
    """Title, table, notes, as `print(reproduction)` shows them."""
    title = f"{item.key}: {item.source}, {item.where}. {item.title}"
    parts = [textwrap.fill(title, WIDTH)]
    if item.figures:
        parts.append(str(figure_cells(item)))
    parts += [textwrap.fill(note, WIDTH) for note in (*item.notes, *figure_remarks(item))]
    over = "1 seed" if item.seeds == 1 else f"{item.seeds} seeds"
    parts.append(f"Over {over}{', quick' if item.quick else ''}." if item.seeds else "No noise is drawn.")
    return "\n\n".join(parts)


def figure_cells(item: Reproduction) -> Cells:
    """One row per figure: printed, as printed, best, bound."""
    return Cells(HEADERS, tuple(_figure_rows(item)), tuple(range(2, len(HEADERS))))


def _figure_rows(item: Reproduction) -> list[tuple[str, ...]]:
    """The table's rows as text."""
    return [(figure.case, _named(figure), *(number(value) for value in _values(figure))) for figure in item.figures]


def figure_remarks(item: Reproduction) -> list[str]:
    """What is to be said about single figures; what holds for several is said once."""
    about: dict[str, list[str]] = {}
    for figure in item.figures:
        if figure.note:
            about.setdefault(figure.note, []).append(f"{figure.case}, {figure.quantity}")
    return [
        f"{names[0]}{f' and {len(names) - 1} more' if len(names) > 1 else ''}: {note}" for note, names in about.items()
    ]


def _named(figure: PublishedFigure) -> str:
    return f"{figure.quantity} [{figure.unit}]" if figure.unit else figure.quantity


def _values(figure: PublishedFigure) -> tuple[float | str | None, ...]:
    return figure.printed, figure.as_printed, figure.obtained, figure.bound


def number(value: float | str | None) -> str:
    """A figure as text; - for none."""
    return "-" if value is None else value if isinstance(value, str) else f"{value:.{DIGITS}g}"
