"""The matrix of x' = A x from local fits at reference points: by their slopes alone, or by the whole trajectory.

By slopes: with Y = [X(t_1) ... X(t_J)] and Y' alike,

    A = Y' Y^-1      (J = n, as published),       min_A sum_j |x'_j - A x_j|^2 weighted      (J > n).

The regressors x_j are noisy themselves; their known covariance is taken out of the normal equations, and the weights
are the inverse variances of x'_j - A x_j.

Connected: the states at successive reference points are those of one trajectory, X(t_j+1) = exp(A D) X(t_j) with
D = t_j+1 - t_j, and the features of each window follow from its state whatever its width. Gauss-Newton over the unknown
entries, with the first state of each chain eliminated; chains of two points first, then ever longer ones, so that no
phase is lost by a whole turn.

References: G. Tsitsiashvili, A. Gudimenko, M. Osipova, Mathematics 11 (2023) 2643 (reference points); W. A. Fuller,
Measurement Error Models, Wiley 1987 (the correction); G. H. Golub, V. Pereyra, SIAM J. Numer. Anal. 10 (1973) 413
(elimination of the states).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from identikit.method.reference._linear_matrix import Pattern
from identikit.method.reference._local_fits import LocalFits
from identikit.method.reference._settings import REFERENCE
from identikit.numerics import Descent, Information, gauss_newton, symmetric_inverse
from identikit.progress import Progress

DESCENT = Descent(damping=1e-4, tries=30)

Matrix = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
"""Unknowns q -> A and dA/dq."""


@dataclass(frozen=True)
class Solved:
    """Unknowns, their covariance, and the state at each record's first reference point (None: not solved for)."""

    q: np.ndarray
    covariance: np.ndarray
    first: list[np.ndarray]


def noise_of(fits: Sequence[LocalFits]) -> np.ndarray:
    """Standard deviation of each channel's samples, from what the local polynomials leave over."""
    squares, spare = sum(fit.squares for fit in fits), sum(fit.spare for fit in fits)
    floor = 1e-12 * np.max(np.abs(np.concatenate([fit.value for fit in fits])), axis=0)
    return np.maximum(np.sqrt(squares / np.maximum(spare, 1)), np.maximum(floor, 1e-300))


def by_slopes(fits: Sequence[LocalFits], pattern: Pattern, sigma: np.ndarray) -> Solved:
    """Weighted least squares of the slopes on the values."""
    x = np.concatenate([fit.value for fit in fits])
    slope = np.concatenate([fit.slope for fit in fits])
    covariance = np.concatenate([fit.covariance for fit in fits]) * sigma[:, None, None] ** 2
    size = x.shape[1]
    value_var, slope_var, cross = covariance[:, :, 0, 0], covariance[:, :, 1, 1], covariance[:, :, 0, 1]
    rows = np.array([place[0] for place in pattern.places])
    columns = np.array([place[1] for place in pattern.places])
    # with as many points as unknowns in a row the equations hold exactly, whatever the weights
    exact = len(x) <= max(np.bincount(rows, minlength=size))
    q = np.zeros(len(rows))
    known = slope - x @ pattern.base.T
    for _ in range(REFERENCE.weight_rounds):
        A, _unused = pattern.matrix(q)
        left = slope_var - 2 * np.diag(A) * cross + value_var @ (A**2).T
        weight = 1.0 / np.maximum(left, 1e-300)
        inverses = []
        new = np.zeros_like(q)
        for i in range(size):
            own = np.flatnonzero(rows == i)
            if not len(own):
                inverses.append(np.zeros((0, 0)))
                continue
            v, w = x[:, columns[own]], weight[:, i]
            normal = (v * w[:, None]).T @ v
            right = (v * w[:, None]).T @ known[:, i]
            if not exact:
                noise = np.diag(w @ value_var[:, columns[own]])
                if np.linalg.eigvalsh(normal - 2 * noise).min() > 0:  # otherwise noise drowns a direction: leave it
                    normal = normal - noise
                    right = right - np.where(columns[own] == i, w @ cross[:, i], 0.0)
                    right = right + (w @ value_var[:, columns[own]]) * pattern.base[i, columns[own]]
            inverse = symmetric_inverse(normal)
            new[own] = inverse @ right
            inverses.append(inverse)
        q = new
    A, _unused = pattern.matrix(q)
    return Solved(
        q, _slope_covariance(x, weight, covariance, A, rows, columns, inverses), [fit.value[0] for fit in fits]
    )


