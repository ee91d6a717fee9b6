"""Damping and stiffness from the lifespans of an oscillation's valleys, by weighted least squares over all of them.

    lifespan_i = r_i + r_i+1,      r_i+1 = M(r_i, p),      t_i+1 = t_i + T(r_i, p)

with r_i the distances of successive turning points from the rest position, M and T the exact maps of half a cycle
(`identikit.oscillation.HalfCycles`). Unknown besides the parameters are the first distance and, where a stiffness is
free, the first time: only then do the times of the turning points take part, so that a wrong stiffness that was fixed
does little harm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from identikit.method.free_decay._bounded_fit import BoundedFit
from identikit.method.free_decay._settings import TOPOLOGICAL
from identikit.numerics import standard_errors
from identikit.oscillation import Decline, HalfCycles, Oscillator
from identikit.progress import Progress


@dataclass(frozen=True)
class LifespanFit:
    """Estimate and standard errors of all free parameters but offsets; modelled chains; what is left over."""

    p: np.ndarray
    std: np.ndarray
    amplitudes: tuple[np.ndarray, ...]
    centre: float
    misfit: float  # rms of the residuals in units of their standard errors
    converged: bool


class LifespanProblem(BoundedFit):
    """Weighted residuals of all lifespans (and times) and their derivatives with respect to the unknowns.

    Unknowns: the parameters that move, then for each record the first distance, then what is fitted of the first time
    and of the offset that raw lifespans carry.
    """

    tolerance, most_evaluations = 1e-12, 100

    def __init__(self, oscillator: Oscillator, declines: Sequence[Decline], p: np.ndarray) -> None:
        self.oscillator, self.declines = oscillator, declines
        self.full = p.copy()
        self.timed = bool(oscillator.stiffnesses)
        self.near = (
            float(np.mean([decline.level for decline in declines])) - oscillator.reading_at_zero(p) / oscillator.gain
        )
        bounds = [oscillator.problem.bounds[name] for name in oscillator.problem.free if name not in oscillator.offsets]
        low, high = [limits[0] for limits in bounds], [limits[1] for limits in bounds]
        start = list(p[oscillator.moves])
        for decline in declines:
            start.append(float(decline.distances[0]))
            low.append(0.2 * start[-1])
            high.append(5 * start[-1])
            unbounded = [float(decline.times[0])] * self.timed + [0.0] * decline.raw
            start += unbounded
            low += [-np.inf] * len(unbounded)
            high += [np.inf] * len(unbounded)
        self.start, self.low, self.high = np.array(start), np.array(low), np.array(high)
        self._steps = self._difference_steps()

    def _difference_steps(self) -> np.ndarray:
        """A small part of each unknown, or of what would matter where it is zero."""
        amplitude = float(np.max([decline.lengths[0] for decline in self.declines])) / 2
        frequency = self.declines[0].frequency
        slopes = self.oscillator.leverage(self.near + 0.7 * amplitude, 0.7 * amplitude * frequency, self.full)
        sizes = np.maximum(np.abs(self.full), 0.03 * frequency**2 * amplitude / slopes)[self.oscillator.moves]
        others = np.full(len(self.start) - len(sizes), amplitude)
        return TOPOLOGICAL.relative_step * np.concatenate([sizes, others])

    def evaluate(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Residuals and their derivatives by central differences, all trial points in one integration of the map."""
        sets = np.concatenate([q[None], q + np.diag(self._steps), q - np.diag(self._steps)])
        rows = self._rows(sets)[0]
        count = len(q)
        slopes = (rows[:, 1 : count + 1] - rows[:, count + 1 :]) / (2 * self._steps)
        return rows[:, 0], slopes

    def amplitudes(self, q: np.ndarray) -> tuple[list[np.ndarray], float]:
        """Distances of all turning points from the rest position, and that position."""
        chains = self._rows(q[None])[1]
        return [chain[:, 0] for chain in chains], self._centre(q)

    def _centre(self, q: np.ndarray) -> float:
        full = self.full.copy()
        full[self.oscillator.moves] = q[: int(self.oscillator.moves.sum())]
        return self.oscillator.equilibrium(full, self.near)

    def _rows(self, sets: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
        count = int(self.oscillator.moves.sum())
        p = np.repeat(self.full[None], len(sets), axis=0)
        p[:, self.oscillator.moves] = sets[:, :count]
        centre = self._centre(sets[0])
        low = min(decline.last_amplitude for decline in self.declines)
        high = [max(float(decline.distances[side::2].max()) for decline in self.declines) for side in (0, 1)]
        maps = HalfCycles.of(self.oscillator, p, centre, low, (max(high[0], 1.2 * low), max(high[1], 1.2 * low)))
        rows, chains, at = [], [], count
        for decline in self.declines:
            amplitude, elapsed = maps.chain(sets[:, at], True, len(decline.points.time))
            at += 1
            chains.append(amplitude)
            modelled = (amplitude[:-1] + amplitude[1:])[::2]
            if self.timed:
                times = sets[:, at] + elapsed
                rows.append((decline.times[:, None] - times) / _positive(decline.points.time_std)[:, None])
                at += 1
            if decline.raw:
                modelled = modelled + sets[:, at]
                at += 1
            rows.append((decline.lengths[:, None] - modelled) / decline.length_std[:, None])
        return np.concatenate(rows), chains

    def solve(self, progress: Progress) -> LifespanFit:
        """The least-squares fit; standard errors are wider where the lifespans scatter more than the noise explains."""
        q, converged = self.minimise(progress)
        rows, slopes = self.both(q)
        misfit = float(np.sqrt(rows @ rows / max(len(rows) - len(q), 1)))
        std = standard_errors(slopes) * max(1.0, misfit)
        moves = self.oscillator.moves
        p = self.full.copy()
        p[moves] = q[: int(moves.sum())]
        chains, centre = self.amplitudes(q)
        return LifespanFit(p, std[: int(moves.sum())], tuple(chains), centre, misfit, converged)


def _positive(std: np.ndarray) -> np.ndarray:
    """Raw turning points have no known standard error in time; all then count the same."""
    return np.where(np.isfinite(std) & (std > 0), std, 1.0)
