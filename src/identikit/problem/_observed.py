"""One record in the model's words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from identikit.errors import ProblemError
from identikit.problem._drive import Drive
from identikit.simulation import Pieces


@dataclass(frozen=True)
class Observed:
    """Times, measured outputs [samples, outputs] (NaN = not measured), and inputs as pieces of polynomials.

    `drive` is where the pieces come from; None = they were given as they are. `spread` [samples, outputs] are standard
    deviations of single samples, 1 for outputs whose samples are alike; None if all are.
    """

    name: str
    time: np.ndarray
    values: np.ndarray
    pieces: Pieces
    drive: Drive | None = None
    spread: np.ndarray | None = None

    @property
    def holds(self) -> dict[str, str]:
        """How sampled inputs that vary go on between their samples, where that is open to choice."""
        return {} if self.drive is None or self.drive.settled else self.drive.holds

    def held(self, holds: Mapping[str, str]) -> Observed:
        """The same record with other holds for some inputs."""
        if self.drive is None:
            return self
        drive = self.drive.held(holds)
        return replace(self, drive=drive, pieces=drive.pieces)

    def spread_at(self, times: np.ndarray) -> np.ndarray:
        """Standard deviations [times, outputs] of samples at any times, by straight lines between those measured."""
        if self.spread is None:
            return np.ones((len(times), self.values.shape[1]))
        columns = []
        for values, spread in zip(self.values.T, self.spread.T, strict=True):
            known = np.isfinite(values)
            columns.append(np.interp(times, self.time[known], spread[known]) if known.any() else np.ones(len(times)))
        return np.stack(columns, axis=1)

    def between(self, begin: float, end: float) -> Observed:
        """The part of the record from one time to another, both included."""
        keep = (self.time >= begin) & (self.time <= end)
        if keep.sum() < 2:
            raise ProblemError(f"{self.name or 'the record'}: fewer than two samples between t = {begin:g} and {end:g}")
        spread = None if self.spread is None else self.spread[keep]
        return replace(self, time=self.time[keep], values=self.values[keep], spread=spread)

    def thinned(self, stride: int) -> Observed:
        """Every n-th sample alone; inputs are as they were."""
        spread = None if self.spread is None else self.spread[::stride]
        return replace(self, time=self.time[::stride], values=self.values[::stride], spread=spread)

    def unmeasured_after(self, end: float) -> Observed:
        """The same times, with nothing measured after `end`."""
        return replace(self, values=np.where((self.time > end)[:, None], np.nan, self.values))
