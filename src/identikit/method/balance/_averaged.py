"""The averaged motion of a damped pendulum, to first order in damping and in amplitude squared.

    x'' + A x' + B sin x = 0,      w = sqrt(B),      A = 2 mu w
    x(t) = a exp(-A t/2) cos(w t - (a^2/16) w t g(A t) + phi),      g(z) = (1 - exp(-z))/z

With phi = 0 this is the motion from rest; written with g instead of (a^2/32 mu)(exp(-2 mu w t) - 1) it holds without
damping as well. In the source the phase of its equation 11b is divided by zeta; that must be mu.

Reference: A. H. Nayfeh, D. T. Mook, Nonlinear Oscillations, Wiley 1979, chapter 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import sympy as sp

from identikit.likelihood import reconstruct
from identikit.method._base import ObjectionError, needs_equations, not_used
from identikit.method.balance._settings import BALANCE
from identikit.model import Program, as_numbers, equations_of_motion, short_text, symbol
from identikit.numerics import FROM_AFAR, gauss_newton
from identikit.problem import Problem
from identikit.result import finding


class AveragedForm:
    """A pendulum's damping A and stiffness B, and the zero of its sensor, as functions of the parameters.

    Measured is y = scale * x + zero. Raises ObjectionError if the model is not of this form.
    """

    def __init__(self, problem: Problem) -> None:
        model = problem.model
        if not model.symbolic:
            raise ObjectionError(needs_equations(problem)[0])
        wanted = "a pendulum, x'' + 2 mu w0 x' + w0^2 sin x = 0 without further forces"
        motions = equations_of_motion(model, problem.fixed)
        if len(motions) != 1:
            text = f"the averaged solution is that of {wanted}; '{model.name}' is another system: use energy"
            raise ObjectionError(finding("not_a_pendulum", text))
        x, v = motions[0].x, motions[0].v
        acceleration = sp.expand(motions[0].acceleration)
        damping, stiffness = -acceleration.coeff(v), -acceleration.coeff(sp.sin(x))
        moving = {x, v, *(symbol(name) for name in model.input_names), symbol("t")}
        rest = sp.expand(acceleration + damping * v + stiffness * sp.sin(x))
        if rest != 0 or stiffness == 0 or (damping.free_symbols | stiffness.free_symbols) & moving:
            text = (
                f"the averaged solution is that of {wanted}; '{model.name}' with these fixed values has "
                f"x'' = {short_text(acceleration)}: use energy or shooting"
            )
            raise ObjectionError(finding("not_a_pendulum", text))
        self.output = next(
            (i for i, name in enumerate(problem.outputs) if x in model.output(name).expression.free_symbols), -1
        )
        if self.output < 0 or reconstruct(model, problem.outputs).missing:
            text = f"the angle {x} is not measured: measure it, or use shooting"
            raise ObjectionError(finding("state_not_measured", text, str(x)))
        shown = model.output(problem.outputs[self.output]).expression.subs(as_numbers(problem.fixed))
        scale = sp.diff(shown, x)
        zero = sp.expand(shown - scale * x)
        if not scale.is_number or zero.free_symbols & moving:
            text = f"{problem.outputs[self.output]} is not the angle, but for a fixed factor and a zero: use shooting"
            raise ObjectionError(finding("state_not_measured", text, str(x)))
        self.scale = float(scale)
        free = [symbol(name) for name in problem.free]
        self.coefficients = [damping, stiffness, zero]
        self.sought = [i for i, item in enumerate(self.coefficients) if item.free_symbols & set(free)]
        unused = [str(p) for p in free if not any(p in item.free_symbols for item in self.coefficients)]
        if unused:
            raise ObjectionError(not_used(unused, "the motion of the pendulum"))
        self.labels = tuple(str(self.coefficients[i]) for i in self.sought)
        self.known = [0.0 if i in self.sought else float(item) for i, item in enumerate(self.coefficients)]
        chosen = [self.coefficients[i] for i in self.sought]
        self._program = Program([*chosen, *(sp.diff(item, p) for p in free for item in chosen)], free)
        self._free = len(free)

    def theta(self, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The coefficients that are sought, and their derivatives [coefficients, free]."""
        found = np.array([float(value) for value in self._program(np, list(map(float, p)))])
        table = found.reshape(self._free + 1, -1)
        return table[0], table[1:].T


