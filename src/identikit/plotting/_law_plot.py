"""The picture of a law: how sure each candidate term is, and how far behind other laws are; from a saved result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from identikit.plotting._style import DATA, FAINT, INK, MODEL, NOTE_SIZE, logarithmic
from identikit.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes


MOST_CANDIDATES = 12  # candidates that are drawn: the law's own, then the likeliest others
MOST_RIVALS = 6  # laws that are drawn
LONGEST = 64  # letters of a rival that are written
LONGEST_LABEL = 60  # characters of a law beside its point


def draw_law(block: Any, result: Result) -> None:
    """Into a figure or part of one: terms on the left, rivals on the right."""
    table = next(item for item in result.artifacts.values() if item.get("what") == "law")
    rows = [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
    left, right = block.subplots(1, 2, squeeze=False)[0]
    _draw_terms(left, rows)
    _draw_rivals(right, result.artifacts["rivals"])


def _draw_terms(axes: Axes, rows: list[dict[str, Any]]) -> None:
    """Bars for the probability over all laws that come near, rings for the share of replicates."""
    rows = sorted(rows, key=lambda row: (not row["in the law"], -max(row["probability"], row["replicates"] or 0.0)))
    drawn = rows[:MOST_CANDIDATES]
    several = len({row["equation"] for row in rows}) > 1
    places = range(len(drawn))
    colours = [MODEL if row["in the law"] else FAINT for row in drawn]
    axes.barh(places, [100 * row["probability"] for row in drawn], color=colours, height=0.6)
    replicated = all(row["replicates"] is not None for row in drawn)
    if replicated:
        shares = [100 * row["replicates"] for row in drawn]
        axes.plot(shares, places, "o", color=INK, markersize=5, fillstyle="none", clip_on=False, zorder=3)
    words = [f"{row['term']} in {row['equation']}'" if several else row["term"] for row in drawn]
    axes.set_yticks(list(places), words, fontsize=NOTE_SIZE)
    axes.set_ylim(len(drawn) - 0.4, -0.6)
    axes.set_xlim(0, 103)
    axes.set_xlabel("in the law [%]")
    hidden = f" ({len(drawn)} of {len(rows)} candidates)" if len(drawn) < len(rows) else ""
    rings = "; rings: share of replicates" if replicated else ""
    axes.set_title(f"bars: probability{rings}{hidden}", loc="left")
    axes.grid(visible=False, axis="y")


def _draw_rivals(axes: Axes, table: Mapping[str, Any]) -> None:
    """How much the criterion of other laws is above that of the chosen one."""
    rows = [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]][:MOST_RIVALS]
    axes.set_title("the law with other terms; from the dotted line on it can be told", loc="left")
    if not rows:
        words = "no other law of these terms comes near"
        axes.text(0.5, 0.5, words, ha="center", va="center", transform=axes.transAxes)
        axes.set_axis_off()
        return
    limit = table["as_good_below"]
    for place, row in enumerate(rows):
        axes.barh(place, row["criterion above"], color=MODEL if row["as good"] else DATA, height=0.35)
        text = row["change"] if len(row["change"]) <= LONGEST else f"{row['change'][: LONGEST - 3]}..."
        axes.text(0.0, place - 0.22, f" {text}", fontsize=NOTE_SIZE, va="bottom")
    axes.axvline(limit, color=INK, linewidth=0.8, linestyle=":")
    axes.set_ylim(max(len(rows), MOST_RIVALS - 2) - 0.5, -0.7)
    axes.set_xlim(0, 1.15 * max(limit, *(row["criterion above"] for row in rows)))
    axes.set_yticks([])
    axes.set_xlabel("criterion above the law's own")


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
