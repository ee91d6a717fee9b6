"""What is known after a sample."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True, eq=False)
class Estimate:
    """States and parameters after a sample, each with its standard deviation.

    Arguments:
        time: of the sample.
        names: of the states, then of the free parameters.
        numbers, deviations: in the order of `names`.
        outputs: names of the outputs.
        innovations: measured minus predicted, by output; NaN where nothing was measured.
        expected: the standard deviation that the filter expected of each innovation.
        nis: mean normalised innovation squared over the last samples: one if the filter knows how sure it may be.
        consistent: whether that mean is near enough to one; if not, do not believe the numbers.
        samples: how many samples there have been.
    """

    time: float
    names: tuple[str, ...]
    numbers: np.ndarray
    deviations: np.ndarray
    outputs: tuple[str, ...]
    innovations: np.ndarray
    expected: np.ndarray
    nis: float
    consistent: bool
    samples: int

    @cached_property
    def values(self) -> dict[str, float]:
        """Of states and parameters, by name."""
        return dict(zip(self.names, self.numbers.tolist(), strict=True))

    @cached_property
    def std(self) -> dict[str, float]:
        """Standard deviations of states and parameters, by name."""
        return dict(zip(self.names, self.deviations.tolist(), strict=True))

    def __getitem__(self, name: str) -> tuple[float, float]:
        """Value and standard deviation of one state or parameter."""
        return self.values[name], self.std[name]
