"""An answer made small: numbers to ten digits, long lists by a few places; no clocks, versions and settings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

CLOCKS = ("seconds",)  # keys under which times of work stand
LEFT_OUT = (*CLOCKS, "identikit", "settings")  # versions and chosen numbers are no answers
LONG = 24  # numbers from which on a list is kept by some of its places
PLACES = 9  # of a long list that are kept, both ends among them
DIGITS = 10  # of a single number
FEWER_DIGITS = 5  # of one in a long list


def shape_of(value: Any) -> Any:
    """The value without what differs from run to run, and short enough to be kept."""
    if isinstance(value, Mapping):
        return {str(key): shape_of(item) for key, item in value.items() if key not in LEFT_OUT}
    if isinstance(value, Sequence) and not isinstance(value, str):
        flat = _flat(value)
        return [shape_of(item) for item in value] if flat is None or len(flat) < LONG else _long(flat)
    return _number(value, DIGITS)


def _flat(value: Sequence[Any]) -> list[Any] | None:
    """All numbers of a list, or of a list of lists; None where there is anything else in it."""
    flat: list[Any] = []
    for item in value:
        if isinstance(item, str | Mapping | bool):
            return None
        if isinstance(item, Sequence):
            inner = _flat(item)
            if inner is None:
                return None
            flat += inner
        else:
            flat.append(item)
    return flat


def _long(values: list[Any]) -> dict[str, Any]:
    known = [float(item) for item in values if item is not None and math.isfinite(item)]
    size = max(map(abs, known), default=0.0)
    last = len(values) - 1
    return {
        "count": len(values),
        "missing": len(values) - len(known),
        "size": _number(size, FEWER_DIGITS),
        "mean": _number(math.fsum(known) / max(len(known), 1), FEWER_DIGITS),
        "at": [_number(values[k * last // (PLACES - 1)], FEWER_DIGITS) for k in range(PLACES)],
    }


def _number(value: Any, digits: int) -> Any:
    if not isinstance(value, float):
        return value
    return float(f"{value:.{digits}g}") if math.isfinite(value) else None
