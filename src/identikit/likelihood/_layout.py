"""Records cut into shooting segments: where each begins and ends, and which are tied to one trajectory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from identikit.likelihood._settings import LIKELIHOOD
from identikit.problem import Problem


@dataclass(frozen=True)
class Layout:
    """Segments of all records, one after the other.

    `begin`, `end` [segments] times; `first_sample` [segments + 1] into the joined samples; `record`
    [segments] which record; `chain` [segments] numbers the runs of segments that are one trajectory (at the
    end: one per record); `resting` [segments] marks those that show no motion. A segment's last sample
    belongs to it only if no segment of its record follows.
    """

    begin: np.ndarray
    end: np.ndarray
    first_sample: np.ndarray
    record: np.ndarray
    chain: np.ndarray
    resting: np.ndarray

    @property
    def links(self) -> np.ndarray:
        """Segments that are tied to the one after them."""
        return np.nonzero(np.diff(self.chain) == 0)[0]

    @property
    def first_of_record(self) -> np.ndarray:
        """The segment that each record begins with."""
        return np.append(0, np.nonzero(np.diff(self.record))[0] + 1)

    @property
    def chains(self) -> int:
        return int(self.chain.max()) + 1

    def of_chain(self, chain: int) -> np.ndarray:
        """The segments of one chain, in order."""
        return np.nonzero(self.chain == chain)[0]

    def joined(self, keep: np.ndarray) -> Layout:
        """Segments with `keep` [segments] false become part of the one before; a chain's first always stays."""
        first = np.append(True, np.diff(self.chain) != 0)
        kept = np.nonzero(keep | first)[0]
        last = np.append(kept[1:], len(self.begin)) - 1
        samples = np.append(self.first_sample[kept], self.first_sample[-1])
        resting = np.minimum.reduceat(self.resting, kept)
        return Layout(self.begin[kept], self.end[last], samples, self.record[kept], self.chain[kept], resting)

    def grown(self, factor: int) -> tuple[Layout, np.ndarray]:
        """Segments `factor` times as long, and which of the present ones begin them."""
        place = np.concatenate([np.arange(np.sum(self.chain == c)) for c in np.unique(self.chain)])
        keep = place % factor == 0
        return self.joined(keep), keep

    def sampled(self, problem: Problem) -> Layout:
        """The same segments where the records have other samples, those at which segments begin among them."""
        first, ends, offset = [np.zeros(1, int)], self.end.copy(), 0
        for index, record in enumerate(problem.records):
            own = np.nonzero(self.record == index)[0]
            first.append(offset + np.searchsorted(record.time, self.begin[own[1:]]))
            offset += len(record.time)
            first.append(np.array([offset]))
            ends[own[-1]] = record.time[-1]
        return replace(self, end=ends, first_sample=np.concatenate(first))

    def apart(self) -> Layout:
        """The same segments with every rest a chain of its own, not tied to the motion before and after it."""
        breaks = (np.diff(self.record) != 0) | (self.resting[1:] != self.resting[:-1])
        return replace(self, chain=np.append(0, np.cumsum(breaks)))


def cut(
    problem: Problem, lengths: list[float], curves: Sequence[Sequence[Callable[..., np.ndarray]]] | None = None
) -> Layout:
    """Cut each record into segments of about the given length (one per record), never too short for their
    data.

    With `curves` (of every record and output), a cut that would fall into a jump is moved to a quiet place nearby: the
    state in the midst of a jump is hardly known, and a segment that begins there leads anywhere.
    """
    begin, end, first, which = [], [], [0], []
    offset = 0
    for index, (record, length) in enumerate(zip(problem.records, lengths, strict=True)):
        count = len(record.time)
        span = record.time[-1] - record.time[0]
        states = len(problem.model.states)
        fewest = LIKELIHOOD.fewest_segment_values * states
        # two sensors of one state say no more about the others
        measured = np.minimum(np.isfinite(record.values).sum(axis=1), states).sum()
        segments = int(np.clip(np.ceil(span / length), 1, max(1, measured // fewest)))
        # edges at sample times, equal in time; a segment that would be empty is merged into the one before
        edges = np.searchsorted(record.time, record.time[0] + span * np.arange(segments + 1) / segments - 1e-12 * span)
        edges[-1] = count - 1
        if curves is not None:
            edges[1:-1] = _quiet(record.time, curves[index], edges)
        edges = np.unique(np.clip(edges, 0, count - 1))
        begin.append(record.time[edges[:-1]])
        end.append(record.time[edges[1:]])
        first.extend(offset + edge for edge in [*edges[1:-1], count])
        which.append(np.full(len(edges) - 1, index))
        offset += count
    owner = np.concatenate(which)
    still = np.zeros(len(owner), dtype=np.bool_)
    return Layout(np.concatenate(begin), np.concatenate(end), np.array(first), owner, owner, still)


def _quiet(time: np.ndarray, curves: Sequence[Callable[..., np.ndarray]], edges: np.ndarray) -> np.ndarray:
    """The inner edges, those in a jump moved to where the record is slowest, by at most a part of a segment."""
    speed = np.zeros(len(time))
    for curve in curves:
        rate = np.abs(curve(time, 1))
        speed = np.maximum(speed, rate / max(float(np.median(rate)), 1e-300))
    moved = edges[1:-1].copy()
    for k, edge in enumerate(edges[1:-1], 1):
        if speed[edge] > LIKELIHOOD.jump_speed:
            reach = LIKELIHOOD.cut_shift * min(edge - edges[k - 1], edges[k + 1] - edge)
            first, last = edge - int(reach), edge + int(reach) + 1
            moved[k - 1] = first + int(np.argmin(speed[first:last]))
    return moved
