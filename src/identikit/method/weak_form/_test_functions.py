"""Test functions for weak forms: B-splines, and bumps made of B-splines, on a uniform grid.

All of them are sums of cubic (or higher) B-splines with one knot spacing, so an integral against every test function
is a sum over few neighbours of integrals against B-splines, whose number of operations does not depend on how wide
the test functions are:

    int w_l^(q) g dt = sum_i a_i int B_(l+i)^(q) g dt.

A B-spline m times as wide is such a sum (its two-scale relation, a = box * ... * box); so is the bump
(1 - s^2)^4, sampled at the centres of the small splines.

Reference: C. de Boor, A Practical Guide to Splines, Springer 1978.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from identikit.method.weak_form._settings import GALERKIN

SHAPES = ("bspline", "bump")


class TestFunctions:
    """Test functions of one shape and width over [begin, end], one for every knot interval.

    Arguments:
        half: half the support, in units of time.
        shape: "bspline" or "bump".
        degree: of the splines; derivatives up to this order can be put on them.
        refinement: knot intervals of the small splines per knot interval of a wide B-spline.
    """

    __test__ = False  # not a test case, whatever the name suggests to pytest

    def __init__(
        self, begin: float, end: float, half: float, shape: str = "bspline", degree: int = 3, refinement: int = 1
    ) -> None:
        self.begin, self.degree, self.half = begin, degree, half
        if shape == "bump":
            s = np.arange(-GALERKIN.bump_reach + 1, GALERKIN.bump_reach) / GALERKIN.bump_reach
            self.combination = (1 - s * s) ** 4
        else:
            self.combination = np.ones(1)
            for _ in range(degree + 1):
                self.combination = np.convolve(self.combination, np.ones(refinement))
            self.combination /= refinement**degree
        self.spacing = 2 * half / (len(self.combination) + degree)
        self.intervals = int(np.floor((end - begin) / self.spacing + 1e-9))
        self.splines = max(0, self.intervals - degree)
        self.count = max(0, self.splines - len(self.combination) + 1)
        self._polynomials = _uniform_pieces(degree)

    @property
    def knots(self) -> np.ndarray:
        return self.begin + self.spacing * np.arange(self.intervals + 1)

    @property
    def reach(self) -> int:
        """Intervals in the support."""
        return len(self.combination) + self.degree

    def interval(self, time: np.ndarray) -> np.ndarray:
        """The knot interval each time lies in."""
        found = np.floor((time - self.begin) / self.spacing + 1e-9).astype(int)
        return np.clip(found, 0, self.intervals - 1)

    def basis(self, time: np.ndarray, derivative: int) -> np.ndarray:
        """Values [times, degree + 1] of the small splines that are not zero at each time; zero outside the grid."""
        where = self.interval(time)
        s = (time - self.begin) / self.spacing - where
        pieces = self._polynomials
        for _ in range(derivative):
            pieces = pieces[:, 1:] * np.arange(1, pieces.shape[1])
        value = np.zeros((len(time), self.degree + 1))
        for power in range(pieces.shape[1] - 1, -1, -1):
            value = value * s[:, None] + pieces[:, power]
        inside = (s > -1e-6) & (s < 1 + 1e-6)
        return value * (inside[:, None] / self.spacing**derivative)

    def operator(self, time: np.ndarray, values: np.ndarray) -> Any:
        """Values [times, degree + 1] on the splines around each time, as a sparse matrix [times, splines + 2 degree].

        Splines that stick out at either end have columns too, the first and the last `degree` ones.
        """
        from scipy.sparse import csr_array

        columns = self.interval(time)[:, None] + np.arange(self.degree + 1)
        pointers = np.arange(len(time) + 1) * (self.degree + 1)
        shape = (len(time), self.splines + 2 * self.degree)
        return csr_array((values.ravel(), columns.ravel(), pointers), shape=shape)

    def gathered(self, moments: np.ndarray) -> np.ndarray:
        """From integrals against small splines [splines + 2 degree, ...] to those against test functions."""
        inside = moments[self.degree : self.degree + self.splines]
        if len(self.combination) == 1:
            return inside * self.combination[0]
        total = np.zeros((self.count, *inside.shape[1:]))
        for i, a in enumerate(self.combination):
            total += a * inside[i : i + self.count]
        return total

    def scattered(self, values: np.ndarray) -> np.ndarray:
        """The transpose of `gathered`."""
        total = np.zeros((self.splines + 2 * self.degree, *values.shape[1:]))
        for i, a in enumerate(self.combination):
            total[self.degree + i : self.degree + i + self.count] += a * values
        return total


def _uniform_pieces(degree: int) -> np.ndarray:
    """Polynomials [degree + 1, powers] in s = 0 .. 1 of the uniform B-splines that overlap one interval."""
    pieces = [np.array([1.0])]
    for p in range(1, degree + 1):
        raised = []
        for r in range(p + 1):
            total = np.zeros(p + 1)
            if r > 0:
                total += np.convolve(pieces[r - 1], np.array([p - r, 1.0]) / p)
            if r < p:
                total += np.convolve(pieces[r], np.array([r + 1.0, -1.0]) / p)
            raised.append(total)
        pieces = raised
    return np.array(pieces)
