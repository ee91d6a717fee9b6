"""Local polynomials around reference points: what a window of samples says about the state and its slope there.

Around t_j, with s = (t - t_j)/w in [-1, 1], the samples of one channel are fitted by b_0 + b_1 s + ... + b_d s^d. With
the design Q R (Q'Q = 1) the features z = Q'y are uncorrelated and of the samples' own variance, b = R^-1 z, and

    value = b_0,   slope = b_1 / w.

For a solution of x' = A x the features expected from the state x_j are known whatever the width,

    E z = sum_k (Q' s^k / k!) (A w)^k x_j,

so that the curvature of the motion within the window need not be a bias.

References: W. S. Cleveland, JASA 74 (1979) 829 (local regression); J. Fan, I. Gijbels, Local Polynomial Modelling and
Its Applications, Chapman & Hall 1996.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from identikit.method.reference._settings import REFERENCE


@dataclass(frozen=True)
class LocalFits:
    """All windows of one record; channels are the states, in the model's order.

    `at`, `half` [windows]; `features` [windows, channels, degree + 1]; `moments` [windows, channels, degree + 1,
    orders], for a state x the features expected are sum_k moments_k A^k x; `recover` [windows, channels, 2, degree + 1]
    gives value and slope from the features; `squares`, `spare` [channels]: what the polynomials leave over, and from
    how many degrees of freedom.
    """

    at: np.ndarray
    half: np.ndarray
    features: np.ndarray
    moments: np.ndarray
    recover: np.ndarray
    squares: np.ndarray
    spare: np.ndarray

    @property
    def value(self) -> np.ndarray:
        """States [windows, channels]."""
        return np.asarray(np.einsum("jcf,jcf->jc", self.recover[:, :, 0], self.features))

    @property
    def slope(self) -> np.ndarray:
        """Their derivatives in time."""
        return np.asarray(np.einsum("jcf,jcf->jc", self.recover[:, :, 1], self.features))

    @property
    def covariance(self) -> np.ndarray:
        """Of value and slope [windows, channels, 2, 2], for samples of unit variance."""
        return self.recover @ np.swapaxes(self.recover, 2, 3)

    def expected(self, A: np.ndarray) -> LocalFits:
        """The same windows on a motion of x' = A x through the states found, without noise."""
        powers = np.stack([np.linalg.matrix_power(A, k) for k in range(self.moments.shape[-1])])
        features = np.einsum("jcfk,kcx,jx->jcf", self.moments, powers, self.value, optimize=True)
        return replace(self, features=np.asarray(features))

    @property
    def count(self) -> int:
        return len(self.at)


def clusters(time: np.ndarray) -> list[tuple[float, float]]:
    """First and last time of each stretch of samples without long pauses."""
    steps = np.diff(time)
    breaks = np.flatnonzero(steps > REFERENCE.gap * np.median(steps))
    edges = [0, *(breaks + 1), len(time)]
    return [(float(time[a]), float(time[b - 1])) for a, b in itertools.pairwise(edges) if b - a > 1]


def fit_windows(
    time: np.ndarray, channels: Sequence[np.ndarray], at: np.ndarray, half: np.ndarray, degree: int, orders: int
) -> LocalFits:
    """Fit every window [at - half, at + half]; windows with too few samples in some channel are left out."""
    kept, features, moments, recover = [], [], [], []
    squares, spare = np.zeros(len(channels)), np.zeros(len(channels))
    tiny = 1e-9 * (time[-1] - time[0])
    for index, (centre, width) in enumerate(zip(at, half, strict=True)):
        first, last = np.searchsorted(time, [centre - width - tiny, centre + width + tiny])
        s = (time[first:last] - centre) / width
        parts = [channel[first:last] for channel in channels]
        known = [np.isfinite(part) for part in parts]
        if min(int(mask.sum()) for mask in known) < REFERENCE.enough * (degree + 1):
            continue
        shared = _Basis(s, degree, orders) if all(mask.all() for mask in known) else None
        bases = [shared or _Basis(s[mask], degree, orders) for mask in known]
        if any(basis.singular for basis in bases):
            continue
        z = np.stack([basis.Q.T @ part[mask] for basis, part, mask in zip(bases, parts, known, strict=True)])
        kept.append(index)
        features.append(z)
        scale = width ** np.arange(orders)
        moments.append(np.stack([basis.moments * scale for basis in bases]))
        recover.append(np.stack([basis.inverse[:2] * np.array([[1.0], [1.0 / width]]) for basis in bases]))
        for c, (part, mask) in enumerate(zip(parts, known, strict=True)):
            left = part[mask] - bases[c].Q @ z[c]
            squares[c] += float(left @ left)
            spare[c] += mask.sum() - degree - 1
    size = len(channels), degree + 1
    return LocalFits(
        at[kept],
        half[kept],
        np.array(features).reshape(-1, *size),
        np.array(moments).reshape(-1, *size, orders),
        np.array(recover).reshape(-1, len(channels), 2, degree + 1),
        squares,
        spare,
    )


class _Basis:
    """The orthogonal local basis on sample places s in [-1, 1]."""

    def __init__(self, s: np.ndarray, degree: int, orders: int) -> None:
        self.Q, R = np.linalg.qr(np.vander(s, degree + 1, increasing=True))
        size = np.abs(np.diag(R))
        self.singular = bool(size.min() < 1e-8 * size.max())
        if self.singular:
            return
        self.inverse = np.linalg.inv(R)
        self.moments = np.empty((degree + 1, orders))
        power = np.ones(len(s))
        for k in range(orders):
            self.moments[:, k] = self.Q.T @ power
            power = power * s / (k + 1)
