"""Least-squares splines: a flexible smooth curve through samples at any times, for separating noise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

NOISE_DEGREE = 7  # of the splines that separate noise


class Spline:
    """sum_j c_j B_j(t) on given knots (each end repeated), with derivatives; several columns c are several curves."""

    def __init__(self, knots: NDArray[np.float64], coefficients: NDArray[np.float64], degree: int) -> None:
        self.knots, self.coefficients, self.degree = knots, coefficients, degree

    def __call__(self, time: NDArray[np.float64]) -> NDArray[np.float64]:
        first, basis = basis_values(time, self.knots, len(self.coefficients), self.degree)
        value = np.zeros((len(time), *self.coefficients.shape[1:]))
        for i in range(self.degree + 1):
            weight = basis[:, i].reshape(-1, *[1] * (self.coefficients.ndim - 1))
            value += weight * self.coefficients[first + i]
        return value

    def derivative(self) -> Spline:
        """The derivative: coefficients p (c_j+1 - c_j) / (t_j+p+1 - t_j+1), one degree lower."""
        p = self.degree
        span = self.knots[p + 1 : -1] - self.knots[1 : -p - 1]
        slope = p * np.diff(self.coefficients, axis=0).T / span
        return Spline(self.knots[1:-1], slope.T, p - 1)


class SplineSpace:
    """The splines of one degree with a knot at every so-many samples: basis at the samples, Gram matrix, knots.

    Arguments:
        time: strictly increasing sample times, any unit.
        samples_per_piece: samples between knots, which sets the number of coefficients; or the positions of all knots,
            counted in samples, from the first to the last.
        degree: of the pieces.
    """

    def __init__(
        self,
        time: NDArray[np.float64],
        samples_per_piece: float | NDArray[np.float64],
        degree: int = NOISE_DEGREE,
    ) -> None:
        self.degree = degree
        if isinstance(samples_per_piece, np.ndarray):
            at, pieces = samples_per_piece, len(samples_per_piece) - 1
        else:
            pieces = piece_count(len(time), samples_per_piece)
            at = np.linspace(0.0, len(time) - 1.0, pieces + 1)
        inner = np.interp(at, np.arange(len(time)), time)
        self.knots = np.concatenate([[inner[0]] * degree, inner, [inner[-1]] * degree])
        self.coefficients = pieces + degree
        self._first, self._basis = basis_values(time, self.knots, self.coefficients, degree)

    @property
    def gram(self) -> NDArray[np.float64]:
        """sum_i B_j(t_i) B_k(t_i) in lower banded form [degree + 1, coefficients]."""
        banded = np.zeros((self.degree + 1, self.coefficients))
        for band in range(self.degree + 1):
            for i in range(self.degree + 1 - band):
                banded[band] += self._scatter(i, self._basis[:, i] * self._basis[:, i + band])
        return banded

    def moments(self, columns: NDArray[np.float64]) -> NDArray[np.float64]:
        """sum_i B_j(t_i) y_i for each column y: [coefficients, columns]."""
        right = np.zeros((self.coefficients, columns.shape[1]))
        for j in range(columns.shape[1]):
            for i in range(self.degree + 1):
                right[:, j] += self._scatter(i, self._basis[:, i] * columns[:, j])
        return right

    def at_samples(self, solution: NDArray[np.float64]) -> NDArray[np.float64]:
        """Values at the sample times of the splines with these coefficients [coefficients, columns]."""
        curve = np.zeros((len(self._first), solution.shape[1]))
        for i in range(self.degree + 1):
            curve += self._basis[:, i, None] * solution[self._first + i]
        return curve

    def _scatter(self, offset: int, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        sums = np.bincount(self._first + offset, weights, minlength=self.coefficients)
        return np.asarray(sums, dtype=np.float64)


class SplineFit(SplineSpace):
    """Projection onto the splines with a knot at every so-many samples.

        minimise sum_i (y_i - sum_j c_j B_j(t_i))^2

    The B-spline basis keeps the banded normal equations well conditioned (about 1e6 at degree 7), so
    residuals down to 1e-10 of the signal are resolved; polynomials in powers of t would lose them.
    """

    def __init__(
        self,
        time: NDArray[np.float64],
        samples_per_piece: float | NDArray[np.float64],
        degree: int = NOISE_DEGREE,
    ) -> None:
        from scipy.linalg import cholesky_banded

        super().__init__(time, samples_per_piece, degree)
        self._factor = cholesky_banded(self.gram, lower=True)

    def fitted(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The spline nearest to the values, at the sample times; several columns are fitted separately."""
        columns = values.reshape(len(values), -1)
        return self.at_samples(self._solve(columns)).reshape(values.shape)

    def spline(self, values: NDArray[np.float64]) -> Spline:
        """The same spline, to be read anywhere."""
        return Spline(self.knots, self._solve(values[:, None])[:, 0], self.degree)

    def splines(self, columns: NDArray[np.float64]) -> Spline:
        """The splines nearest to several columns of values, as one of several curves."""
        return Spline(self.knots, self._solve(columns), self.degree)

    def variance(self, time: NDArray[np.float64], weights: Sequence[NDArray[np.float64]]) -> float:
        """Variance of sum_d sum_g weights[d][g] x^(d)(time[g]) of the fitted spline x, for samples of unit variance.

        The sum is q'c in the coefficients c, whose covariance is (B'B)^-1.
        """
        from scipy.linalg import cho_solve_banded

        functional = np.zeros(self.coefficients)
        for order, weight in enumerate(weights):
            knots = self.knots[order : len(self.knots) - order]
            degree, count = self.degree - order, self.coefficients - order
            first, basis = basis_values(time, knots, count, degree)
            part = np.zeros(count)
            for i in range(degree + 1):
                part += np.bincount(first + i, basis[:, i] * weight, minlength=count)
            for below in range(order - 1, -1, -1):  # back through the differences that `Spline.derivative` takes
                p, inner = self.degree - below, self.knots[below : len(self.knots) - below]
                scaled = p * part / (inner[p + 1 : -1] - inner[1 : -p - 1])
                part = np.concatenate([[0.0], scaled]) - np.concatenate([scaled, [0.0]])
            functional += part
        return float(functional @ cho_solve_banded((self._factor, True), functional))

    def _solve(self, columns: NDArray[np.float64]) -> NDArray[np.float64]:
        from scipy.linalg import cho_solve_banded

        return np.asarray(cho_solve_banded((self._factor, True), self.moments(columns)))


def piece_count(samples: int, samples_per_piece: float) -> int:
    """Number of polynomial pieces for so many samples; at least one."""
    return max(1, round((samples - 1) / samples_per_piece))


def basis_values(
    time: NDArray[np.float64], knots: NDArray[np.float64], coefficients: int, p: int
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Index of the first B-spline that is not zero at each time, and the values of it and the next p.

    Reference: L. Piegl and W. Tiller, The NURBS Book, algorithm A2.2.
    """
    span = np.clip(np.searchsorted(knots, time, side="right") - 1, p, coefficients - 1)
    basis = np.zeros((p + 1, len(time))).T  # in memory each function's values are neighbours
    basis[:, 0] = 1.0
    for degree in range(1, p + 1):
        saved = np.zeros(len(time))
        for r in range(degree):
            right = knots[span + r + 1] - time
            left = time - knots[span + 1 - degree + r]
            share = basis[:, r] / (right + left)
            basis[:, r] = saved + right * share
            saved = left * share
        basis[:, degree] = saved
    return span - p, basis