def _slope_covariance(
    x: np.ndarray,
    weight: np.ndarray,
    covariance: np.ndarray,
    A: np.ndarray,
    rows: np.ndarray,
    columns: np.ndarray,
    inverses: list[np.ndarray],
) -> np.ndarray:
    """Errors of values and slopes carried through A = Y' Y^-1: dA = (dY' - A dY) Y^-1."""
    size = x.shape[1]
    value_var, slope_var, cross = covariance[:, :, 0, 0], covariance[:, :, 1, 1], covariance[:, :, 0, 1]
    error = np.einsum("ac,jc,bc->jab", A, value_var, A)
    error -= np.einsum("ab,jb->jab", A, cross) + np.einsum("ba,ja->jab", A, cross)
    error[:, range(size), range(size)] += slope_var
    gain = np.zeros((len(rows), len(x), size))  # d q / d (error of point j, equation i)
    for i in range(size):
        own = np.flatnonzero(rows == i)
        gain[own, :, i] = inverses[i] @ (x[:, columns[own]] * weight[:, i, None]).T
    return np.asarray(np.einsum("kja,jab,ljb->kl", gain, error, gain, optimize=True))


def connected(
    fits: Sequence[LocalFits],
    matrix: Matrix,
    q: np.ndarray,
    sigma: np.ndarray,
    bounds: tuple[np.ndarray, np.ndarray],
    progress: Progress,
) -> Solved | None:
    """Gauss-Newton with ever longer chains of reference points, from a start that is right to a fraction of a turn.

    None if the motion at the start grows beyond all numbers along a chain.
    """
    longest = max(fit.count for fit in fits)
    length = 1
    while True:
        length = min(2 * length, longest)
        chains = _Chains(fits, matrix, sigma, length)
        minimum = gauss_newton(chains.finite_rows, q, *bounds, DESCENT)
        if not np.isfinite(minimum.cost):
            return None
        q = minimum.p
        told = progress(length / longest, f"chains of {length} of {longest} reference points")
        if told is False or length == longest:
            _, slopes, first = chains.rows(q)
            return Solved(q, Information.of_rows(slopes).covariance, first)


