"""What can follow what on the command line, read from the parsers of all commands; shell completion is made of it."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from importlib import import_module

from identikit.registry import Registry

# A value whose placeholder looks like this is a file or a folder.
_FILE = re.compile(r"FILE|OUT|DATA|DIR|MODEL|\.[a-z]")

# Where names stand, by the argument that takes them, or by command and argument where that alone does not say; and
# words that mean something beside the names.
_NAMES: dict[str, tuple[str, ...]] = {
    "model": ("identikit.model:LIBRARY",),
    "models": ("identikit.model:LIBRARY",),
    "models name": ("identikit.model:LIBRARY",),
    "method": ("identikit.method:METHODS", "auto"),
    "methods": ("identikit.method:METHODS", "all"),
    "methods name": ("identikit.method:METHODS", "auto"),
    "discover method": ("identikit.method:DISCOVERERS",),
    "friction name": ("identikit.model:FRICTION_LAWS",),
    "uncertainty": ("identikit.uncertainty:UNCERTAINTIES",),
    "criterion": ("identikit.planning:CRITERIA",),
    "plot kind": ("identikit._plot:KINDS",),
}


def offer_names(command: str, argument: str, home: str, *further: str) -> None:
    """Let shells complete an argument of a command of another package: the dotted path of a registry, further words."""
    _NAMES[f"{command} {argument}"] = (home, *further)


@dataclass(frozen=True)
class Value:
    """What an option or an argument takes.

    Arguments:
        words: those that are known.
        files: whether files fit too.
    """

    words: tuple[str, ...] = ()
    files: bool = False


@dataclass(frozen=True)
class Option:
    """An option of a command: its spellings, what it takes (None = nothing), and one line about it."""

    names: tuple[str, ...]
    value: Value | None
    summary: str


@dataclass(frozen=True)
class CommandWords:
    """A command: its options, and what stands beside them."""

    name: str
    summary: str
    options: tuple[Option, ...]
    arguments: Value


def described(name: str, summary: str, parser: argparse.ArgumentParser) -> CommandWords:
    """A command, from its parser."""
    options, words, files = [], list[str](), False
    for action in parser._actions:  # argparse shows them nowhere else
        value = _value(name, action)
        if action.option_strings:
            options.append(Option(tuple(action.option_strings), value, one_line_of(action.help)))
        elif value is not None:
            words += value.words
            files = files or value.files
    return CommandWords(name, summary, tuple(options), Value(tuple(words), files))


def one_line_of(text: str | None) -> str:
    """The help of an option as argparse would print it, up to its first stop."""
    return " ".join((text or "").replace("%%", "%").split()).partition(" (default")[0].partition("; ")[0]


def _value(command: str, action: argparse.Action) -> Value | None:
    if action.nargs == 0:
        return None
    if action.choices is not None:
        return Value(tuple(str(choice) for choice in action.choices))
    placeholder = action.metavar if isinstance(action.metavar, str) else ""
    known = _NAMES.get(f"{command} {action.dest}") or _NAMES.get(action.dest) or ()
    files = "=" not in placeholder and _FILE.search(placeholder) is not None
    return Value(_names(*known) if known else (), files)


def _names(home: str, *further: str) -> tuple[str, ...]:
    module, _, attribute = home.partition(":")
    found = getattr(import_module(module), attribute)
    if isinstance(found, Registry):
        found.discover()
    return (*further, *found)
