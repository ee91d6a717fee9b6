"""What is known of a state when a record begins.

Every state of every record has an `Initial`: estimated freely, known exactly, or known within a normal prior. Where a
model says that a state is known (`State.initial`), it is, unless the user says otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
import sympy as sp

from identikit.errors import InputError, ProblemError, did_you_mean
from identikit.model import Model, parse, state_bounds, symbol

FREE, EXAMPLE = "free", "example"  # words in place of a value


@dataclass(frozen=True)
class Initial:
    """One state at the beginning of one record.

    `std` is how well `value` is known: 0 exactly, infinite not at all (then `value` is where a search starts, or
    None), else as a normal prior. `value` may be an expression of parameters. `bounds` are those of the beginning;
    what holds all along a record is `State.bounds`.
    """

    value: Any = None  # float, SymPy expression of parameters, or None
    std: float = math.inf
    bounds: tuple[float, float] = (-math.inf, math.inf)

    @property
    def known(self) -> bool:
        return self.std == 0

    @property
    def free(self) -> bool:
        return math.isinf(self.std)

    def as_given(self) -> Any:
        """Plain numbers and words that make the same one again."""
        value = self.value if self.value is None or isinstance(self.value, float) else str(self.value)
        return {"value": value, "std": None if self.free else self.std, "bounds": list(self.bounds)}


InitialGiven = Mapping[str, Any] | Sequence[Mapping[str, Any]] | str | None
"""{state: number | expression | (low, high) | Initial | "free"}, one mapping for all records or one for each; the word
"example" takes the model's example experiment as known."""


def initial_states(model: Model, given: InitialGiven, records: Sequence[str]) -> tuple[dict[str, Initial], ...]:
    """One mapping per record, complete; `records` are their names for messages."""
    if given == EXAMPLE:
        if model.ready is None:
            raise ProblemError(f"model '{model.name}' has no example experiment to take known initial states from")
        given = dict(model.ready.initial)
    if isinstance(given, str):
        raise ProblemError(f"initial is '{given}': expected values by state, or the word '{EXAMPLE}'")
    if given is not None and not isinstance(given, Mapping | Sequence):
        raise ProblemError(f"initial is {given!r}: expected values by state, or one such mapping for each record")
    each = [given or {}] * len(records) if given is None or isinstance(given, Mapping) else list(given)
    if len(each) != len(records):
        raise ProblemError(f"initial states are given for {len(each)} records, but there are {len(records)}")
    return tuple(_of_record(model, own, name) for own, name in zip(each, records, strict=True))


def _of_record(model: Model, given: Any, record: str) -> dict[str, Initial]:
    if not isinstance(given, Mapping):
        raise ProblemError(f"initial holds {given!r}: expected values by state, such as {{'h1': 0.05}}")
    for name in given:
        if name not in model.state_names:
            raise ProblemError(f"model '{model.name}' has no state '{name}'.{did_you_mean(name, model.state_names)}")
    found = {}
    for state, bounds in zip(model.states, state_bounds(model), strict=True):
        usual = Initial(_plain(state.initial), 0.0, bounds) if state.initial is not None else Initial(bounds=bounds)
        item = given.get(state.name)
        found[state.name] = usual if item is None else _read(model, state.name, item, bounds, record)
    return found


def _read(model: Model, state: str, item: Any, bounds: tuple[float, float], record: str) -> Initial:
    where = f"initial value of state '{state}'" + (f" in {record}" if record else "")
    item = tuple(item.tolist()) if isinstance(item, np.ndarray) and item.ndim else item
    if isinstance(item, Mapping):
        try:
            item = _from_table(item, where)
        except (TypeError, ValueError):
            raise ProblemError(f"{where} is {dict(item)!r}: expected numbers for value, std and two bounds") from None
    if isinstance(item, Initial):
        low, high = max(item.bounds[0], bounds[0]), min(item.bounds[1], bounds[1])
        value = _parsed(model, item.value, where) if isinstance(item.value, str) else item.value
        value = float(value) if isinstance(value, Real) and not isinstance(value, bool) else value
        made = Initial(value, item.std, (low, high))
    elif isinstance(item, tuple | list):
        if len(item) != 2 or not all(isinstance(end, int | float) for end in item) or not item[0] < item[1]:
            raise ProblemError(f"{where} is {item!r}: expected two bounds (low, high), the lower first")
        made = Initial(bounds=(max(float(item[0]), bounds[0]), min(float(item[1]), bounds[1])))
    elif item == FREE:
        made = Initial(bounds=bounds)
    elif isinstance(item, str):
        made = Initial(_parsed(model, item, where), 0.0, bounds)
    elif isinstance(item, Real) and not isinstance(item, bool):
        made = Initial(float(item), 0.0, bounds)
    else:
        raise ProblemError(
            f"{where} is {item!r}: expected a number, an expression of parameters, or bounds (low, high)"
        )
    return _checked(made, where)


def _from_table(table: Mapping[str, Any], where: str) -> Initial:
    for key in table:
        if key not in ("value", "std", "bounds"):
            raise ProblemError(f"{where}: unknown key '{key}'.{did_you_mean(key, ('value', 'std', 'bounds'))}")
    value, std, bounds = table.get("value"), table.get("std"), table.get("bounds") or (-math.inf, math.inf)
    low, high = (sign * math.inf if end is None else float(end) for sign, end in zip((-1, 1), bounds, strict=True))
    return Initial(
        float(value) if isinstance(value, int | float) else value, math.inf if std is None else float(std), (low, high)
    )


def _parsed(model: Model, text: str, where: str) -> Any:
    known = {name: symbol(name) for name in model.parameter_names}
    try:
        value = parse(text, known, where)
    except InputError as error:
        raise ProblemError(str(error)) from None
    return _plain(value)


def _plain(value: Any) -> Any:
    """A number as a float; an expression of parameters as it is."""
    return float(value) if isinstance(value, sp.Expr) and value.is_number else value


def _checked(made: Initial, where: str) -> Initial:
    low, high = made.bounds
    if not low < high:
        raise ProblemError(f"{where}: the bounds leave [{low:g}, {high:g}]: expected the lower below the upper one")
    if not made.std >= 0:
        raise ProblemError(f"{where}: its standard deviation is {made.std:g}: expected zero (known) or more")
    if not (made.value is None or isinstance(made.value, float | sp.Expr)):
        raise ProblemError(f"{where} is {made.value!r}: expected a number or an expression of parameters")
    if isinstance(made.value, float):
        if not math.isfinite(made.value):
            raise ProblemError(f"{where} is {made.value}: expected a finite number")
        if not low <= made.value <= high:
            raise ProblemError(f"{where} is {made.value:g}, outside its bounds [{low:g}, {high:g}]")
    elif made.value is None and not made.free:
        raise ProblemError(f"{where}: a standard deviation is given without a value")
    return made