class _Chains:
    """Rows of all windows, cut into chains of at most `length` reference points with a free first state each."""

    def __init__(self, fits: Sequence[LocalFits], matrix: Matrix, sigma: np.ndarray, length: int) -> None:
        self.fits, self.matrix, self.sigma, self.length = fits, matrix, sigma, length

    def finite_rows(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Residuals and their derivatives; infinite where the motion grows beyond all numbers."""
        with np.errstate(all="ignore"):
            try:
                return self.rows(q)[:2]
            except (np.linalg.LinAlgError, OverflowError):
                return np.array([np.inf]), np.zeros((1, len(q)))

    def rows(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
        """Residuals with the first states eliminated, their derivatives with respect to q (Kaufman's), and the first
        state of each record."""
        A, slopes = self.matrix(q)
        residuals, derivatives, first = [], [], []
        for fit in self.fits:
            operators, operator_slopes = _operators(fit, A, slopes)
            steps = _Steps(A, slopes)
            for begin in range(0, fit.count, self.length):
                part = slice(begin, min(begin + self.length, fit.count))
                transitions = [steps(step) for step in np.diff(fit.at[part])]
                r, d, x0 = self._chain(fit.features[part], transitions, operators[part], operator_slopes[part])
                residuals.append(r)
                derivatives.append(d)
                if begin == 0:
                    first.append(x0)
        return np.concatenate(residuals), np.concatenate(derivatives), first

    def _chain(
        self,
        features: np.ndarray,
        transitions: list[tuple[np.ndarray, np.ndarray]],
        operators: np.ndarray,
        operator_slopes: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """One chain: operators [windows, features, states] and their slopes [windows, unknowns, features, states]."""
        windows, size = len(features), len(self.sigma)
        carried = np.empty((windows, size, size))
        carried[0] = np.eye(size)
        for j, (M, _) in enumerate(transitions):
            carried[j + 1] = M @ carried[j]
        weight = np.repeat(1 / self.sigma, features.shape[2])
        H = ((operators @ carried) * weight[:, None]).reshape(-1, size)
        z = (features.reshape(windows, -1) * weight).ravel()
        if not np.isfinite(H).all():
            raise OverflowError
        Q, R = np.linalg.qr(H)
        x0 = np.linalg.lstsq(R, Q.T @ z, rcond=1e-13)[0]
        X = carried @ x0
        dX = np.zeros((windows, operator_slopes.shape[1], size))
        for j, (M, dM) in enumerate(transitions):
            dX[j + 1] = dM @ X[j] + dX[j] @ M.T
        D = np.einsum("jkfx,jx->jfk", operator_slopes, X) + operators @ np.swapaxes(dX, 1, 2)
        D = -(D * weight[:, None]).reshape(len(z), -1)
        return z - H @ x0, D - Q @ (Q.T @ D), x0


class _Steps:
    """exp(A tau) and its derivatives, kept for the few steps that occur."""

    def __init__(self, A: np.ndarray, slopes: np.ndarray) -> None:
        self.A, self.slopes = A, slopes
        self._known: dict[float, tuple[np.ndarray, np.ndarray]] = {}

    def __call__(self, step: float) -> tuple[np.ndarray, np.ndarray]:
        key = float(f"{step:.10g}")
        if key not in self._known:
            self._known[key] = exponential(self.A * step, self.slopes * step)
        return self._known[key]


def exponential(A: np.ndarray, slopes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """exp(A) and its derivatives along `slopes` [unknowns, n, n], as a block of one larger exponential each."""
    from scipy.linalg import expm

    size = len(A)
    blocks = np.zeros((len(slopes), 2 * size, 2 * size))
    blocks[:, :size, :size] = blocks[:, size:, size:] = A
    blocks[:, :size, size:] = slopes
    found = expm(blocks)
    return found[0, :size, :size], np.ascontiguousarray(found[:, :size, size:])


def _operators(fit: LocalFits, A: np.ndarray, slopes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """From a window's state to its expected features [windows, features of all channels, states], and the derivatives
    [windows, unknowns, features, states]."""
    orders, size = fit.moments.shape[-1], len(A)
    powers, power_slopes = [np.eye(size)], [np.zeros_like(slopes)]
    for _ in range(1, orders):
        power_slopes.append(slopes @ powers[-1] + A @ power_slopes[-1])
        powers.append(A @ powers[-1])
    largest = np.abs(fit.moments[:1]).max(axis=(1, 2, 3))
    alike = bool(np.all(np.abs(fit.moments - fit.moments[:1]) <= 1e-12 * largest))
    moments = fit.moments[:1] if alike else fit.moments
    operators = np.einsum("jcfk,kcx->jcfx", moments, np.array(powers), optimize=True)
    changes = np.einsum("jcfk,kqcx->jqcfx", moments, np.array(power_slopes), optimize=True)
    operators = operators.reshape(len(moments), -1, size)
    changes = changes.reshape(len(moments), len(slopes), -1, size)
    return (
        np.broadcast_to(operators, (fit.count, *operators.shape[1:])),
        np.broadcast_to(changes, (fit.count, *changes.shape[1:])),
    )
