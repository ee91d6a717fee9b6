"""Where networks begin and end: windows of about half an oscillation, cut where the right-hand side jumps.

A network is smooth, and so must be what it follows. Where sign() of a moving quantity g stands in the model, windows
end where g passes zero: the time of such a node is an unknown like its states. Where an input bends too sharply for a
network, windows are halved until it does not. A stretch in which g stays near zero for long may be dry friction that
holds; nobody can see there which force acts, so it is left out, and what follows is a trajectory of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from identikit.likelihood import Layout
from identikit.measurement import SmoothCurve
from identikit.method.network._settings import PINN
from identikit.method.network._swings import SwitchArguments, stretches_of
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


def windows_of(problem: Problem, curves: Sequence[Sequence[SmoothCurve]], p: np.ndarray, length: float) -> Windows:
    """Windows for all records, `length` oscillations long; switches may depend on the free parameters `p`."""
    made = _Builder()
    for index, (record, own) in enumerate(zip(problem.records, curves, strict=True)):
        usual = length * float(np.median([curve.time_scale for curve in own]))
        known = any(not item.free for item in problem.initial[index].values())
        for stretch in stretches_of(SwitchArguments(problem, record, own, p), usual, known):
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
