"""Record: one measured trajectory, with named channels and their units."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from identikit.errors import DataError, did_you_mean
from identikit.measurement._remark import Remark
from identikit.measurement._time_fault import first_time_fault
from identikit.units import check

FEWEST_SAMPLES = 3  # of a record

# Sizes that can be computed with: the fourth derivative of the largest value over the shortest time, squared, is still
# a double (1e308).
LARGEST, SMALLEST = 1e50, 1e-50  # value, and range of values, of a column that is used
LONGEST_RECORD, SHORTEST_STEP = 1e20, 1e-20  # duration, and time between samples

# Stamps rounded by a logger still count as uniform; a clock that jitters by more than this does not.
_UNIFORM_TOLERANCE = 1e-3


@dataclass(frozen=True, eq=False)
class Channel:
    """The values of one measured quantity, with their unit.

    Arguments:
        values: one number per sample; NaN where there is none. Kept as a read-only float64 copy.
        unit: unit of the values; empty = not stated.
    """

    values: NDArray[np.float64]
    unit: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", _frozen_array(self.values, "A channel's values"))

    def __len__(self) -> int:
        return len(self.values)

    def __reduce__(self) -> tuple[Any, ...]:
        return Channel, (np.array(self.values), self.unit)


@dataclass(frozen=True, eq=False)
class Record:
    """One measured trajectory: y_i = h(x(t_i)) + noise at times t_1 < t_2 < ... < t_n.

    Irregular sampling and missing values (NaN) are normal.

    Arguments:
        time: strictly increasing finite sample times, at least three, in ``time_unit``.
        channels: the measured quantities by name, each as long as the time; ends as a read-only mapping.
        time_unit: unit of the time; empty = not stated.
        name: short name for reports.
        source: file (or other origin) for messages.
        history: the cleaning steps this record has been through, in words, oldest first.
        unreadable: columns that were present but hold no numbers, by name, each with what was found where.
        remarks: what was decided while the record was read, such as units found in names.

    Several runs do not belong in one record: make one record each and an Experiment of them.
    """

    time: NDArray[np.float64]
    channels: Mapping[str, Channel]
    time_unit: str = ""
    name: str = ""
    source: str = ""
    history: tuple[str, ...] = ()
    unreadable: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()

    def __post_init__(self) -> None:
        time = _frozen_array(self.time, f"The time of {self.title}")
        if len(time) < FEWEST_SAMPLES:
            raise DataError(
                f"{self.title} has {len(time)} sample(s); at least {FEWEST_SAMPLES} are needed. "
                "Check that the whole file was recorded, or use a longer part of it."
            )
        fault = first_time_fault(time)
        if fault is not None:
            raise DataError(f"{self.title}: {fault.describe(lambda index: f'sample {index}')}")
        for name, channel in self.channels.items():
            if len(channel) != len(time):
                raise DataError(
                    f"{self.title}: the channel '{name}' has {len(channel)} values for {len(time)} times. "
                    "Give every channel one value per time, NaN where there is none."
                )
            infinite = np.isinf(channel.values)
            if infinite.any():
                raise DataError(
                    f"{self.title}: the channel '{name}' is infinite at sample {int(infinite.argmax())}. "
                    "Write NaN (or an empty cell) where there is no value."
                )
        object.__setattr__(self, "time", time)
        object.__setattr__(self, "channels", MappingProxyType(dict(self.channels)))
        object.__setattr__(self, "unreadable", MappingProxyType(dict(self.unreadable)))
        object.__setattr__(self, "history", tuple(self.history))
        object.__setattr__(self, "remarks", tuple(self.remarks))

    def __reduce__(self) -> tuple[Any, ...]:
        # A mapping proxy cannot be pickled, and worker processes need records.
        parts = (self.time_unit, self.name, self.source, self.history, dict(self.unreadable), self.remarks)
        return Record, (np.array(self.time), dict(self.channels), *parts)

    def __len__(self) -> int:
        return len(self.time)

    def __repr__(self) -> str:
        unit = f" {self.time_unit}" if self.time_unit else ""
        names = ", ".join(self.channels)
        return f"<Record {self.name!r}: {len(self)} samples, {self.duration:g}{unit}, {names}>"

    @property
    def title(self) -> str:
        """How messages call this record."""
        return self.source or self.name or "The record"

    @property
    def duration(self) -> float:
        """Last time minus first time, in ``time_unit``."""
        return float(self.time[-1] - self.time[0])

    @property
    def spacing(self) -> float:
        """Median time between samples, in ``time_unit``."""
        return float(np.median(np.diff(self.time)))

    @property
    def uniform(self) -> bool:
        """Whether every step in time equals the median step within one part in a thousand."""
        steps = np.diff(self.time)
        return bool(np.abs(steps - self.spacing).max() <= _UNIFORM_TOLERANCE * self.spacing)

    def require(self, name: str, *, allow_constant: bool = False) -> Channel:
        """The channel of this name, or a DataError if it is missing, not numeric, empty, constant or not computable.

        Arguments:
            name: channel name, without its unit.
            allow_constant: accept a channel that never changes (an input at rest, for example).
        """
        if name in self.unreadable:
            raise DataError(
                f"{self.title}: the column '{name}' cannot be used as numbers: {self.unreadable[name]}. "
                "Expected numbers with decimal points, NaN or an empty cell; correct the file or map another "
                "column."
            )
        if name not in self.channels:
            raise DataError(f"{self.title} has no column '{name}'.{did_you_mean(name, self.channels)}")
        span = float(self.time[-1]) - float(self.time[0])
        if not SHORTEST_STEP * (len(self.time) - 1) <= span <= LONGEST_RECORD:
            raise DataError(
                f"{self.title}: the {len(self.time)} times run from {self.time[0]:g} to {self.time[-1]:g}; expected at "
                f"most {LONGEST_RECORD:g} in all and at least {SHORTEST_STEP:g} between samples. Give the time "
                "in another unit."
            )
        channel = self.channels[name]
        finite = channel.values[np.isfinite(channel.values)]
        if len(finite) == 0:
            raise DataError(
                f"{self.title}: the column '{name}' holds no value (every cell is empty or NaN). "
                "Map a column that was measured."
            )
        largest = float(np.abs(finite).max())
        if largest > LARGEST:
            place = int(np.nanargmax(np.abs(channel.values)))
            raise DataError(
                f"{self.title}: the column '{name}' holds {channel.values[place]:g} at sample {place}; beyond "
                f"{LARGEST:g} numbers cannot be computed with. If it is an error of the sensor, write NaN; otherwise "
                "give the column in a larger unit."
            )
        if not allow_constant and finite.min() == finite.max():
            raise DataError(
                f"{self.title}: the column '{name}' is constant ({finite[0]:g} everywhere), so nothing can "
                "be learnt from it. Check the sensor, or map another column."
            )
        if not allow_constant and finite.max() - finite.min() < SMALLEST:
            raise DataError(
                f"{self.title}: the column '{name}' varies by {finite.max() - finite.min():g} only; below {SMALLEST:g} "
                "numbers cannot be computed with. Give the column in a smaller unit."
            )
        return channel

    def with_step(
        self,
        description: str,
        *,
        time: NDArray[np.float64] | None = None,
        channels: Mapping[str, Channel] | None = None,
    ) -> Record:
        """A new record with other times or channels and the step that made it logged in ``history``."""
        return replace(
            self,
            time=self.time if time is None else time,
            channels=self.channels if channels is None else channels,
            history=(*self.history, description),
        )

    def digest(self) -> str:
        """SHA-256 (hex) of the numbers, names and units; independent of column order, name and source."""
        digest = hashlib.sha256()
        digest.update(f"time\0{self.time_unit}\0{len(self)}\0".encode())
        digest.update(_canonical_bytes(self.time))
        for name in sorted(self.channels):
            digest.update(f"\0{name}\0{self.channels[name].unit}\0".encode())
            digest.update(_canonical_bytes(self.channels[name].values))
        return digest.hexdigest()

    @classmethod
    def from_arrays(
        cls,
        time: ArrayLike,
        channels: Mapping[str, ArrayLike] | None = None,
        *,
        units: Mapping[str, str] | None = None,
        time_unit: str = "",
        name: str = "",
        **named: ArrayLike,
    ) -> Record:
        """A record from arrays: ``Record.from_arrays(t, theta=theta, units={"theta": "deg"})``.

        Arguments:
            time: sample times in ``time_unit``.
            channels: values by channel name; channels may also be given as keywords.
            units: unit by channel name; those left out are not stated.
            time_unit: unit of the time; empty = not stated.
            name: short name for reports.
        """
        arrays = {**(channels or {}), **named}
        stated = dict(units or {})
        check_unit_names(stated, arrays, "The record")
        made = {key: Channel(_numbers(key, values), stated.get(key, "")) for key, values in arrays.items()}
        return cls(time=_numbers("time", time), channels=made, time_unit=time_unit, name=name)

    @classmethod
    def from_dataframe(
        cls,
        frame: Any,
        time: str | None = None,
        *,
        units: Mapping[str, str] | None = None,
        name: str = "",
    ) -> Record:
        """A record from a pandas (or pandas-like) table, whose headers may carry units: ``theta [deg]``.

        Arguments:
            frame: anything with ``columns`` and ``frame[column].to_numpy()``.
            time: name of the time column; None = the one named ``t``, ``time``, ``t_s`` ... Dates become seconds from
                the first.
            units: unit by column name, overriding the headers.
            name: short name for reports.

        Several runs in one table: ``load(frame, segments=COLUMN)``. The index is not used: call ``reset_index()`` first
        if it holds the time.
        """
        # Imported here, since loading makes records.
        from identikit.measurement._load import load

        (record,) = load(frame, time=time, units=units, name=name)
        return record


def check_unit_names(units: Mapping[str, str], names: Iterable[str], where: str) -> None:
    """Raise unless every unit belongs to a known column and is itself a known unit."""
    known = list(names)
    for name, unit in units.items():
        if name not in known:
            raise DataError(f"{where}: a unit is given for '{name}', which is not a column.{did_you_mean(name, known)}")
        check(unit)


def _numbers(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """The values as a new float64 array, or a DataError that quotes the first one that is no number."""
    array = np.asarray(values)
    if array.dtype.kind in "mM":
        raise DataError(
            f"'{name}' holds dates or durations, not numbers. Convert it to seconds first, for example with "
            "(column - column.iloc[0]).dt.total_seconds()."
        )
    if array.dtype.kind == "c":
        raise DataError(f"'{name}' holds complex numbers. Give the real and the imaginary part as two channels.")
    try:
        return np.array(array, dtype=np.float64)
    except (TypeError, ValueError):
        wrong = next((value for value in array.ravel().tolist() if not _is_number(value)), "something else")
        raise DataError(f"'{name}' holds {wrong!r}, which is not a number.") from None


def _is_number(value: object) -> bool:
    try:
        float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    return True


def _frozen_array(values: ArrayLike, what: str) -> NDArray[np.float64]:
    array = np.array(values, dtype=np.float64)
    if array.ndim != 1:
        raise DataError(f"{what} must be a one-dimensional array; got {array.ndim} dimensions.")
    array.setflags(write=False)
    return array


def _canonical_bytes(values: NDArray[np.float64]) -> bytes:
    """Bytes that are equal for equal numbers: one NaN, one zero, one byte order."""
    canonical = np.where(np.isnan(values), np.nan, values + 0.0)
    return canonical.astype("<f8").tobytes()
