"""Errors of several quantities side by side, as rows of a table and as bars: what many published items come down to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from identikit.result import Panel, PublishedFigure, Series

Column = Sequence[float] | NDArray[Any]


@dataclass(frozen=True)
class ErrorTable:
    """Each field but `notes` has one entry for each quantity.

    Arguments:
        names: short, as they stand below the bars.
        cases: the same, as rows of the table tell them: with the true and the printed value.
        printed: errors of the printed values; text where there is none.
        as_printed, obtained, bound: rms errors over the noise draws, and the Cramer-Rao bound.
        notes: {name: what is to be said of it}.
    """

    names: Sequence[str]
    cases: Sequence[str]
    printed: Sequence[float | str]
    as_printed: Column
    obtained: Column
    bound: Column
    notes: Mapping[str, str] = field(default_factory=dict)

    def figures(self, unit: str = "", quantity: str = "error") -> list[PublishedFigure]:
        """One row for each quantity."""
        columns = zip(self.names, self.cases, self.printed, self.as_printed, self.obtained, self.bound, strict=True)
        return [
            PublishedFigure(case, quantity, unit, printed if isinstance(printed, str) else float(printed),
                            float(as_printed), float(obtained), float(bound), self.notes.get(name, ""))
            for name, case, printed, as_printed, obtained, bound in columns
        ]  # fmt: skip

    def panel(self, title: str, x_label: str, y_label: str, best: str = "best here", y_scale: str = "linear") -> Panel:
        """A group of bars for each quantity; `best` says what method the best one is."""
        columns: list[tuple[str, Any, str]] = [("as printed, here", self.as_printed, ""),
                                               (best, self.obtained, "model"),
                                               ("bound", self.bound, "bound")]  # fmt: skip
        if not any(isinstance(value, str) for value in self.printed):
            columns.insert(0, ("printed, one draw", self.printed, "printed"))
        places = tuple(float(k) for k in range(len(self.names)))
        series = tuple(
            Series(label, places, tuple(map(float, values)), "bars", emphasis=look) for label, values, look in columns
        )
        return Panel(title, x_label, y_label, series, y_scale=y_scale, ticks=tuple(self.names))


def root_mean_square(values: Any, axis: int | None = None) -> Any:
    """Of errors over noise draws, usually along the first axis."""
    return np.sqrt(np.mean(np.square(values), axis=axis))
