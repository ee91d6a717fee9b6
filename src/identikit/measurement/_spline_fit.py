"""Least-squares splines: a flexible smooth curve through samples at any times, for separating noise."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

DEGREE = 7


class SplineFit:
    """The space of splines of degree 7 with a knot at every so-many samples, and projection onto it.

        minimise sum_i (y_i - sum_j c_j B_j(t_i))^2

    The B-spline basis keeps the banded normal equations well conditioned (about 1e6 at this degree), so
    residuals down to 1e-10 of the signal are resolved; polynomials in powers of t would lose them.

    Arguments:
        time: strictly increasing sample times, any unit.
        samples_per_piece: samples between knots; sets the number of coefficients.
    """

    def __init__(self, time: NDArray[np.float64], samples_per_piece: float) -> None:
        from scipy.linalg import cholesky_banded

        pieces = piece_count(len(time), samples_per_piece)
        at = np.linspace(0.0, len(time) - 1.0, pieces + 1)
        inner = np.interp(at, np.arange(len(time)), time)
        knots = np.concatenate([[inner[0]] * DEGREE, inner, [inner[-1]] * DEGREE])
        self.coefficients = pieces + DEGREE
        self._first, self._basis = _basis(time, knots, self.coefficients)
        banded = np.zeros((DEGREE + 1, self.coefficients))
        for band in range(DEGREE + 1):
            for i in range(DEGREE + 1 - band):
                banded[band] += self._scatter(i, self._basis[:, i] * self._basis[:, i + band])
        self._factor = cholesky_banded(banded, lower=True)

    def fitted(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The spline nearest to the values, at the sample times; several columns are fitted separately."""
        from scipy.linalg import cho_solve_banded

        columns = values.reshape(len(values), -1)
        right = np.zeros((self.coefficients, columns.shape[1]))
        for j in range(columns.shape[1]):
            for i in range(DEGREE + 1):
                right[:, j] += self._scatter(i, self._basis[:, i] * columns[:, j])
        solution = cho_solve_banded((self._factor, True), right)
        curve = np.zeros_like(columns)
        for i in range(DEGREE + 1):
            curve += self._basis[:, i, None] * solution[self._first + i]
        return curve.reshape(values.shape)

    def _scatter(self, offset: int, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        sums = np.bincount(self._first + offset, weights, minlength=self.coefficients)
        return np.asarray(sums, dtype=np.float64)


def piece_count(samples: int, samples_per_piece: float) -> int:
    """Number of polynomial pieces for so many samples; at least one."""
    return max(1, round((samples - 1) / samples_per_piece))


def _basis(
    time: NDArray[np.float64], knots: NDArray[np.float64], coefficients: int
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Index of the first B-spline that is not zero at each time, and the values of it and the next seven.

    Reference: L. Piegl and W. Tiller, The NURBS Book, algorithm A2.2.
    """
    span = np.clip(np.searchsorted(knots, time, side="right") - 1, DEGREE, coefficients - 1)
    basis = np.zeros((len(time), DEGREE + 1))
    basis[:, 0] = 1.0
    for degree in range(1, DEGREE + 1):
        saved = np.zeros(len(time))
        for r in range(degree):
            right = knots[span + r + 1] - time
            left = time - knots[span + 1 - degree + r]
            share = basis[:, r] / (right + left)
            basis[:, r] = saved + right * share
            saved = left * share
        basis[:, degree] = saved
    return span - DEGREE, basis
