"""From residuals to independent draws of unit size: the noise of all outputs as the likelihood sees it.

    scale       e = y - h, or log y - log h (log-normal), over the sample's own standard deviation if it has one
    memory      w_i = (e_i - sum_k c_k e_(i-k)) / sqrt(v): the best prediction from the samples before, and its error
    rounding    psi(r): the mean noise in the interval that a reading stands for (`_rounded`)
    outliers    psi(z) = (nu + 1) z / (nu + z^2), z = w / sigma: what a sample pulls, bounded for Student's t

The prediction uses as many samples as lie before without a break (a record's beginning, a missing sample, a long
step), so c and v differ from sample to sample; with the last sample's c the first ones would not be stationary. It
follows from the partial autocorrelations by Durbin and Levinson's recursion. With memory the level sigma is that of the
noise itself; the draws w have sigma sqrt(v).

Reference: P. J. Brockwell, R. A. Davis, Time Series: Theory and Methods, 2nd ed., Springer 1991, sections 5.2 and 8.7;
K. L. Lange, R. J. A. Little, J. M. G. Taylor, Journal of the American Statistical Association 84 (1989) 881.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from identikit.likelihood._rounded import rounded_level, rounded_pull
from identikit.likelihood._settings import LIKELIHOOD
from identikit.numerics import robust_std
from identikit.problem import Noise, NoiseKind, Problem


@dataclass(frozen=True, eq=False)
class NoiseModel:
    """The noise of a problem's outputs.

    Arguments:
        noise: of each output.
        time, record: of each sample of all records, one after the other.
        measured: [samples, outputs], or many sets of them, first.
        spread: [samples, outputs] standard deviations of single samples, in units of the output's level; None = alike.
    """

    noise: tuple[Noise, ...]
    time: np.ndarray
    record: np.ndarray
    measured: np.ndarray
    spread: np.ndarray | None

    @classmethod
    def of(cls, problem: Problem) -> NoiseModel:
        records = problem.records
        owner = np.repeat(np.arange(len(records)), [len(record.time) for record in records])
        told = any(record.spread is not None for record in records)
        spread = [np.ones_like(record.values) if record.spread is None else record.spread for record in records]
        return cls(
            tuple(problem.noise[name] for name in problem.outputs),
            np.concatenate([record.time for record in records]),
            owner,
            np.concatenate([record.values for record in records]),
            np.concatenate(spread) if told else None,
        )

    @classmethod
    def alike(cls, noise: Noise, values: np.ndarray) -> NoiseModel:
        """The same noise on every column of one record of evenly spaced samples [samples, outputs]."""
        return cls((noise,) * values.shape[1], np.arange(len(values)), np.zeros(len(values)), values, None)

    @cached_property
    def plain(self) -> bool:
        """Whether the draws are the residuals over their level, as for white normal noise."""
        return self.spread is None and all(item.plain for item in self.noise)

    @cached_property
    def known(self) -> np.ndarray:
        """Levels known beforehand, NaN for those to be found."""
        levels = [item.known_level for item in self.noise]
        return np.array([np.nan if level is None else level for level in levels])

    # Scale

    def scaled(self, residual: np.ndarray) -> np.ndarray:
        """Residuals [..., samples, outputs] in the scale in which their noise is alike."""
        if self.plain:
            return residual
        found = residual
        for j in self._relative:
            with np.errstate(invalid="ignore", divide="ignore"):
                found = found if found is not residual else residual.copy()
                found[..., j] = -np.log1p(-residual[..., j] / self.measured[..., j])
        return found if self.spread is None else found / self.spread

    def scaled_slope(self, residual: np.ndarray, slope: np.ndarray) -> np.ndarray:
        """How the model's values in that scale follow their unknowns; `slope` [..., samples, outputs, unknowns]."""
        found = slope
        for j in self._relative:
            found = found if found is not slope else slope.copy()
            with np.errstate(invalid="ignore", divide="ignore", over="ignore"):  # a model at zero has no logarithm
                found[..., j, :] = slope[..., j, :] / (self.measured[..., j] - residual[..., j])[..., None]
        return found if self.spread is None else found / self.spread[..., None]

    @cached_property
    def _relative(self) -> tuple[int, ...]:
        return tuple(j for j, item in enumerate(self.noise) if item.kind is NoiseKind.LOGNORMAL)

    @property
    def typical_scale(self) -> np.ndarray:
        """What a level in the output's unit is divided by [outputs] to be one in the scale of the noise, roughly."""
        size = np.ones(len(self.noise))
        for j in self._relative:
            size[j] = max(float(np.nanmedian(np.abs(self.measured[:, j]))), 1e-300)
        return size if self.spread is None else size * np.nanmedian(self.spread, axis=0)

    # Memory

    @cached_property
    def breaks(self) -> np.ndarray:
        """Samples that begin a stretch: the first of a record, and one after a long step."""
        step = np.diff(self.time)
        first = np.append(True, np.diff(self.record) != 0)
        usual = np.median(step[~first[1:]]) if (~first[1:]).any() else 0.0
        return first | np.append(False, step > LIKELIHOOD.long_step * usual)

    def history(self, output: int, present: np.ndarray, breaks: np.ndarray) -> np.ndarray:
        """How many samples [samples] each is predicted from; `present` [samples] are those that were measured."""
        place = np.arange(len(present))
        begins = breaks | ~present | np.append(True, ~present[:-1])
        return np.minimum(place - np.maximum.accumulate(np.where(begins, place, 0)), len(self.noise[output].memory))

    def draws(self, residual: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Draws w [..., samples, outputs] in units of the level, and their relative variances v, over whole records."""
        scaled = self.scaled(residual)
        if not any(item.memory for item in self.noise):
            return scaled, np.ones(scaled.shape[-2:])
        found, variance = scaled.copy(), np.ones(scaled.shape[-2:])
        for j, item in enumerate(self.noise):
            if item.memory:
                one = scaled[..., j]
                present = np.isfinite(one).reshape(-1, one.shape[-1])[0]
                history = self.history(j, present, self.breaks)
                table = np.where(present, one, 0.0)[..., None]
                found[..., j] = np.where(present, filtered(table, item.memory, history)[..., 0], np.nan)
                variance[:, j] = predictors(item.memory)[1][history]
        return found, variance

    # Level and likelihood

    def levels(self, residual: np.ndarray) -> np.ndarray:
        """Standard deviation [..., outputs] at which the residuals are likeliest; those known beforehand stay."""
        return np.where(np.isfinite(self.known), self.known, self.levels_left(residual))

    def levels_left(self, residual: np.ndarray) -> np.ndarray:
        """The same of all outputs, as if nothing were known beforehand."""
        draws, _ = self.draws(residual)
        with np.errstate(invalid="ignore"):
            found = np.sqrt(np.nanmean(draws**2, axis=-2))
            for j, item in enumerate(self.noise):
                if math.isfinite(item.freedom):
                    found[..., j] = _student_level(draws[..., j], item.freedom)
                elif item.step:
                    found[..., j] = rounded_level(draws[..., j], item.step)
        floor = LIKELIHOOD.least_residual * np.nanstd(self.scaled_measured, axis=-2)
        return np.maximum(found, np.maximum(floor, 1e-300))

    @cached_property
    def scaled_measured(self) -> np.ndarray:
        """What was measured in the scale of the noise, whose size residuals are compared with."""
        found = self.measured.copy()
        for j in self._relative:
            with np.errstate(invalid="ignore", divide="ignore"):
                values = found[..., j]
                found[..., j] = np.where(values > 0, np.log(np.maximum(values, 1e-300)), np.nan)
        return found if self.spread is None else found / self.spread

    def log_likelihood(self, residual: np.ndarray, sigma: np.ndarray) -> np.ndarray:
        """log L [...] of the residuals [..., samples, outputs] at the levels sigma [..., outputs]."""
        if self.plain:
            return log_likelihood(residual, sigma)
        return np.asarray(self.log_densities(residual, sigma).sum(axis=(-2, -1)))

    def log_densities(self, residual: np.ndarray, sigma: np.ndarray) -> np.ndarray:
        """What every sample [..., samples, outputs] adds to log L, given those before it; nothing if not measured."""
        draws, variance = self.draws(residual)
        found = []
        for j, item in enumerate(self.noise):
            level = sigma[..., j, None]
            if item.step:
                found.append(self._log_rounded(draws[..., j], item.step, sigma[..., j]))
                continue
            with np.errstate(invalid="ignore"):
                z = draws[..., j] / level
            each = _log_density(z, item.freedom) - 0.5 * np.log(variance[:, j]) - np.log(level)
            if self.spread is not None:
                each = each - np.log(self.spread[:, j])
            if j in self._relative:  # the density of y, not that of log y, so that kinds of noise can be compared
                each = each - np.log(np.where(self.measured[..., j] > 0, self.measured[..., j], 1.0))
            found.append(each)
        return np.nan_to_num(np.stack(found, axis=-1), nan=0.0, posinf=np.inf, neginf=-np.inf)

    @staticmethod
    def _log_rounded(residual: np.ndarray, step: float, sigma: np.ndarray) -> np.ndarray:
        """Logarithms of a mean density over each interval, so that kinds of noise can be compared."""
        return rounded_pull(residual, step, sigma)[2] - math.log(step)

    def judged(self, residual: np.ndarray, sigma: np.ndarray) -> np.ndarray:
        """Draws [samples, outputs] of unit size as the fit weighs them, for tests of whether they are independent."""
        found = self.draws(residual)[0] / sigma
        for j, item in enumerate(self.noise):
            if math.isfinite(item.freedom):  # two gross errors side by side are no memory
                found[:, j] = pull(found[:, j], item.freedom)[0]
            elif item.step:  # the error of rounding follows the motion, the mean noise in the interval does not
                found[:, j] = rounded_pull(residual[:, j], item.step, sigma[j])[0]
        return found


def log_likelihood(residual: np.ndarray, sigma: np.ndarray) -> np.ndarray:
    """log L of white noise: -1/2 sum over measured values of r^2/sigma^2 + log(2 pi sigma^2).

    The one definition: -2 times it is the misfit that fits, laws and models are compared by.
    """
    count = np.isfinite(residual).sum(axis=-2)
    squares = np.nansum(residual**2, axis=-2)
    return np.asarray(-0.5 * np.sum(squares / sigma**2 + count * np.log(2 * np.pi * sigma**2), axis=-1))


@lru_cache(maxsize=64)
def predictors(memory: tuple[float, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients c [n + 1, n] of the best prediction from 0 ... n samples before, and its variances v [n + 1].

    c^(a)_k = c^(a-1)_k - r_a c^(a-1)_(a-k), c^(a)_a = r_a, v_a = v_(a-1) (1 - r_a^2) with r the partial
    autocorrelations.
    """
    order = len(memory)
    coefficients, variance = np.zeros((order + 1, order)), np.ones(order + 1)
    for a, partial in enumerate(memory, start=1):
        before = coefficients[a - 1, : a - 1]
        coefficients[a, : a - 1] = before - partial * before[::-1]
        coefficients[a, a - 1] = partial
        variance[a] = variance[a - 1] * (1 - partial**2)
    return coefficients, variance


def filtered(
    table: np.ndarray, memory: tuple[float, ...], history: np.ndarray, most: np.ndarray | None = None
) -> np.ndarray:
    """Rows [..., samples, columns] less their prediction from the `history` [samples] samples before, over sqrt(v).

    Of the prediction only the part by the nearest `most` [samples] samples is taken, if that is given.
    """
    coefficients, variance = predictors(memory)
    found = table.copy()
    for k in range(1, len(memory) + 1):
        counts = (history >= k) if most is None else (history >= k) & (most >= k)
        weight = np.where(counts, coefficients[history, k - 1], 0.0)
        found[..., k:, :] -= weight[k:, None] * table[..., :-k, :]
    return np.asarray(found / np.sqrt(variance[history])[:, None])


def before_segment(
    table: np.ndarray, memory: tuple[float, ...], history: np.ndarray, offset: np.ndarray, which: np.ndarray
) -> np.ndarray:
    """The rest of that prediction, by samples further before than `offset` [samples], for the rows `which`, negated."""
    coefficients, variance = predictors(memory)
    found = np.zeros((*table.shape[:-2], len(which), table.shape[-1]))
    for k in range(1, len(memory) + 1):
        counts = (history[which] >= k) & (offset[which] < k)
        weight = np.where(counts, coefficients[history[which], k - 1], 0.0)
        found -= weight[:, None] * table[..., which - np.where(counts, k, 0), :]
    return np.asarray(found / np.sqrt(variance[history[which]])[:, None])


def pull(z: np.ndarray, freedom: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What draws z [..., samples] of unit level pull and cost: psi(z), -2 log density but for a constant, and the
    efficiency a^2 [...]: one draw tells as much as a^2 normal ones.

    a^2 = (mean psi')^2 / mean psi^2 is the variance that Huber gives of such an estimate; for draws that do come from
    Student's t it is (nu + 1)/(nu + 3).
    """
    weight = (freedom + 1) / (freedom + z**2)
    psi = weight * z
    slope = np.nanmean(weight * (freedom - z**2) / (freedom + z**2), axis=-1)
    efficiency = np.maximum(slope, 0.0) ** 2 / np.maximum(np.nanmean(psi**2, axis=-1), 1e-300)
    return psi, (freedom + 1) * np.log1p(z**2 / freedom), np.clip(efficiency, LIKELIHOOD.least_efficiency, 1.0)


def _log_density(z: np.ndarray, freedom: float) -> np.ndarray:
    if math.isinf(freedom):
        return np.asarray(-0.5 * (z**2 + math.log(2 * math.pi)))
    constant = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2) - 0.5 * math.log(freedom * math.pi)
    return np.asarray(constant - 0.5 * (freedom + 1) * np.log1p(z**2 / freedom))


def _student_level(draws: np.ndarray, freedom: float) -> np.ndarray:
    """The likeliest scale of Student's t, by the usual fixed point sigma^2 = mean (nu + 1) w^2 / (nu + w^2/sigma^2)."""
    level = np.maximum(robust_std(draws), 1e-300)
    for _ in range(LIKELIHOOD.level_rounds):
        weight = (freedom + 1) / (freedom + (draws / level[..., None]) ** 2)
        level = np.maximum(np.sqrt(np.nanmean(weight * draws**2, axis=-1)), 1e-300)
    return np.asarray(level)
