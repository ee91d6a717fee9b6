"""Options of methods: defaults and rules as data, checked in one place."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from identikit.errors import OptionError, did_you_mean
from identikit.method._variant import Variant, variant_named, variants_of


@dataclass(frozen=True)
class Option:
    """One option of a method: its default and its rule, as data.

    `kind` is "number", "integer", "choice", "switch", "names" or "phrase"; numbers lie in [low, high]; choices are
    listed, more of them may come from other packages (see `Variant`), and with a number they are words that may stand
    in its place; names are separated by commas. A phrase
    matches `pattern`, a regular expression, which `grammar` says in words.
    """

    name: str
    default: Any
    kind: str
    meaning: str
    low: float = -math.inf
    high: float = math.inf
    choices: tuple[str, ...] = ()
    pattern: str = ""
    grammar: str = ""

    @property
    def rule(self) -> str:
        """The rule in words."""
        if self.kind == "choice":
            return f"one of {', '.join(self.choices)}"
        if self.kind == "switch":
            return "true or false"
        if self.kind == "names":
            return "names, separated by commas"
        if self.kind == "phrase":
            return self.grammar
        noun = "a whole number" if self.kind == "integer" else "a number"
        if math.isfinite(self.low) and math.isfinite(self.high):
            noun = f"{noun} from {self.low:g} to {self.high:g}"
        elif math.isfinite(self.low):
            noun = f"{noun} of at least {self.low:g}"
        return " or ".join([noun, *self.choices])

    def checked(self, value: Any, method: str) -> Any:
        """The value in its right type; text, as typed on a command line, is understood."""
        wrong = OptionError(f"The {self.name} option of {method} must be {self.rule}. Got {value!r} instead.")
        if self.kind == "choice":
            if value not in self.choices and self.variant(value, method) is None:
                raise OptionError(
                    f"The {self.name} option of {method} must be {self.listed(method)[0].rule}. Got {value!r} instead."
                )
            return value
        if self.kind == "phrase":
            if not isinstance(value, str) or re.fullmatch(self.pattern, value.strip()) is None:
                raise wrong
            return value.strip()
        if self.kind == "switch":
            words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
            if isinstance(value, bool):
                return value
            if str(value).lower() not in words:
                raise wrong
            return words[str(value).lower()]
        if self.kind == "names":
            return self._names(value, wrong)
        if value in self.choices:
            return value
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise wrong from None
        if not self.low <= number <= self.high or (self.kind == "integer" and number != int(number)):
            raise wrong
        return int(number) if self.kind == "integer" else number

    def _names(self, value: Any, wrong: OptionError) -> str:
        """Names, each once, joined by commas; whether there are such is known only where a problem is posed."""
        parts = value.split(",") if isinstance(value, str) else value
        if not isinstance(parts, list | tuple) or not all(isinstance(part, str) for part in parts):
            raise wrong
        return ",".join(dict.fromkeys(part.strip() for part in parts if part.strip()))

    def variant(self, value: object, method: str) -> Variant | None:
        """What another package brings for this value; None where it is one of the option's own, or wrong."""
        return None if self.kind != "choice" or value in self.choices else variant_named(method, self.name, value)

    def listed(self, method: str) -> tuple[Option, ...]:
        """The option with the values that other packages bring, and the options that these values have."""
        if self.kind != "choice" or not (others := variants_of(method, self.name)):
            return (self,)
        meanings = (f"{value}: {other.meaning if other else 'cannot be loaded'}" for value, other in others.items())
        further = (
            replace(option, meaning=f"{option.meaning}, with {self.name}={value}")
            for value, other in others.items()
            for option in (other.options if other else ())
        )
        return (
            replace(self, choices=(*self.choices, *others), meaning="; ".join((self.meaning, *meanings))),
            *further,
        )

    def as_dict(self) -> dict[str, Any]:
        """Its default, rule and meaning, for lists of options."""
        return {"default": self.default, "rule": self.rule, "meaning": self.meaning}


def variants_asked(options: Sequence[Option], given: Mapping[str, Any], method: str) -> tuple[Variant, ...]:
    """What other packages bring for the values that are given."""
    asked = (option.variant(given[option.name], method) for option in options if option.name in given)
    return tuple(variant for variant in asked if variant is not None)


def resolved(options: Sequence[Option], given: Mapping[str, Any] | None, owner: str, name: str) -> dict[str, Any]:
    """All options with the given ones checked and put in; `owner` begins the message about one that is not known."""
    given = given or {}
    further = (option for variant in variants_asked(options, given, name) for option in variant.options)
    known = {option.name: option for option in (*options, *further)}
    for key in given:
        if key not in known:
            raise OptionError(f"{owner} has no option '{key}'.{did_you_mean(key, known)}")
    return {key: option.checked(given[key], name) if key in given else option.default for key, option in known.items()}
