"""Units: checked and converted once, on entry; every later layer sees plain numbers.

pint decides what a unit means. Its import and registry cost about half a second, so the commonest units
are also listed in a small table (tested against pint) and pint is loaded only for the others.

Conventions:

- An empty unit means "not stated": nothing is converted and nothing is checked.
- ``^`` and ``**`` both mean a power; ``%`` is 0.01; ``°``, ``µ``, ``Ω`` and ``²`` are understood.
- An angle is dimensionless, so ``deg``, ``rad``, ``1`` and ``%`` convert into each other.
- ``Hz`` and ``rad/s`` do not convert into each other: only the user knows whether 2 pi belongs there.
"""

from __future__ import annotations

import functools
import math
import re
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from identikit.errors import UnitError

_DEGREE = math.pi / 180.0  # in radians

# unit -> size in the first unit of its own row; every row is one dimension.
_COMMON_ROWS: tuple[dict[str, float], ...] = (
    {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9, "sec": 1.0, "min": 60.0, "h": 3600.0},
    {"rad": 1.0, "mrad": 1e-3, "deg": _DEGREE, "°": _DEGREE, "1": 1.0, "%": 0.01},
    {"rad/s": 1.0, "deg/s": _DEGREE, "°/s": _DEGREE, "1/s": 1.0, "rpm": math.pi / 30.0},
    {"rad/s^2": 1.0, "rad/s**2": 1.0, "deg/s^2": _DEGREE, "deg/s**2": _DEGREE, "1/s^2": 1.0, "1/s**2": 1.0},
    {"m": 1.0, "mm": 1e-3, "cm": 1e-2, "um": 1e-6, "µm": 1e-6, "km": 1e3},
    {"m/s": 1.0, "mm/s": 1e-3, "cm/s": 1e-2, "km/h": 1.0 / 3.6},
    {"m/s^2": 1.0, "m/s**2": 1.0, "mm/s^2": 1e-3, "mm/s**2": 1e-3},
    {"kg": 1.0, "g": 1e-3, "mg": 1e-6},
    {"N": 1.0, "mN": 1e-3, "kN": 1e3},
    {"N*m": 1.0, "N m": 1.0, "mN*m": 1e-3, "mN m": 1e-3},
    {"V": 1.0, "mV": 1e-3, "kV": 1e3},
    {"A": 1.0, "mA": 1e-3, "uA": 1e-6, "µA": 1e-6},
    {"Hz": 1.0, "kHz": 1e3, "MHz": 1e6},
    {"K": 1.0},
    {"degC": 1.0},
    {"Pa": 1.0, "kPa": 1e3, "MPa": 1e6, "bar": 1e5},
    {"W": 1.0, "mW": 1e-3, "kW": 1e3},
    {"J": 1.0, "kJ": 1e3},
)
# Whatever else pint knows of angles is not asked for: these are the ones that sensors and models use.
_ANGLES = frozenset(
    ("rad", "radian", "radians", "mrad", "deg", "degree", "degrees", "°", "turn", "turns", "rev", "revolution")
)
_COMMON = {unit: (row, size) for row, units in enumerate(_COMMON_ROWS) for unit, size in units.items()}

# Longer texts and chained powers are never units, and 9**9**9 must not keep the parser busy for hours.
_LONGEST_UNIT = 40
_NEVER_A_UNIT = re.compile(r"(\*\*|\^)[^*/^]*(\*\*|\^)|(\*\*|\^)\s*\(|\d{3,}|[,\"'{}\[\]<>=!:;\\|&@]")
_ADVICE = "Write it as in 's', 'ms', 'deg', 'rad/s', 'm/s^2', 'N*m', 'degC' or '1', or leave it empty."
_NUMBER = re.compile(r"[-+0-9.eE\s]+")


@overload
def convert(values: float, source: str, target: str) -> float: ...
@overload
def convert(values: NDArray[Any], source: str, target: str) -> NDArray[np.float64]: ...
def convert(values: float | NDArray[Any], source: str, target: str) -> float | NDArray[np.float64]:
    """Express values given in one unit in another unit.

    Arguments:
        values: a number or an array in ``source``; never changed in place.
        source: unit of the values; empty = not stated, the values come back unchanged.
        target: wanted unit; empty = not stated, the values come back unchanged.

    Offsets are respected (``degC`` to ``K`` adds 273.15), so do not convert temperature differences with it.
    """
    source, target = source.strip(), target.strip()
    array = np.asarray(values, dtype=np.float64)
    if source == target or not source or not target:
        result = array
    elif source in _COMMON and target in _COMMON and _COMMON[source][0] == _COMMON[target][0]:
        numerator, denominator = _COMMON[source][1], _COMMON[target][1]
        # Dividing by 1000 is correctly rounded, multiplying by 0.001 is not: 1001 ms must be 1.001 s.
        if numerator < denominator:
            result = array / (denominator / numerator)
        else:
            result = array * (numerator / denominator)
    else:
        result = _convert_with_pint(array, source, target)
    return float(result) if array.ndim == 0 else np.asarray(result, dtype=np.float64)


