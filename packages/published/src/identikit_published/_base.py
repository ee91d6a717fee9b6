"""What is done again: a document, its tables and figures, and what doing one of them again has shown."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.resources import files
from typing import Any, cast

from identikit.progress import Progress
from identikit.result import Panel, PublishedFigure


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
    settings: Mapping[str, Any] = field(default_factory=dict)
    seeds: int = 0
    notes: tuple[str, ...] = ()


Work = Callable[[Scale, Progress], Outcome]
"""Does an item again, telling its progress; ends with the same numbers whenever it is given the same scale."""


@dataclass(frozen=True)
class Item:
    """A table or figure of a document.

    Arguments:
        document, reference: which document that is.
        where: "Table 4", "Figures 1 and 2". title: what it shows.
        work: does it again; the function, or "package.module:function".
        remarks: what is to be said of it whatever the work comes to; notes of the work follow.
    """

    key: str
    document: str
    reference: str
    where: str
    title: str
    work: Work | str
    remarks: tuple[str, ...] = ()

    def run(self, scale: Scale, progress: Progress) -> Outcome:
        """Do it again."""
        work = self.work
        if isinstance(work, str):
            module, _, name = work.partition(":")
            work = cast(Work, getattr(import_module(module), name))
        outcome = work(scale, progress)
        return replace(outcome, notes=(*self.remarks, *outcome.notes))


@dataclass(frozen=True)
class Document:
    """A document whose tables and figures are done again; an entry point in "identikit.reproductions" leads to it.

    Arguments:
        name: "the pendulum report". reference: where it was published.
        items: its tables and figures, by key; nothing of their work is imported yet.
    """

    name: str
    reference: str
    items: Mapping[str, Item]

    @classmethod
    def read(cls, package: str) -> Document:
        """From items.toml in a package: a row, and what is to be said whatever the work comes to."""
        told = tomllib.loads((files(package) / "items.toml").read_text(encoding="utf-8"))
        name, reference = told["name"], told["reference"]
        items = dict[str, Item]()
        for key, item in told["items"].items():
            path, where, title = item["row"]
            remarks = tuple(item.get("remarks", ()))
            items[key] = Item(key, name, reference, where, title, f"{package}.{path}", remarks)
        return cls(name, reference, items)
