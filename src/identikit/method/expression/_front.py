"""The front of laws: what every further part of an expression buys, as a table that is kept and drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from identikit.method.expression._law_search import SearchedLaw
from identikit.method.expression._settings import EXPRESSION
from identikit.method.expression._shape_laws import TriedLaw
from identikit.method.sparse._selection import fitted
from identikit.model import size
from identikit.numerics import best_subsets

COLUMNS = ["law", "complexity", "constants", "misfit", "rms", "criterion above", "chosen", "on the front"]


def front_artifact(found: SearchedLaw, tried: Sequence[TriedLaw]) -> dict[str, Any]:
    """Laws by complexity (parts of their right-hand sides) and misfit (rms of whitened residuals of the weak form, 1
    being noise alone); of those whose trajectories were compared also the residual's rms, by output, and the criterion
    above the least. The first of `tried` is the law."""
    least = min(item.criterion for item in tried)
    rows: list[list[Any]] = []
    for item in tried:
        above = item.criterion - least if np.isfinite(item.criterion) else None
        rms, chosen = dict(item.rms) or None, item is tried[0]
        rows.append(
            [
                _text(item.equations, item.law.library.tested),
                item.complexity,
                item.constants,
                item.law.misfit,
                rms,
                above,
                chosen,
                False,
            ]
        )
    told = {item.law.chosen for item in tried if item.law.library is found.law.library}
    rows += _subsets(found, told)
    rows.sort(key=lambda row: (row[1], row[3]))
    best = np.inf
    for row in rows:
        if row[3] is not None and row[3] < best:
            best, row[-1] = row[3], True
    return {"kind": "table", "what": "pareto front", "columns": COLUMNS, "rows": rows}


def _subsets(found: SearchedLaw, told: set[tuple[int, ...]]) -> Iterator[list[Any]]:
    """The best subsets of the library by every price of a term, the corners of the front, without those told."""
    selection, law = found.selection, found.law
    rows, kept = (
        selection.rows,
        tuple(i for i, t in enumerate(law.library.terms) if t.function in found.granted[t.state]),
    )
    spare = max(len(rows) - len(law.chosen), 1)
    noise = (law.misfit or 1.0) ** 2 * spare / max(selection.subsets.best.squares, 1e-300)
    highest = max(float(rows[:, 0] @ rows[:, 0]), 2.0)
    seen = set(told)
    for price in np.geomspace(highest, 1.0, EXPRESSION.front_prices):
        subset = best_subsets(rows, float(price), 0.0, kept, 0).best
        if not subset.chosen or subset.chosen in seen:
            continue
        seen.add(subset.chosen)
        values = fitted(rows, subset.chosen)
        model = law.library.law(subset.chosen, values)
        misfit = float(np.sqrt(noise * subset.squares / max(len(rows) - len(subset.chosen), 1)))
        words = _text(law.library.equations_of(subset.chosen, values), law.library.tested)
        yield [words, sum(map(size, model.equations)), len(subset.chosen), misfit, None, None, False, False]


def _text(equations: dict[str, str], tested: Sequence[str]) -> str:
    return "; ".join(f"{state}' = {equations[state]}" for state in tested)
