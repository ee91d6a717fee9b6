"""Fit of the envelope: unknowns, residuals with exact derivatives, search for one damping, bootstrap.

Rows, at every eighth of the averaging window (linear scale):

    (A_measured - sqrt(A_model^2 + noise^2)) / noise,       A_measured (phase difference - delta t) / noise

On the log scale they are ln A_measured - ln A_model and the phase difference. Unknowns are the free dampings and
stiffnesses, the initial state of every record, and, where no stiffness is free, delta: a stiffness that was fixed a
little wrong then shifts the phase and nothing else. Phases are compared after unwrapping, so a start that is cycles off
still leads to the right one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from identikit.method.free_decay._bounded_fit import BoundedFit
from identikit.method.free_decay._settings import ENVELOPE
from identikit.model import dynamics_of
from identikit.oscillation import AnalyticSignal, Oscillator
from identikit.progress import Progress, shielded
from identikit.simulation import Integrator


@dataclass(frozen=True)
class EnvelopeFit:
    """Estimate of the free parameters, standard errors of those that move, initial states, what is left over."""

    p: np.ndarray
    std: np.ndarray
    initial: np.ndarray
    initial_covariance: np.ndarray
    z: tuple[np.ndarray, ...]
    level: float
    misfit: float
    converged: bool
    evaluations: int


class EnvelopeProblem(BoundedFit):
    """Residuals of the envelopes of all records; see the module's text.

    Arguments:
        signals: the records' analytic signals, in the output's unit.
        p: free parameters to begin with (all of them, offsets included); initial: states [records, 2].
        known: whether the initial states are given and not fitted.
    """

    tolerance, most_evaluations = 1e-11, 60

    def __init__(
        self,
        oscillator: Oscillator,
        signals: Sequence[AnalyticSignal],
        p: np.ndarray,
        initial: np.ndarray,
        log: bool,
        known: bool = False,
    ) -> None:
        self.oscillator, self.signals, self.log, self.known = oscillator, signals, log, known
        problem = oscillator.problem
        self.names = tuple(name for name in problem.free if name not in oscillator.offsets)
        self.full, self.initial = p.copy(), initial
        self.stretched = not oscillator.stiffnesses
        self.evaluations = 0
        self._quick, self._exact = (
            Integrator(
                dynamics, (oscillator.motion.position,), exact, ENVELOPE.tolerance, most_passes=ENVELOPE.most_steps
            )
            for dynamics, exact in ((dynamics_of(problem.model), False), (dynamics_of(problem.model, self.names), True))
        )
        # unknowns: parameters that move, initial states of all records, stretch of every record's phase
        unbounded = [*([] if known else initial.ravel()), *([0.0] * len(signals) if self.stretched else [])]
        self.start = np.array([*p[oscillator.moves], *unbounded])
        limits = [problem.bounds[name] for name in self.names]
        self.low = np.array([low for low, _ in limits] + [-np.inf] * len(unbounded))
        self.high = np.array([high for _, high in limits] + [np.inf] * len(unbounded))

    def _states(
        self, index: int, signal: AnalyticSignal, p: np.ndarray, x0: np.ndarray, exact: bool
    ) -> np.ndarray | None:
        """Position and its derivatives with respect to initial state and free parameters [times, 1 + columns]."""
        problem = self.oscillator.problem
        pieces = problem.records[index].pieces
        begin = signal.at[:1]
        run = (self._exact if exact else self._quick).run(
            begin, signal.at[-1:], x0[None], problem.vector(p), pieces, pieces.index(begin)
        )
        self.evaluations += 1
        if run.failed.any():
            return None
        return run.sample(signal.at, np.array([0, len(signal.at)]))[:, 0]

    def modelled(self, p: np.ndarray, initial: np.ndarray, exact: bool = False) -> list[np.ndarray] | None:
        """Analytic signals of the simulated records, one evaluation; `exact` by the kernel with derivatives."""
        found = []
        for index, signal in enumerate(self.signals):
            x = self._states(index, signal, p, initial[index], exact)
            if x is None:
                return None
            found.append(signal.transform(self.oscillator.gain * x)[:, 0])
        return found

    def misfit_of_shape(self, p: np.ndarray) -> float:
        """How far the shape of the envelope is off at the present initial states: the report's J, its level free.

        Where the initial states are known the level counts too.
        """
        found = self.modelled(p, self.initial)
        if found is None:
            return np.inf
        total, count = 0.0, 0
        for signal, z in zip(self.signals, found, strict=True):
            measured, modelled = signal.modulus, np.maximum(np.abs(z), 1e-300)
            if self.log:
                difference = np.log(measured / modelled)
                total += float(np.sum((difference - (0.0 if self.known else np.mean(difference))) ** 2))
            else:
                scale = 1.0 if self.known else float(measured @ modelled) / float(modelled @ modelled)
                total += float(np.sum((measured - scale * modelled) ** 2))
            count += len(measured)
        return total / count

    def searched(self, name: str, progress: Progress) -> np.ndarray:
        """The parameters with one damping searched for: a coarse grid of its logarithm, then Brent's bounded method."""
        from scipy.optimize import minimize_scalar

        index = self.oscillator.problem.free.index(name)
        low, high = self.oscillator.problem.bounds[name]
        unit = self._balancing(index)
        grid = np.geomspace(max(low, ENVELOPE.weakest * unit), min(high, ENVELOPE.strongest * unit), ENVELOPE.grid)

        def moved(logarithm: float) -> np.ndarray:
            p = self.full.copy()
            p[index] = np.exp(logarithm)
            return p

        values = []
        for step, value in enumerate(grid):
            values.append(self.misfit_of_shape(moved(np.log(value))))
            if progress(step / ENVELOPE.grid, f"{name} = {value:.3g}") is False:
                return self.full
        best = int(np.argmin(values))
        between = np.log([grid[max(best - 1, 0)], grid[min(best + 1, ENVELOPE.grid - 1)]])
        found = minimize_scalar(
            lambda logarithm: self.misfit_of_shape(moved(logarithm)), bounds=tuple(between), method="bounded",
            options={"xatol": ENVELOPE.searched},
        )  # fmt: skip
        return moved(found.x if found.fun <= values[best] else np.log(grid[best]))

    def _balancing(self, index: int) -> float:
        """The value of a damping at which its force is as large as the restoring force."""
        w = 2 * np.pi / self.signals[0].period
        amplitude = float(self.signals[0].modulus.max()) / abs(self.oscillator.gain)
        x = float(self.initial[0][self.oscillator.motion.position])
        return w**2 * amplitude / float(self.oscillator.leverage(x, w * amplitude, self.full)[index])

    def _split(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        p = self.full.copy()
        count = len(self.names)
        p[self.oscillator.moves] = q[:count]
        states = 0 if self.known else self.initial.size
        initial = self.initial if self.known else q[count : count + states].reshape(self.initial.shape)
        return p, initial, q[count + states :]

    def evaluate(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Residuals and their derivatives; very large residuals where the model cannot be run."""
        p, initial, stretch = self._split(q)
        count, states = len(self.names), self.initial.shape[1]
        rows, slopes = [], []
        for index, signal in enumerate(self.signals):
            x = self._states(index, signal, p, initial[index], exact=True)
            length = 2 * len(signal.rows)
            slope = np.zeros((length, len(q)))
            if x is None or not np.isfinite(x).all():
                rows.append(np.full(length, 1e6))
                slopes.append(slope)
                continue
            z = signal.transform(self.oscillator.gain * x)
            value, derivative = self._rows(signal, z[:, 0], z[:, 1:], stretch[index] if self.stretched else 0.0)
            slope[:, :count] = derivative[:, states:]
            if not self.known:
                at = count + index * states
                slope[:, at : at + states] = derivative[:, :states]
            if self.stretched:
                weight = 1.0 if self.log else signal.modulus / signal.noise
                slope[length // 2 :, len(q) - len(self.signals) + index] = -weight * (signal.rows - signal.rows[0])
            rows.append(value)
            slopes.append(slope)
        return np.concatenate(rows), np.concatenate(slopes)

    def _rows(
        self, signal: AnalyticSignal, z: np.ndarray, dz: np.ndarray, stretch: float
    ) -> tuple[np.ndarray, np.ndarray]:
        # z = A exp(j f) gives conj(z) dz = A dA + j A^2 df: real part the growth of A, imaginary part the turn of f
        modelled = np.maximum(np.abs(z), 1e-6 * signal.noise)
        turned = np.conj(z)[:, None] * dz
        growth, turn = turned.real / modelled[:, None], turned.imag / modelled[:, None] ** 2
        phase = np.unwrap(np.angle(signal.z * np.conj(z))) - stretch * (signal.rows - signal.rows[0])
        measured = signal.modulus
        if self.log:
            return (
                np.concatenate([np.log(measured / modelled), phase]),
                -np.concatenate([growth / modelled[:, None], turn]),
            )
        with_noise = np.hypot(modelled, signal.noise)
        value = np.concatenate([measured - with_noise, measured * phase]) / signal.noise
        slope = np.concatenate([growth * (modelled / with_noise)[:, None], measured[:, None] * turn]) / signal.noise
        return value, -slope

    def solve(self, progress: Progress, seed: int) -> EnvelopeFit:
        """The least-squares fit, with standard errors by block bootstrap."""
        q, converged = self.minimise(progress)
        with shielded():  # a few evaluations at the best so far, by a kernel that is compiled
            return self._concluded(q, converged, seed)

    def _concluded(self, q: np.ndarray, converged: bool, seed: int) -> EnvelopeFit:
        rows, slopes = self.both(q)
        p, initial, _ = self._split(q)
        covariance = self._bootstrap(rows, slopes, seed)
        count, states = len(self.names), 0 if self.known else self.initial.size
        modelled = self.modelled(p, initial, True) or [np.full(len(s.rows), np.nan + 0j) for s in self.signals]
        return EnvelopeFit(
            p,
            np.sqrt(np.diag(covariance))[:count],
            initial,
            covariance[count : count + states, count : count + states],
            tuple(modelled),
            self._level(p, initial),
            float(np.sqrt(rows @ rows / max(len(rows) - len(q), 1))),
            converged,
            self.evaluations,
        )

    def _bootstrap(self, rows: np.ndarray, slopes: np.ndarray, seed: int) -> np.ndarray:
        """Covariance of the unknowns: residuals drawn anew in blocks of three periods, each answered by a linear step.

        Reference: H. R. Kunsch, Annals of Statistics 17 (1989) 1217 (blocks of dependent data).
        """
        scale = np.maximum(np.sqrt(np.einsum("ij,ij->j", slopes, slopes)), 1e-300)
        answer = np.linalg.pinv(slopes / scale, rcond=1e-10) / scale[:, None]
        random = np.random.default_rng(seed)
        drawn = np.zeros((ENVELOPE.draws, len(rows)))
        first = 0
        for signal in self.signals:
            count = len(signal.rows)
            spacing = (signal.rows[-1] - signal.rows[0]) / max(count - 1, 1)
            block = int(np.clip(round(ENVELOPE.block * signal.period / spacing), 1, max(count // 3, 1)))
            blocks = -(-count // block)
            starts = random.integers(0, count, (ENVELOPE.draws, blocks))
            chosen = ((starts[:, :, None] + np.arange(block)) % count).reshape(ENVELOPE.draws, -1)[:, :count]
            # envelope and phase of a block go together
            drawn[:, first : first + count] = rows[first : first + count][chosen]
            drawn[:, first + count : first + 2 * count] = rows[first + count : first + 2 * count][chosen]
            first += 2 * count
        steps = drawn @ answer.T
        covariance: np.ndarray = np.atleast_2d(np.cov(steps, rowvar=False))
        return covariance

    def _level(self, p: np.ndarray, initial: np.ndarray) -> float:
        """Mean of the first record less that of the model without its offset, in the output's unit."""
        x = self._states(0, self.signals[0], p, initial[0], exact=True)
        values = self.oscillator.problem.records[0].values[:, self.oscillator.output]
        known = values[np.isfinite(values)]
        return float(np.mean(known) - self.oscillator.gain * np.mean(x[:, 0])) if x is not None else float("nan")
