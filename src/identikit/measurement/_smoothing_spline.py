"""Smoothing splines with the amount of smoothing chosen by cross-validation, in time proportional to the samples."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from identikit.measurement._smooth import sampled_places
from identikit.measurement._spline_fit import Spline, SplineSpace, basis_values

ORDER = 3  # of the derivative that is penalized, if nobody names one
# Knots per smoothing length, times the order. Beyond its cutoff the penalty leaves nothing for finer knots to do.
_KNOTS_PER_LENGTH = 4.0
_LENGTH_GROWTH = 1.5  # between the smoothing lengths that cross-validation tries first
_SHORTEST_LENGTH = 0.3  # samples
_REFINEMENTS = 6  # golden-section steps between the best rungs
_PATIENCE, _WORSE = 3, 1.02  # the search ends after so many rungs that are all worse than the best by this factor
_MOST_SEARCHED, _STRETCHES = 16_000, 8  # samples that cross-validation looks at, and in how many stretches if not all
_STEP = 1e-2  # in the logarithm of lambda, for the derivative of the determinant

_Stretch = tuple[NDArray[np.float64], NDArray[np.float64]]  # times in sample spacings, values


class SmoothingSpline:
    """The curve that balances closeness to the samples against roughness,

        minimise  sum_i (y_i - x(t_i))^2 + lambda int (d^m x / dtau^m)^2 dtau,    tau = t / (mean sample spacing),

    a spline of degree 2 m - 1. For uniform samples it is a low-pass filter of gain 1 / (1 + lambda w^(2m)), w in
    radians per sample, so L = lambda^(1/2m) is the length, in samples, over which it smooths. m = 2 is the cubic
    smoothing spline; m = 3 keeps slow motion better at the same suppression of noise. lambda minimises

        GCV = n sum_i (y_i - x(t_i))^2 / (n - d)^2,    d = trace of the smoother, the degrees of freedom spent.

    With A = B'B + lambda W the normal matrix of c coefficients, d = c - d(log det A)/d(log lambda): the determinant
    comes with the banded Cholesky factor, so each trial costs O(n). Irregular times and NaN are fine. Not for
    signals that jump, nor for noise correlated over several samples (cross-validation would follow it).

    References: P. Craven, G. Wahba, Numerische Mathematik 31 (1979) 377-403; C. H. Reinsch, Numerische Mathematik
    10 (1967) 177-183; for few knots: P. H. C. Eilers, B. D. Marx, Statistical Science 11 (1996) 89-121.

    Arguments:
        time: increasing times; values: samples, NaN where there is none.
        order: m, the derivative whose square is the roughness.
        smoothing: lambda in sample spacings; None = by cross-validation.
    """

    def __init__(
        self,
        time: NDArray[np.float64],
        values: NDArray[np.float64],
        order: int = ORDER,
        smoothing: float | None = None,
    ) -> None:
        known = np.isfinite(values)
        self.time, self.values, self.order = time[known], values[known], order
        # fewer samples than this cannot carry the order asked for
        self.order = max(1, min(order, (len(self.time) - 1) // 2))
        self.spacing = float(self.time[-1] - self.time[0]) / (len(self.time) - 1)
        self._tau = (self.time - self.time[0]) / self.spacing
        self.smoothing = self._cross_validated() if smoothing is None else float(smoothing)
        self._system = _System(self._tau, self.order, self.length)
        solution = self._system.solve(self.values[:, None], self.smoothing)
        self.residual = self.values - self._system.space.at_samples(solution)[:, 0]
        self._curve = self._curve_of(solution[:, 0])

    @property
    def length(self) -> float:
        """The smoothing length in samples."""
        return float(self.smoothing ** (0.5 / self.order))

    @cached_property
    def freedom(self) -> float:
        """Degrees of freedom that the curve has used."""
        return self._system.freedom(self.smoothing)

    @cached_property
    def sigma(self) -> float:
        """Noise level: what is left over, per degree of freedom left."""
        spare = max(len(self.values) - self.freedom, 1e-6 * len(self.values))
        return float(np.sqrt(self.residual @ self.residual / spare))

    @property
    def knots(self) -> NDArray[np.float64]:
        """Times at which the polynomial pieces meet, ends included."""
        degree = self._system.space.degree
        inner = self._system.space.knots[degree : len(self._system.space.knots) - degree]
        found: NDArray[np.float64] = self.time[0] + self.spacing * inner
        return found

    def __call__(self, time: NDArray[np.float64], derivative: int = 0) -> NDArray[np.float64]:
        """The curve or a derivative of it; beyond the samples it is held at the ends."""
        return self._curve(time, derivative)

    def smoothed(self, values: NDArray[np.float64]) -> Curve:
        """What the same smoothing makes of other values at the sample times, one or several columns of them."""
        solution = self._system.solve(values.reshape(len(values), -1), self.smoothing)
        return self._curve_of(solution.reshape(-1, *values.shape[1:]))

    @cached_property
    def time_scale(self) -> float:
        """2 pi rms(x - mean) / rms(x'): the period, for an oscillation of one frequency."""
        at = sampled_places(self.time, 4001)
        speed = float(np.sqrt(np.mean(self(at, 1) ** 2)))
        span = float(self.time[-1] - self.time[0])
        return span if speed == 0 else min(2 * np.pi * float(np.std(self(at))) / speed, span)

    def _curve_of(self, solution: NDArray[np.float64]) -> Curve:
        space = self._system.space
        return Curve(
            Spline(space.knots, solution, space.degree), float(self.time[0]), float(self.time[-1]), self.spacing
        )

    def _cross_validated(self) -> float:
        """lambda at the least cross-validation score: a ladder of smoothing lengths, then golden sections."""
        stretches = _stretches(self._tau, self.values)
        longest = max(len(stretches[0][0]) / 4.0, 2 * _SHORTEST_LENGTH)
        rungs = np.geomspace(
            longest, _SHORTEST_LENGTH, max(3, round(np.log(longest / _SHORTEST_LENGTH) / np.log(_LENGTH_GROWTH)) + 1)
        )
        scores: list[float] = []
        for rung in rungs:
            scores.append(_Score(stretches, self.order, float(rung))(float(rung)))
            # past the best, finer curves only follow the noise more and more
            if len(scores) > _PATIENCE and min(scores) * _WORSE < min(scores[-_PATIENCE:]):
                break
        best = int(np.argmin(scores))
        if best in (0, len(rungs) - 1):
            return float(rungs[best] ** (2 * self.order))
        # one set of knots for all of the refinement, so that the score is a smooth function
        score = _Score(stretches, self.order, float(rungs[best + 1]))
        low, high = float(np.log(rungs[best + 1])), float(np.log(rungs[best - 1]))
        share = (np.sqrt(5) - 1) / 2
        inner = [high - share * (high - low), low + share * (high - low)]
        found = [score(np.exp(at)) for at in inner]
        for _ in range(_REFINEMENTS):
            if found[0] < found[1]:
                high, inner[1], found[1] = inner[1], inner[0], found[0]
                inner[0] = high - share * (high - low)
                found[0] = score(np.exp(inner[0]))
            else:
                low, inner[0], found[0] = inner[0], inner[1], found[1]
                inner[1] = low + share * (high - low)
                found[1] = score(np.exp(inner[1]))
        return float(np.exp((low + high) / 2) ** (2 * self.order))


def _stretches(tau: NDArray[np.float64], values: NDArray[np.float64]) -> list[_Stretch]:
    """The samples that cross-validation looks at: all of them, or of many samples a few stretches spread over them."""
    if len(tau) <= _MOST_SEARCHED:
        return [(tau, values)]
    length = _MOST_SEARCHED // _STRETCHES
    starts = np.linspace(0, len(tau) - length, _STRETCHES).round().astype(int)
    return [(tau[start : start + length], values[start : start + length]) for start in starts]


class _Score:
    """The cross-validation score as a function of the smoothing length, on knots fit for `length`."""

    def __init__(self, stretches: list[_Stretch], order: int, length: float) -> None:
        self._order = order
        self._parts = [(_System(tau, order, length), values) for tau, values in stretches]

    def __call__(self, length: float) -> float:
        smoothing = float(length) ** (2 * self._order)
        squares, spare, count = 0.0, 0.0, 0
        for system, values in self._parts:
            try:
                departure = values - system.space.at_samples(system.solve(values[:, None], smoothing))[:, 0]
                spare += len(values) - system.freedom(smoothing)
            except np.linalg.LinAlgError:
                return np.inf
            squares += float(departure @ departure)
            count += len(values)
        return count * squares / spare**2 if spare > 0 else np.inf


class Curve:
    """A spline in sample spacings, read in time; columns of coefficients are several curves at once."""

    def __init__(self, spline: Spline, begin: float, end: float, spacing: float) -> None:
        self._splines, self._begin, self._end, self._spacing = [spline], begin, end, spacing

    def __call__(self, time: NDArray[np.float64], derivative: int = 0) -> NDArray[np.float64]:
        while len(self._splines) <= derivative:
            self._splines.append(self._splines[-1].derivative())
        tau = (np.clip(time, self._begin, self._end) - self._begin) / self._spacing
        found: NDArray[np.float64] = self._splines[derivative](tau) / self._spacing**derivative
        return found


class _System:
    """Gram matrix of the samples and of the roughness on one set of knots, both banded."""

    def __init__(self, tau: NDArray[np.float64], order: int, length: float) -> None:
        self.space = SplineSpace(tau, max(1.0, length * order / _KNOTS_PER_LENGTH), 2 * order - 1)
        self._gram = self.space.gram
        self._roughness = _roughness(self.space.knots, order, self.space.coefficients)

    def _factor(self, smoothing: float) -> NDArray[np.float64]:
        from scipy.linalg import cholesky_banded

        return np.asarray(cholesky_banded(self._gram + smoothing * self._roughness, lower=True))

    def solve(self, columns: NDArray[np.float64], smoothing: float) -> NDArray[np.float64]:
        """Coefficients of the smoothed columns."""
        from scipy.linalg import cho_solve_banded

        return np.asarray(cho_solve_banded((self._factor(smoothing), True), self.space.moments(columns)))

    def freedom(self, smoothing: float) -> float:
        """Trace of the smoother, by the logarithmic derivative of the determinant."""
        above, below = (2 * np.log(self._factor(smoothing * np.exp(way * _STEP))[0]).sum() for way in (1, -1))
        return float(self.space.coefficients - (above - below) / (2 * _STEP))


def _roughness(knots: NDArray[np.float64], order: int, coefficients: int) -> NDArray[np.float64]:
    """int B_j^(m) B_k^(m) in lower banded form: differences of the coefficients, and the Gram of degree m - 1."""
    from scipy.sparse import diags_array

    degree = 2 * order - 1
    differences = None
    for p in range(degree, degree - order, -1):
        inner = knots[degree - p : len(knots) - (degree - p)]
        slope = p / (inner[p + 1 : -1] - inner[1 : -p - 1])
        step = diags_array([-slope, slope], offsets=[0, 1], shape=(len(slope), len(slope) + 1))
        differences = step if differences is None else step @ differences
    assert differences is not None
    nodes, weights = np.polynomial.legendre.leggauss(order)
    inner = knots[degree : len(knots) - degree]
    half = np.diff(inner) / 2
    points = ((inner[1:] + inner[:-1])[:, None] / 2 + half[:, None] * nodes).ravel()
    weight = (half[:, None] * weights).ravel()
    size = differences.shape[0]
    first, basis = basis_values(points, knots[order : len(knots) - order], size, order - 1)
    bands, offsets = [], list(range(-(order - 1), order))
    for offset in offsets:
        band = np.zeros(size)
        for i in range(max(0, -offset), min(order, order - offset)):
            band += np.bincount(first + i, weight * basis[:, i] * basis[:, i + offset], minlength=size)
        bands.append(band[: size - offset] if offset >= 0 else band[-offset:])
    gram = diags_array(bands, offsets=offsets, shape=(size, size))
    together = (differences.T @ gram @ differences).todia()
    lower = np.zeros((degree + 1, coefficients))
    for below in range(degree + 1):
        diagonal = together.diagonal(-below)
        lower[below, : len(diagonal)] = diagonal
    return lower
