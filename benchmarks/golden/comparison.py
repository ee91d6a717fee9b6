"""What differs between two answers: structure and words exactly, numbers in standard errors.

A number beside a `std` is measured by it. One that has no standard error is given one: a twentieth of its size (of the
largest in a list), or what the table below says of numbers whose size tells nothing, such as a probability. So .02
of a standard error is a thousandth of such a number.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from golden.template import Template, resolution, template_of

SHARE = 0.05  # of a number without a standard error that counts as one
LONG_LIST = frozenset({"count", "missing", "size", "mean", "at"})
# keys whose numbers say nothing by their size: logarithms of a likelihood differ by ones, probabilities by hundredths
ERRORS: dict[str, float] = {
    **dict.fromkeys(("log", "aic", "bic", "log_likelihood", "criterion", "above", "evidence"), 1.0),
    **dict.fromkeys(("p", "p_value", "whiteness_p", "weight", "inside", "probability", "correlation"), SHARE),
    **dict.fromkeys(("fit_percent", "r2_percent"), 1.0),
}


class Kind(StrEnum):
    """What sort of difference it is."""

    STATUS = "status"
    CODES = "finding codes"
    STRUCTURE = "structure"
    WORDS = "words"
    NUMBER = "number"


@dataclass(frozen=True)
class Difference:
    """One place where two answers differ; `distance` is in standard errors, infinite where nothing is measured."""

    where: str
    kind: Kind
    old: str
    new: str
    distance: float = math.inf

    def __str__(self) -> str:
        moved = f" by {self.distance:.2g} standard errors" if self.kind is Kind.NUMBER else ""
        return f"{self.where}: {self.kind.value}{moved}: {self.old} -> {self.new}"


def differences(old: Any, new: Any, where: str = "", error: float | None = None) -> Iterator[Difference]:
    """Every place where two shapes differ; `error` is the standard error of the numbers in them, where known."""
    if _is_number(old) and _is_number(new):
        yield from _moved(float(old), float(new), where, error)
    elif isinstance(old, str) and isinstance(new, str):
        yield from different_texts(old, new, where)
    elif isinstance(old, Mapping) and isinstance(new, Mapping):
        yield from _different_tables(old, new, where)
    elif isinstance(old, list) and isinstance(new, list):
        yield from _different_lists(old, new, where, error)
    elif old != new or type(old) is not type(new):
        yield Difference(where, Kind.STRUCTURE, _brief(old), _brief(new))


def different_texts(old: str, new: str, where: str) -> Iterator[Difference]:
    """Words exactly, line breaks aside; numbers to one in their last place."""
    if old == new:
        return
    was, now = template_of(old), template_of(new)
    if was.words.split() != now.words.split():
        yield Difference(where, Kind.WORDS, *_first_other_words(was, now))
        return
    for k, (first, second) in enumerate(zip(was.numbers, now.numbers, strict=True)):
        step = max(resolution(first), resolution(second))
        if abs(float(first) - float(second)) > 1.001 * step:  # one in the last place, and the rounding of this sum
            yield from _moved(float(first), float(second), f"{where}#{k}", SHARE * abs(float(first)) + step)


def _different_tables(old: Mapping[str, Any], new: Mapping[str, Any], where: str) -> Iterator[Difference]:
    for key in sorted(old.keys() ^ new.keys()):
        yield Difference(f"{where}.{key}", Kind.STRUCTURE, _brief(old.get(key, "-")), _brief(new.get(key, "-")))
    measured = _is_number(old.get("std")) and _is_number(old.get("value")) and old["std"] > 0
    for key in sorted(old.keys() & new.keys()):
        error = ERRORS.get(key)
        if measured and key in ("value", "std", "ci95", "crlb"):
            error = float(old["std"])
        elif old.keys() >= LONG_LIST and key in ("size", "mean", "at"):
            error = SHARE * float(old["size"])
        elif key == "matrix" and "names" in old:
            yield from _different_matrices(old[key], new[key], f"{where}.{key}")
            continue
        yield from differences(old[key], new[key], f"{where}.{key}", error)


def _different_lists(old: list[Any], new: list[Any], where: str, error: float | None) -> Iterator[Difference]:
    if len(old) != len(new):
        yield Difference(where, Kind.STRUCTURE, f"{len(old)} items", f"{len(new)} items")
        return
    if error is None and old and all(item is None or _is_number(item) for item in old):
        error = SHARE * max((abs(item) for item in old if item is not None), default=0.0)
    for k, (first, second) in enumerate(zip(old, new, strict=True)):
        yield from differences(first, second, f"{where}[{k}]", error)


def _different_matrices(old: Any, new: Any, where: str) -> Iterator[Difference]:
    """Covariances, each over the standard deviations of its row and column."""
    if not (isinstance(old, list) and isinstance(new, list) and len(old) == len(new)):
        yield from differences(old, new, where)
        return
    if not all(isinstance(row, list) and len(row) == len(old) for row in (*old, *new)):
        yield from differences(old, new, where)  # a large one, kept by some of its places
        return
    for i, row in enumerate(old):
        for j, value in enumerate(row):
            scale = math.sqrt(abs(old[i][i] * old[j][j]))
            yield from differences(value, new[i][j], f"{where}[{i}][{j}]", 2 * scale)  # of a variance: 2 std's errors


def _moved(old: float, new: float, where: str, error: float | None) -> Iterator[Difference]:
    if old == new:
        return
    scale = SHARE * max(abs(old), abs(new)) if error is None else error
    distance = abs(new - old) / scale if scale > 0 else math.inf
    yield Difference(where, Kind.NUMBER, f"{old:.10g}", f"{new:.10g}", distance)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _brief(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _first_other_words(old: Template, new: Template) -> tuple[str, str]:
    """The surroundings of the first word that differs."""
    was, now = old.words.split(), new.words.split()
    same = next(
        (k for k, pair in enumerate(zip(was, now, strict=False)) if pair[0] != pair[1]), min(len(was), len(now))
    )
    begin = max(same - 3, 0)
    return " ".join(was[begin : same + 8]), " ".join(now[begin : same + 8])
