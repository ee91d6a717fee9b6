"""Between which times the sign functions of a model keep their signs, as the smoothed record shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from identikit.likelihood import reconstruct
from identikit.measurement import SmoothCurve
from identikit.method.network._settings import PINN
from identikit.model import dynamics_of
from identikit.problem import Observed, Problem


@dataclass(frozen=True)
class Stretch:
    """Between two nodes that have to be there: the signs in it, and whether a switch passes zero at its end."""

    begin: float
    end: float
    mode: np.ndarray
    pinned: np.ndarray
    follows: bool  # on from the stretch before


@dataclass(frozen=True)
class SwitchArguments:
    """The arguments g of a model's sign functions along one smoothed record, at free parameters p."""

    problem: Problem
    record: Observed
    curves: Sequence[SmoothCurve]
    p: np.ndarray

    @property
    def count(self) -> int:
        return len(dynamics_of(self.problem.model).guards)

    def values(self, at: np.ndarray) -> np.ndarray:
        """[switches, times]"""
        return self._along(self.curves, at)

    def noise(self, at: np.ndarray) -> np.ndarray:
        """Standard deviations [switches] that the samples' noise leaves to them: by smoothing noise alike."""
        random = np.random.default_rng(0)
        moved = []
        for curve in self.curves:
            draw = curve.sigma * random.standard_normal(len(curve.time))
            moved.append(_Sum(curve, SmoothCurve(curve.time, draw, curve.sigma, curve.spacing)))
        return np.asarray(np.sqrt(np.mean((self._along(moved, at) - self.values(at)) ** 2, axis=1)))

    def _along(self, curves: Sequence[Callable[..., np.ndarray]], at: np.ndarray) -> np.ndarray:
        problem, record = self.problem, self.record
        parameters = problem.vector(self.p)
        states = reconstruct(problem.model, problem.outputs).values(curves, record, at, parameters)
        dynamics = dynamics_of(problem.model)
        found = dynamics.guard(np, at, list(states.T), list(record.pieces(at)), list(parameters))
        return np.stack([np.broadcast_to(np.asarray(value, float), at.shape) for value in found])


@dataclass(frozen=True)
class _Sum:
    """A smooth curve with smoothed noise added."""

    curve: SmoothCurve
    noise: SmoothCurve

    def __call__(self, time: np.ndarray, derivative: int = 0) -> np.ndarray:
        return np.asarray(self.curve(time, derivative) + self.noise(time, derivative))


def stretches_of(switches: SwitchArguments, usual: float, known: bool) -> list[Stretch]:
    """The record cut where a switch passes zero, without what may be at rest.

    `usual` is the length of a window; `known`: something is known of the record's beginning, which is then part of the
    first swing if that begins soon.
    """
    record = switches.record
    measured = record.time[np.isfinite(record.values).any(axis=1)]
    first, last = float(record.time[0]), float(measured[-1])
    if not switches.count:
        return [Stretch(first, last, np.zeros(0), np.zeros(0, bool), False)]
    at = np.linspace(first, last, int(np.clip(PINN.grid * (last - first) / usual, PINN.fewest_grid, PINN.most_grid)))
    levels = PINN.surely_moving * switches.noise(at)
    swings = [
        _swings(at, value, level, PINN.shortest * usual)
        for value, level in zip(switches.values(at), levels, strict=True)
    ]
    if known:
        swings = [_from_the_first(own, first, PINN.shortest * usual) for own in swings]
    return _joined(swings, PINN.pause * usual, first, last)


def _from_the_first(swings: list[_Swing], first: float, shortest: float) -> list[_Swing]:
    if swings and swings[0].begin - first < shortest:
        return [replace(swings[0], begin=first), *swings[1:]]
    return swings


@dataclass(frozen=True)
class _Swing:
    """A stretch in which a switch's argument surely has one sign; `surely` is where it exceeds its noise."""

    sign: float
    surely: tuple[float, float]
    begin: float
    end: float


def _swings(at: np.ndarray, value: np.ndarray, threshold: float, shortest: float) -> list[_Swing]:
    """Swings of one sign that exceed a threshold; each reaches to the zeros of the argument around it."""
    crossing = np.nonzero(np.sign(value[1:]) != np.sign(value[:-1]))[0]
    share = value[crossing] / np.where(
        value[crossing] == value[crossing + 1], 1.0, value[crossing] - value[crossing + 1]
    )
    zeros = at[crossing] + share * (at[crossing + 1] - at[crossing])
    edges = np.concatenate([[0], crossing + 1, [len(at)]])
    bounds = np.concatenate([at[:1], zeros, at[-1:]])
    found: list[_Swing] = []
    for k, (a, b) in enumerate(pairwise(edges)):
        above = np.nonzero(np.abs(value[a:b]) > threshold)[0]
        if not len(above):
            continue
        sure = (float(at[a + above[0]]), float(at[a + above[-1]]))
        if sure[1] - sure[0] < shortest:
            continue
        swing = _Swing(float(np.sign(value[a + above[0]])), sure, float(bounds[k]), float(bounds[k + 1]))
        if found and found[-1].sign == swing.sign:  # what lay between was noise
            swing = replace(swing, surely=(found[-1].surely[0], sure[1]), begin=found[-1].begin)
            found.pop()
        found.append(swing)
    return found


def _joined(swings: Sequence[Sequence[_Swing]], pause: float, first: float, last: float) -> list[Stretch]:
    """Stretches in which all switches have one sign each; a pause of any of them separates trajectories."""
    if not all(swings):
        return []
    events: list[tuple[float, int]] = []  # a zero of a switch
    pauses: list[tuple[float, float]] = []
    for index, own in enumerate(swings):
        for before, after in pairwise(own):
            if after.surely[0] - before.surely[1] > 2 * pause and after.begin - before.end > pause:
                pauses.append((before.end, after.begin))
            else:
                events.append(((before.end + after.begin) / 2, index))
        if own[0].begin > first:
            pauses.append((first - 1.0, own[0].begin))
        if own[-1].end < last:
            pauses.append((own[-1].end, last + 1.0))
    begins = [first, *(end for _, end in pauses)]
    marks = sorted({first, last, *(time for time, _ in events), *(x for pair in pauses for x in pair)})
    marks = [mark for mark in marks if first <= mark <= last]
    found: list[Stretch] = []
    for begin, end in pairwise(marks):
        middle = (begin + end) / 2
        if any(a < middle < b for a, b in pauses):
            continue
        mode = np.array([_sign_at(own, middle) for own in swings])
        pinned = np.array([any(time == end and index == own for time, own in events) for index in range(len(swings))])
        # the end of a motion before a pause is a zero of the switch that pauses
        pinned |= np.array([any(swing.end == end < last for swing in own) for own in swings])
        follows = bool(found) and found[-1].end == begin and begin not in begins
        found.append(Stretch(begin, end, mode, pinned, follows))
    return found


def _sign_at(swings: Sequence[_Swing], time: float) -> float:
    near = min(swings, key=lambda swing: max(swing.begin - time, time - swing.end, 0.0))
    return near.sign
