"""A simulated twin of a record: what a method makes of samples whose true parameters are known.

The twin is the model's own motion along the record, with noise like the record's own residuals added: of the same
memory (`Autoregression`), the same distribution (innovations are drawn from those of the residuals, outliers with
them), rounded to the same grid, missing where the record has no sample. The method's estimator is run on draws in
pairs, e and -e:

    half the difference   what noise does to the estimate to first order: its scatter
    half the sum          what does not change sign: its bias, which a pair tells far better than two draws would

References: B. Efron, R. J. Tibshirani, An Introduction to the Bootstrap, Chapman & Hall 1993, chapter 8; P. Buhlmann,
Bernoulli 3 (1997) 123 (resampled innovations); J. G. MacKinnon, A. A. Smith, J. Econometrics 85 (1998) 205 (bias).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from identikit.errors import IdentikitError
from identikit.method._rounding import Rounding
from identikit.method._settings import TWIN
from identikit.numerics import Autoregression
from identikit.problem import Problem

Core = Callable[[Problem], np.ndarray]
"""A method's estimator without anything that judges it: the free parameters from other records of the same shape."""


@dataclass(frozen=True)
class Estimator:
    """An estimator that can be run on twins of a record.

    Arguments:
        core: the estimator.
        pairs: of twins it is run on.
        probes: whether one pair is worth its time on a record that nothing speaks against.
        corrects: whether the estimate is freed of a bias; else that is counted into its standard error, as for methods
            that are to stay as they were published.
    """

    core: Core
    pairs: int = TWIN.pairs
    probes: bool = True
    corrects: bool = True


@dataclass(frozen=True)
class OutputNoise:
    """The noise of one output: its process, innovations to draw from, and the grid that readings are rounded to."""

    process: Autoregression
    innovations: np.ndarray
    rounding: Rounding | None

    @classmethod
    def of(cls, values: Sequence[np.ndarray], residuals: Sequence[np.ndarray]) -> OutputNoise:
        """From the samples of all records and what a fit leaves of them, NaN where there is none."""
        rounding = Rounding.of(np.concatenate(values), np.concatenate(residuals))
        if rounding is not None:  # what rounding adds follows the motion, so it is made and not drawn
            return cls(Autoregression(np.zeros(0), rounding.sigma), np.zeros(0), rounding)
        process = Autoregression.of(residuals)
        pool = np.concatenate([process.innovations(residual) for residual in residuals])
        pool = pool[np.isfinite(pool)]
        if not len(pool):  # hardly two samples in a row: normal innovations are drawn
            return cls(process, pool, None)
        pool = pool - pool.mean()
        size = float(np.sqrt(np.mean(pool**2)))
        return cls(process, pool * (process.innovation / size) if size > 0 else pool, None)

    def draw(self, count: int, random: np.random.Generator) -> np.ndarray:
        """Noise for so many samples in a row, before any rounding."""
        total = count + self.process.memory
        if not len(self.innovations):
            drawn = self.process.innovation * random.standard_normal(total)
        else:
            drawn = random.choice(self.innovations, total)
        return self.process.driven(drawn)[self.process.memory :]

    def read(self, values: np.ndarray) -> np.ndarray:
        """Values as the sensor would give them."""
        return values if self.rounding is None else self.rounding(values)


@dataclass(frozen=True)
class Replicates:
    """Estimates from pairs of draws, relative to the twin's true parameters: [pairs, free]."""

    half_difference: np.ndarray
    half_sum: np.ndarray

    @property
    def count(self) -> int:
        return len(self.half_sum)

    @property
    def bias(self) -> np.ndarray:
        """Mean error of the estimator."""
        return np.asarray(self.half_sum.mean(axis=0))

    @property
    def deviation(self) -> np.ndarray:
        """Standard error of an estimate that is freed of the mean error, wide enough for so few pairs.

        1.96 of these cover 95 %: it holds the quantile of Student's distribution for the number of pairs.
        """
        from scipy.special import stdtrit

        scatter = np.mean(self.half_difference**2, axis=0)
        if self.count > 1:
            scatter = scatter + np.var(self.half_sum, axis=0, ddof=1) * (1 + 1 / self.count)
        return np.asarray(np.sqrt(scatter) * float(stdtrit(self.count, 0.975)) / 1.96)


@dataclass(frozen=True)
class Twin:
    """The clean motion of every record [samples, outputs], the parameters it belongs to, and the noise to add."""

    problem: Problem
    p: np.ndarray
    clean: tuple[np.ndarray, ...]
    noise: tuple[OutputNoise, ...]

    @classmethod
    def of(cls, problem: Problem, p: np.ndarray, residual: np.ndarray, clean: Sequence[np.ndarray] = ()) -> Twin:
        """From residuals [samples of all records, outputs] at p; `clean` is the motion, if not samples less these."""
        ends = np.cumsum([len(record.time) for record in problem.records])[:-1]
        residuals = np.split(residual, ends)
        motion = clean or [record.values - left for record, left in zip(problem.records, residuals, strict=True)]
        noise = [
            OutputNoise.of([record.values[:, j] for record in problem.records], [left[:, j] for left in residuals])
            for j in range(len(problem.outputs))
        ]
        return cls(problem, p, tuple(motion), tuple(noise))

    def replicates(self, core: Core, pairs: int, seed: int) -> Replicates | None:
        """The estimator on so many pairs of draws; None if it fails on more than a few of them."""
        random = np.random.default_rng([seed, TWIN.stream])
        rows = []
        for _ in range(pairs):
            drawn = [np.stack([noise.draw(len(part), random) for noise in self.noise], axis=1) for part in self.clean]
            plus, minus = (self._estimated(core, drawn, sign) for sign in (1.0, -1.0))
            if plus is not None and minus is not None:
                rows.append([(plus - minus) / 2, (plus + minus) / 2 - self.p])
        if len(rows) < max(1, round((1 - TWIN.failures) * pairs)):
            return None
        difference, total = np.array(rows).transpose(1, 0, 2)
        return Replicates(difference, total)

    def _estimated(self, core: Core, drawn: Sequence[np.ndarray], sign: float) -> np.ndarray | None:
        records = []
        for record, clean, noise in zip(self.problem.records, self.clean, drawn, strict=True):
            moved = clean + sign * noise
            read = np.stack([own.read(column) for own, column in zip(self.noise, moved.T, strict=True)], axis=1)
            records.append(replace(record, values=np.where(np.isfinite(record.values), read, np.nan)))
        try:
            found = core(self.problem.with_records(records))
        except (IdentikitError, np.linalg.LinAlgError):
            return None
        return found if np.isfinite(found).all() else None
