"""Known inputs as piecewise cubic polynomials.

Zero-order hold, linear and cubic interpolation are all pieces c0 + c1 tau + c2 tau^2 + c3 tau^3 with tau
measured from the piece's beginning. Neighbouring pieces that continue each other are merged, so a schedule of
a few steps sampled ten thousand times costs a few restarts of the integrator, not ten thousand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from identikit.errors import DataError, OptionError
from identikit.model import HOLDS

MERGE = 1e-9  # a piece that departs less than this from its predecessor, relative to the input's size, is merged


@dataclass(frozen=True)
class Pieces:
    """begins, ends [pieces] and coefficients [pieces, inputs, 4]; outside, the first and last piece go on."""

    begins: np.ndarray
    ends: np.ndarray
    coefficients: np.ndarray

    @classmethod
    def constant(cls, values: Sequence[float]) -> Pieces:
        """Inputs that never change."""
        coefficients = np.zeros((1, len(values), 4))
        coefficients[0, :, 0] = values
        return cls(np.zeros(1), np.full(1, np.inf), coefficients)

    @classmethod
    def stacked(cls, parts: Sequence[Pieces]) -> Pieces:
        """The inputs of several tables in one, in their order."""
        changing = [part for part in parts if len(part.begins) > 1 or part.coefficients[..., 1:].any()]
        begins = np.unique(np.concatenate([part.begins for part in changing or parts[:1]]))
        coefficients = np.concatenate([part._cut(begins) for part in parts], axis=1)
        return cls(begins, np.append(begins[1:], np.inf), coefficients)

    def overridden(self, begin: float, end: float, level: float, slope: float = 0.0) -> Pieces:
        """The same, but all inputs level + slope (t - begin) from `begin` to `end`; either may be infinite."""
        first = begin if np.isfinite(begin) else min(self.begins[0], end) - 1.0  # the first piece goes on before it
        begins = np.union1d(self.begins, [edge for edge in (first, end) if np.isfinite(edge)])
        coefficients = self._cut(begins)
        inside = (begins >= first) & (begins < end)
        coefficients[inside] = 0.0
        coefficients[inside, :, 0] = (level + slope * (begins[inside] - first))[:, None]
        coefficients[inside, :, 1] = slope
        return Pieces(begins, np.append(begins[1:], np.inf), coefficients)

    def of(self, index: int) -> Pieces:
        """One of the inputs."""
        return Pieces(self.begins, self.ends, self.coefficients[:, index : index + 1])

    def _cut(self, begins: np.ndarray) -> np.ndarray:
        """Coefficients of the same inputs in pieces that begin elsewhere."""
        where = self.index(begins)
        return _carried(self.coefficients[where], begins - self.begins[where])

    def index(self, t: np.ndarray) -> np.ndarray:
        """The piece in force just after time t."""
        return np.clip(np.searchsorted(self.begins, t, side="right") - 1, 0, len(self.begins) - 1)

    def __call__(self, t: np.ndarray) -> np.ndarray:
        """Values of shape [inputs, times]."""
        where = self.index(np.asarray(t, float))
        c = self.coefficients[where]
        tau = (t - self.begins[where])[:, None]
        return (c[..., 0] + tau * (c[..., 1] + tau * (c[..., 2] + tau * c[..., 3]))).T


def sampled(time: np.ndarray, values: Mapping[str, np.ndarray], hold: str | Mapping[str, str] = "linear") -> Pieces:
    """Pieces from samples; a gap (NaN) is bridged by the neighbouring samples.

    `hold`, for all or by name: "linear"; "zero_order" keeps each value until the next sample; "cubic" is a natural
    cubic spline.
    """
    holds = {name: hold if isinstance(hold, str) else hold[name] for name in values}
    for kind in holds.values():
        if kind not in HOLDS:
            raise OptionError(f"the hold of an input must be one of {', '.join(HOLDS)}. Got '{kind}' instead.")
    time = np.asarray(time, float)
    if not values:
        return Pieces.constant([])
    if len(time) < 2 or not (np.isfinite(time).all() and (np.diff(time) > 0).all()):
        raise DataError("the times of sampled inputs must be finite and increasing, at least two of them")
    for name, column in values.items():
        if np.shape(column) != time.shape:
            raise DataError(f"input '{name}' has {np.size(column)} samples for {len(time)} times")
    columns = [_coefficients(time, np.asarray(column, float), name, holds[name]) for name, column in values.items()]
    most = max(len(column) for column in columns)
    # zero-order hold has one piece more, from the last sample on: where only some inputs have it, the others stay level
    padded = [_levelled(column, time, most) for column in columns]
    coefficients = np.stack(padded, axis=1)  # [pieces, inputs, 4]
    begins, lengths = time[: len(coefficients)], np.diff(time, append=2 * time[-1] - time[-2])
    keep = _not_continued(begins, lengths, coefficients)
    begins = begins[keep]
    ends = np.append(begins[1:], np.inf)
    return Pieces(begins, ends, coefficients[keep])


def _coefficients(time: np.ndarray, column: np.ndarray, name: str, hold: str) -> np.ndarray:
    known = np.isfinite(column)
    if known.sum() < (1 if hold == "zero_order" else 2):
        raise DataError(f"input '{name}' has {known.sum()} finite samples: expected at least two, or one that holds")
    pieces = np.zeros((len(time) - 1, 4))
    if hold == "zero_order":
        pieces = np.zeros((len(time), 4))  # the last sample holds from its time on
        latest = np.maximum.accumulate(np.where(known, np.arange(len(time)), -1))
        latest = np.where(latest < 0, np.argmax(known), latest)
        pieces[:, 0] = column[latest]
    elif hold == "linear":
        filled = np.interp(time, time[known], column[known])
        pieces[:, 0] = filled[:-1]
        pieces[:, 1] = np.diff(filled) / np.diff(time)
    else:
        from scipy.interpolate import CubicSpline

        spline = CubicSpline(time[known], column[known], bc_type="natural")
        at = time[:-1]
        pieces = np.stack([spline(at), spline(at, 1), spline(at, 2) / 2, spline(at, 3) / 6], axis=1)
    return pieces


def _levelled(column: np.ndarray, time: np.ndarray, pieces: int) -> np.ndarray:
    """Pieces with a level one appended from the last sample on, if there are too few."""
    if len(column) == pieces:
        return column
    tau = time[-1] - time[-2]
    last = column[-1]
    return np.concatenate([column, [[last @ tau ** np.arange(4), 0.0, 0.0, 0.0]]])


def _not_continued(begins: np.ndarray, lengths: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
    """Which pieces are not just the continuation of those before, back to the last one kept."""
    count = len(begins)
    size = np.abs(coefficients[..., 0]).max(axis=0) + 1e-300
    keep = np.ones(count, bool)
    keep[1:] = _departs(begins, lengths, coefficients, np.arange(count - 1), np.arange(1, count), size)
    # Small departures add up, so within a run of near continuations each is compared with the run's first.
    kept = np.append(np.nonzero(keep)[0], count)
    for start, end in pairwise(kept):
        first = start
        window = 16
        while first + 1 < end:
            later = np.arange(first + 1, min(first + window, end))
            departs = _departs(begins, lengths, coefficients, np.full(len(later), first), later, size)
            if departs.any():
                first = later[np.argmax(departs)]
                keep[first] = True
                window = 16
            elif later[-1] + 1 == end:
                break
            else:
                window *= 2
    return keep


def _carried(c: np.ndarray, shift: np.ndarray) -> np.ndarray:
    """Coefficients [pieces, inputs, 4] of the same polynomials counted from later by `shift` [pieces]."""
    tau = shift[:, None]
    return np.stack(
        [
            c[..., 0] + tau * (c[..., 1] + tau * (c[..., 2] + tau * c[..., 3])),
            c[..., 1] + tau * (2 * c[..., 2] + 3 * tau * c[..., 3]),
            c[..., 2] + 3 * tau * c[..., 3],
            c[..., 3],
        ],
        axis=-1,
    )


def _departs(
    begins: np.ndarray,
    lengths: np.ndarray,
    coefficients: np.ndarray,
    old: np.ndarray,
    new: np.ndarray,
    size: np.ndarray,
) -> np.ndarray:
    """Whether piece `old`, carried on, differs over piece `new` by more than rounding, in any input."""
    carried = _carried(coefficients[old], begins[new] - begins[old])
    # compared as contributions over the new piece, relative to the input's own size
    reach = lengths[new][:, None, None] ** np.arange(4)
    change = np.abs((carried - coefficients[new]) * reach).max(axis=-1) / size
    found: np.ndarray = (change > MERGE).any(axis=-1)
    return found
