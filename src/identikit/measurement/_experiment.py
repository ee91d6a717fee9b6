"""Experiment: records that share parameters, each with its own initial state."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from identikit.errors import DataError
from identikit.measurement._record import Record


@dataclass(frozen=True, eq=False)
class Experiment:
    """One or more records of the same system under the same parameters.

    Arguments:
        records: at least one; all with the same channel names (units may differ).

    Runs with different hardware are different experiments: their parameters are not shared.
    """

    records: tuple[Record, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "records", tuple(self.records))
        if not self.records:
            raise DataError("An experiment needs at least one record; none was given.")
        first = self.records[0]
        for record in self.records[1:]:
            differing = sorted(set(record.channels) ^ set(first.channels))
            if differing:
                raise DataError(
                    f"{first.title} and {record.title} do not have the same channels: {', '.join(differing)} "
                    "is in one and not in the other. Remove or rename the columns, or load them apart."
                )

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[Record]:
        return iter(self.records)

    def __getitem__(self, position: int) -> Record:
        return self.records[position]

    def digest(self) -> str:
        """SHA-256 (hex) of the records' digests, in order."""
        return hashlib.sha256("\n".join(record.digest() for record in self.records).encode()).hexdigest()
