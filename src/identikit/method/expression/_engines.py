"""Engines that search among expressions, by name, behind one signature."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from identikit.method.expression._operon_engine import by_operon
from identikit.method.expression._pysr_engine import by_pysr
from identikit.method.expression._search_columns import SearchColumns, Searched
from identikit.progress import Progress

ENGINES: dict[str, Callable[..., Searched]] = {"operon": by_operon, "pysr": by_pysr}


class Search(Protocol):
    """search(columns, seed, progress, functions): what is found for the target of the columns."""

    def __call__(self, columns: SearchColumns, seed: int, progress: Progress, functions: bool = False) -> Searched: ...
