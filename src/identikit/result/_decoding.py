"""From JSON to frozen records: every field is checked against the type that its dataclass declares."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints, is_typeddict

from identikit.errors import DataError

T = TypeVar("T")


def decoded(kind: type[T], document: Mapping[str, Any], where: str) -> T:
    """A frozen record from its JSON object, every field checked against its declared type.

    Fields that have defaults may be missing, and keys that no field has are passed over: so a document from an earlier
    or a later version is read as far as it goes. Raises DataError naming the place of what does not fit.
    """
    found: T = _record(kind, document, where)
    return found


def _record(kind: Any, value: Any, where: str) -> Any:
    if not isinstance(value, Mapping):
        raise _misfit(where, value, "an object")
    hints, values = get_type_hints(kind), {}
    for item in fields(kind):
        if item.name in value:
            values[item.name] = _fitting(hints[item.name], value[item.name], f"{where}, {item.name}")
        elif item.default is MISSING and item.default_factory is MISSING:
            raise DataError(f"{where}: '{item.name}' is missing: the document is damaged or not from identikit")
    return kind(**values)


def _fitting(kind: Any, value: Any, where: str) -> Any:
    """The value as the type that is declared for it."""
    origin, inside = get_origin(kind), get_args(kind)
    if kind is Any:
        return value
    if origin in (Union, UnionType):
        if value is None and NoneType in inside:
            return None
        *others, last = [one for one in inside if one is not NoneType]
        for one in others:
            with suppress(DataError):
                return _fitting(one, value, where)
        return _fitting(last, value, where)
    if origin in (tuple, list):
        return origin(_items(inside, value, where))
    if origin is Mapping:
        if not isinstance(value, Mapping):
            raise _misfit(where, value, "an object")
        return {key: _fitting(inside[1], item, f"{where} of '{key}'") for key, item in value.items()}
    if is_typeddict(kind):
        if not isinstance(value, Mapping) or not kind.__required_keys__ <= set(value):
            raise _misfit(where, value, f"an object with {', '.join(sorted(kind.__required_keys__))}")
        hints = get_type_hints(kind)
        return {key: _fitting(hints.get(key, Any), item, f"{where}, {key}") for key, item in value.items()}
    if is_dataclass(kind):
        return _record(kind, value, where)
    if kind is float:
        return _number(value, where)
    if issubclass(kind, Enum):
        if value not in [one.value for one in kind]:
            raise _misfit(where, value, f"one of {', '.join(str(one.value) for one in kind)}")
        return kind(value)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise _misfit(where, value, _WORDS.get(kind, kind.__name__))
    return value


def _items(inside: tuple[Any, ...], value: Any, where: str) -> list[Any]:
    """The members of a list: all of one type, or as many as there are types."""
    if not isinstance(value, list | tuple):
        raise _misfit(where, value, "a list")
    kinds = [inside[0]] * len(value) if len(inside) == 1 or inside[-1] is Ellipsis else inside
    if len(kinds) != len(value):
        raise _misfit(where, value, f"a list of {len(kinds)}")
    return [_fitting(kinds[i], item, f"{where}[{i}]") for i, item in enumerate(value)]


def _number(value: Any, where: str) -> float:
    """null is what a number that is not finite was written as."""
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _misfit(where, value, "a number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise DataError(f"{where}: the number is too large: expected one below 1e308")
    return number


_WORDS = {str: "text", bool: "true or false", int: "a whole number"}


def _misfit(where: str, value: Any, expected: str) -> DataError:
    found = json.dumps(value, default=str)
    shown = found if len(found) <= 40 else f"{found[:37]}..."
    return DataError(f"{where} is {shown}: expected {expected}; the document is damaged or not from identikit")
