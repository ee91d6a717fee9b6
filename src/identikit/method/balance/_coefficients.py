"""From coefficients theta to the parameters p that they are functions of, with what noise makes of both.

The coefficients came from linear rows A theta = b; the parameters minimise |R (theta(p) - theta)|, A = Q R, within
their bounds. As many coefficients as parameters: theta(p) = theta, unless no parameters within the bounds have these
coefficients (w0^2 < 0).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import sympy as sp

from identikit.model import jointly_affine, symbol
from identikit.numerics import between, bounded_least_squares, evenly, middle, refine
from identikit.problem import Problem

CANDIDATES = 200
REFINED = 6
ALIKE = 1e-14  # of the squares to explain: solutions this near to each other are equally good
FLOOR = 1e-12  # of the largest variance, in scaled coefficients: what is known better counts as known exactly

WEAK = 0.3  # relative deviation from which a coefficient counts as unknown
SHARPER = 0.1  # deviation of a sum, over that of its parts, from which the sum is worth telling

Theta = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class CoefficientFit:
    """Coefficients with their covariance, and the parameters that come nearest to them.

    Arguments:
        labels: the coefficients as text.
        theta, covariance: of the coefficients as the rows alone give them.
        reached: theta(p) at the parameters found.
        slopes: d theta / d p there.
        gain: d p / d theta.
    """

    labels: tuple[str, ...]
    theta: np.ndarray
    covariance: np.ndarray
    p: np.ndarray
    reached: np.ndarray
    slopes: np.ndarray
    gain: np.ndarray

    @property
    def deviation(self) -> np.ndarray:
        """Standard deviations of the parameters."""
        variance = np.einsum("ij,jk,ik->i", self.gain, self.covariance, self.gain)
        return np.sqrt(np.maximum(variance, 0.0))

    @property
    def whitened(self) -> np.ndarray:
        """C^(-1/2) d theta/d p: rows whose Gram matrix is the information on p."""
        return _inverse_root(self.covariance) @ self.slopes

    @property
    def departure(self) -> float:
        """Distance of the coefficients from any that parameters within the bounds have, in standard deviations."""
        return float(np.linalg.norm(_inverse_root(self.covariance) @ (self.reached - self.theta)))

    def sentence(self) -> str:
        """The coefficient that is furthest from what can be reached, with its value."""
        spread = np.sqrt(np.diag(self.covariance))
        worst = int(np.argmax(np.abs(self.reached - self.theta) / np.where(spread > 0, spread, np.inf)))
        return (
            f"the balance asks for {self.labels[worst]} = {self.theta[worst]:.3g} +- {spread[worst]:.2g}, "
            f"but parameters within their bounds reach {self.reached[worst]:.3g}"
        )


def fit_coefficients(
    problem: Problem,
    labels: Sequence[str],
    function: Theta,
    linear: Sequence[int],
    rows: np.ndarray,
    theta: np.ndarray,
    covariance: np.ndarray,
    seed: int,
) -> CoefficientFit:
    """Parameters within their bounds whose coefficients fit best.

    Arguments:
        function: p to theta and its derivatives.
        linear: indices of free parameters in which theta is jointly affine: solved for, not searched.
        rows: A, whose columns belong to theta.
    """
    triangle = np.asarray(np.linalg.qr(rows, mode="r"))
    low = np.array([problem.bounds[name][0] for name in problem.free])
    high = np.array([problem.bounds[name][1] for name in problem.free])

    def residual(p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        value, slopes = function(p)
        return triangle @ (value - theta), triangle @ slopes

    tried = []
    for index, p in enumerate(_candidates(problem, low, high, linear, seed)):
        cost = _eliminate(residual, p, linear, low, high)
        if np.isfinite(cost):
            tried.append((cost, index, p))
    tried.sort(key=lambda item: item[:2])
    ends = [refine(residual, p, low, high) for _, _, p in tried[:REFINED]]
    p, cost = min(ends, key=lambda item: item[1], default=(middle(low, high), np.inf))
    # even functions such as w0^2 leave the sign open: then it is that of the model's own value, or plus
    usual = [problem.model.parameter(name).value or 1.0 for name in problem.free]
    mirrored, other = refine(residual, np.clip(np.copysign(p, usual), low, high), low, high)
    if other <= cost + ALIKE * float(np.sum((triangle @ theta) ** 2)):
        p = mirrored
    reached, slopes = function(p)
    scaled = triangle @ slopes
    scale = np.sqrt(np.einsum("ij,ij->j", scaled, scaled))
    scale = np.where(scale > 0, scale, 1.0)
    gain = np.linalg.pinv(scaled / scale, rcond=1e-12) @ triangle / scale[:, None]
    return CoefficientFit(tuple(labels), theta, covariance, p, reached, slopes, gain)


def affine(coefficients: Sequence[sp.Expr], free: Sequence[str]) -> tuple[int, ...]:
    """The largest set of free parameters, found greedily, in which all coefficients are jointly affine."""
    return tuple(free.index(str(item)) for item in jointly_affine(coefficients, map(symbol, free)))


def _candidates(
    problem: Problem, low: np.ndarray, high: np.ndarray, linear: Sequence[int], seed: int
) -> list[np.ndarray]:
    base = np.clip(np.zeros(len(low)), low, high)
    searched = [i for i in range(len(low)) if i not in linear]
    if not searched:
        return [base]
    found = []
    for shares in evenly(CANDIDATES, len(searched), seed):
        p = base.copy()
        for share, i in zip(shares, searched, strict=True):
            p[i] = problem.start.get(problem.free[i], between(share, low[i], high[i]))
        found.append(p)
    return found


def _eliminate(residual: Theta, p: np.ndarray, linear: Sequence[int], low: np.ndarray, high: np.ndarray) -> float:
    """Set the parameters that enter linearly to their best (in place), and return the sum of squares."""
    rows, slopes = residual(p)
    chosen = list(linear)
    if chosen and np.isfinite(rows).all() and np.isfinite(slopes).all():
        step = bounded_least_squares(slopes[:, chosen], -rows, low[chosen] - p[chosen], high[chosen] - p[chosen])
        p[chosen] += step
        rows = rows + slopes[:, chosen] @ step
    return float(rows @ rows)


def _inverse_root(covariance: np.ndarray) -> np.ndarray:
    """C^(-1/2), with directions of next to no variance kept finite."""
    scale = np.sqrt(np.maximum(np.diag(covariance), 1e-300))
    value, vector = np.linalg.eigh(covariance / np.outer(scale, scale))
    value = np.maximum(value, FLOOR * value.max())
    found: np.ndarray = (vector / np.sqrt(value)).T / scale
    return found


@dataclass(frozen=True)
class Confusion:
    """Parameters that the coefficients cannot tell apart, and in words what they do tell of them."""

    parameters: tuple[str, ...]
    known: tuple[str, ...]


def confusion(fit: CoefficientFit, free: Sequence[str], unknown: Sequence[str]) -> Confusion:
    """What a record tells although it does not tell the parameters `unknown`: sums of two poor coefficients that are
    known far better than either, and coefficients that hold an unknown parameter and are known themselves.

    Parameters of coefficients in such a sum count as unknown too, however large the estimate that they are compared
    with has come out: it is as poor as the coefficients are.
    """
    spread = np.sqrt(np.diag(fit.covariance))
    relative = spread / np.maximum(np.abs(fit.theta), 1e-300)
    weak = [j for j in range(len(fit.theta)) if relative[j] > WEAK]
    sums = [(found, {i, j}) for i, j in combinations(weak, 2) if (found := _sum(fit, i, j)) is not None]
    paired = set().union(*(pair for _, pair in sums)) if sums else set()
    poor = set(unknown).union(*(_words(fit.labels[j]) & set(free) for j in paired))
    # one direction is lost to all that are weak, so one sum less than there are of them is news
    best = sorted(found for found, _ in sums)[: max(len(paired) - 1, 0)]
    sure = [j for j, label in enumerate(fit.labels) if j not in weak and poor & _words(label)]
    known = [*(text for _, text in best), *(f"{fit.labels[j]} = {fit.theta[j]:.4g} +- {spread[j]:.2g}" for j in sure)]
    return Confusion(tuple(name for name in free if name in poor), tuple(known))


def _sum(fit: CoefficientFit, i: int, j: int) -> tuple[float, str] | None:
    """theta_i + factor theta_j with the factor of least variance, and its deviation over that of theta_i; None if it
    is not much better known."""
    if fit.covariance[i, i] < fit.covariance[j, j]:
        i, j = j, i  # so that the factor is above one
    factor = -fit.covariance[i, j] / fit.covariance[j, j]
    spread = float(np.sqrt(fit.covariance[i, i]))
    for trial in (float(round(factor)), float(f"{factor:.3g}")):  # a whole number if that does as well
        weights = np.zeros(len(fit.theta))
        weights[i], weights[j] = 1.0, trial
        deviation = float(np.sqrt(max(weights @ fit.covariance @ weights, 0.0)))
        if trial != 0 and deviation < SHARPER * spread:
            number = "" if abs(trial) == 1 else f"{abs(trial):g}*"
            text = f"{fit.labels[i]} {'-' if trial < 0 else '+'} {number}{fit.labels[j]}"
            return deviation / spread, f"{text} = {weights @ fit.theta:.4g} +- {deviation:.2g}"
    return None


def _words(label: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w*", label))
