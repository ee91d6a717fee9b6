"""The sampled inputs of a record, from which their course under any hold can be made."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from identikit.problem._input_coverage import Coverage, Fill
from identikit.simulation import Pieces, sampled


@dataclass(frozen=True)
class SampledInput:
    """One input's own samples over a stretch in which it is known, what the user says of the rest, and its hold."""

    name: str
    time: np.ndarray
    values: np.ndarray
    hold: str
    fills: tuple[Fill, ...] = ()

    @classmethod
    def over(
        cls, name: str, time: np.ndarray, column: np.ndarray, hold: str, covered: Coverage, begin: float, end: float
    ) -> SampledInput:
        """The samples that tell of the input from `begin` to `end`, where it is known throughout."""
        after = max((until for _, until in covered.unknown if until <= begin), default=-math.inf)
        before = min((last for last, _ in covered.unknown if last >= end), default=math.inf)
        own = np.isfinite(column) & (time >= after) & (time <= before)
        last, value = float(time[own][-1]), float(column[own][-1])
        # a line or a spline would run on beyond the last sample
        level = (Fill(last, math.inf, value),) if last < end else ()
        return cls(name, time[own], column[own], hold, (*level, *covered.fills))

    @property
    def varies(self) -> bool:
        """Whether it makes a difference how it goes on between samples."""
        return len(self.values) > 1 and bool(np.ptp(self.values) > 0)

    @property
    def pieces(self) -> Pieces:
        """Its course as polynomials."""
        if self.varies:
            made = sampled(self.time, {self.name: self.values}, self.hold)
        else:
            made = Pieces.constant([float(self.values[0])])
        for fill in self.fills:
            made = made.overridden(fill.begin, fill.end, fill.level, fill.slope)
        return made


@dataclass(frozen=True)
class Drive:
    """All inputs of a record: sampled ones in `inputs`, the others by their own pieces in `given`.

    `names` is the model's order; `settled` tells that the user has said how inputs go on between samples.
    """

    names: tuple[str, ...]
    inputs: Mapping[str, SampledInput] = field(default_factory=dict)
    given: Mapping[str, Pieces] = field(default_factory=dict)
    settled: bool = False

    @property
    def pieces(self) -> Pieces:
        """All inputs as polynomials, in the model's order."""
        if not self.names:
            return Pieces.constant([])
        return Pieces.stacked(
            [self.inputs[name].pieces if name in self.inputs else self.given[name] for name in self.names]
        )

    @property
    def holds(self) -> dict[str, str]:
        """How the sampled inputs go on that vary."""
        return {name: item.hold for name, item in self.inputs.items() if item.varies}

    def held(self, holds: Mapping[str, str]) -> Drive:
        """The same with other holds for some inputs."""
        changed = {name: replace(item, hold=holds.get(name, item.hold)) for name, item in self.inputs.items()}
        return replace(self, inputs=changed)
