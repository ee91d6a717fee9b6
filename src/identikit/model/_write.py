"""A model as text: TOML that `load_model` reads back to an equal model, and a page for people.

Expressions are printed so that the whitelist parser rebuilds the very same SymPy tree. Two things need care: SymPy
multiplies a number into a sum as soon as the two meet alone, 2*(x + y) = 2*x + 2*y, so a number stands beside a factor
that is not a sum, or last; and floating-point numbers are written with every digit they hold.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any

import sympy as sp

from identikit.errors import ModelError
from identikit.model._parser import FUNCTIONS

if TYPE_CHECKING:
    from identikit.model._model import Model
    from identikit.model._parameter import Parameter

_CALLS = {function: name for name, (_, function) in FUNCTIONS.items() if isinstance(function, type)} | {sp.Abs: "abs"}
_SUM, _PRODUCT, _POWER, _ATOM = range(4)  # how tightly a piece of text holds together


def to_text(expression: sp.Expr) -> str:
    """The expression as `parse` reads it; raises ModelError for a function that model files do not have.

    >>> x, y = sp.symbols("x y", real=True)
    >>> to_text(-2 * x * (x + y) / 3 + sp.Abs(y))
    'abs(y) - 2/3*x*(x + y)'
    """
    return _printed(expression)[0]


def short_text(expression: sp.Expr, letters: int = 60) -> str:
    """The beginning of an expression, for a message."""
    text = to_text(expression)
    return text if len(text) <= letters else f"{text[: letters - 3]}..."


def five_digits(expression: sp.Expr) -> sp.Expr:
    """The expression with its floating-point numbers rounded, for people."""
    return expression.xreplace({item: sp.Float(f"{float(item):.5g}") for item in expression.atoms(sp.Float)})


def _printed(e: sp.Expr) -> tuple[str, int]:
    """The text, and how tightly it holds together."""
    if isinstance(e, sp.Symbol) or e is sp.pi:
        return str(e), _ATOM
    if isinstance(e, sp.Number):
        text = repr(float(e)) if isinstance(e, sp.Float) else str(e)
        return text, _SUM if e < 0 else _ATOM if e.is_Integer or isinstance(e, sp.Float) else _PRODUCT
    if e is sp.E:
        return "exp(1)", _ATOM
    if isinstance(e, sp.Add):
        return _sum(e), _SUM
    if isinstance(e, sp.Mul):
        number, rest = e.as_coeff_Mul()
        return _product(number, rest), _SUM if number < 0 else _PRODUCT
    if isinstance(e, sp.Pow):
        return _power(e)
    if e.func not in _CALLS:
        raise ModelError(f"'{e}' cannot be written in a model file: expected one of {', '.join(FUNCTIONS)}")
    name, arguments = _CALLS[e.func], [to_text(part) for part in e.args]
    return f"{name}({', '.join(arguments)})", _ATOM


def _held(e: sp.Expr, tightness: int) -> str:
    """The text of a part, in parentheses if it would fall apart where it stands."""
    text, own = _printed(e)
    return text if own >= tightness else f"({text})"


def _sum(e: sp.Expr) -> str:
    text = ""
    for term in e.as_ordered_terms():
        number, rest = term.as_coeff_Mul()
        if text and number < 0:
            text += f" - {_product(-number, rest)}"
        else:
            text += f" + {to_text(term)}" if text else to_text(term)
    return text


def _product(number: sp.Expr, rest: sp.Expr) -> str:
    factors = rest.as_ordered_factors() if isinstance(rest, sp.Mul) else [rest]
    below = [f for f in factors if isinstance(f, sp.Pow) and f.exp.is_number and f.exp.is_negative]
    sums = [f for f in factors if isinstance(f, sp.Add)]
    single = [_held(f, _PRODUCT) for f in factors if f not in below and f not in sums and f != 1]
    divided = [f"/{_held(1 / f, _POWER)}" for f in below]
    added = [_held(f, _ATOM) for f in sums]
    if number == 1 or (number == -1 and single):
        first, *others = single + added or ["1"]
        return ("-" if number == -1 else "") + "*".join([first, *others]) + "".join(divided)
    leading = to_text(number)
    if single or not sums:
        return "*".join([leading, *single, *added]) + "".join(divided)
    if divided:
        return "*".join([leading + "".join(divided), *added])
    return "*".join([*added, _held(number, _PRODUCT)])


def _power(e: sp.Expr) -> tuple[str, int]:
    if e.exp.is_number and e.exp.is_negative:
        return f"1/{_held(1 / e, _POWER)}", _PRODUCT
    if e.exp == sp.Rational(1, 2):
        return f"sqrt({to_text(e.base)})", _ATOM
    return f"{_held(e.base, _ATOM)}**{_held(e.exp, _ATOM)}", _POWER


def to_toml(model: Model) -> str:
    """The model as a TOML file; raises ModelError if its equations are a Python function or use unknown functions."""
    if not model.symbolic:
        raise ModelError(f"model '{model.name}' is a Python function: it cannot be written as text")
    plain = {key: getattr(model, key) for key in ("name", "title", "source", "time_unit")}
    lines = [f"{key} = {_toml(value)}" for key, value in plain.items()]
    if model.notes:
        lines += ["notes = [", *(f"  {_toml(note)}," for note in model.notes), "]"]
    tables: dict[str, dict[str, Any]] = {
        "states": {item.name: _described(item) for item in model.states},
        "parameters": {item.name: _described(item) for item in model.parameters},
        "inputs": {item.name: _described(item) for item in model.inputs},
        "equations": dict(zip(model.state_names, map(to_text, model.equations), strict=True)),
        "outputs": {item.name: {"expression": to_text(item.expression), "unit": item.unit} for item in model.outputs},
        "ready": model.ready.as_dict() if model.ready else {},
    }
    for title, table in tables.items():
        if table:
            lines += ["", f"[{title}]", *(f"{key} = {_toml(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def _described(item: Any) -> dict[str, Any]:
    """What is said about a state, a parameter or an input beyond its name and what goes without saying."""
    said = {field.name: getattr(item, field.name) for field in fields(item) if field.default is not MISSING}
    usual = {field.name: field.default for field in fields(item)}
    return {key: value for key, value in said.items() if value != usual[key]}


def _toml(value: Any) -> str:
    if isinstance(value, sp.Expr):
        value = to_text(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {_toml(item)}' for key, item in value.items())} }}" if value else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return repr(float(value))


def describe_model(model: Model) -> str:
    """The equations and what stands in them: what `print(model)` shows."""
    lines = [f"{model.name}: {model.title}" if model.title else model.name]
    if model.symbolic:
        pairs = zip(model.state_names, model.equations, strict=True)
        lines += [f"  d {name}/dt = {equation}" for name, equation in pairs]
    else:
        lines.append(f"  d({', '.join(model.state_names)})/dt = a Python function")
    for item in model.outputs:
        is_state = str(item.expression) == item.name
        lines.append(f"  output {_with_unit(item)}" + ("" if is_state else f" = {item.expression}"))
    free = [_valued(item) for item in model.parameters if not item.fixed]
    fixed = [_valued(item) for item in model.parameters if item.fixed]
    inputs = [_with_unit(item) for item in model.inputs]
    for title, items in (("free", free), ("fixed", fixed), ("inputs", inputs)):
        if items:
            lines.append(f"  {title}: {', '.join(items)}")
    return "\n".join(lines)


def _with_unit(item: Any) -> str:
    return f"{item.name} [{item.unit}]" if item.unit else item.name


def _valued(parameter: Parameter) -> str:
    value = "" if parameter.value is None else f" = {parameter.value:g}"
    return f"{parameter.name}{value}" + (f" {parameter.unit}" if parameter.unit else "")
