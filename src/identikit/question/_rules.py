"""The rule of every entry of a question: what may stand there, and one clear message when something else does."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from os import PathLike, fspath
from typing import Any

from identikit.errors import OptionError
from identikit.measurement import DECIMAL_MARKS, Experiment, Record
from identikit.model import HOLDS, Model
from identikit.problem import EVERY, GAPS

EXAMPLE = "example"  # initial states: those of the model's example experiment
Start = float | str | tuple[float, float] | Mapping[str, Any]
Initial = str | Mapping[str, Start] | Sequence[Mapping[str, Start]]


def _wrong(where: str, value: Any, expected: str) -> OptionError:
    return OptionError(f"{where} is {value!r}: expected {expected}")


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise _wrong(where, value, "a name")
    return value


def _column(value: Any, where: str) -> str | None:
    """A name; an empty one takes back what was said."""
    return _text(value, where) or None


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool | str | bytes):
        raise _wrong(where, value, "a number")
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise _wrong(where, value, "a number") from None


def _each(rule: Callable[[Any, str], Any]) -> Callable[[Any, str], dict[str, Any]]:
    """{name: value}, with the rule for every value."""

    def checked(value: Any, where: str) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise _wrong(where, value, "names with values, {name: value}")
        return {_text(key, f"a name in {where}"): rule(item, f"{where} of '{key}'") for key, item in value.items()}

    return checked


def _pair(value: Any, where: str) -> tuple[Any, Any]:
    if isinstance(value, str | Mapping) or not hasattr(value, "__len__") or len(value) != 2:
        raise _wrong(where, value, "two values, (low, high)")
    return value[0], value[1]


def _range(value: Any, where: str) -> tuple[float, float]:
    low, high = _pair(value, where)
    return -math.inf if low is None else _number(low, where), math.inf if high is None else _number(high, where)


def _times(value: Any, where: str) -> tuple[float | None, float | None]:
    low, high = _pair(value, where)
    return None if low is None else _number(low, where), None if high is None else _number(high, where)


def _names(value: Any, where: str) -> tuple[str, ...]:
    if isinstance(value, str | Mapping) or not hasattr(value, "__iter__"):
        raise _wrong(where, value, "a list of names")
    return tuple(_text(name, f"a name in {where}") for name in value)


def _prior(value: Any, where: str) -> tuple[float, float]:
    """Mean and standard deviation."""
    mean, std = _pair([value.get("value"), value.get("std")] if isinstance(value, Mapping) else value, where)
    return _number(mean, where), _number(std, where)


def _start(value: Any, where: str) -> Start:
    """A value, an expression, (low, high), or a table of value, std and bounds."""
    if hasattr(value, "as_given"):
        value = value.as_given()
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return {key: _start(item, where) for key, item in value.items() if item is not None}
    return _range(value, where) if hasattr(value, "__len__") else _number(value, where)


def _initial(value: Any, where: str) -> Initial:
    if isinstance(value, str):
        if value != EXAMPLE:
            raise _wrong(where, value, f"{{state: value}} or '{EXAMPLE}'")
        return value
    if isinstance(value, Mapping):
        return _each(_start)(value, where)
    if not hasattr(value, "__iter__"):
        raise _wrong(where, value, "{state: value}, or one of these for each record")
    return [_each(_start)(item, where) for item in value]


def _noise(value: Any, where: str) -> dict[str, Any]:
    """A kind for every output, or {output: kind, standard deviation, column, or a table of these}."""
    if isinstance(value, str):
        return {EVERY: value}

    def one(item: Any, place: str) -> Any:
        if isinstance(item, str):
            return item
        if isinstance(item, Mapping):
            return {
                key: _number(entry, place) if key == "level" else _text(entry, place) for key, entry in item.items()
            }
        return _number(item, place)

    return _each(one)(value, where)


def _hold(value: Any, where: str) -> str:
    if value not in HOLDS:
        raise _wrong(where, value, f"one of {', '.join(HOLDS)}")
    return str(value)


def _gaps(value: Any, where: str) -> str:
    if value not in GAPS:
        raise _wrong(where, value, f"one of {', '.join(GAPS)}")
    return str(value)


def _seed(value: Any, where: str) -> int:
    number = _number(value, where)
    if number < 0 or number != int(number):
        raise _wrong(where, value, "a whole number, zero or more")
    return int(number)


def _sheets(value: Any, where: str) -> tuple[str, ...] | None:
    return _names([value] if isinstance(value, str) else value, where) or None


def _two_columns(value: Any, where: str) -> tuple[str, str]:
    quantity, number = _pair(value, where)
    return _text(quantity, where), _text(number, where)


def _decimal(value: Any, where: str) -> str:
    if value not in DECIMAL_MARKS:
        raise _wrong(where, value, f"one of {' '.join(DECIMAL_MARKS)}")
    return str(value)


def _switch(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise _wrong(where, value, "true or false")
    return value


def _positive(value: Any, where: str) -> float:
    number = _number(value, where)
    if not 0 < number < math.inf:
        raise _wrong(where, value, "a number above zero")
    return number


def _model(value: Any, where: str) -> Any:
    if isinstance(value, Model | Mapping):
        return value
    return _path(value, where)


def _data(value: Any, where: str) -> Any:
    if isinstance(value, Experiment | Mapping) or hasattr(value, "columns"):
        return value
    if isinstance(value, Record):
        return Experiment((value,))
    if isinstance(value, str | PathLike):
        return (_path(value, where),)
    if not isinstance(value, Sequence) or not value:
        raise _wrong(where, value, "a file, several, a Record, an Experiment, a DataFrame or {name: values}")
    if all(isinstance(item, Record) for item in value):
        return Experiment(tuple(value))
    return tuple(_path(item, where) for item in value)


def _path(value: Any, where: str) -> str:
    if not isinstance(value, str | PathLike):
        raise _wrong(where, value, "a name or a path")
    return str(fspath(value))


RULES: dict[str, Callable[[Any, str], Any]] = {
    "model": _model,
    "data": _data,
    "time": _column,
    "segments": _column,
    "units": _each(_text),
    "columns": _names,
    "rate": _positive,
    "dt": _positive,
    "sheet": _sheets,
    "decimal": _decimal,
    "long": _two_columns,
    "trim": _times,
    "outputs": _each(_text),
    "inputs": _each(_text),
    "hold": _hold,
    "unwrap": _switch,
    "before": _each(_number),
    "gaps": _gaps,
    "free": _names,
    "fix": _each(_number),
    "start": _each(_number),
    "bounds": _each(_range),
    "priors": _each(_prior),
    "initial": _initial,
    "noise": _noise,
    "method": _text,
    "options": _each(lambda value, where: value),
    "uncertainty": _text,
    "uncertainty_options": _each(lambda value, where: value),
    "seed": _seed,
    "smooth_friction": _positive,
}
READING = ("time", "segments", "units", "columns", "rate", "dt", "sheet", "decimal", "long")  # what `load` is told
CLOCKS = frozenset(("time", "rate", "dt"))  # each says when samples were taken
MAPPINGS = (
    *("units", "outputs", "inputs", "before", "fix", "start", "bounds", "priors", "noise"),
    *("options", "uncertainty_options"),
)
