"""Information algebra: what rows or a matrix of information tell of parameters, whatever the parameters' units.

Rows A [rows, parameters] are derivatives of residuals with respect to the parameters, in units of the noise; A'A is the
Fisher information and (A'A)^-1 the covariance of an efficient estimate. Parameters have units of their own, so columns
differ by many powers of ten without meaning anything by it. Everything here therefore first scales the columns to
length one; results do not depend on the units.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

FLOOR = 1e-10
"""Of the largest singular value of scaled rows: a direction below it holds no information. Rows come from integrated
motions and splines, which are right to some 1e-10 at best; what is smaller is their error."""
MATRIX_FLOOR = 1e-12
"""Of the largest eigenvalue of a scaled matrix: rounding of the products that made it lies a few powers below."""
SHARE = 0.05  # of a unit vector: a parameter that takes this part in a direction without information is unknown


def column_sizes(rows: np.ndarray) -> np.ndarray:
    """Lengths of the columns, to divide by: 1 for a column of zeros."""
    size = np.sqrt(np.einsum("ij,ij->j", rows, rows))
    return np.where(size > 0, size, 1.0)


@dataclass(frozen=True)
class Information:
    """Information A'A = D V' S^2 V D: sizes D of the columns, singular values S and directions V [n, n] of A D^-1.

    In `root` and all that follows from it singular values below `floor` times the largest count as that much, so that
    a direction without information has a variance that is huge, but a number.
    """

    sizes: np.ndarray  # zero where nothing depends on the parameter
    singular: np.ndarray
    directions: np.ndarray
    floor: float

    @classmethod
    def of_rows(cls, rows: np.ndarray, floor: float = FLOOR) -> Information:
        """From rows A."""
        missing = max(rows.shape[1] - rows.shape[0], 0)  # fewer rows than parameters: rows of zeros say nothing more
        full = np.vstack([rows, np.zeros((missing, rows.shape[1]))])
        sizes = column_sizes(full)
        _, singular, directions = np.linalg.svd(full / sizes, full_matrices=False)
        return cls(np.where(full.any(axis=0), sizes, 0.0), singular, directions, floor)

    @classmethod
    def of_matrix(cls, matrix: np.ndarray, floor: float = MATRIX_FLOOR) -> Information:
        """From the symmetric matrix A'A; `floor` is one of eigenvalues."""
        sizes = np.sqrt(np.maximum(np.diag(matrix), 0.0))
        safe = np.where(sizes > 0, sizes, 1.0)
        values, vectors = np.linalg.eigh(matrix / np.outer(safe, safe))
        return cls(sizes, np.sqrt(np.maximum(values[::-1], 0.0)), vectors.T[::-1], float(np.sqrt(floor)))

    @property
    def rows(self) -> np.ndarray:
        """Rows S V D, as many as parameters, whose Gram matrix is the information."""
        return self.singular[:, None] * self.directions * self.sizes

    @property
    def _largest(self) -> float:
        return float(self.singular.max(initial=0.0)) or 1.0

    @property
    def condition(self) -> float:
        """Condition number of the scaled rows; 1 is best."""
        return self._largest / max(float(self.singular.min(initial=self._largest)), 1e-300)

    @property
    def weak(self) -> np.ndarray:
        """Directions [some, n] without information, in scaled parameters."""
        return self.directions[self.singular < self.floor * self._largest]

    @property
    def root(self) -> np.ndarray:
        """R [n, n] with R R' the covariance."""
        safe = np.where(self.sizes > 0, self.sizes, 1.0)
        found: np.ndarray = self.directions.T / np.maximum(self.singular, self.floor * self._largest) / safe[:, None]
        return found

    @property
    def covariance(self) -> np.ndarray:
        """(A'A)^-1."""
        root = self.root
        return root @ root.T

    @property
    def standard_errors(self) -> np.ndarray:
        """Square roots of the variances; infinite for parameters that take part in a direction without information."""
        blind = (self.sizes == 0) | (np.abs(self.weak).max(axis=0, initial=0.0) > SHARE)
        return np.where(blind, np.inf, np.sqrt(np.einsum("ij,ij->i", self.root, self.root)))

    @property
    def correlation(self) -> np.ndarray:
        """Correlation of the estimates."""
        unit = self.root / np.linalg.norm(self.root, axis=1)[:, None]
        return unit @ unit.T

    def draws(self, count: int, random: np.random.Generator) -> np.ndarray:
        """Steps [count, n] from the normal distribution with this covariance."""
        return random.standard_normal((count, len(self.singular))) @ self.root.T


def standard_errors(rows: np.ndarray) -> np.ndarray:
    """Standard errors from rows whose Gram matrix is the information; infinite where there is none."""
    return Information.of_rows(rows).standard_errors


def pseudo_inverse(rows: np.ndarray, floor: float = FLOOR) -> np.ndarray:
    """A^+ [parameters, rows]: how a least-squares estimate follows the rows. Directions without information do not."""
    sizes = column_sizes(rows)
    return np.asarray(np.linalg.pinv(rows / sizes, rcond=floor) / sizes[:, None])


def symmetric_inverse(matrix: np.ndarray, floor: float = MATRIX_FLOOR) -> np.ndarray:
    """Inverse of an information or covariance matrix; directions without information are zero in it."""
    scale = 1.0 / np.sqrt(np.maximum(np.diag(matrix), 1e-300))
    scales = np.outer(scale, scale)
    return np.asarray(np.linalg.pinv(matrix * scales, rcond=floor, hermitian=True) * scales)


def whitening(covariance: np.ndarray, floor: float = MATRIX_FLOOR) -> np.ndarray:
    """W with W'W = C^-1: W e is white if e has covariance C. What is known better than the floor counts as that."""
    return Information.of_matrix(covariance, floor).root.T


def block_sums(scores: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Rows [samples, n] added up over equal labels [samples]: [blocks, n], in the order of the labels."""
    _, block = np.unique(labels, return_inverse=True)
    return np.stack([np.bincount(block, column) for column in scores.T], axis=1)


def long_run(scores: np.ndarray, lag: int = 0) -> np.ndarray:
    """Covariance [n, n] of the sum of scores [blocks, n] of mean zero, of which neighbours up to `lag` are correlated.

        sum_i s_i s_i' + sum_l (1 - l/(lag + 1)) sum_i (s_i+l s_i' + s_i s_i+l')

    Reference: W. K. Newey, K. D. West, Econometrica 55 (1987) 703.
    """
    found: np.ndarray = scores.T @ scores
    for distance in range(1, min(lag, len(scores) - 1) + 1):
        across = scores[distance:].T @ scores[:-distance]
        found = found + (1 - distance / (lag + 1)) * (across + across.T)
    return found


def sandwich(information: np.ndarray, scores: np.ndarray, unknowns: int = 0, lag: int = 0) -> np.ndarray:
    """Covariance that does not trust the noise model: I^-1 (covariance of the sum of scores) I^-1.

    Arguments:
        information: I = J'J [n, n].
        scores: J'r of one block of residuals each [blocks, n]; blocks count as draws.
        unknowns: parameters that the residuals were fitted by; the usual correction for that.
        lag: neighbouring blocks that may still be correlated.

    Reference: P. J. Huber, Proc. Fifth Berkeley Symposium 1 (1967) 221; H. White, Econometrica 48 (1980) 817.
    """
    inverse = symmetric_inverse(information)
    count = len(scores)
    return inverse @ long_run(scores, lag) @ inverse * (count / max(count - unknowns, 1))
