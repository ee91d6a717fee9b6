"""A discovered law in words: its equations, how sure each term is, rivals, what it is worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from identikit.result._cells import Cells
from identikit.result._numbers import rounded
from identikit.result._result import Result
from identikit.result._text import concerns, in_lines

HEADERS = ("equation", "term", "coefficient", "value", "std", "unit", "probability", "replicates")
MOST_DOUBTFUL = 5  # terms outside the law that are listed
DOUBTFUL = 0.05  # probability from which a term that is not in the law is worth a line


def describe_law(result: Result) -> str:
    """Equations, table of terms, rivals and sentences, as `identikit discover` prints them."""
    if not result.is_discovery:
        return f"The method {result.method} found no law. {concerns(result)}"
    return f"{law_text(result)}\n\n{in_lines(result)}"


def law_text(result: Result) -> str:
    """Equations, table of terms and rivals of a law that was discovered."""
    parts = [
        equations_text(result.artifacts["law"]),
        _terms_text(result),
        _inner(result),
        _rivals(result),
        _held_out(result),
    ]
    return "\n\n".join(part for part in parts if part)


def equations_text(law: Mapping[str, Any]) -> str:
    """One line for every equation."""
    return "\n".join(f"  {state}' = {text}" for state, text in law["equations"].items())


def _rows(result: Result, name: str) -> list[dict[str, Any]]:
    table = result.artifacts.get(name)
    return [] if table is None else [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]


def _terms_text(result: Result) -> str:
    cells = term_cells(result)
    return str(cells) if cells.rows else ""


def term_cells(result: Result) -> Cells:
    """One row per term of the law, and of those outside it that are likely all the same."""
    rows, found = _rows(result, "terms"), []
    outside = [row for row in rows if not row["in the law"] and _likely(row) >= DOUBTFUL]
    doubtful = sorted(outside, key=_likely, reverse=True)[:MOST_DOUBTFUL]
    for row in [row for row in rows if row["in the law"]] + doubtful:
        value, std = ("not in the law", "") if not row["in the law"] else rounded(*_number(row))
        shares = ["" if row[name] is None else f"{100 * row[name]:.0f} %" for name in ("probability", "replicates")]
        found.append((f"{row['equation']}'", row["term"], row["coefficient"], value, std, row["unit"], *shares))
    return Cells(HEADERS, tuple(found), (3, 4, 6, 7))


def _inner(result: Result) -> str:
    """Constants inside functions."""
    found = []
    for row in _rows(result, "inner constants"):
        value, std = rounded(row["value"], row["std"])
        spread = f" \N{PLUS-MINUS SIGN} {std}" if row["std"] is not None else ""
        found.append(f"{row['constant']} = {value}{spread}{' ' + row['unit'] if row['unit'] else ''}")
    return f"Constants inside: {', '.join(found)}." if found else ""


def _likely(row: Mapping[str, Any]) -> float:
    return max(row["probability"] or 0.0, row["replicates"] or 0.0)


def _number(row: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """The refined constant, or as it was found."""
    return (row["unrefined"], row["unrefined std"]) if row["value"] is None else (row["value"], row["std"])


def _rivals(result: Result) -> str:
    if "rivals" not in result.artifacts:
        return ""
    rows = _rows(result, "rivals")
    if not rows:
        return "Rivals: no other law of these terms comes near."
    lines = [f"  {row['criterion above']:5.1f}  {row['change']}" for row in rows]
    limit = result.artifacts["rivals"]["as_good_below"]
    heading = f"Rivals: the law changed, and by how much its criterion rises (below {limit:g} it cannot be told):"
    return "\n".join([heading, *lines])


def _held_out(result: Result) -> str:
    found = result.diagnostics.get("held_out")
    if not found:
        return ""
    said = ", ".join(f"{name} to {item['fit_percent']:.1f} % ({item['rmse']:.3g} rms)" for name, item in found.items())
    share = 100 * result.diagnostics["held_out_after"]
    return f"Fitted to the first {share:.0f} % of the record, it predicts the rest: {said}."
