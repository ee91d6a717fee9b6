"""Units at the end of a column's name: theta_deg, u_V, pos_mm, omega_rad_s, zeit_min.

Some endings can hardly mean anything else and are read wherever they stand. Others (the s of pos_s, the h of q_h, the
min of x_min) mean a unit only where a unit of that kind is wanted: for the time, or for an output measured in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from identikit.measurement._remark import Remark

_CLEAR: Mapping[str, str] = {
    **dict.fromkeys(("deg", "degree", "degrees"), "deg"),
    **dict.fromkeys(("rad", "radian", "radians"), "rad"),
    **dict.fromkeys(("rad_s", "rad_per_s", "radps"), "rad/s"),
    **dict.fromkeys(("deg_s", "deg_per_s", "degps", "dps"), "deg/s"),
    **dict.fromkeys(("rad_s2", "rad_per_s2", "radps2"), "rad/s^2"),
    **dict.fromkeys(("deg_s2", "deg_per_s2", "dps2"), "deg/s^2"),
    **dict.fromkeys(("m_per_s", "mps"), "m/s"),
    **dict.fromkeys(("mm_s", "mm_per_s"), "mm/s"),
    **dict.fromkeys(("m_s2", "m_per_s2", "ms2", "mps2"), "m/s^2"),
    **dict.fromkeys(("Nm", "N_m"), "N*m"),
    **dict.fromkeys(("mNm", "mN_m"), "mN*m"),
    **{word: word for word in ("mrad", "rpm", "mm", "cm", "um", "km", "kg", "mV", "kV", "V", "mA", "uA", "Hz", "kHz")},
    **{word: word for word in ("degC", "Pa", "kPa", "MPa", "mN", "kN", "mW", "kW", "kJ")},
    "percent": "%",
}
_TIMES: Mapping[str, str] = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("ms", "msec", "msecs", "millis", "milliseconds"), "ms"),
    **dict.fromkeys(("us", "usec", "usecs", "micros", "microseconds"), "us"),
    **dict.fromkeys(("ns", "nsec", "nsecs", "nanos", "nanoseconds"), "ns"),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), "min"),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), "h"),
    **dict.fromkeys(("day", "days"), "day"),
}
_POSSIBLE: Mapping[str, str] = {
    **_CLEAR,
    **_TIMES,
    "m_s": "m/s",
    **{word: word for word in ("m", "g", "mg", "N", "A", "K", "W", "J", "bar", "inch", "ft", "psi", "turn")},
}
# After the name of a time these count something, and nobody can know what.
_UNCLEAR_TIMES = frozenset(("m", "mn", "d", "tick", "ticks", "sample", "samples", "frame", "frames", "count", "counts"))


def clear_unit(name: str) -> str:
    """The unit at the end of a name that means nothing else; empty = none."""
    return _found(name, _CLEAR)


def possible_unit(name: str) -> str:
    """The unit that the end of a name may mean, to be believed where such a unit is wanted; empty = none."""
    return _found(name, _POSSIBLE)


def time_unit(name: str) -> str:
    """The unit at the end of the time column's name: ``t_ms`` gives ``ms``; empty = none."""
    return _found(name, _TIMES)


def has_unclear_time_unit(name: str) -> bool:
    """Whether the name of a time column ends in what must be a unit, and it is not clear which: ``zeit_m``."""
    return any(ending.lower() in _UNCLEAR_TIMES for ending in _endings(name))


def unit_remark(column: str, unit: str) -> Remark:
    """That a unit was read from the end of a column's name."""
    return Remark("unit_from_name", f"{column} in {unit}", (column,))


def _found(name: str, units: Mapping[str, str]) -> str:
    for ending in _endings(name):
        if ending in units:
            return units[ending]
        # Deg, RAD and Sec are words; one and two letters mean different units in other cases (mV and MV).
        if len(ending) > 2 and ending.lower() in units and ending.isalpha():
            return units[ending.lower()]
    return ""


def _endings(name: str) -> Iterator[str]:
    """What follows each underscore, the longest first."""
    for place, letter in enumerate(name):
        if letter == "_" and 0 < place < len(name) - 1:
            yield name[place + 1 :]
