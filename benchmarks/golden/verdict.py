"""Whether what is answered now is what was frozen: for each cell and answer the differences that count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from golden.cells import is_cell
from golden.comparison import Difference, Kind, differences
from golden.scatter import MOST_LOOSE, Tolerance

LISTED = 12  # differences of one cell or answer that are printed
UNSEEN = "-"  # the status of what there is nothing of


@dataclass(frozen=True)
class Verdict:
    """One cell or answer, as it was and as it is.

    Arguments:
        counted: differences beyond the tolerance; furthest: the largest distance of all numbers, within it or not.
    """

    name: str
    was: str
    now: str
    counted: tuple[Difference, ...]
    furthest: float
    tolerance: Tolerance

    @property
    def other_status(self) -> bool:
        return any(item.kind is Kind.STATUS for item in self.counted)

    def lines(self) -> Iterator[str]:
        """What there is to say of it."""
        ranked = sorted(self.counted, key=lambda item: (list(Kind).index(item.kind), -item.distance))
        limit = "each number's own" if self.tolerance.by_place else f"{self.tolerance.of(''):.2g}"
        yield f"{self.name}: {len(ranked)} differences; tolerance {limit} of a standard error"
        yield from (f"    {item}" for item in ranked[:LISTED])
        if len(ranked) > LISTED:
            yield f"    and {len(ranked) - LISTED} more"


def form_differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Difference]:
    """Everything that differs between two frozen forms."""
    found = []
    if old["status"] != new["status"]:
        found.append(Difference("status", Kind.STATUS, old["status"], new["status"]))
    if old["codes"] != new["codes"]:
        found.append(Difference("codes", Kind.CODES, " ".join(old["codes"]), " ".join(new["codes"])))
    parts = ("parameters", "words", "document", "panels")
    first, second = ({part: form[part] for part in parts if part in form} for form in (old, new))
    found += differences(first, second)
    texts = [{key: "\n".join(lines) for key, lines in form.get("texts", {}).items()} for form in (old, new)]
    return [*found, *differences(texts[0], texts[1], ".texts")]


def judged(name: str, old: Mapping[str, Any], new: Mapping[str, Any], scatter: Mapping[str, Any]) -> Verdict:
    """One cell or answer."""
    tolerance = Tolerance(scatter, by_place=not is_cell(name))
    found = form_differences(old, new)
    counted = tuple(item for item in found if not tolerance.allows(item))
    furthest = max((item.distance for item in found if item.kind is Kind.NUMBER), default=0.0)
    return Verdict(name, old["status"], new["status"], counted, furthest, tolerance)


def appeared_or_gone(
    old: Mapping[str, Mapping[str, Any]], new: Mapping[str, Mapping[str, Any]], expected: set[str]
) -> list[str]:
    """Names that were never frozen, and frozen ones that are not answered any more."""
    lines = [f"{name}: is not frozen yet" for name in sorted(new.keys() - old.keys())]
    return lines + [f"{name}: is frozen, and there is no answer any more" for name in sorted(expected - new.keys())]


def summary(verdicts: list[Verdict], unmeasured: Mapping[str, int]) -> Iterator[str]:
    """What a run shows at its end."""
    cells = [item for item in verdicts if is_cell(item.name)]
    loose = [item.name for item in cells if item.tolerance.loose]
    wide = [item for item in cells if not item.tolerance.loose and item.tolerance.of("") > Tolerance({}, False).of("")]
    yield f"{len(cells)} cells, {len(verdicts) - len(cells)} other answers."
    if wide:
        listed = ", ".join(f"{item.name} {item.tolerance.of(''):.2g}" for item in wide)
        yield f"Tolerance twice the scatter, in standard errors: {listed}."
    if loose:
        yield f"Status and codes only ({len(loose)} of at most {MOST_LOOSE} cells): {', '.join(loose)}."
    hanging = [item.name for item in verdicts if item.tolerance.hangs]
    if hanging:
        yield f"Status or codes hang on the arithmetic, which nothing should: {', '.join(hanging)}."
    for arithmetic, count in unmeasured.items():
        if count:
            yield f"{count} not measured yet under {arithmetic}: .02 of a standard error holds."
    changed = [item for item in verdicts if item.other_status]
    for item in changed:
        yield f"status of {item.name}: {item.was} -> {item.now}"
    counted = [item for item in verdicts if item.counted]
    yield f"{len(counted)} differ." if counted else "None differs."
