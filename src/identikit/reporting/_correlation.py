"""How estimates go together, as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from identikit.diagnose import STRONG
from identikit.reporting._document import Table
from identikit.reporting._settings import REPORT
from identikit.result import Cells


def correlation_table(found: Any) -> Table | None:
    """A row and a column for every parameter; None where there are too few or too many, or no correlations."""
    if not isinstance(found, Mapping) or not 1 < len(found) <= REPORT.most_correlated:
        return None
    names = list(found)
    rows = tuple((name, *(_number(found[name][other]) for other in names)) for name in names)
    caption = f"Correlation of the estimates: beyond {STRONG:g} either way, quote the two together."
    return Table(Cells(("", *names), rows, tuple(range(1, len(names) + 1))), caption)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
