"""Which column of a table is the time."""

from __future__ import annotations

import re
from collections.abc import Sequence

from identikit.errors import DataError, did_you_mean

# The suffix of a name such as t_ms states the unit.
_SUFFIX_UNITS = {
    "s": "s",
    "sec": "s",
    "secs": "s",
    "seconds": "s",
    "second": "s",
    "ms": "ms",
    "msec": "ms",
    "us": "us",
    "usec": "us",
    "ns": "ns",
    "min": "min",
    "minutes": "min",
    "h": "h",
    "hours": "h",
}
_SUFFIXED = re.compile(r"(?:t|time|timestamp)_(" + "|".join(_SUFFIX_UNITS) + r")", re.IGNORECASE)


def time_column(names: Sequence[str], wanted: str | None, where: str) -> tuple[int, str]:
    """Position of the time column and the unit its name states (empty = none stated).

    The column ``wanted`` if given, else the first named ``t`` or ``time`` in any case, else one such as
    ``t_s``, ``time_ms`` or ``timestamp``.

    Arguments:
        names: column names without their units.
        wanted: the user's choice, or None.
        where: the file or table, for the message.
    """
    if wanted is not None:
        if wanted not in names:
            raise DataError(f"{where} has no column '{wanted}' for the time.{did_you_mean(wanted, names)}")
        return names.index(wanted), suffix_unit(wanted)
    for position, name in enumerate(names):
        if name.lower() in ("t", "time"):
            return position, ""
    for position, name in enumerate(names):
        if name.lower() == "timestamp" or _SUFFIXED.fullmatch(name):
            return position, suffix_unit(name)
    raise DataError(
        f"{where} has no column named 't' or 'time'. Its columns are: {', '.join(names)}. Say which one is the time.",
        remedy="name_time",
    )


def suffix_unit(name: str) -> str:
    """The unit in a time column's name: ``t_ms`` gives ``ms``; empty where there is none."""
    match = _SUFFIXED.fullmatch(name)
    return _SUFFIX_UNITS[match[1].lower()] if match else ""
