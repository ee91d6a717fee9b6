"""Whether something acts for a while that the model does not know, as a hand that pushes.

Between segments that each begin where their own samples say, the model leaves gaps d_k = s_{k+1} - x_k(end), whose
covariance follows from the noise. A term that is missing opens gaps all along the record; an event opens them where
it acts. If the gaps that stand out lie together, the stretch is left out, and what remains, before and after it with
a beginning of its own, is fitted again: only if the model then explains what it did not is the event named.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from identikit.likelihood import Layout, Point
from identikit.method.missing._settings import MISSING
from identikit.numerics import Information, finite_median


def standing_out(point: Point, layout: Layout) -> np.ndarray:
    """For every segment how large the gap after it is, in units of what is usual in this record; 0 where none is."""
    states = point.nodes.shape[1]
    starts, covariance = np.zeros_like(point.nodes), np.zeros((len(point.nodes), states, states))
    for k, rows in enumerate(point.compressed.rows):
        own = Information.of_rows(rows[:, :states])
        covariance[k] = own.covariance
        starts[k] = covariance[k] @ (rows[:, :states].T @ rows[:, -1])
    size = np.zeros(len(point.nodes))
    for k in layout.links:
        g = point.evaluation.transition[k][:, :states]
        gap = point.nodes[k + 1] + starts[k + 1] - point.evaluation.final[k] - g @ starts[k]
        spread = covariance[k + 1] + g @ covariance[k] @ g.T
        size[k] = float(np.sqrt(np.mean((Information.of_matrix(spread).root.T @ gap) ** 2)))
    usual = float(finite_median(size[layout.links])) if len(layout.links) else 0.0
    return size / max(usual, 1.0)


def stretch(point: Point, layout: Layout) -> tuple[int, int] | None:
    """First and last segment of the stretch in which gaps stand out; None if there is none.

    Nor is there one if it is most of a record, or its beginning: large motion comes first in a decay, and what stands
    out there may as well be a law that the model lacks.
    """
    out = np.nonzero(standing_out(point, layout) > MISSING.outstanding)[0]
    if not len(out) or layout.record[out[0]] != layout.record[out[-1]]:
        return None
    first, last = int(out[0]), int(out[-1]) + 1  # the gap after a segment tells of that one and of the next
    own = np.nonzero(layout.record == layout.record[first])[0]
    length = layout.end[last] - layout.begin[first]
    if first == own[0] or length > MISSING.longest_disturbance * (layout.end[own[-1]] - layout.begin[own[0]]):
        return None
    return first, last


def without(layout: Layout, first: int, last: int) -> Layout:
    """The segments before the stretch, those in it and those after it as chains of their own."""
    place = np.arange(len(layout.chain))
    parts = np.where(place < first, 0, np.where(place <= last, 1, 2))
    breaks = (np.diff(layout.chain) != 0) | (np.diff(parts) != 0)
    return replace(layout, chain=np.append(0, np.cumsum(breaks)))
