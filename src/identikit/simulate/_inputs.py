"""Known inputs as piecewise cubic polynomials.

Zero-order hold, linear and cubic interpolation are all pieces c0 + c1 tau + c2 tau^2 + c3 tau^3 with tau
measured from the piece's beginning. Neighbouring pieces that continue each other are merged, so a schedule of
a few steps sampled ten thousand times costs a few restarts of the integrator, not ten thousand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from identikit.errors import DataError, OptionError

HOLDS = ("linear", "zero_order", "cubic")


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

    def index(self, t: np.ndarray) -> np.ndarray:
        """The piece in force just after time t."""
        return np.clip(np.searchsorted(self.begins, t, side="right") - 1, 0, len(self.begins) - 1)

    def __call__(self, t: np.ndarray) -> np.ndarray:
        """Values of shape [inputs, times]."""
        where = self.index(np.asarray(t, float))
        c = self.coefficients[where]
        tau = (t - self.begins[where])[:, None]
        return (c[..., 0] + tau * (c[..., 1] + tau * (c[..., 2] + tau * c[..., 3]))).T


def sampled(time: np.ndarray, values: Mapping[str, np.ndarray], hold: str = "linear") -> Pieces:
    """Pieces from samples; a gap (NaN) is bridged by the neighbouring samples.

    `hold`: "linear"; "zero_order" keeps each value until the next sample; "cubic" is a natural cubic spline.
    """
    if hold not in HOLDS:
        raise OptionError(f"the hold of an input must be one of {', '.join(HOLDS)}. Got '{hold}' instead.")
    time = np.asarray(time, float)
    columns = [_coefficients(time, np.asarray(column, float), name, hold) for name, column in values.items()]
    coefficients = np.stack(columns, axis=1)  # [pieces, inputs, 4]
    keep = _not_continued(time[:-1], coefficients)
    begins = time[:-1][keep]
    ends = np.append(begins[1:], np.inf)
    return Pieces(begins, ends, coefficients[keep])


def _coefficients(time: np.ndarray, column: np.ndarray, name: str, hold: str) -> np.ndarray:
    known = np.isfinite(column)
    if known.sum() < 2:
        raise DataError(f"input '{name}' has {known.sum()} finite samples: expected at least two")
    pieces = np.zeros((len(time) - 1, 4))
    if hold == "zero_order":
        latest = np.maximum.accumulate(np.where(known, np.arange(len(time)), -1))
        latest = np.where(latest < 0, np.argmax(known), latest)
        pieces[:, 0] = column[latest][:-1]
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


def _not_continued(begins: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
    """Which pieces are not just the continuation of the one before."""
    if len(begins) == 1:
        return np.ones(1, bool)
    tau = np.diff(begins)[:, None]
    c = coefficients[:-1]
    carried = np.stack(
        [
            c[..., 0] + tau * (c[..., 1] + tau * (c[..., 2] + tau * c[..., 3])),
            c[..., 1] + tau * (2 * c[..., 2] + 3 * tau * c[..., 3]),
            c[..., 2] + 3 * tau * c[..., 3],
            c[..., 3],
        ],
        axis=-1,
    )
    # compared as contributions over one interval, relative to the input's own size
    reach = np.stack([np.ones_like(tau), tau, tau**2, tau**3], axis=-1)
    size = np.abs(coefficients[..., 0]).max(axis=0) + 1e-300
    change = np.abs((carried - coefficients[1:]) * reach).max(axis=-1) / size
    return np.append(True, (change > 1e-9).any(axis=-1))
