"""Where networks begin and end: windows of about half an oscillation, cut where the right-hand side jumps.

A network is smooth, and so must be what it follows. Where sign() of a moving quantity g stands in the model, windows
end where g passes zero: the time of such a node is an unknown like its states. Where an input bends too sharply for a
network, windows are halved until it does not. A stretch in which g stays near zero for long may be dry friction that
holds; nobody can see there which force acts, so it is left out, and what follows is a trajectory of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from identikit.likelihood import Layout, reconstruct
from identikit.measurement import SmoothCurve
from identikit.method.network._settings import PINN
from identikit.model import Dynamics, dynamics_of
from identikit.problem import Observed, Problem


@dataclass(frozen=True)
class Windows:
    """Nodes, and the windows between them.

    Arguments:
        time, record: of every node [nodes], those of one record after those of another.
        moves: [nodes] whether its time is an unknown.
        left: [windows] the node at the left end; the next one is at the right.
        mode: [windows, switches] +1 or -1.
        pinned: [windows, switches] whether the switch's argument is zero at the right end.
    """

    time: np.ndarray
    record: np.ndarray
    moves: np.ndarray
    left: np.ndarray
    mode: np.ndarray
    pinned: np.ndarray

    @property
    def length(self) -> np.ndarray:
        return np.asarray(self.time[self.left + 1] - self.time[self.left])

    @property
    def window_record(self) -> np.ndarray:
        return np.asarray(self.record[self.left])

    @property
    def layout(self) -> Layout:
        """The nodes as what the likelihood calls the beginnings of segments."""
        return _layout(self.time, self.record)

    @property
    def middle_layout(self) -> Layout:
        """The same of the windows' middles."""
        return _layout(self.time[self.left] + self.length / 2, self.window_record)

    def divided(self, which: np.ndarray) -> tuple[Windows, np.ndarray]:
        """The same with the windows marked in `which` [windows] halved; new nodes stand still.

        Also where each node of the result comes from: an old node's number, or -1 for a new one, in order.
        """
        made = _Builder()
        origin: list[int] = []
        for k, left in enumerate(self.left):
            if k == 0 or self.left[k - 1] != left - 1:
                made.begin(float(self.time[left]), int(self.record[left]))
                origin.append(int(left))
            ends = (float(self.time[left]), float(self.time[left + 1]))
            if which[k]:
                made.add((ends[0] + ends[1]) / 2, self.mode[k], np.zeros_like(self.pinned[k]))
                origin.append(-1)
            made.add(ends[1], self.mode[k], self.pinned[k])
            origin.append(int(left) + 1)
        return made.windows(), np.array(origin)


def _layout(time: np.ndarray, record: np.ndarray) -> Layout:
    still = np.zeros(len(time), dtype=np.bool_)
    return Layout(time, time, np.zeros(len(time) + 1, int), record, record, still)


class _Builder:
    """Collects windows from left to right."""

    def __init__(self) -> None:
        self.time: list[float] = []
        self.record: list[int] = []
        self.moves: list[bool] = []
        self.left: list[int] = []
        self.mode: list[np.ndarray] = []
        self.pinned: list[np.ndarray] = []

    def begin(self, time: float, record: int) -> None:
        self.time.append(time)
        self.record.append(record)
        self.moves.append(False)

    def add(self, end: float, mode: np.ndarray, pinned: np.ndarray) -> None:
        self.left.append(len(self.time) - 1)
        self.mode.append(mode)
        self.pinned.append(pinned)
        self.time.append(end)
        self.record.append(self.record[-1])
        self.moves.append(bool(pinned.any()))

    def windows(self) -> Windows:
        switches = len(self.mode[0]) if self.mode else 0
        return Windows(
            np.array(self.time),
            np.array(self.record, int),
            np.array(self.moves, bool),
            np.array(self.left, int),
            np.array(self.mode, float).reshape(len(self.left), switches),
            np.array(self.pinned, bool).reshape(len(self.left), switches),
        )


