"""Reading what people type: options with several values, name=value pairs, numbers, one-line complaints."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from identikit.errors import OptionError, did_you_mean

# A comma separates pairs only where another `name=` follows, since expressions hold commas: q=atan2(t,1),p=2.
_NEXT_PAIR = re.compile(r",(?=\s*[A-Za-z_]\w*\s*=)")
_OPTION = re.compile(r"-(?![\d.]|inf\b|nan\b|$)")


class Pairs(argparse.Action):
    """`--fix a=1 b=2 --fix c=3` or `--fix a=1,b=2`, collected as a dictionary of texts."""

    @staticmethod
    def continues(token: str) -> bool:
        """Whether a further word belongs to this option rather than naming a file."""
        return "=" in token and not Path(token).exists()

    def __call__(self, parser: Any, namespace: argparse.Namespace, values: Any, option_string: Any = None) -> None:
        collected = dict(getattr(namespace, self.dest) or {})
        for text in _NEXT_PAIR.split(str(values).strip().rstrip(",")):
            name, equals, value = (part.strip() for part in text.partition("="))
            if not (name and equals and value):
                raise OptionError(f"{option_string} {text.strip()}: expected {self.metavar}, a name and a value")
            if name in collected:
                raise OptionError(f"{option_string} gives '{name}' twice: give it once")
            collected[name] = value
        setattr(namespace, self.dest, collected)


class Names(argparse.Action):
    """`--free a,b`, `--free a b` or `--free a --free b`, collected as a list."""

    @staticmethod
    def continues(token: str) -> bool:
        """Whether a further word belongs to this option rather than naming a file."""
        return re.fullmatch(r"[\w,]+", token) is not None and not Path(token).exists()

    def __call__(self, parser: Any, namespace: argparse.Namespace, values: Any, option_string: Any = None) -> None:
        collected = list(getattr(namespace, self.dest) or [])
        names = [name for name in re.split(r"[,\s]+", str(values)) if name]
        if not names:
            raise OptionError(f"{option_string}: expected names separated by commas, such as {option_string} a,b")
        setattr(namespace, self.dest, collected + names)


class CommandParser(argparse.ArgumentParser):
    """argparse with one-line errors, options and files in any order, and negative numbers as values."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{"allow_abbrev": False, **settings})

    def error(self, message: str) -> NoReturn:
        raise OptionError(f"{message} (see {self.prog} --help)")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        tokens = list(args or [])
        is_top = self._subparsers is not None  # there the order says which word is the command
        parsed, extras = super().parse_known_args(tokens if is_top else list(self._arranged(tokens)), namespace)
        if extras:
            self.error(f"unexpected argument '{extras[0]}'")
        return parsed, extras

    def _arranged(self, tokens: Sequence[str]) -> Iterator[str]:
        """Options first, each glued to its value, then the rest.

        argparse by itself would take the file in `--free a,b swing.csv` for a parameter, refuse files on both
        sides of an option, and read `-1:5` in `--trim -1:5` as an option.
        """
        waiting, positional = list(tokens), []
        while waiting:
            token = waiting.pop(0)
            if token == "--":
                positional += [token, *waiting]
                break
            name, attached, _ = token.partition("=")
            action = self._option_string_actions.get(name)
            if action is None or action.nargs == 0:
                if not _OPTION.match(token):
                    positional.append(token)
                elif action is not None or token[:2] in self._option_string_actions:
                    yield token
                else:
                    self._refuse_option(name)
                continue
            if attached:
                yield token
            elif waiting and not _OPTION.match(waiting[0]):
                yield _glued(name, waiting.pop(0))
            else:
                self.error(f"argument {name}: expected a value")
            while isinstance(action, Pairs | Names) and waiting and not _OPTION.match(waiting[0]):
                if not action.continues(waiting[0]):
                    break
                yield _glued(name, waiting.pop(0))
        yield from positional

    def _refuse_option(self, name: str) -> NoReturn:
        known = [option for option in self._option_string_actions if option.startswith("--")]
        raise OptionError(f"unknown option '{name}'.{did_you_mean(name, known)} (see {self.prog} --help)")


def _glued(option: str, value: str) -> str:
    return f"{option}={value}" if option.startswith("--") else f"{option}{value}"


def add_pairs(group: Any, option: str, metavar: str, meaning: str) -> None:
    """Declare an option that takes name=value pairs, once or several times."""
    group.add_argument(option, action=Pairs, metavar=metavar, default={}, help=meaning)


def finite_number(text: str, what: str) -> float:
    """A finite number; `what` names the option and the key."""
    try:
        number = float(text)
    except ValueError:
        raise OptionError(f"{what} is '{text}': expected a number, such as 0.5 or 2e-3") from None
    if not math.isfinite(number):
        raise OptionError(f"{what} is {text}: expected a finite number")
    return number


def numbers(pairs: Mapping[str, str], option: str) -> dict[str, float]:
    """The values of name=value pairs as finite numbers."""
    return {name: finite_number(text, f"{option} {name}") for name, text in pairs.items()}


def ranges(pairs: Mapping[str, str], option: str) -> dict[str, tuple[float, float]]:
    """The values of name=low:high pairs; an end left out or written inf is open."""
    found = {}
    for name, text in pairs.items():
        low, high = open_range(text, f"{option} {name}={text}")
        found[name] = (-math.inf if low is None else low, math.inf if high is None else high)
    return found


def normals(pairs: Mapping[str, str], option: str) -> dict[str, tuple[float, float]]:
    """The values of name=mean:std pairs."""
    found = {}
    for name, text in pairs.items():
        mean, colon, std = text.partition(":")
        what = f"{option} {name}={text}"
        if not colon:
            raise OptionError(f"{what}: expected a mean and a standard deviation with a colon, such as 20:0.5")
        found[name] = finite_number(mean, f"the mean in {what}"), finite_number(std, f"the deviation in {what}")
        if not found[name][1] > 0:
            raise OptionError(f"{what}: expected a standard deviation above zero, behind the colon")
    return found


def open_range(text: str, what: str) -> tuple[float | None, float | None]:
    """`low:high` with None for an end left out."""
    low, colon, high = text.partition(":")
    if not colon or ":" in high:
        raise OptionError(f"{what}: expected two numbers with a colon, such as 0:1, 0: or :1")
    ends = []
    for end in (low.strip(), high.strip()):
        try:
            number = float(end) if end else None
        except ValueError:
            raise OptionError(f"{what}: '{end}' is not a number: expected low:high, such as 0:1") from None
        if number is not None and math.isnan(number):
            raise OptionError(f"{what}: 'nan' is no bound: expected low:high, such as 0:1")
        ends.append(number)
    return ends[0], ends[1]


def number(text: str) -> float:
    """argparse type: a finite number."""
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number") from None
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text}: expected a finite number")
    return value


def positive_number(text: str) -> float:
    """argparse type: a finite number above zero."""
    value = number(text)
    if value <= 0:
        raise argparse.ArgumentTypeError(f"{text}: expected a number above zero")
    return value


def column_names(text: str) -> list[str]:
    """argparse type: names separated by commas; they may hold blanks and units, `t [s],theta [deg]`."""
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise argparse.ArgumentTypeError(f"'{text}': expected names separated by commas, such as t,theta")
    return names


def seed_number(text: str) -> int:
    """argparse type: a whole number, zero or more."""
    if not re.fullmatch(r"\d{1,18}", text.strip()):
        raise argparse.ArgumentTypeError(f"'{text}': expected a whole number, zero or more")
    return int(text)
