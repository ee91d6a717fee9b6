"""All kinds of intervals that a result has been given, side by side, for a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from identikit.result import ParameterEstimate, Result

WHAT = "intervals"
COLUMNS = ("kind", "parameter", "value", "low", "high")
FIT = "fit"  # the method's own intervals, which were there first


def compared_intervals(
    result: Result, kind: str, estimates: Mapping[str, ParameterEstimate]
) -> dict[str, Mapping[str, Any]]:
    """The table of all kinds so far with this one: rows of kind, parameter, value and both ends."""
    before = result.artifacts.get(WHAT)
    rows = list(before["rows"]) if before else _rows(FIT, {name: result.parameters[name] for name in estimates})
    rows = [row for row in rows if row[0] != kind] + _rows(kind, estimates)
    return {WHAT: {"kind": "table", "what": WHAT, "columns": list(COLUMNS), "rows": rows}}


def _rows(kind: str, estimates: Mapping[str, ParameterEstimate]) -> list[list[Any]]:
    return [[kind, name, item.value, *(item.ci95 or (None, None))] for name, item in estimates.items()]