@dataclass(frozen=True)
class _Stretch:
    """Between two nodes that have to be there: the signs in it, and whether a switch passes zero at its end."""

    begin: float
    end: float
    mode: np.ndarray
    pinned: np.ndarray
    follows: bool  # on from the stretch before


def windows_of(problem: Problem, curves: Sequence[Sequence[SmoothCurve]], p: np.ndarray, length: float) -> Windows:
    """Windows for all records, `length` oscillations long; switches may depend on the free parameters `p`."""
    made = _Builder()
    for index, (record, own) in enumerate(zip(problem.records, curves, strict=True)):
        usual = length * float(np.median([curve.time_scale for curve in own]))
        known = any(not item.free for item in problem.initial[index].values())
        for stretch in _stretches(problem, record, own, p, usual, known):
            if not stretch.follows:
                made.begin(stretch.begin, index)
            edges = _smooth_edges(record, stretch.begin, stretch.end, usual)
            for edge in edges[1:-1]:
                made.add(float(edge), stretch.mode, np.zeros_like(stretch.pinned))
            made.add(stretch.end, stretch.mode, stretch.pinned)
    return made.windows()


def _smooth_edges(record: Observed, begin: float, end: float, usual: float) -> np.ndarray:
    """Edges of windows from begin to end, no longer than usual, in each of which every input is smooth."""
    parts = max(1, int(np.ceil((end - begin) / (PINN.longest * usual))))
    if end - begin > PINN.longest * usual:
        parts = max(2, round((end - begin) / usual))
    edges = np.linspace(begin, end, parts + 1)
    jumps = _input_jumps(record)
    jumps = jumps[(jumps > begin + PINN.apart * usual) & (jumps < end - PINN.apart * usual)]
    near = np.abs(edges[1:-1, None] - jumps).min(axis=1, initial=np.inf) < PINN.shortest * usual
    edges = np.sort(np.concatenate([edges[:1], edges[1:-1][~near], jumps, edges[-1:]]))
    if len(record.pieces.begins) == 1:
        return edges
    done: list[float] = [float(edges[0])]
    waiting = [(float(a), float(b)) for a, b in pairwise(edges)][::-1]
    while waiting:
        a, b = waiting.pop()
        if _rough(record, a, b) and len(done) + len(waiting) < PINN.most_windows:
            inner = record.pieces.begins[(record.pieces.begins > a) & (record.pieces.begins < b)]
            middle = float(inner[len(inner) // 2])
            waiting += [(middle, b), (a, middle)]
        else:
            done.append(b)
    return np.array(done)


def _input_jumps(record: Observed) -> np.ndarray:
    """Times at which few, large steps of an input happen; a staircase of many small ones is left to `_rough`."""
    pieces = record.pieces
    if len(pieces.begins) < 2:
        return np.zeros(0)
    inner = pieces.begins[1:]
    before = pieces(np.nextafter(inner, -np.inf))
    after = pieces(inner)
    size = np.abs(pieces.coefficients[..., 0]).max(axis=0)[:, None] + 1e-300
    return np.asarray(inner[(np.abs(after - before) > PINN.rough_input * size).any(axis=0)])


def _rough(record: Observed, begin: float, end: float) -> bool:
    """Whether an input in a window is more than a polynomial that a network could follow."""
    begins = record.pieces.begins
    if not ((begins > begin) & (begins < end)).any():
        return False  # one cubic
    s = (np.arange(64) + 0.5) / 64
    values = record.pieces(begin + s * (end - begin))
    table = np.polynomial.legendre.legvander(2 * s - 1, PINN.input_degree)
    size = np.abs(record.pieces.coefficients[..., 0]).max(axis=0) + 1e-300
    left = values.T - table @ np.linalg.lstsq(table, values.T, rcond=None)[0]
    return bool((np.sqrt(np.mean(left**2, axis=0)) > PINN.rough_input * size).any())


def _stretches(
    problem: Problem, record: Observed, curves: Sequence[SmoothCurve], p: np.ndarray, usual: float, known: bool
) -> list[_Stretch]:
    """The record cut where a switch passes zero, without what may be at rest; `known`: something is known of its
    beginning, which is then part of the first swing if that begins soon."""
    dynamics = dynamics_of(problem.model)
    measured = record.time[np.isfinite(record.values).any(axis=1)]
    first, last = float(record.time[0]), float(measured[-1])
    if not dynamics.guards:
        return [_Stretch(first, last, np.zeros(0), np.zeros(0, bool), False)]
    count = int(np.clip(PINN.grid * (last - first) / usual, 50, 200_000))
    at = np.linspace(first, last, count)
    values = guard_values(problem, dynamics, record, curves, p, at)
    noise = _guard_noise(problem, dynamics, record, curves, p, at)
    swings = [
        _swings(at, value, PINN.surely_moving * level, PINN.shortest * usual)
        for value, level in zip(values, noise, strict=True)
    ]
    if known:
        swings = [_from_the_first(own, first, PINN.shortest * usual) for own in swings]
    return _joined(swings, PINN.pause * usual, first, last)


def _from_the_first(swings: list[_Swing], first: float, shortest: float) -> list[_Swing]:
    if swings and swings[0].begin - first < shortest:
        return [replace(swings[0], begin=first), *swings[1:]]
    return swings


def guard_values(
    problem: Problem,
    dynamics: Dynamics,
    record: Observed,
    curves: Sequence[SmoothCurve],
    p: np.ndarray,
    at: np.ndarray,
) -> np.ndarray:
    """Arguments [switches, times] of the sign functions along the smoothed record."""
    parameters = problem.vector(p)
    states = reconstruct(problem.model, problem.outputs).values(curves, record, at, parameters)
    found = dynamics.guard(np, at, list(states.T), list(record.pieces(at)), list(parameters))
    return np.stack([np.broadcast_to(np.asarray(value, float), at.shape) for value in found])


def _guard_noise(
    problem: Problem,
    dynamics: Dynamics,
    record: Observed,
    curves: Sequence[SmoothCurve],
    p: np.ndarray,
    at: np.ndarray,
) -> np.ndarray:
    """Standard deviations [switches] that the samples' noise leaves to those arguments: by smoothing noise alike."""
    random = np.random.default_rng(0)
    moved = []
    for curve in curves:
        draw = curve.sigma * random.standard_normal(len(curve.time))
        moved.append(_Sum(curve, SmoothCurve(curve.time, draw, curve.sigma, curve.spacing)))
    plain = guard_values(problem, dynamics, record, curves, p, at)
    noisy = guard_values(problem, dynamics, record, moved, p, at)  # type: ignore[arg-type]
    return np.asarray(np.sqrt(np.mean((noisy - plain) ** 2, axis=1)))


@dataclass(frozen=True)
class _Sum:
    """A smooth curve with smoothed noise added."""

    curve: SmoothCurve
    noise: SmoothCurve

    def __call__(self, time: np.ndarray, derivative: int = 0) -> np.ndarray:
        return np.asarray(self.curve(time, derivative) + self.noise(time, derivative))


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


def _joined(swings: Sequence[Sequence[_Swing]], pause: float, first: float, last: float) -> list[_Stretch]:
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
    found: list[_Stretch] = []
    for begin, end in pairwise(marks):
        middle = (begin + end) / 2
        if any(a < middle < b for a, b in pauses):
            continue
        mode = np.array([_sign_at(own, middle) for own in swings])
        pinned = np.array([any(time == end and index == own for time, own in events) for index in range(len(swings))])
        # the end of a motion before a pause is a zero of the switch that pauses
        pinned |= np.array([any(swing.end == end < last for swing in own) for own in swings])
        follows = bool(found) and found[-1].end == begin and begin not in begins
        found.append(_Stretch(begin, end, mode, pinned, follows))
    return found


def _sign_at(swings: Sequence[_Swing], time: float) -> float:
    near = min(swings, key=lambda swing: max(swing.begin - time, time - swing.end, 0.0))
    return near.sign
