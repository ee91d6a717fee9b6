"""Where a sampled input is known: from its first sample on, and not in gaps.

An input has sample times of its own. In a table that joins channels of different rates most of its rows are empty, and
that is no gap: what counts is the distance between its own samples, against what is usual for it. A trajectory cannot
be integrated through an input that is not known, so nothing is filled in here unless the user says what it was; one or
two samples that are missing are bridged where the input's own curvature says that no harm is done.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from identikit.errors import ProblemError
from identikit.problem._settings import PROBLEM

GAPS = ("hold", "linear")  # what a user may say that an input did in a gap


@dataclass(frozen=True)
class Fill:
    """What the user says of an input between two times: level + slope (t - begin)."""

    begin: float
    end: float
    level: float
    slope: float = 0.0


@dataclass(frozen=True)
class Coverage:
    """What a column tells of an input.

    `unknown` are open stretches (after, before) between its samples, an infinite end where there is none; `fills` what
    the user says of some; `bridged` counts samples that are missing singly; `events` tells that values were recorded
    only now and then, each for the time until the next; `spacing` is the usual distance of its samples.
    """

    unknown: tuple[tuple[float, float], ...]
    fills: tuple[Fill, ...]
    bridged: int
    events: bool
    spacing: float


def coverage(
    time: np.ndarray, column: np.ndarray, hold: str | None, before: float | None = None, gaps: str | None = None
) -> Coverage:
    """Where a column with NaN is known.

    Arguments:
        hold: how it goes on between samples, if the user says so; None = not said.
        before: its value before the first sample, if the user says so.
        gaps: "hold" = the last value in every gap and after the end, "linear" = straight across every gap.
    """
    known = np.isfinite(column)
    at, values = time[known], column[known]
    spacing = np.diff(at)
    steps = np.diff(values)
    stepwise = hold == "zero_order" or (hold is None and piecewise_constant(values))
    few = len(at) < PROBLEM.fewest_regular and hold in (None, "zero_order") and not known.all()
    usual = _usual_spacing(spacing)
    # a value that is written only when it changes holds until the next, however long that takes
    irregular = len(spacing) > 0 and usual > PROBLEM.regular * float(np.median(spacing))
    changes = hold == "zero_order" and irregular and np.sum(steps != 0) >= PROBLEM.changing * len(steps)
    events = bool(few or (changes and not known.all() and gaps is None))
    long = np.zeros(len(spacing), bool) if events else spacing > PROBLEM.regular * usual
    short = long & (spacing <= PROBLEM.bridged * usual)
    bridged = short & (
        steps == 0 if stepwise else (spacing / usual) ** 2 * _curvature(values, long) / 8 <= _tolerated(values)
    )
    stretches = [(float(at[k]), float(at[k + 1])) for k in np.nonzero(long & ~bridged)[0]]
    fills = []
    if gaps is not None:
        for k in np.nonzero(long & ~bridged)[0]:
            slope = float(steps[k] / spacing[k]) if gaps == "linear" else 0.0
            fills.append(Fill(float(at[k]), float(at[k + 1]), float(values[k]), slope))
        stretches = []
    if at[0] > time[0]:
        if before is None:
            stretches.insert(0, (-math.inf, float(at[0])))
        else:
            fills.insert(0, Fill(-math.inf, float(at[0]), before))
    if at[-1] < time[-1]:
        latched = events or (hold == "zero_order" and time[-1] - at[-1] <= PROBLEM.regular * usual)
        if gaps == "hold":
            fills.append(Fill(float(at[-1]), math.inf, float(values[-1])))
        elif not latched:
            stretches.append((float(at[-1]), math.inf))
    missing = int(np.sum(np.round(spacing[bridged] / usual) - 1))
    return Coverage(tuple(stretches), tuple(fills), missing, events, usual)


def piecewise_constant(values: np.ndarray) -> bool:
    """Whether samples look like those of a command: mostly level, with jumps larger than a converter's steps."""
    steps = np.abs(np.diff(values))
    jumps = steps[steps > 0]
    if not len(jumps) or np.mean(steps == 0) < PROBLEM.level_share:
        return False
    return bool(np.median(jumps) >= PROBLEM.command_jump * np.ptp(values))


def known_parts(time: np.ndarray, inputs: Sequence[Coverage], where: str) -> list[np.ndarray]:
    """The samples [part] of every stretch of the record in which all inputs are known."""
    usable = np.ones(len(time), bool)
    cuts = set()
    for item in inputs:
        for after, until in item.unknown:
            usable &= (time <= after) | (time >= until)
            # between neighbouring samples of the table too, where nothing lies inside
            cuts.add(int(np.searchsorted(time, until)))
    edges = [0, *sorted(cut for cut in cuts if 0 < cut < len(time)), len(time)]
    parts = [np.arange(a, b)[usable[a:b]] for a, b in pairwise(edges)]
    parts = [part for part in parts if len(part)]
    if len(parts) > PROBLEM.most_parts:
        raise ProblemError(
            f"{where}: an input is unknown in so many places that {len(parts)} parts would be left: say how it went on "
            "there, or use a part of the record without gaps",
            remedy="fill_gaps",
        )
    return parts


def _usual_spacing(spacing: np.ndarray) -> float:
    """The distance of samples where none is missing: the median on a regular grid, where others are multiples of it;
    else one that most do not exceed, so that irregular sampling has no gaps of its own."""
    if not len(spacing):
        return math.inf
    median = float(np.median(spacing))
    off = np.abs(spacing / median - np.round(spacing / median))
    if np.mean(off < PROBLEM.off_grid) >= PROBLEM.on_grid:
        return median
    return float(np.quantile(spacing, PROBLEM.usual_quantile, method="lower"))


def _curvature(values: np.ndarray, long: np.ndarray) -> float:
    """Root mean square of second differences where no sample is missing."""
    bends = np.diff(values, 2)[~(long[1:] | long[:-1])] if len(values) > 2 else np.zeros(0)
    return float(np.sqrt(np.mean(bends**2))) if len(bends) else math.inf


def _tolerated(values: np.ndarray) -> float:
    return PROBLEM.bridged_error * float(np.std(values))
