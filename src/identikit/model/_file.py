"""Model files in TOML: the keys, their rules, and one clear message when a rule is broken."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from identikit.errors import ModelError, did_you_mean, did_you_mean_file
from identikit.model._model import Model
from identikit.model._parameter import Input, Parameter, ReadyExperiment, State

_TOP = (
    "name",
    "title",
    "source",
    "notes",
    "time_unit",
    "states",
    "parameters",
    "inputs",
    "equations",
    "outputs",
    "ready",
)
_STATE = ("unit", "meaning", "bounds", "initial")
_PARAMETER = ("value", "unit", "bounds", "fixed", "meaning")
_INPUT = ("value", "unit", "meaning", "hold")
_OUTPUT = ("expression", "unit")
_READY = ("initial", "duration", "dt", "noise", "inputs")


def load_model(path: str | Path) -> Model:
    """Read a model from a TOML file; the format is described in docs/models.md."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ModelError(f"{path}: no such model file.{did_you_mean_file(path)}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"{path}: cannot be read as text ({error})") from None
    return model_from_toml(text, str(path), default_name=path.stem)


def model_from_toml(text: str, where: str = "the model", default_name: str = "model") -> Model:
    """Make a model from the text of a TOML file, such as `Model.to_toml` writes; `where` it stands is for messages."""
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits, or [[[[...
        raise ModelError(f"{where}: not valid TOML: {error}") from None
    try:
        return model_from_document(document, default_name)
    except (ModelError, ValueError) as error:  # ValueError: a number too long to be printed in a message
        raise ModelError(f"{where}: {error}") from None


def model_from_document(document: Mapping[str, Any], default_name: str = "model") -> Model:
    """Make a model from the nested dictionary that a TOML file holds."""
    _check_keys("", document, _TOP)
    states = _table(document, "states")
    parameters = _table(document, "parameters")
    inputs = _table(document, "inputs")
    outputs = _table(document, "outputs")
    equations = _table(document, "equations")
    if not equations:
        raise ModelError("[equations] is missing: expected one equation for each state")
    for key, text in equations.items():
        if not isinstance(text, str):
            raise ModelError(f"[equations] {key}: expected an expression in quotes, got {text!r}")
    state_tables = {key: _as_table("states", key, value, _STATE, shorthand="unit") for key, value in states.items()}
    output_tables = {
        key: _as_table("outputs", key, value, _OUTPUT, shorthand="expression") for key, value in outputs.items()
    }
    extra = {key: _text(document, key) for key in ("title", "source", "time_unit") if key in document}
    return Model.from_text(
        _text(document, "name") if "name" in document else default_name,
        equations=equations,
        states={key: _state(key, table) for key, table in state_tables.items()},
        parameters=[_parameter(key, value) for key, value in parameters.items()],
        inputs=[_input(key, value) for key, value in inputs.items()],
        outputs={key: _text(table, "expression", f"[outputs] {key}") or key for key, table in output_tables.items()}
        or None,
        output_units={
            key: _text(table, "unit", f"[outputs] {key}") for key, table in output_tables.items() if "unit" in table
        },
        notes=_notes(document.get("notes", [])),
        ready=_ready(document["ready"]) if "ready" in document else None,
        **extra,
    )


def _notes(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(note, str) for note in value):
        raise ModelError(f"notes is {value!r}: expected a list of texts")
    return tuple(value)


def _bounds(table: Mapping[str, Any], where: str) -> tuple[float, float]:
    bounds = table.get("bounds", [-math.inf, math.inf])
    if not isinstance(bounds, list) or len(bounds) != 2:
        raise ModelError(f"{where}: bounds is {bounds!r}: expected two numbers [low, high]")
    low, high = (_number(bound, f"{where}, bounds") for bound in bounds)
    return low, high


def _state(key: str, table: Mapping[str, Any]) -> State:
    where = f"[states] {key}"
    initial = table.get("initial")
    if initial is not None and not isinstance(initial, str):
        initial = repr(_number(initial, f"{where}, initial"))
    return State(key, _text(table, "unit", where), _text(table, "meaning", where), _bounds(table, where), initial)


def _parameter(key: str, value: Any) -> Parameter:
    table = _as_table("parameters", key, value, _PARAMETER, shorthand="value")
    where = f"[parameters] {key}"
    fixed = table.get("fixed", False)
    if not isinstance(fixed, bool):
        raise ModelError(f"{where}: fixed is {fixed!r}: expected true or false")
    return Parameter(
        key,
        value=_number(table["value"], f"{where}, value") if "value" in table else None,
        unit=_text(table, "unit", where),
        bounds=_bounds(table, where),
        fixed=fixed,
        meaning=_text(table, "meaning", where),
    )


def _input(key: str, value: Any) -> Input:
    table = _as_table("inputs", key, value, _INPUT, shorthand="value")
    where = f"[inputs] {key}"
    return Input(
        key,
        unit=_text(table, "unit", where),
        value=_number(table.get("value", 0.0), f"{where}, value"),
        meaning=_text(table, "meaning", where),
        hold=_text(table, "hold", where) or "linear",
    )


def _ready(table: Any) -> ReadyExperiment:
    if not isinstance(table, dict):
        raise ModelError("[ready] must be a table with initial, duration, dt and noise")
    _check_keys("[ready] ", table, _READY)
    numbers = {
        part: {key: _number(value, f"[ready] {part}.{key}") for key, value in _table(table, part).items()}
        for part in ("initial", "noise")
    }
    return ReadyExperiment(
        initial=numbers["initial"],
        duration=_number(table.get("duration", 10.0), "[ready] duration"),
        spacing=_number(table.get("dt", 0.01), "[ready] dt"),
        noise=numbers["noise"],
        inputs={key: _text(_table(table, "inputs"), key, f"[ready] inputs.{key}") for key in _table(table, "inputs")},
    )


def _check_keys(where: str, table: Mapping[str, Any], allowed: tuple[str, ...]) -> None:
    for key in table:
        if key not in allowed:
            raise ModelError(f"{where}unknown key '{key}'.{did_you_mean(key, allowed)}")


def _table(document: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = document.get(key, {})
    if not isinstance(value, dict):
        raise ModelError(f"[{key}] must be a table, got {value!r}")
    return value


def _as_table(section: str, key: str, value: Any, allowed: tuple[str, ...], shorthand: str) -> dict[str, Any]:
    """A bare value stands for the table's most usual key: `k = 20` is `k = { value = 20 }`."""
    table = value if isinstance(value, dict) else {shorthand: value}
    _check_keys(f"[{section}] {key}: ", table, allowed)
    return table


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ModelError(f"{where} is {value!r}: expected a number")
    try:
        return float(value)
    except OverflowError:
        raise ModelError(f"{where} is too large: expected a number below 1e308") from None


def _text(table: Mapping[str, Any], key: str, where: str = "") -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise ModelError(f"{where or key}: {key} is {value!r}: expected text in quotes")
    return value
