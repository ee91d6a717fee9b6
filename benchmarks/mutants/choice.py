"""Which changes are tried: by a seed, equally many of each concern, and hardly others when code moves.

Every change has a rank, the digest of the seed and of its key; the first ones of each concern are taken in turn. So the
beginning of the list is as fair a sample as the whole, and a function that is added or rewritten changes few of them.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Sequence
from itertools import zip_longest

from benchmarks.mutants.changes import Change, changes
from benchmarks.mutants.targets import CONCERNS, concern_of, modules, source_of


def all_changes() -> list[Change]:
    """Of all modules that exist."""
    return [change for module in modules() for change in changes(module, ast.parse(source_of(module)))]


def chosen(population: Sequence[Change], count: int, seed: int) -> list[Change]:
    """So many of them, the concerns in turn."""

    def rank(change: Change) -> str:
        return hashlib.sha256(repr((seed, change.key)).encode()).hexdigest()

    ranked = sorted(population, key=rank)
    by_concern = [[change for change in ranked if concern_of(change.module) == concern] for concern in CONCERNS]
    in_turn = [change for row in zip_longest(*by_concern) for change in row if change is not None]
    return in_turn[:count]
