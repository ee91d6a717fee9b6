"""Registry: names and where the things they stand for live; a thing is imported when it is asked for.

A row is a name and a dotted path, "package.module:attribute" or "package.module" for the module itself. Whoever lists
the names imports nothing; whoever asks for one imports that one. Rows come from the room that owns the registry, from
`register`, and from the entry points of installed packages (group "identikit.methods" and so on), which are read only
when a name is not among the rows or `discover` is called. A package whose things cannot be imported harms nothing else:
`loaded` gives the others, and says what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Generic, TypeVar, cast

from identikit.errors import IdentikitError, InputError, MissingDependencyError, OptionError, did_you_mean

Thing = TypeVar("Thing")


class Registry(Generic[Thing]):
    """Things of one kind by name, imported when used; iterating gives the names, in the order of their rows.

    Arguments:
        kind: what a thing is, in the singular, for messages: "method".
        rows: dotted path by name, or the path and a one-line summary that can be listed without importing.
        group: group of entry points that installed packages may add rows by; empty = none.
        error: what is raised for a name that is not known.
        advice: a closing sentence of that message. remedy: what would help, as a code (see `IdentikitError`).
        elsewhere: for names that another package brings: what to install, or that and the one-line summary.
    """

    def __init__(
        self,
        kind: str,
        rows: Mapping[str, str | tuple[str, str]],
        *,
        group: str = "",
        error: type[InputError] = OptionError,
        advice: str = "",
        remedy: str = "",
        elsewhere: Mapping[str, str | tuple[str, str]] = MappingProxyType({}),
    ) -> None:
        self.kind = kind
        pairs = _pairs(rows)
        self._rows: dict[str, Thing | str] = {name: path for name, (path, _) in pairs.items()}
        self._summaries = {name: summary for name, (_, summary) in pairs.items()}
        self._group = group
        self._error = error
        self._advice, self._remedy = advice, remedy
        self._elsewhere = _pairs(elsewhere)
        self._is_discovered = not group

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._rows))

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, name: object) -> bool:
        if name not in self._rows:
            self.discover()
        return name in self._rows

    def find(self, name: str) -> Thing:
        """The thing of that name, imported now if it was not yet."""
        if name not in self and name in self._elsewhere:
            package = self._elsewhere[name][0]
            raise MissingDependencyError(
                f"the {self.kind} '{name}' is in a package that is not installed: pip install {package}"
            )
        if name not in self:
            known = did_you_mean(name, self)
            text = f"unknown {self.kind} '{name}'.{known}{' ' * bool(self._advice)}{self._advice}"
            raise self._error(text, remedy=self._remedy)
        thing = self._rows[name]
        if isinstance(thing, str):
            thing = self._rows[name] = self._imported(name, thing)
        return thing

    def summary(self, name: str) -> str:
        """The row's one line about the thing; empty if it has none."""
        return self._summaries.get(name, "")

    def is_named(self, name: str) -> bool:
        """Whether the name is a row, or that of a thing that another package would bring."""
        return name in self or name in self._elsewhere

    def values(self) -> tuple[Thing, ...]:
        """Every thing, imported."""
        return tuple(self.find(name) for name in self)

    def loaded(self) -> tuple[dict[str, Thing], list[str]]:
        """Every thing that can be imported, those of installed packages too, and what is wrong with the others."""
        self.discover()
        things, faults = dict[str, Thing](), list[str]()
        for name in self:
            try:
                things[name] = self.find(name)
            except IdentikitError as error:
                faults.append(str(error))
        return things, faults

    def register(self, name: str, thing: Thing | str, summary: str = "") -> None:
        """Add a row: the thing itself, or the dotted path it will be imported from. A name that is taken is refused."""
        if name in self._rows:
            raise OptionError(f"there is a {self.kind} '{name}' already: choose another name, or remove that one first")
        self._rows[name] = thing
        self._summaries[name] = summary

    def remove(self, name: str) -> None:
        """Take a row out."""
        del self._rows[name]
        self._summaries.pop(name, None)

    def discover(self) -> None:
        """Add the rows of installed packages, once; a name that is taken stays what it is."""
        if self._is_discovered:
            return
        from importlib.metadata import entry_points

        self._is_discovered = True
        for point in entry_points(group=self._group):
            if point.name not in self._rows:
                self._rows[point.name] = point.value
                package = f"from {point.dist.name}" if point.dist is not None else ""
                self._summaries[point.name] = self._elsewhere.get(point.name, ("", ""))[1] or package

    def _imported(self, name: str, path: str) -> Thing:
        module, _, attribute = path.partition(":")
        try:
            found = import_module(module)
            return cast(Thing, getattr(found, attribute) if attribute else found)
        except IdentikitError:
            raise
        except Exception as error:  # code of others may fail in any way; here the user learns which and where
            raise self._error(
                f"the {self.kind} '{name}' cannot be loaded from {path}: {error}. Reinstall the package it comes from."
            ) from error


def _pairs(rows: Mapping[str, str | tuple[str, str]]) -> dict[str, tuple[str, str]]:
    return {name: (row, "") if isinstance(row, str) else row for name, row in rows.items()}