def _g(z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """g(z) = (1 - exp(-z))/z and its derivative, smooth through zero."""
    small = np.abs(z) < 1e-3
    safe = np.where(small, 1.0, z)
    value = np.where(small, 1 - z / 2 + z**2 / 6, -np.expm1(-safe) / safe)
    slope = np.where(small, -0.5 + z / 3 - z**2 / 8, (np.exp(-safe) * (1 + safe) - 1) / safe**2)
    return value, slope


def averaged_motion(t: np.ndarray, damping: float, w: float, a: float, phi: float) -> tuple[np.ndarray, np.ndarray]:
    """x(t), and its derivatives [times, 4] with respect to damping, w, a and phi; t from the record's beginning."""
    g, slope = _g(damping * t)
    psi = w * t * (1 - a**2 / 16 * g) + phi
    envelope = np.exp(-damping * t / 2)
    along, across = envelope * np.cos(psi), envelope * np.sin(psi)
    return a * along, np.stack(
        [
            a * (-t / 2 * along + across * a**2 / 16 * w * t**2 * slope),
            -a * across * t * (1 - a**2 / 16 * g),
            along + across * a**2 / 8 * w * t * g,
            -a * across,
        ],
        axis=1,
    )


@dataclass(frozen=True)
class Swing:
    """The measured angle of one record: times from its beginning, without gaps."""

    time: np.ndarray
    values: np.ndarray


@dataclass(frozen=True)
class AveragedFit:
    """The end of the fit: damping, frequency and zero, then amplitude and phase of each record.

    `rows` are the derivatives of all residuals towards (A, B, zero), those that are sought, with the amplitudes and
    phases eliminated.
    """

    unknowns: np.ndarray
    theta: np.ndarray
    rows: np.ndarray
    residuals: list[np.ndarray]
    starts: list[tuple[float, float]]  # angle and rate at the beginning of each record

    @property
    def amplitudes(self) -> np.ndarray:
        return self.unknowns[3::2]

    @property
    def phases(self) -> np.ndarray:
        return self.unknowns[4::2]


class AveragedProblem:
    """Least squares between the averaged motion and the records."""

    def __init__(self, form: AveragedForm, swings: Sequence[Swing], from_rest: bool) -> None:
        self.form, self.swings, self.from_rest = form, swings, from_rest
        self._head = 3

    def _unpack(self, q: np.ndarray) -> tuple[float, float, float, np.ndarray]:
        own = q[self._head :].reshape(len(self.swings), 2)
        return float(q[0]), float(q[1]), float(q[2]), own

    def residual(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Modelled minus measured, and slopes in q = (A, w, zero, a_1, phi_1, ...); zero where q is fixed."""
        damping, w, zero, own = self._unpack(q)
        rows, slopes = [], []
        for index, swing in enumerate(self.swings):
            with np.errstate(all="ignore"):
                x, towards = averaged_motion(swing.time, damping, w, *own[index])
            rows.append(self.form.scale * x + zero - swing.values)
            part = np.zeros((len(x), len(q)))
            part[:, :2] = self.form.scale * towards[:, :2]
            part[:, 2] = 1.0
            begin = self._head + 2 * index
            part[:, begin : begin + 2] = self.form.scale * towards[:, 2:]
            slopes.append(part)
        table = np.concatenate(slopes)
        table[:, self._fixed()] = 0.0
        return np.concatenate(rows), table

    def _fixed(self) -> list[int]:
        fixed = [i for i in range(self._head) if i not in self.form.sought]
        if self.from_rest:
            fixed += [self._head + 2 * i + 1 for i in range(len(self.swings))]
        return fixed

    def solve(self, starts: Sequence[np.ndarray]) -> AveragedFit:
        """The best end of all starts."""
        size = len(starts[0])
        low, high = np.full(size, -np.inf), np.full(size, np.inf)
        # no growth beyond what a double holds, and no swing beyond several turns
        low[0], low[1] = -20 / max(float(swing.time[-1]) for swing in self.swings), 1e-12
        low[self._head :: 2], high[self._head :: 2] = -20.0, 20.0
        ends = [gauss_newton(self.residual, start, low, high, FROM_AFAR) for start in starts]
        return self.at(min(ends, key=lambda end: end.cost).p)

    def rested(self, q: np.ndarray) -> np.ndarray:
        """The same start with every phase at the nearest turning point."""
        moved = q.copy()
        moved[self._head + 1 :: 2] = np.pi * np.round(moved[self._head + 1 :: 2] / np.pi)
        return moved

    def at(self, q: np.ndarray) -> AveragedFit:
        """The fit at q, with the derivatives with respect to A, B and zero once the rest is eliminated."""
        residual, slopes = self.residual(q)
        damping, w, zero, own = self._unpack(q)
        head = slopes[:, : self._head].copy()
        head[:, 1] /= 2 * w  # d/dB = d/dw / (2 w)
        tail = slopes[:, self._head :]
        basis, triangle = np.linalg.qr(tail)
        basis = basis[:, np.abs(np.diag(triangle)) > 1e-12 * np.abs(triangle).max(initial=1e-300)]
        head = head[:, self.form.sought]
        rows = head - basis @ (basis.T @ head)
        theta = np.array([damping, w**2, zero])[self.form.sought]
        begins = np.cumsum([0, *(len(swing.time) for swing in self.swings)])
        parts = [residual[begin:end] for begin, end in pairwise(begins)]
        starts = []
        for a, phi in own:
            rate = -damping / 2 * a * np.cos(phi) - a * np.sin(phi) * w * (1 - a**2 / 16)
            starts.append((float(a * np.cos(phi)), 0.0 if self.from_rest else float(rate)))
        return AveragedFit(q, theta, rows, parts, starts)

    def starts(self, period: float, levels: Sequence[float]) -> list[np.ndarray]:
        """Starting values: a fine ladder of frequencies, so that no phase is missed, on amplitudes and a decay as seen.

        Arguments:
            period: of the motion as it looks; levels: the zero of each record as it looks.
        """
        longest = max(float(swing.time[-1]) for swing in self.swings)
        shown = 2 * np.pi / period
        count = int(
            np.clip(
                (BALANCE.highest - BALANCE.lowest) * shown * longest / BALANCE.grid_step, 40, BALANCE.most_frequencies
            )
        )
        frequencies = np.linspace(BALANCE.lowest, BALANCE.highest, count) * shown
        known = self.form.known
        zero = float(np.mean(levels)) if 2 in self.form.sought else known[2]
        decay = float(np.mean([_decay(swing, zero) for swing in self.swings])) if 0 in self.form.sought else known[0]
        if 1 not in self.form.sought:
            frequencies = np.array([np.sqrt(known[1])])
        amplitudes = [_amplitude(swing, zero, period) / abs(self.form.scale) for swing in self.swings]
        thinned = [_thinned(swing, period) for swing in self.swings]
        tried: list[tuple[float, int, np.ndarray]] = []
        for factor in (0.95, 1.0, 1.05):
            for w in frequencies:
                own, cost = [], 0.0
                for swing, amplitude in zip(thinned, amplitudes, strict=True):
                    phase, squares = self._phase(swing, decay, float(w), factor * amplitude, zero)
                    own += [factor * amplitude, phase]
                    cost += squares
                tried.append((cost, len(tried), np.array([decay, w, zero, *own])))
        tried.sort(key=lambda item: item[:2])
        return [q for _, _, q in tried[: BALANCE.refined_frequencies]]

    def _phase(self, swing: Swing, damping: float, w: float, a: float, zero: float) -> tuple[float, float]:
        """The best phase at a given frequency, and the squares it leaves."""
        cosine = self.form.scale * averaged_motion(swing.time, damping, w, a, 0.0)[0]
        if self.from_rest:
            sign = 0.0 if swing.values[0] * self.form.scale >= zero * self.form.scale else np.pi
            departure = swing.values - zero - np.cos(sign) * cosine
            return sign, float(departure @ departure)
        sine = self.form.scale * averaged_motion(swing.time, damping, w, a, -np.pi / 2)[0]
        table = np.stack([cosine, sine], axis=1)
        found = np.linalg.solve(table.T @ table + 1e-12 * np.eye(2), table.T @ (swing.values - zero))
        departure = swing.values - zero - table @ found
        return float(np.arctan2(-found[1], found[0])), float(departure @ departure)


def _amplitude(swing: Swing, zero: float, period: float) -> float:
    """The largest excursion in the first oscillation or two."""
    early = swing.time <= 1.5 * period
    return float(np.quantile(np.abs(swing.values[early] - zero), 0.98))


def _decay(swing: Swing, zero: float) -> float:
    """A from how the rms falls from the first third of the record to the last: x ~ exp(-A t/2)."""
    third = swing.time[-1] / 3
    early, late = swing.time < third, swing.time > 2 * third
    sizes = [float(np.sqrt(np.mean((swing.values[part] - zero) ** 2))) for part in (early, late)]
    return float(np.log(max(sizes[0], 1e-300) / max(sizes[1], 1e-300)) / third)


def _thinned(swing: Swing, period: float) -> Swing:
    """As many samples as the search over frequencies needs."""
    wanted = swing.time[-1] / period * BALANCE.samples_per_period
    every = max(1, int(len(swing.time) / max(wanted, 50.0)))
    return Swing(swing.time[::every], swing.values[::every])
