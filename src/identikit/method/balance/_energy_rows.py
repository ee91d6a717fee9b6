"""Rows of the balance of energy along smoothed records.

A row is the balance between two times of one record,

    K(t2) - K(t1) = sum_j theta_j [G_j(t2) - G_j(t1)],     K = v^2/2,     G_j(t) = int phi_j v dt.

Rows of all pairs of times together have the same least-squares solution as K(t) = sum_j theta_j G_j(t) + E with one
free constant E for the record, which is how they are solved by default.

Noise e of the smoothed curves does not average out of squares: mean (v + e)^2 = v^2 + var e, and so for every
function that bends. What it adds, to second order, is subtracted: for f(z) the second difference
[f(z + a) - 2 f(z) + f(z - a)] / 6 with a = sqrt(3 var e), which is var e f''/2 for smooth f and right on average for
kinks such as |v|. The variances follow from noise that went through the same smoothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from identikit.measurement import SmoothingSpline
from identikit.method.balance._energy_equations import EnergyEquations
from identikit.method.balance._settings import BALANCE
from identikit.model import Program, work_along
from identikit.numerics import Information, bounded_least_squares
from identikit.problem import Observed, Problem

Reading = Callable[[np.ndarray, int], np.ndarray]


@dataclass(frozen=True)
class Balance:
    """Kinetic energy [degrees][times, ...] and the work of each coefficient [degrees][coefficients, times, ...]."""

    kinetic: list[np.ndarray]
    work: list[np.ndarray]


class RecordBalance:
    """One record: where the balance is struck, and the noise in its curves.

    Arguments:
        curves: one smoothing spline per output.
        probes: how many draws of noise go through the smoothing.
    """

    def __init__(
        self,
        record: Observed,
        equations: EnergyEquations,
        curves: Sequence[SmoothingSpline],
        random: np.random.Generator,
        probes: int,
    ) -> None:
        self.equations, self.curves, self.record = equations, curves, record
        self.edges = _edges(record, curves)
        nodes, weights = np.polynomial.legendre.leggauss(BALANCE.gauss_points)
        half = np.diff(self.edges)[:, None] / 2
        self.points = (self.edges[:-1, None] + half * (1 + nodes)).ravel()
        self.weights = (half * weights).ravel()
        noise = [curve.sigma * random.standard_normal((len(curve.time), probes)) for curve in curves]
        self._noise: list[Reading] = [curve.smoothed(part) for curve, part in zip(curves, noise, strict=True)]
        self._at_edges, self._at_points = (self._read(self.curves, at) for at in (self.edges, self.points))
        self._noise_at_edges, self._noise_at_points = (self._read(self._noise, at) for at in (self.edges, self.points))
        self._spread = tuple(
            [np.sqrt(np.mean(part**2, axis=1)) for part in noisy]
            for noisy in (self._noise_at_edges, self._noise_at_points)
        )

    def deviations(self) -> list[np.ndarray]:
        """Noise of each degree's kinetic energy at the edges, over about an oscillation, relative to its mean."""
        moved = [value[:, None] + noise for value, noise in zip(self._at_edges, self._noise_at_edges, strict=True)]
        inputs = [column[:, None] for column in self.record.pieces(self.edges)]
        found = []
        for degree, kinetic in zip(
            self.equations.degrees, self.equations.kinetic(np, [self.edges[:, None], *moved, *inputs]), strict=True
        ):
            variance = np.var(kinetic, axis=1)
            scale = self.curves[degree.output].time_scale
            begin, end = (np.searchsorted(self.edges, self.edges + way * scale) for way in (-1, 1))
            total = np.concatenate([[0.0], np.cumsum(variance)])
            local = np.sqrt((total[end] - total[begin]) / (end - begin))
            found.append(local / local.mean() if local.mean() > 0 else np.ones_like(local))
        return found

    @staticmethod
    def _read(curves: Sequence[Reading], at: np.ndarray) -> list[np.ndarray]:
        """Value and slope of each curve in turn."""
        return [curve(at, d) for curve in curves for d in (0, 1)]

    def estimate(self) -> Balance:
        """The balance of the smoothed record, freed of what its noise adds on average."""
        return self._balance(self._at_edges, self._at_points)

    def disturbed(self, probe: int) -> Balance:
        """The balance with one more draw of noise added to the curves."""
        return self._balance(
            [value + noise[:, probe] for value, noise in zip(self._at_edges, self._noise_at_edges, strict=True)],
            [value + noise[:, probe] for value, noise in zip(self._at_points, self._noise_at_points, strict=True)],
        )

    def smoothed_again(self) -> Balance:
        """The balance of the curves smoothed once more: the change shows what smoothing does to them."""
        twice: list[Reading] = [curve.smoothed(curve(curve.time)) for curve in self.curves]
        return self._balance(self._read(twice, self.edges), self._read(twice, self.points))

    def _balance(self, at_edges: list[np.ndarray], at_points: list[np.ndarray]) -> Balance:
        equations = self.equations
        spread_edges, spread_points = self._spread
        kinetic = self._without_noise(equations.kinetic, self.edges, at_edges, spread_edges)
        powers = self._without_noise(equations.powers, self.points, at_points, spread_points)
        work = []
        for degree in equations.degrees:
            table = np.zeros((len(equations.coefficients), len(self.edges)))
            index = 2 * degree.output
            for j, k in degree.potential:
                force = self._force(k, index)
                potential = work_along(force, at_edges[index])
                # the potential of a noisy position is too high by half its bend times the variance
                step = np.maximum(spread_edges[index], 1e-9 * np.ptp(at_edges[index]))
                bend = (force(at_edges[index] + step) - force(at_edges[index] - step)) / (2 * step)
                table[j] += degree.stretch * (potential - bend * spread_edges[index] ** 2 / 2)
            for j, k in degree.work:
                pieces = (powers[k] * self.weights).reshape(-1, BALANCE.gauss_points).sum(axis=1)
                table[j, 1:] += np.cumsum(pieces)
            work.append(table)
        return Balance(list(kinetic), work)

    def _force(self, which: int, index: int) -> Callable[[np.ndarray], np.ndarray]:
        """A conservative force as a function of the position's curve."""
        program, count = self.equations.forces[which], len(self.equations.symbols)

        def force(y: np.ndarray) -> np.ndarray:
            values: list[np.ndarray | float] = [0.0] * count
            values[1 + index] = y
            return np.broadcast_to(np.asarray(program(np, values)[0], float), y.shape)

        return force

    def _without_noise(
        self, program: Program, at: np.ndarray, curves: list[np.ndarray], spread: list[np.ndarray]
    ) -> np.ndarray:
        """Values of the program [outputs, times] less what the noise of each curve adds on average."""
        inputs = list(self.record.pieces(at))

        def values(shifted: int | None = None, step: np.ndarray | float = 0.0) -> np.ndarray:
            moved = [curve + step if i == shifted else curve for i, curve in enumerate(curves)]
            found = program(np, [at, *moved, *inputs])
            return np.array([np.broadcast_to(np.asarray(value, float), at.shape) for value in found]).reshape(
                len(found), len(at)
            )

        plain = values()
        corrected = plain.copy()
        for i, deviation in enumerate(spread):
            if self.equations.symbols[1 + i] in self.equations.bending:
                step = np.sqrt(3) * deviation
                corrected -= (values(i, step) - 2 * plain + values(i, -step)) / 6
        return corrected


