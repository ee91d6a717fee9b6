"""The unit of a coefficient: what turns a product of states and inputs into the rate of a state.

An angle is dimensionless, as in `identikit.units`. Where a unit is not stated, or not a plain product such as m/s^2,
that of the coefficient is not stated either.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

import sympy as sp

from identikit.model import symbol
from identikit.units import is_angle

_FACTOR = re.compile(r"([*/]?)([A-Za-zµΩ%]+)(?:(?:\^|\*\*)(-?\d+))?")
Exponents = Counter[str]
NUMBERS = (sp.sign, sp.sin, sp.cos, sp.tanh, sp.exp, sp.atan, sp.sinh)  # functions whose values have no unit


def exponents(unit: str) -> Exponents | None:
    """{"m": 1, "s": -2} of m/s^2; None if the unit is not stated, or more than a product."""
    text = unit.replace(" ", "")
    if text in ("", "1") or text.startswith("1/"):
        if text == "":
            return None
        text = text[1:]
    found: Exponents = Counter()
    place = 0
    for match in _FACTOR.finditer(text):
        if match.start() != place:
            return None
        place = match.end()
        sign, name, power = match.groups()
        if not is_angle(name):
            found[name] += (-1 if sign == "/" else 1) * int(power or 1)
    return found if place == len(text) else None


def rate_exponents(unit: str, time_unit: str) -> Exponents | None:
    """Of the rate of a state, in these units; as of the state itself where there is no unit of time."""
    rate, per_time = exponents(unit), exponents(time_unit)
    if rate is not None and per_time is not None:
        rate.subtract(per_time)
    return rate


def coefficient_unit(rate: Exponents | None, function: sp.Expr, units: Mapping[str, str]) -> str:
    """The unit of c in `rate = c * function`; "" where it is not known."""
    own = function_exponents(function, units)
    if rate is None or own is None:
        return ""
    total = Counter(rate)
    total.subtract(own)
    return _text(total)


def function_exponents(function: sp.Expr, units: Mapping[str, str]) -> Exponents | None:
    """Of a product of powers of states and inputs; functions of them count as numbers."""
    total: Exponents = Counter()
    for factor, power in function.as_powers_dict().items():
        if not factor.free_symbols or isinstance(factor, NUMBERS):
            continue
        inner = factor.args[0] if isinstance(factor, sp.Abs) else factor
        name = str(inner)
        own = exponents(units[name]) if inner == symbol(name) and name in units else None
        if isinstance(factor, sp.Add):
            parts = [function_exponents(part, units) for part in factor.args]
            own = parts[0] if all(part == parts[0] for part in parts) else None
        if own is None or not power.is_Integer:
            return None
        for unit, count in own.items():
            total[unit] += int(power) * count
    return total


def _text(found: Exponents) -> str:
    above = [_power(name, count) for name, count in sorted(found.items()) if count > 0]
    below = [_power(name, -count) for name, count in sorted(found.items()) if count < 0]
    if not above and not below:
        return ""
    return "/".join(["*".join(above) or "1", *below])


def _power(name: str, count: int) -> str:
    return name if count == 1 else f"{name}^{count}"
