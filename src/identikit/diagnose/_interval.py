"""The 95 % interval of an estimate within its bounds: where it is cut, and whether the estimate lies at a bound.

    [max(low, value - 1.96 std), min(high, value + 1.96 std)]

An estimate at a bound has a one-sided interval: the other end alone is news, and holds at 97.5 %.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from identikit.diagnose._identifiability import usual_size

ENDS = 1.96  # standard errors to either side: 95 % of a normal distribution
AT_BOUND = 1e-6  # of the smallest measure of a parameter (error, range, size): a search that meets a bound ends on it


@dataclass(frozen=True)
class Interval:
    """Both ends, None where no standard error is known; which bound the estimate lies at, and which ones cut."""

    ends: tuple[float, float] | None
    at: tuple[str, float] | None
    cut: tuple[tuple[str, float], ...]

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a reader of the interval must know of bounds."""
        lies = (f"at its {self.at[0]} bound {self.at[1]:g}",) if self.at else ()
        other = [item for item in self.cut if item != self.at]
        if not other:
            return lies
        where = f"its {other[0][0]} bound {other[0][1]:g}" if len(other) == 1 else "both its bounds"
        return (*lies, f"interval cut at {where}")


def interval(
    value: float, std: float, bounds: tuple[float, float], typical: float | None = None, reach: float = ENDS
) -> Interval:
    """The interval of an estimate; `typical` is the parameter's size as the model gives it, if it does; `reach` are the
    standard errors to either side, more than usual where few values gave them."""
    low, high = bounds
    size = usual_size(bounds, typical)
    at = None
    for word, edge in (("lower", low), ("upper", high)):
        near = AT_BOUND * min(std if std > 0 else math.inf, high - low, size, abs(edge) or math.inf)
        if math.isfinite(edge) and abs(value - edge) <= near:
            at = (word, edge)
    if not math.isfinite(std):
        return Interval(None, at, ())
    first, last = value - reach * std, value + reach * std
    cut = ((("lower", low),) if first < low else ()) + ((("upper", high),) if last > high else ())
    return Interval((max(low, first), min(high, last)), at, cut)