def _edges(record: Observed, curves: Sequence[SmoothingSpline]) -> np.ndarray:
    """Times at which the balance is struck: where pieces of curves or inputs meet, without the record's ends."""
    begin = max(curve.time[0] for curve in curves)
    end = min(curve.time[-1] for curve in curves)
    cut = max(curve.length * curve.spacing for curve in curves) * BALANCE.trimmed
    cut = min(cut, BALANCE.most_trimmed * (end - begin))
    meet = np.unique(np.concatenate([*(curve.knots for curve in curves), record.pieces.begins]))
    inside = meet[(meet > begin + cut) & (meet < end - cut)]
    together = np.concatenate([[begin + cut], inside, [end - cut]])
    near = 1e-9 * (end - begin)  # pieces this short hold nothing but rounding
    return together[np.concatenate([[True], np.diff(together) > near])]


class Rows:
    """Rows of all records and degrees of freedom, and the coefficients that solve them.

    Arguments:
        pairs: number of random pairs of times per record and degree of freedom; None = every pair.
        spans: time between the two of a pair, in oscillations of the record; None = any.
        probes: draws of noise that its share in the balance is told from; None = as many as the record allows.
    """

    def __init__(
        self,
        problem: Problem,
        equations: EnergyEquations,
        curves: Sequence[Sequence[SmoothingSpline]],
        random: np.random.Generator,
        *,
        pairs: int | None = None,
        spans: float | None = None,
        probes: int | None = None,
    ) -> None:
        self.equations = equations
        usual = BALANCE.probes if problem.samples < BALANCE.many_samples else BALANCE.fewer_probes
        self.probes = probes or usual
        self.records = [
            RecordBalance(record, equations, part, random, self.probes)
            for record, part in zip(problem.records, curves, strict=True)
        ]
        self._pairs = [
            _pairs(part.edges, spans and spans * part.curves[equations.degrees[0].output].time_scale, pairs, random)
            for part in self.records
        ]
        self.known = [j for j, theta in enumerate(equations.coefficients) if theta.is_number]
        self.sought = [j for j in range(len(equations.coefficients)) if j not in self.known]
        self._deviations = [part.deviations() for part in self.records]
        self._weights: list[float] | None = None
        estimate = [part.estimate() for part in self.records]
        if len(self._groups(estimate)) > 1:
            self._weigh(estimate)
        self.left, self.right = self._together(estimate)
        self.theta = bounded_least_squares(self.left, self.right)

    @property
    def count(self) -> int:
        """Rows with information of their own."""
        return len(self.right)

    @property
    def condition(self) -> float:
        """Condition number of the columns, each scaled to length one; 1 is best."""
        return Information.of_rows(self.left).condition

    @property
    def left_over(self) -> np.ndarray:
        """What the rows do not balance."""
        found: np.ndarray = self.right - self.left @ self.theta
        return found

    @property
    def explained(self) -> float:
        """Share of the change of kinetic energy that the works explain, 1 at best."""
        return 1.0 - float(self.left_over @ self.left_over) / max(float(self.right @ self.right), 1e-300)

    def disturbed(self, probe: int) -> tuple[np.ndarray, float]:
        """The coefficients from one more draw of noise, and the mean square that it adds to what is left over."""
        left, right = self._together([part.disturbed(probe) for part in self.records])
        return bounded_least_squares(left, right), float(np.mean((right - left @ self.theta - self.left_over) ** 2))

    def smoothing_bias(self) -> np.ndarray:
        """How far a second smoothing moves the coefficients: about as far as the first did."""
        return bounded_least_squares(*self._together([part.smoothed_again() for part in self.records])) - self.theta

    def _groups(self, balances: Sequence[Balance]) -> list[tuple[np.ndarray, np.ndarray]]:
        """Per record and degree of freedom: left sides [rows, sought] and right side [rows].

        Weights are the inverse of the local noise: half-way, in powers, between equal ones and inverse variances,
        which would trust the end of a decay too much, where the noise's own share is hardest to tell.
        """
        found = []
        for balance, chosen, deviations in zip(balances, self._pairs, self._deviations, strict=True):
            for kinetic, work, deviation in zip(balance.kinetic, balance.work, deviations, strict=True):
                table = np.column_stack([work[self.sought].T, kinetic - work[self.known].sum(axis=0)])
                if chosen is None:
                    rows = table - np.average(table, axis=0, weights=1 / deviation)
                    rows /= np.sqrt(deviation)[:, None]
                else:
                    first, second = chosen
                    rows = table[second] - table[first]
                    rows /= ((deviation[first] ** 2 + deviation[second] ** 2) / 2)[:, None] ** 0.25
                found.append((rows[:, :-1], rows[:, -1]))
        return found

    def _weigh(self, balances: Sequence[Balance]) -> None:
        """Each group by the inverse rms of what its rows leave over."""
        for _ in range(2):
            theta = bounded_least_squares(*self._together(balances))
            left_over = [np.sqrt(np.mean((right - left @ theta) ** 2)) for left, right in self._groups(balances)]
            top = max(left_over)
            if not np.isfinite(top) or top == 0:
                return
            self._weights = [1.0 / max(float(item), 1e-6 * float(top)) for item in left_over]

    def _together(self, balances: Sequence[Balance]) -> tuple[np.ndarray, np.ndarray]:
        groups = self._groups(balances)
        weights = self._weights or [1.0] * len(groups)
        left = np.concatenate([weight * part for weight, (part, _) in zip(weights, groups, strict=True)])
        right = np.concatenate([weight * part for weight, (_, part) in zip(weights, groups, strict=True)])
        return left, right


def _pairs(
    edges: np.ndarray, span: float | None, count: int | None, random: np.random.Generator
) -> tuple[np.ndarray, np.ndarray] | None:
    """Indices of the two times of each pair; None for every pair."""
    if span is None:
        return (
            None
            if count is None
            else (random.integers(len(edges), size=count), random.integers(len(edges), size=count))
        )
    second = np.searchsorted(edges, edges + min(span, (edges[-1] - edges[0]) / 2))
    first = np.flatnonzero(second < len(edges))
    if count is not None:
        first = random.choice(first, count)
    return first, second[first]
