"""Where an identifier stands in its stream of samples."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from identikit.online._settings import ONLINE


@dataclass(frozen=True)
class Course:
    """The last sample's time and inputs, how quick the equations were, and how large innovations have been.

    `nis` is the mean squared innovation over about the last `memory` samples, in units of what was expected: a mean
    with weights that fade. It is one if the filter knows how sure it may be.
    """

    inputs: np.ndarray
    time: float = 0.0
    rate: float = ONLINE.first_rate
    nis: float = 1.0
    told: int = 0  # samples with a measured value
    samples: int = 0

    def after(self, time: float, inputs: np.ndarray, rate: float, square: float) -> Course:
        """After one more sample; `square` is NaN where nothing was measured, `rate` means nothing for the first one."""
        told, nis = self.told, self.nis
        if not math.isnan(square):
            told += 1
            nis += (square - nis) / min(told, ONLINE.memory)
        return Course(inputs, time, rate if self.samples else ONLINE.first_rate, nis, told, self.samples + 1)

    @property
    def consistent(self) -> bool:
        """Whether innovations are no larger than the filter expects, but for chance."""
        count = max(min(self.told, ONLINE.memory), 1)
        return self.nis <= max(ONLINE.diverging, 1 + ONLINE.alarm * math.sqrt(2 / count))

    def as_arrays(self) -> dict[str, np.ndarray]:
        """For a file."""
        scalars = {"time": self.time, "rate": self.rate, "nis": self.nis, "told": self.told, "samples": self.samples}
        return {"inputs": self.inputs, **{name: np.asarray(value, float) for name, value in scalars.items()}}

    @classmethod
    def from_arrays(cls, numbers: Mapping[str, np.ndarray]) -> Course:
        """What `as_arrays` gave."""
        time, rate, nis = (float(numbers[name]) for name in ("time", "rate", "nis"))
        return cls(numbers["inputs"], time, rate, nis, int(numbers["told"]), int(numbers["samples"]))
