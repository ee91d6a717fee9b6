"""What is done again: a document, its tables and figures, and what doing one of them again has shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from identikit.progress import Progress
from identikit.result import Panel, PublishedFigure


@dataclass(frozen=True)
class Document:
    """A document whose tables and figures are done again; an entry point in "identikit.reproductions" leads to it.

    Arguments:
        name: "the pendulum report". reference: where it was published.
        package: which the work of its items is in.
        rows: what there is, by key: "module:function" in that package, "Table 4", and what it shows.
    """

    name: str
    reference: str
    package: str
    rows: Mapping[str, tuple[str, str, str]]

    @property
    def items(self) -> dict[str, Item]:
        """Its tables and figures by key; nothing of them is imported yet."""
        return {
            key: Item(key, self, where, title, f"{self.package}.{path}")
            for key, (path, where, title) in self.rows.items()
        }


@dataclass(frozen=True)
class Scale:
    """How much work is done."""

    quick: bool = False

    def seeds(self, whole: int, quick: int) -> int:
        """How many noise draws."""
        return quick if self.quick else whole

    def some(self, whole: Sequence[str], quick: int = 1) -> Sequence[str]:
        """Which cases: all, or the first few."""
        return whole[:quick] if self.quick else whole


@dataclass(frozen=True)
class Outcome:
    """What doing an item again has shown; see Reproduction for the fields."""

    figures: tuple[PublishedFigure, ...] = ()
    panels: tuple[Panel, ...] = ()
    notes: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    seeds: int = 0


Work = Callable[[Scale, Progress], Outcome]
"""Does an item again, telling its progress; ends with the same numbers whenever it is given the same scale."""


@dataclass(frozen=True)
class Item:
    """A table or figure of a document.

    Arguments:
        where: "Table 4", "Figures 1 and 2". title: what it shows.
        work: does it again; the function, or "package.module:function".
    """

    key: str
    document: Document
    where: str
    title: str
    work: Work | str

    def run(self, scale: Scale, progress: Progress) -> Outcome:
        """Do it again."""
        if not isinstance(self.work, str):
            return self.work(scale, progress)
        module, _, name = self.work.partition(":")
        work: Work = getattr(import_module(module), name)
        return work(scale, progress)