def check(unit: str) -> None:
    """Raise UnitError unless the text is a known unit; an empty unit (not stated) is fine."""
    text = unit.strip()
    if text and text not in _COMMON:
        _parse(text)


def is_unit(text: str) -> bool:
    """Whether a text names a unit, such as ``deg`` or ``m/s^2``; a bare number or an empty text does not."""
    text = text.strip()
    if not text or _NUMBER.fullmatch(text):
        return False
    try:
        check(text)
    except UnitError:
        return False
    return True


def is_angle(unit: str) -> bool:
    """Whether a unit is one of angles; ``1`` and an empty unit are not."""
    return unit.strip() in _ANGLES


def convertible(source: str, target: str) -> bool:
    """Whether values in one unit can be expressed in another; both must be stated."""
    if not source.strip() or not target.strip():
        return False
    try:
        convert(1.0, source, target)
    except UnitError:
        return False
    return True


def split_header(header: str) -> tuple[str, str]:
    """Split a column header into name and unit.

    ``theta[deg]``, ``theta [deg]`` and ``"theta (deg)"`` give ``("theta", "deg")``; the unit is empty where
    there is none. Brackets always hold a unit; parentheses only if their text is a known unit, so that
    ``theta (left)`` stays a name. Blanks, quotes and a byte order mark around the text are dropped.
    """
    text = header.strip("\ufeff \t\r\n\"'")
    bracket = re.fullmatch(r"(.+?)\s*\[([^\[\]]*)\]", text, re.DOTALL)
    if bracket:
        return bracket[1].strip(), bracket[2].strip()
    if text.endswith(")"):
        for opening in [place for place, letter in enumerate(text) if letter == "(" and place > 0]:
            unit = text[opening + 1 : -1].strip()
            # theta(t) is a function of time far more often than a channel in tonnes.
            if unit != "t" and is_unit(unit):
                return text[:opening].strip(), unit
    return text, ""


@functools.cache
def _registry() -> Any:
    import pint

    return pint.UnitRegistry()


@functools.cache
def _parse(unit: str) -> Any:
    """The pint unit of a text, or UnitError."""
    if len(unit) > _LONGEST_UNIT or _NEVER_A_UNIT.search(unit):
        raise UnitError(f"'{unit[:_LONGEST_UNIT]}' is not a unit. {_ADVICE}")
    try:
        return _registry().parse_units(unit)
    except Exception as error:  # pint lets its tokenizer's own exceptions through, of many types
        raise UnitError(f"The unit '{unit}' is not known. {_ADVICE}") from error


def _convert_with_pint(array: NDArray[np.float64], source: str, target: str) -> NDArray[np.float64]:
    source_unit, target_unit = _parse(source), _parse(target)
    if source_unit.dimensionality != target_unit.dimensionality:
        hint = " ('C' is the coulomb; the temperature is 'degC'.)" if "C" in (source, target) else ""
        raise UnitError(
            f"The unit '{source}' ({_dimension(source_unit)}) cannot be converted to '{target}' "
            f"({_dimension(target_unit)}). Expected a unit such as {_fitting(target_unit)}.{hint} "
            "Correct the unit in the column header or override it."
        )
    if _counts_cycles(source_unit) != _counts_cycles(target_unit) and (
        _counts_angle(source_unit) or _counts_angle(target_unit)
    ):
        raise UnitError(
            f"The unit '{source}' is not converted to '{target}', because it is not clear whether a cycle "
            "(factor 2 pi) or a radian is meant. Write 'turn/s' or 'rpm' for cycles, 'rad/s' for radians."
        )
    try:
        magnitude = _registry().Quantity(array, source_unit).to(target_unit).magnitude
    except Exception as error:  # logarithmic and offset units in products: pint's own exception types vary
        raise UnitError(f"The unit '{source}' cannot be converted to '{target}': {error}. {_ADVICE}") from error
    return np.asarray(magnitude, dtype=np.float64)


def _counts_cycles(unit: Any) -> bool:
    return any(name.endswith("hertz") for name in unit._units)


def _counts_angle(unit: Any) -> bool:
    angles = ("radian", "degree", "turn", "revolution", "cycle", "arc", "grade")
    return any(part in name for name in unit._units for part in angles)


def _dimension(unit: Any) -> str:
    return str(unit.dimensionality).replace("[", "").replace("]", "")


def _fitting(unit: Any) -> str:
    """Examples of units with the dimension of this one, in quotes."""
    for row in _COMMON_ROWS:
        if _parse(next(iter(row))).dimensionality == unit.dimensionality:
            return ", ".join(f"'{name}'" for name in list(row)[:3])
    return f"'{_registry().get_base_units(unit)[1]:~}'"
