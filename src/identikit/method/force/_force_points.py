"""Points of the force surface from a record, and its sections along displacement and along velocity.

From smooth curves x, x', x'' the points are (s, r, f) with f = -inertia (x'' - known). A section shows all of them,
each moved along the identified law to the section's own velocity or displacement,

    f(s, 0)   <-  f_i - [law(s_i, r_i) - law(s_i, 0)],       f(s_0, r)  <-  f_i - [law(s_i, r_i) - law(s_0, r_i)],

so that a point's distance from the law stays what it was. The smoothed section is a local line through the points. It
is linear in the curves, to first order also where they decide its place, and the curves are linear in the samples; so
the band that white noise gives to it follows without draws.

Reference: W. S. Cleveland, JASA 74 (1979) 829 (local lines).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from identikit.likelihood import curve_values
from identikit.measurement import SmoothCurve
from identikit.method._settings import FORCE
from identikit.method.force._force_law import ForceLaw
from identikit.problem import Problem


@dataclass(frozen=True)
class ForcePoints:
    """Points of all records: times, coordinates and force, and which record each belongs to."""

    law: ForceLaw
    p: np.ndarray
    time: np.ndarray
    displacement: np.ndarray
    velocity: np.ndarray
    force: np.ndarray
    record: np.ndarray
    curves: Sequence[Sequence[SmoothCurve]]

    @classmethod
    def of(cls, problem: Problem, law: ForceLaw, curves: Sequence[Sequence[SmoothCurve]], p: np.ndarray) -> ForcePoints:
        full = problem.vector(p)
        parts = []
        for index, (record, own) in enumerate(zip(problem.records, curves, strict=True)):
            scale = float(np.median([curve.time_scale for curve in own]))
            begin, end = float(record.time[0]), float(record.time[-1])
            edge = min(FORCE.edge * scale, (end - begin) / 10)
            count = int(
                np.clip((end - begin) / scale * FORCE.points_per_oscillation, FORCE.fewest_points, FORCE.most_points)
            )
            time = np.linspace(begin + edge, end - edge, count)
            found = law.record_program(np, curve_values(own, record, time, full))
            columns = [np.broadcast_to(np.asarray(value, float), time.shape) for value in found]
            parts.append(np.stack([time, *columns, np.full(count, float(index))]))
        time, displacement, velocity, force, record_index = np.concatenate(parts, axis=1)
        return cls(law, full, time, displacement, velocity, force, record_index.astype(int), curves)

    @property
    def modelled(self) -> np.ndarray:
        """The law at the points."""
        return self.law.force(self.displacement, self.velocity, self.p)

    @property
    def explained(self) -> float:
        """Share of the force's variance that the law explains."""
        good = np.isfinite(self.modelled)
        spread = float(np.var(self.force[good]))
        return 1.0 - float(np.mean((self.force - self.modelled)[good] ** 2)) / spread if spread > 0 else 0.0

    @cached_property
    def _noise(self) -> np.ndarray | None:
        """d(f_i - law at point i)/d(curve of output o, derivative d), [outputs, derivatives, points]."""
        rows = self.law.noise_weights
        if rows is None:
            return None
        inertia = self.p[self.law.model.parameter_names.index(self.law.inertia)] if self.law.inertia else 1.0
        by_x, by_v = self.law.slopes(self.displacement, self.velocity, self.p)
        parts = np.stack([-by_x, -by_v, np.full(len(by_x), -inertia)])
        return np.asarray(np.einsum("aod,ai->odi", rows, np.where(np.isfinite(parts), parts, 0.0)))

    def deviation(self, weights: np.ndarray) -> float | None:
        """Standard deviation that the samples' noise gives to sum_i weights_i (f_i - law_i); None if not known.

        The errors of displacement and velocity count by the slopes of the law.
        """
        if self._noise is None:
            return None
        variance = 0.0
        for index, own in enumerate(self.curves):
            here = (self.record == index) & (weights != 0)
            if here.any():
                for curve, factors in zip(own, self._noise, strict=True):
                    variance += curve.variance(self.time[here], list(factors[:, here] * weights[here]))
        return float(np.sqrt(max(variance, 0.0)))

    @cached_property
    def misfit(self) -> float | None:
        """rms distance of the points from the law, over what the samples' noise alone would give: 1 if the law holds.

        More than 1: the law misses something, or the curves cannot follow a jump. None if the noise is not known.
        """
        left = self.force - self.modelled
        chosen = np.flatnonzero(np.isfinite(left))
        chosen = chosen[:: max(1, len(chosen) // FORCE.probes)]
        noise = [self.deviation(np.eye(1, len(left), int(index))[0]) for index in chosen]
        expected = float(np.mean([value**2 for value in noise if value is not None] or [0.0]))
        return float(np.sqrt(np.mean(left[chosen] ** 2) / expected)) if expected > 0 else None

    def over_displacement(self) -> dict[str, Any]:
        """The section at velocity zero."""
        rest = np.zeros_like(self.velocity)
        moved = self.force - self.modelled + self.law.force(self.displacement, rest, self.p)
        return self._section(0, moved, 0.0, self.displacement, False)

    def over_velocity(self, displacement: float) -> dict[str, Any]:
        """The section at one displacement."""
        fixed = np.full_like(self.displacement, displacement)
        moved = self.force - self.modelled + self.law.force(fixed, self.velocity, self.p)
        return self._section(1, moved, displacement, self.velocity, self.law.jumps)

    def _section(self, axis: int, force: np.ndarray, at: float, along: np.ndarray, split: bool) -> dict[str, Any]:
        low, high = np.quantile(along, [FORCE.outermost, 1 - FORCE.outermost])
        x = np.linspace(low, high, FORCE.abscissae)
        law = (
            self.law.force(x, np.full_like(x, at), self.p)
            if axis == 0
            else self.law.force(np.full_like(x, at), x, self.p)
        )
        smoothed: list[float | None] = []
        band: list[float | None] = []
        for place in x:
            weights = _local_line(along, place, FORCE.reach * (high - low), split)
            if weights is None or not np.isfinite(force[weights != 0]).all():
                smoothed.append(None)
                band.append(None)
                continue
            smoothed.append(float(weights[weights != 0] @ force[weights != 0]))
            band.append(self.deviation(weights))
        every = max(1, -(-len(force) // FORCE.saved_points))
        words, units = self.law.words, self.law.units
        return {
            "kind": "curve",
            "what": "restoring force",
            "along": words[axis],
            "unit": units[axis],
            "at": {words[1 - axis]: float(at)},
            "force_unit": units[2],
            "x": x,
            "law": law,
            "smoothed": smoothed,
            "band": band,
            "points": {"x": along[::every], "force": force[::every]},
        }

    def surface(self) -> dict[str, Any]:
        """Mean force, law and number of points in the cells of the displacement-velocity plane that were visited."""
        edges = [np.linspace(axis.min(), axis.max(), FORCE.cells + 1) for axis in (self.displacement, self.velocity)]
        place = [
            np.clip(np.searchsorted(edge, axis, side="right") - 1, 0, FORCE.cells - 1)
            for edge, axis in zip(edges, (self.displacement, self.velocity), strict=True)
        ]
        cell = place[0] * FORCE.cells + place[1]
        count = np.bincount(cell, minlength=FORCE.cells**2)
        total = np.bincount(cell, self.force, minlength=FORCE.cells**2)
        visited = np.flatnonzero(count)
        middles = [(edge[1:] + edge[:-1]) / 2 for edge in edges]
        x, v = middles[0][visited // FORCE.cells], middles[1][visited % FORCE.cells]
        law = self.law.force(x, v, self.p)
        return {
            "kind": "table",
            "what": "restoring force",
            "columns": [*self.law.words, "force", "law", "points"],
            "units": list(self.law.units),
            "cells": [FORCE.cells, FORCE.cells],
            "rows": np.stack([x, v, total[visited] / count[visited], law, count[visited]], axis=1),
        }


def _local_line(along: np.ndarray, place: float, reach: float, split: bool) -> np.ndarray | None:
    """Weights of the points in a local line at a place; None if it has too few. Never across zero if `split`."""
    away = along - place
    kernel = np.maximum(1 - np.abs(away / reach) ** 3, 0.0) ** 3
    if split:
        kernel = np.where(np.sign(along) == np.sign(place), kernel, 0.0)
    if np.count_nonzero(kernel) < FORCE.fewest_in_reach:
        return None
    s0, s1, s2 = kernel.sum(), (kernel * away).sum(), (kernel * away**2).sum()
    determinant = s0 * s2 - s1**2
    if determinant <= 1e-9 * s0 * s2:
        return None
    return np.asarray(kernel * (s2 - s1 * away) / determinant)
