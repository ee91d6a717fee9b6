"""Gauss-Newton within bounds, damped only where the full step fails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from identikit.progress import Progress, silent

Rows = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
FIRST_DAMPING, MOST_DAMPING = 1e-3, 1e10


@dataclass(frozen=True)
class Minimum:
    """Where an iteration ended; `path` holds every accepted set of parameters, the start first."""

    p: np.ndarray
    cost: float
    path: tuple[np.ndarray, ...]
    converged: bool
    stopped: bool = False

    @property
    def rounds(self) -> int:
        return len(self.path) - 1

    def after(self, first: Minimum) -> Minimum:
        """This minimum with the way that led to its start put before its own."""
        return replace(self, path=first.path + self.path[1:], stopped=first.stopped or self.stopped)


def gauss_newton(
    rows: Rows,
    p: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    tolerance: float = 1e-6,
    rounds: int = 50,
    progress: Progress = silent,
) -> Minimum:
    """Minimise |r(p)|^2 from p; ends when no parameter moves by more than `tolerance` of its size.

    Each step solves the linearised problem by QR with scaled columns; one that does not lower the cost is repeated with
    Levenberg's damping, relative to the columns. `rows(p)` gives r [R] and dr/dp [R, free].
    """
    r, slopes = rows(p)
    cost = float(r @ r)
    path, damping = [p], 0.0
    for index in range(rounds):
        if progress(index / rounds, f"round {index}, sum of squares {cost:.4g}") is False:
            return Minimum(p, cost, tuple(path), False, True)
        size = np.sqrt(np.einsum("ij,ij->j", slopes, slopes))
        scale = np.where(size > 0, size, 1.0)
        while True:
            a = slopes if damping == 0 else np.concatenate([slopes, np.diag(np.sqrt(damping) * scale)])
            b = -r if damping == 0 else np.concatenate([-r, np.zeros(len(p))])
            step = bounded_least_squares(a, b, low - p, high - p)
            small = bool((np.abs(step) <= tolerance * (np.abs(p) + tolerance * _typical(low, high))).all())
            new_r, new_slopes = rows(p + step)
            new = float(new_r @ new_r)
            if np.isfinite(new) and np.isfinite(new_slopes).all() and new <= cost * (1 + 1e-12):
                break
            if small or damping > MOST_DAMPING:
                return Minimum(p, cost, tuple(path), small)
            damping = max(8 * damping, FIRST_DAMPING)
        p, r, slopes, cost = p + step, new_r, new_slopes, new
        path.append(p)
        if small:
            return Minimum(p, cost, tuple(path), True)
        damping = damping / 10 if damping > FIRST_DAMPING else 0.0
    return Minimum(p, cost, tuple(path), False)


def trust_region(
    rows: Rows,
    p: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    tolerance: float = 1e-6,
    rounds: int = 100,
    progress: Progress = silent,
) -> Minimum:
    """The same minimum by an interior trust region, which stays away from bounds until it must touch them.

    Slower, but it does not fall into a corner of the bounds where Gauss-Newton's first steps may end.
    Reference: M. A. Branch, T. F. Coleman, Y. Li, SIAM J. Sci. Comput. 21 (1999) 1-23.
    """
    from scipy.optimize import least_squares

    known: dict[bytes, tuple[np.ndarray, np.ndarray]] = {}

    def at(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        key = x.tobytes()
        if key not in known:
            known.clear()
            known[key] = rows(x)
        return known[key]

    path = [p]

    def slopes(x: np.ndarray) -> np.ndarray:  # asked for at accepted points only
        path.append(x.copy())
        return np.nan_to_num(at(x)[1])

    width = np.where(np.isfinite(high - low), high - low, np.abs(p) + 1.0)
    inside = np.clip(p, low + 1e-8 * width, high - 1e-8 * width)
    if progress(0.0, "trust region") is False or not np.isfinite(at(inside)[0]).all():
        return Minimum(p, np.inf, (p,), False)
    found = least_squares(
        lambda x: np.nan_to_num(at(x)[0], nan=1e150, posinf=1e150, neginf=-1e150),
        inside,
        slopes,
        (low, high),
        x_scale="jac",
        xtol=tolerance,
        max_nfev=rounds,
    )
    return Minimum(found.x, 2 * float(found.cost), tuple(path), bool(found.status > 0))


def _typical(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """A size for parameters that may be zero."""
    width = high - low
    return np.where(np.isfinite(width), width, 1.0)


def bounded_least_squares(a: np.ndarray, b: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """min |a x - b| with low <= x <= high, columns scaled; the unbounded solution if it lies inside."""
    scale = np.sqrt(np.einsum("ij,ij->j", a, a))
    scale = np.where(scale > 0, scale, 1.0)
    q, r = np.linalg.qr(np.column_stack([a / scale, b]), mode="reduced")
    del q
    size = a.shape[1]
    left, right = r[:, :size], r[:, size]
    x = np.linalg.lstsq(left, right, rcond=1e-12)[0]
    if ((x >= low * scale) & (x <= high * scale)).all():
        return x / scale
    from scipy.optimize import lsq_linear

    found = lsq_linear(left, right, (low * scale, np.maximum(high * scale, low * scale + 1e-300)), method="bvls")
    return np.clip(found.x / scale, low, high)


def refine(rows, p: np.ndarray, low: np.ndarray, high: np.ndarray, rounds: int = 40):  # type: ignore[no-untyped-def]
    """Damped Gauss-Newton within bounds; returns the parameters and the sum of squares reached."""
    r, slopes = rows(p)
    cost = float(r @ r)
    damping = 1e-2
    for _ in range(rounds):
        scale = np.sqrt(np.einsum("ij,ij->j", slopes, slopes))
        scale = np.where(scale > 0, scale, 1.0)
        a = np.concatenate([slopes, np.diag(np.sqrt(damping) * scale)])
        step = bounded_least_squares(a, np.concatenate([-r, np.zeros(len(p))]), low - p, high - p)
        r_new, slopes_new = rows(p + step)
        new = float(r_new @ r_new)
        if np.isfinite(new) and np.isfinite(slopes_new).all() and new < cost:
            gain = (cost - new) / cost
            p, r, slopes, cost = p + step, r_new, slopes_new, new
            damping = max(damping / 5, 1e-12)
            if gain < 1e-8:
                break
        else:
            damping *= 8
            if damping > 1e8:
                break
    return p, cost
