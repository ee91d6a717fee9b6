"""The picture of a search among expressions: how well laws do against how long they are; from a saved result."""

from __future__ import annotations

from typing import Any

from identikit.plotting._style import DATA, FAINT, INK, MODEL, NOTE_SIZE, logarithmic
from identikit.result import Result

LONGEST_LABEL = 60  # characters of a law beside its point


def draw_front(block: Any, result: Result) -> None:
    """Into a figure or part of one: misfit over complexity, the front as steps, the law marked and written beside."""
    table = next(item for item in result.artifacts.values() if item.get("what") == "pareto front")
    rows = [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
    rows = [row for row in rows if row["misfit"] is not None]
    axes = block.subplots(1, 1)
    axes.axhline(1.0, color=FAINT, linewidth=0.8, zorder=0)
    dominated = [row for row in rows if not row["on the front"]]
    front = [row for row in rows if row["on the front"]]
    axes.plot(*_points(dominated), "o", color=FAINT, markersize=4, label="other laws")
    axes.step(*_points(front), where="post", color=DATA, linewidth=1.0, marker="o", markersize=4, label="front")
    for row in (row for row in rows if row["chosen"]):
        axes.plot(row["complexity"], row["misfit"], "o", color=MODEL, markersize=8, label="the law")
        text = row["law"] if len(row["law"]) <= LONGEST_LABEL else row["law"][: LONGEST_LABEL - 3] + "..."
        axes.annotate(
            text, (row["complexity"], row["misfit"]), (6, 8), textcoords="offset points", color=INK, fontsize=NOTE_SIZE
        )
    axes.set_xlabel("complexity [parts of the expression]")
    axes.set_ylabel("misfit [1 = noise]")
    logarithmic(axes)
    axes.legend(loc="upper right", frameon=False, fontsize=NOTE_SIZE)


def _points(rows: list[dict[str, Any]]) -> tuple[list[float], list[float]]:
    return [row["complexity"] for row in rows], [row["misfit"] for row in rows]
