"""Records as they might have been: the fitted motion with other noise on it.

    parametric   drawn from the noise that the fit found: normal or Student's t, with its memory, log-normal, rounded
    residual     what is independent in the residuals, drawn again with replacement, and given its memory back
    block        stretches of the residuals as they are, drawn with replacement: whatever their colour

Noise levels are first freed of what the fit took: sqrt(n / (n - k)).

References: B. Efron, R. J. Tibshirani, An Introduction to the Bootstrap, Chapman & Hall 1993; H. R. Kunsch, Annals of
Statistics 17 (1989) 1217 (blocks).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from identikit.likelihood import NoiseModel, predictors
from identikit.numerics import Autoregression
from identikit.problem import Noise, NoiseKind
from identikit.uncertainty._base import Fitted
from identikit.uncertainty._settings import UNCERTAINTY

KINDS = ("parametric", "residual", "block")


@dataclass(frozen=True)
class NoiseDraws:
    """Draws of what might have been measured at an estimate.

    Arguments:
        kind: one of KINDS.
        block: samples of a block; None = from the residuals' correlation.
    """

    fitted: Fitted
    kind: str
    block: int | None = None

    def __call__(self, count: int, random: np.random.Generator) -> np.ndarray:
        """So many data sets [count, samples of all records, outputs], NaN where the record has no value."""
        samples, outputs = self._residual.shape
        drawn = np.empty((count, samples, outputs))
        if self.kind == "block":
            drawn[:] = self._blocks(count, random)
        else:
            for part in self._records:
                for j, noise in enumerate(self._noise.noise):
                    drawn[:, part, j] = self._driven(noise, j, count, part.stop - part.start, random)
        made = self._added(drawn)
        return np.where(np.isfinite(self._noise.measured), made, np.nan)

    @cached_property
    def block_length(self) -> int:
        """Samples of a block: as given, else a few correlation times of the residuals, and some n^(1/3) at least."""
        if self.block is not None:
            return self.block
        longest = min(part.stop - part.start for part in self._records)
        memory = max(
            Autoregression.of([self._scaled[part, j] for part in self._records]).memory
            for j in range(self._scaled.shape[1])
        )
        forgotten = memory / math.log(1e3)  # the memory of a process ends at a thousandth
        wanted = max(UNCERTAINTY.block_memory * forgotten, longest ** (1 / 3), UNCERTAINTY.shortest_block)
        return max(1, min(round(wanted), round(UNCERTAINTY.longest_block * longest)))

    @cached_property
    def _noise(self) -> NoiseModel:
        return NoiseModel.of(self.fitted.problem)

    @cached_property
    def _residual(self) -> np.ndarray:
        return self.fitted.likelihood.residuals(self.fitted.p)

    @cached_property
    def _scaled(self) -> np.ndarray:
        """Residuals in the scale in which their noise is alike, freed of what the fit took."""
        return self._noise.scaled(self._residual) * self._freed

    @cached_property
    def _freed(self) -> np.ndarray:
        """What each output's level is too small by."""
        return np.where(np.isfinite(self._noise.known), 1.0, self.fitted.few_values)

    @cached_property
    def _records(self) -> list[slice]:
        ends = np.cumsum([0, *(len(record.time) for record in self.fitted.problem.records)])
        return [slice(int(a), int(b)) for a, b in pairwise(ends)]

    def _driven(self, noise: Noise, j: int, count: int, samples: int, random: np.random.Generator) -> np.ndarray:
        """Noise [count, samples] of one output over one record: innovations, with its memory."""
        coefficients, variance = predictors(noise.memory)
        process = Autoregression(coefficients[-1], math.sqrt(variance[-1]))
        shape = (samples + process.memory, count)
        if self.kind == "residual" and not noise.step:
            white = random.choice(self._pool(j), shape)
        else:
            level = float(self.fitted.likelihood.noise(self.fitted.p)[j] * self._freed[j])
            heavy = math.isfinite(noise.freedom)
            white = level * (random.standard_t(noise.freedom, shape) if heavy else random.standard_normal(shape))
        return process.driven(process.innovation * white)[process.memory :].T

    def _pool(self, j: int) -> np.ndarray:
        """What is independent in the residuals of one output, of mean zero, in the size of its level."""
        draws = self._noise.draws(self._residual)[0][:, j]
        known = draws[np.isfinite(draws)]
        return np.asarray((known - known.mean()) * self._freed[j])

    def _blocks(self, count: int, random: np.random.Generator) -> np.ndarray:
        """Residuals of all outputs in stretches, each record's from itself."""
        found = np.empty((count, *self._scaled.shape))
        for part in self._records:
            own = self._scaled[part].copy()
            for column in own.T:
                known = column[np.isfinite(column)]
                missing = ~np.isfinite(column)
                column[missing] = random.choice(known, int(missing.sum())) if len(known) else 0.0
            own -= own.mean(axis=0)
            samples, length = len(own), self.block_length
            begins = random.integers(0, samples, (count, -(-samples // length)))
            order = (begins[:, :, None] + np.arange(length)).reshape(count, -1)[:, :samples] % samples
            found[:, part] = own[order]
        return found

    def _added(self, drawn: np.ndarray) -> np.ndarray:
        """What is read of the motion with this noise on it."""
        noise = self._noise
        clean = noise.measured - self._residual
        spread = drawn if noise.spread is None else drawn * noise.spread
        made = clean + spread
        for j, item in enumerate(noise.noise):
            if item.kind is NoiseKind.LOGNORMAL:
                made[..., j] = clean[:, j] * np.exp(spread[..., j])
            if item.step and self.kind != "block":  # errors of rounding follow the motion: they are made, not drawn
                known = noise.measured[:, j][np.isfinite(noise.measured[:, j])]
                made[..., j] = known[0] + item.step * np.round((made[..., j] - known[0]) / item.step)
        return np.asarray(made)
