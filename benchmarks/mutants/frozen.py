"""What is known of changes from before: which were killed, and which make no difference that a user could see.

`frozen.json` has a row for every change that was tried when it was frozen; after tests were rewritten, every one that
was killed must still be. `equivalent.toml` has, with a reason each, those that no test can tell from the code as it is.
Changes are found again by function and source, in another module too where theirs is gone or has lost the function.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.mutants.changes import Change, Key

FOLDER = Path(__file__).parent
FROZEN = FOLDER / "frozen.json"
EQUIVALENT = FOLDER / "equivalent.toml"


@dataclass(frozen=True)
class Row:
    """A change that was tried: how it ended, and which test had killed it."""

    key: Key
    ended: str
    test: str


def read_frozen(path: Path = FROZEN) -> list[Row]:
    """Empty before anything was frozen."""
    if not path.exists():
        return []
    rows = json.loads(path.read_text(encoding="utf-8"))
    return [Row((row[0], row[1], row[2], row[3], row[4]), row[5], row[6]) for row in rows]


def write_frozen(rows: Iterable[Row], path: Path = FROZEN) -> None:
    """One line for each, so that differences can be read."""
    lines = [json.dumps([*row.key, row.ended, row.test], ensure_ascii=False) for row in rows]
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def read_equivalent(path: Path = EQUIVALENT) -> dict[Key, str]:
    """Reasons by change."""
    if not path.exists():
        return {}
    return {_key(row): row["reason"] for row in tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]}


def _key(row: Mapping[str, Any]) -> Key:
    module, function, before, after = (row[name] for name in ("module", "function", "before", "after"))
    return f"identikit.{module}", function, before, after, row.get("number", 0)


class Places:
    """Changes that there are now, to find those from before among them."""

    def __init__(self, population: Sequence[Change]) -> None:
        self.exact = {change.key: change for change in population}
        self.functions = {(change.module, change.function) for change in population}
        self.moved: dict[tuple[object, ...], list[Change]] = {}
        for change in population:
            self.moved.setdefault(change.key[1:], []).append(change)

    def find(self, key: Key) -> Change | None:
        """The change with that key; where its function has left the module, the same in the one that has it now; None
        if there is no such place any more."""
        if key in self.exact:
            return self.exact[key]
        elsewhere = self.moved.get(key[1:], []) if key[:2] not in self.functions else []
        return elsewhere[0] if len(elsewhere) == 1 else None
