"""How far the arithmetics are from each other, and what tolerance follows from that.

A cell's tolerance is .02 of a standard error, or twice its scatter over the arithmetics; where that is above .2, only
its status and its codes are compared. Of another answer the same is said of each number by itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from golden.comparison import Difference, Kind

LEAST = 0.02  # of a standard error: the tolerance of what does not scatter
MOST = 0.2  # beyond which a number is not compared
MOST_LOOSE = 25  # cells of which only status and codes are compared
WORTH_KEEPING = LEAST / 4  # a smaller scatter of one number of an answer is not written down
MOST_PLACES = 40  # scattering numbers of an answer from which on none of its numbers is compared


def of_the_same_record(native: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """The other form with the digest of the native one's record: that of a perturbed record is no scatter."""
    first, second = (_digest(form.get("document")) for form in (native, other))
    return dict(json.loads(json.dumps(other).replace(second, first))) if first and second else dict(other)


def _digest(document: Any) -> str:
    provenance = document.get("provenance") if isinstance(document, Mapping) else None
    return str((provenance or {}).get("data_sha256") or "")


def scatter_between(native: Mapping[str, Any], other: Mapping[str, Any], found: Iterable[Difference]) -> dict[str, Any]:
    """What is kept of the differences between two arithmetics.

    `furthest` is the largest distance of a number, `places` the numbers that moved by more than a trifle (where these
    are many, how many they are), `other` what differs in words or structure; `status` and `codes` are there if they
    hang on the arithmetic, which nothing should.
    """
    kept: dict[str, Any] = {"furthest": 0.0}
    for item in found:
        if item.kind is Kind.NUMBER:
            distance = float(f"{item.distance:.2g}")
            kept["furthest"] = max(kept["furthest"], distance)
            if distance > WORTH_KEEPING:
                kept.setdefault("places", {})[item.where] = distance
        elif item.kind in (Kind.WORDS, Kind.STRUCTURE):
            kept.setdefault("other", []).append(item.where)
    if len(kept.get("places", ())) > MOST_PLACES:
        kept["places"] = len(kept["places"])
    for key in ("status", "codes"):
        if native[key] != other[key]:
            kept[key] = [native[key], other[key]]
    return kept


@dataclass(frozen=True)
class Tolerance:
    """What may differ of one cell or answer.

    Arguments:
        scatter: arithmetic -> what `scatter_between` kept; empty where nothing was measured yet.
        by_place: whether each number has its own tolerance, as those of an answer do.
    """

    scatter: Mapping[str, Mapping[str, Any]]
    by_place: bool

    def of(self, where: str) -> float:
        """In standard errors."""
        distances = (self._distance(item, where) for item in self.scatter.values())
        return max(LEAST, 2 * max(distances, default=0.0))

    def _distance(self, item: Mapping[str, Any], where: str) -> float:
        places = item.get("places", {})
        if not self.by_place or isinstance(places, int):
            return float(item["furthest"])
        return float(places.get(where, 0.0))

    @property
    def hangs(self) -> bool:
        """Whether status or codes differ between arithmetics."""
        return any("status" in item or "codes" in item for item in self.scatter.values())

    @property
    def loose(self) -> bool:
        """Whether of this cell only status and codes are compared."""
        return not self.by_place and (self.hangs or self.of("") > MOST)

    def allows(self, item: Difference) -> bool:
        """Whether a difference is no more than what the arithmetics differ by."""
        if item.kind in (Kind.STATUS, Kind.CODES):
            return any(item.kind is kind and key in entry for kind, key in _KEYS for entry in self.scatter.values())
        if self.loose or any(_within(item.where, place) for place in self._other()):
            return True
        if item.kind is not Kind.NUMBER:
            return False
        limit = self.of(item.where)
        return limit > MOST or item.distance <= limit

    def _other(self) -> set[str]:
        return {place for item in self.scatter.values() for place in item.get("other", ())}


_KEYS = ((Kind.STATUS, "status"), (Kind.CODES, "codes"))


def _within(where: str, place: str) -> bool:
    """Whether one place is another, or inside it, or the numbers of its text."""
    return where == place or where.startswith((f"{place}.", f"{place}[", f"{place}#"))
