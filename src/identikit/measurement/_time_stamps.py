"""Time stamps: date-times, times of day and seconds of the epoch, as seconds from the first one.

    t_i = stamp_i - stamp_1

What is shown, trimmed and fitted is always t. Differences are taken in whole nanoseconds, so that nothing is lost
by the size of a date; an epoch in a column of numbers has the resolution of a double (0.3 microseconds in nanoseconds
of the epoch).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from identikit.units import convert

_SECONDS = r":(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,9}))?"
_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})"
_DATE = (
    r"(?:(?P<year>\d{4})(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})"
    r"|(?P<day_first>\d{1,2})\.(?P<month_second>\d{1,2})\.(?P<year_last>\d{4}))"
)
_ZONE = r"\s*(?P<zone>Z|UTC|GMT|(?P<sign>[+-])(?P<zone_hour>\d{2}):?(?P<zone_minute>\d{2})?)?"
_DATE_TIME = re.compile(f"{_DATE}(?:[T\\s]\\s*{_CLOCK}(?:{_SECONDS})?{_ZONE})?", re.IGNORECASE | re.ASCII)
_TIME_OF_DAY = re.compile(_CLOCK + _SECONDS, re.ASCII)
# Stamps that differ in their digits alone have the same fields at the same places.
_AS_SHAPE = str.maketrans("123456789", "000000000")
# 03/04/2023 is March in one country and April in another.
_UNCLEAR_DATE = re.compile(r"\d{1,2}[-/]\d{1,2}[-/](?:\d{4}|\d{2})(?:[T\s].*)?")

_NANOSECONDS = 1_000_000_000  # of a second
_DAY = 86_400 * _NANOSECONDS  # in nanoseconds
_EARLIEST_YEAR, _LATEST_YEAR = 1700, 2250  # what nanoseconds since 1970 can express in 64 bits, with room to spare
# Numbers are taken for an epoch between the years 2000 and 2100; the units do not overlap there.
_EPOCH_BEGIN, _EPOCH_END = 9.46e8, 4.1e9  # seconds since 1970
_EPOCH_UNITS = ("s", "ms", "us", "ns")
_LONGEST_SPACING = 7 * 86_400.0  # seconds: numbers further apart are a counter that happens to be so large


@dataclass(frozen=True, eq=False)
class Stamps:
    """Stamps as seconds from the first, and what they were.

    Arguments:
        seconds: t_i; NaN where a stamp is missing.
        kind: what the stamps are, in words.
        first: the first of them, as it is written.
    """

    seconds: NDArray[np.float64]
    kind: str
    first: str


def is_stamp(cell: str) -> bool:
    """Whether a cell is a date, a date-time or a time of day."""
    return _DATE_TIME.fullmatch(cell) is not None or _TIME_OF_DAY.fullmatch(cell) is not None


def why_no_stamp(cell: str) -> str:
    """A hint for a cell that looks like a date and cannot be read as one; else empty."""
    if _UNCLEAR_DATE.fullmatch(cell):
        return " (day and month cannot be told apart: write 2023-04-03)"
    return ""


def read_stamps(texts: Sequence[str]) -> Stamps | int | None:
    """The stamps of a text column; the row (from zero) of the first cell that does not go on as the column began; None
    if it does not begin with a stamp.

    All stamps must be of one kind: with a date or without, with a time zone or without. A time of day that falls by
    more than half a day has passed midnight.
    """
    first = next((row for row, text in enumerate(texts) if not _is_missing(text)), None)
    if first is None or not is_stamp(texts[first]):
        return None
    pattern = _DATE_TIME if _DATE_TIME.fullmatch(texts[first]) else _TIME_OF_DAY
    rows_of: dict[str, list[int]] = {}
    for row, text in enumerate(texts):
        rows_of.setdefault(text.translate(_AS_SHAPE), []).append(row)
    nanoseconds = np.zeros(len(texts), dtype=np.int64)
    missing = np.zeros(len(texts), dtype=bool)
    wrong: list[int] = []
    has_zone = _has_zone(pattern.fullmatch(texts[first]))
    for shape, rows in rows_of.items():
        match = pattern.fullmatch(shape)
        if _is_missing(shape):
            missing[rows] = True
        elif match is None or _has_zone(match) != has_zone:
            wrong.append(rows[0])
        else:
            fields = _Fields(match, [texts[row] for row in rows])
            nanoseconds[rows] = fields.nanoseconds()
            wrong.extend(np.array(rows)[~fields.valid()][:1].tolist())
    if wrong:
        return min(wrong)
    if pattern is _TIME_OF_DAY:
        known = nanoseconds[~missing]
        nanoseconds[~missing] += np.cumsum(np.diff(known, prepend=known[0]) < -_DAY // 2) * _DAY
    seconds = (nanoseconds - nanoseconds[first]) / _NANOSECONDS
    seconds[missing] = np.nan
    return Stamps(seconds, "times of day" if pattern is _TIME_OF_DAY else "date-times", texts[first])


def read_epoch(values: NDArray[np.float64], unit: str) -> Stamps | None:
    """Numbers as stamps if they are seconds (milli-, micro-, nanoseconds) since 1970; None if they are not.

    Arguments:
        values: the time column.
        unit: its unit; empty = not stated, and found from the size of the numbers.
    """
    if len(values) == 0 or not np.isfinite(values).all():
        return None
    for trial in (unit,) if unit else _EPOCH_UNITS:
        if trial not in _EPOCH_UNITS:
            continue
        low, high = (convert(bound, "s", trial) for bound in (_EPOCH_BEGIN, _EPOCH_END))
        if not (low <= values.min() and values.max() <= high):
            continue
        seconds = np.asarray(convert(values - values[0], trial, "s"))
        if len(seconds) > 1 and np.median(np.abs(np.diff(seconds))) > _LONGEST_SPACING:
            continue
        first = np.datetime64(round(convert(float(values[0]), trial, "s") * 1000), "ms")
        return Stamps(seconds, f"times since 1970 in {trial}", f"{first} UTC")
    return None


def _is_missing(text: str) -> bool:
    return text.lower() in ("", "nan", "nat", "na", "n/a", "null", "none")


def _has_zone(match: re.Match[str] | None) -> bool:
    return match is not None and match.groupdict().get("zone") is not None


class _Fields:
    """The fields of stamps that are all written in the same way, as arrays of whole numbers.

    Arguments:
        match: where the fields are.
        texts: the stamps, all as long as each other.
    """

    def __init__(self, match: re.Match[str], texts: Sequence[str]) -> None:
        self._match = match
        self._names = match.groupdict()
        letters = np.array(texts).view(np.uint32).reshape(len(texts), -1)
        self._digits = letters.astype(np.int64) - ord("0")

    def __call__(self, *names: str) -> NDArray[np.int64]:
        """The field under the first of the names that occurs in the stamps; zero if none does."""
        name = next((name for name in names if self._names.get(name) is not None), None)
        if name is None:
            return np.zeros(len(self._digits), dtype=np.int64)
        begin, end = self._match.span(name)
        powers = 10 ** np.arange(end - begin - 1, -1, -1, dtype=np.int64)
        return np.asarray(self._digits[:, begin:end] @ powers, dtype=np.int64)

    def valid(self) -> NDArray[np.bool_]:
        """Whether there are such dates and times."""
        clock = (self("hour") < 24) & (self("minute") < 60) & (self("second") <= 60)
        if "year" not in self._names:
            return clock
        year, month, day = self._date()
        possible = (month >= 1) & (month <= 12) & (year >= _EARLIEST_YEAR) & (year <= _LATEST_YEAR)
        begin, end = _first_day(year, month), _first_day(year, month + 1)
        return np.asarray(clock & possible & (day >= 1) & (begin + day <= end))

    def nanoseconds(self) -> NDArray[np.int64]:
        """Since 1970 in UTC (or the clock's own zone, if none is stated), or since midnight without a date."""
        clock = (self("hour") * 60 + self("minute")) * 60 + self("second")
        east = (self("zone_hour") * 60 + self("zone_minute")) * 60
        clock += east if self._names.get("sign") == "-" else -east
        fraction = self("fraction") * 10 ** (9 - len(self._names["fraction"] or ""))
        days = np.zeros_like(clock)
        if "year" in self._names:
            year, month, day = self._date()
            days = _first_day(year, month) + day - 1
        return np.asarray(days * _DAY + clock * _NANOSECONDS + fraction)

    def _date(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        return self("year", "year_last"), self("month", "month_second"), self("day", "day_first")


def _first_day(year: NDArray[np.int64], month: NDArray[np.int64]) -> NDArray[np.int64]:
    """The first day of a month, in days since 1970."""
    return ((year - 1970) * 12 + month - 1).astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
