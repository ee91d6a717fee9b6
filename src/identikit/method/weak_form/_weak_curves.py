"""Curves through the samples for weak forms: interpolating or smooth, broken where an input jumps."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from identikit.measurement import SmoothCurve, SplineFit
from identikit.method.weak_form._settings import GALERKIN
from identikit.method.weak_form._weak_equations import WeakEquations
from identikit.model import Program, symbol
from identikit.problem import Observed, Problem


class Curves(Protocol):
    """All outputs' x(t), or one of their derivatives: [outputs, times]."""

    def __call__(self, time: np.ndarray, derivative: int = 0) -> np.ndarray: ...


@dataclass(frozen=True)
class SmoothCurves:
    """Curves made one by one, as coarse as each output's noise allows."""

    curves: Sequence[SmoothCurve]

    def __call__(self, time: np.ndarray, derivative: int = 0) -> np.ndarray:
        return np.stack([curve(time, derivative) for curve in self.curves])


class InterpolatingCurves:
    """Cubic splines through all samples: natural at the ends of a record, not-a-knot where they are broken."""

    def __init__(self, time: np.ndarray, values: np.ndarray, edges: np.ndarray) -> None:
        from scipy.interpolate import CubicSpline

        self._edges = edges
        self._pieces: list[list[Any]] = []  # [stretch][group of outputs with the same samples]
        for index, inside in enumerate(stretches(time, edges)):
            ends = ("natural" if index == 0 else "not-a-knot", "natural" if index == len(edges) else "not-a-knot")
            groups = []
            for outputs, known in alike(np.isfinite(values[:, inside])):
                at = np.flatnonzero(inside)[known]
                spline = CubicSpline(time[at], values[np.ix_(outputs, at)], axis=1, bc_type=ends)
                groups.append((outputs, spline))
            self._pieces.append(groups)
        self._outputs = len(values)

    def __call__(self, time: np.ndarray, derivative: int = 0) -> np.ndarray:
        found = np.empty((self._outputs, len(time)))
        for where, groups in zip(_within(time, self._edges), self._pieces, strict=True):
            for outputs, spline in groups:
                found[np.ix_(outputs, where)] = spline(time[where], derivative)
        return found


class SplineFits:
    """Least-squares splines with one knot spacing for all outputs of a record, to be fitted again and again."""

    def __init__(self, time: np.ndarray, known: np.ndarray, edges: np.ndarray, spacing: float) -> None:
        self.time, self.edges = time, edges
        self.pieces: list[list[tuple[np.ndarray, np.ndarray, SplineFit]]] = []
        for inside in stretches(time, edges):
            groups = []
            for outputs, present in alike(known[:, inside]):
                at = np.flatnonzero(inside)[present]
                degree = min(GALERKIN.degree, max(1, len(at) - 2))
                count = max(1, min(round((time[at[-1]] - time[at[0]]) / spacing), (len(at) - degree) // 2))
                groups.append((outputs, at, SplineFit(time[at], len(at) / count, degree)))
            self.pieces.append(groups)

    def through(self, values: np.ndarray) -> FittedCurves:
        """The splines nearest to the samples [outputs, samples]."""
        splines = [
            [(outputs, fit.splines(values[np.ix_(outputs, at)].T)) for outputs, at, fit in groups]
            for groups in self.pieces
        ]
        return FittedCurves(len(values), self.edges, splines)

    def at_samples(self, curves: FittedCurves) -> np.ndarray:
        """The same as curves(time), without working out the basis anew where all samples are there."""
        found = np.empty((curves.outputs, len(self.time)))
        for where, groups, splines in zip(_within(self.time, self.edges), self.pieces, curves.splines, strict=True):
            for (outputs, at, fit), (_, spline) in zip(groups, splines, strict=True):
                if len(where) == len(self.time) == len(at):
                    found[outputs] = fit.at_samples(spline.coefficients).T
                else:
                    found[np.ix_(outputs, where)] = spline(self.time[where]).T
        return found


class FittedCurves:
    """What `SplineFits.through` gives."""

    def __init__(self, outputs: int, edges: np.ndarray, splines: list[list[Any]]) -> None:
        self.outputs, self.splines = outputs, splines
        self._edges, self._derivatives = edges, [splines]

    def __call__(self, time: np.ndarray, derivative: int = 0) -> np.ndarray:
        while len(self._derivatives) <= derivative:
            last = self._derivatives[-1]
            self._derivatives.append([[(o, spline.derivative()) for o, spline in groups] for groups in last])
        found = np.empty((self.outputs, len(time)))
        for where, groups in zip(_within(time, self._edges), self._derivatives[derivative], strict=True):
            for outputs, spline in groups:
                found[np.ix_(outputs, where)] = spline(time[where]).T
        return found


def stretches(time: np.ndarray, edges: np.ndarray) -> list[np.ndarray]:
    """Which samples lie between two jumps; a sample at a jump belongs to both sides."""
    limits = [-np.inf, *edges, np.inf]
    slack = 1e-9 * float(time[-1] - time[0])
    return [(time >= a - slack) & (time <= b + slack) for a, b in itertools.pairwise(limits)]


def alike(known: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Outputs grouped by which samples they have: (outputs, mask)."""
    patterns: dict[bytes, list[int]] = {}
    for j, row in enumerate(known):
        patterns.setdefault(row.tobytes(), []).append(j)
    return [(np.array(outputs), known[outputs[0]]) for outputs in patterns.values()]


def _within(time: np.ndarray, edges: np.ndarray) -> list[np.ndarray]:
    """Indices of the times in each stretch; at a jump the later one holds."""
    if not len(edges):
        return [np.arange(len(time))]
    where = np.searchsorted(edges, time, side="right")
    return [np.flatnonzero(where == index) for index in range(len(edges) + 1)]


def jumps(problem: Problem, equations: WeakEquations, record: Observed) -> np.ndarray:
    """Times inside a record at which an input, or a step written into the equations, jumps."""
    pieces = record.pieces
    tau = np.diff(pieces.begins)[:, None]
    c = pieces.coefficients[:-1]
    before = c[..., 0] + tau * (c[..., 1] + tau * (c[..., 2] + tau * c[..., 3]))
    size = np.abs(pieces.coefficients[..., 0]).max(axis=0, initial=0.0) + 1e-300
    jumped = (np.abs(pieces.coefficients[1:, :, 0] - before) > GALERKIN.jump * size).any(axis=1)
    times = list(pieces.begins[1:][jumped])
    if equations.steps:
        names = problem.model.parameter_names
        known = {name: problem.fixed[name] for name in names if name in problem.fixed}
        fixed = [step for step in equations.steps if {str(item) for item in step.free_symbols} <= set(known)]
        times += [float(value) for value in Program(fixed, [symbol(n) for n in known])(np, list(known.values()))]
    found: list[float] = []
    begin, end = record.time[0], record.time[-1]
    for time in sorted(set(times)):
        last = found[-1] if found else begin
        sides = (record.time >= last) & (record.time <= time), record.time >= time
        fewest = min(int(np.isfinite(record.values[side]).sum(axis=0).min()) for side in sides)
        if begin < time < end and fewest >= GALERKIN.fewest_in_piece:
            found.append(time)
    return np.array(found)
