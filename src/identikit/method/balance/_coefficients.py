"""From coefficients theta to the parameters p that they are functions of, with what noise makes of both.

The coefficients came from linear rows A theta = b; the parameters minimise |R (theta(p) - theta)|, A = Q R, within
their bounds. As many coefficients as parameters: theta(p) = theta, unless no parameters within the bounds have these
coefficients (w0^2 < 0).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import sympy as sp

from identikit.method.balance._settings import BALANCE
from identikit.model import jointly_affine, symbol
from identikit.numerics import FROM_AFAR, ResidualFunction, gauss_newton, middle, pseudo_inverse, search, whitening
from identikit.problem import Problem
from identikit.result import Finding, finding


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
        """Standard errors of the parameters."""
        variance = np.einsum("ij,jk,ik->i", self.gain, self.covariance, self.gain)
        return np.sqrt(np.maximum(variance, 0.0))

    @property
    def whitened(self) -> np.ndarray:
        """C^(-1/2) d theta/d p: rows whose Gram matrix is the information on p."""
        return whitening(self.covariance) @ self.slopes

    @property
    def departure(self) -> float:
        """Distance of the coefficients from any that parameters within the bounds have, in standard errors."""
        return float(np.linalg.norm(whitening(self.covariance) @ (self.reached - self.theta)))

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
    function: ResidualFunction,
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

    searched = [i for i in range(len(low)) if i not in linear]
    given = np.array([problem.start.get(name, np.nan) for name in problem.free])
    base = np.clip(np.zeros(len(low)), low, high)
    minima = search(
        residual,
        base,
        searched,
        low,
        high,
        given=given,
        count=BALANCE.candidates,
        best=BALANCE.refined_candidates,
        seed=seed,
    )
    margin = BALANCE.alike * float(np.sum((triangle @ theta) ** 2))
    cost = minima[0].cost if minima else np.inf
    alike = [minimum.p for minimum in minima if minimum.cost <= cost + margin] or [middle(low, high)]
    # periodic functions such as sin(offset) leave whole turns open: then the smallest values are taken
    p = min(alike, key=lambda p: float(np.sum(np.abs(p) / np.maximum(np.max(np.abs(alike), axis=0), 1e-300))))
    # even functions such as w0^2 leave the sign open: then it is that of the model's own value, or plus
    usual = [problem.model.parameter(name).value or 1.0 for name in problem.free]
    mirrored = gauss_newton(residual, np.clip(np.copysign(p, usual), low, high), low, high, FROM_AFAR)
    if mirrored.cost <= cost + margin:
        p = mirrored.p
    reached, slopes = function(p)
    gain = pseudo_inverse(triangle @ slopes) @ triangle
    return CoefficientFit(tuple(labels), theta, covariance, p, reached, slopes, gain)


def parameters_near(
    problem: Problem, function: ResidualFunction, rows: np.ndarray, theta: np.ndarray, near: np.ndarray
) -> np.ndarray:
    """The parameters next to known ones whose coefficients fit best: `fit_coefficients` without its search."""
    triangle = np.asarray(np.linalg.qr(rows, mode="r"))

    def residual(p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        value, slopes = function(p)
        return triangle @ (value - theta), triangle @ slopes

    return gauss_newton(residual, near, *problem.limits).p


def affine(coefficients: Sequence[sp.Expr], free: Sequence[str]) -> tuple[int, ...]:
    """The largest set of free parameters, found greedily, in which all coefficients are jointly affine."""
    return tuple(free.index(str(item)) for item in jointly_affine(coefficients, map(symbol, free)))


@dataclass(frozen=True)
class Confusion:
    """Parameters that the coefficients cannot tell apart, and in words what they do tell of them."""

    parameters: tuple[str, ...]
    known: tuple[str, ...]

    def findings(self) -> tuple[Finding, ...]:
        """What is told of the parameters; none if nothing is."""
        return (finding("still_determined", ", ".join(self.known), *self.parameters),) if self.known else ()


def confusion(fit: CoefficientFit, free: Sequence[str], unknown: Sequence[str]) -> Confusion:
    """What a record tells although it does not tell the parameters `unknown`: sums of two poor coefficients that are
    known far better than either, and coefficients that hold an unknown parameter and are known themselves.

    Parameters of coefficients in such a sum count as unknown too, however large the estimate that they are compared
    with has come out: it is as poor as the coefficients are.
    """
    spread = np.sqrt(np.diag(fit.covariance))
    relative = spread / np.maximum(np.abs(fit.theta), 1e-300)
    weak = [j for j in range(len(fit.theta)) if relative[j] > BALANCE.weak]
    sums = [(found, {i, j}) for i, j in combinations(weak, 2) if (found := _sum(fit, i, j)) is not None]
    paired = set().union(*(pair for _, pair in sums)) if sums else set()
    poor = set(unknown).union(*(_words(fit.labels[j]) & set(free) for j in paired))
    # one direction is lost to all that are weak, so one sum less than there are of them is news
    best = sorted(found for found, _ in sums)[: max(len(paired) - 1, 0)]
    sure = [j for j, label in enumerate(fit.labels) if j not in weak and poor & _words(label)]
    known = [*(text for _, text in best), *(f"{fit.labels[j]} = {fit.theta[j]:.4g} +- {spread[j]:.2g}" for j in sure)]
    return Confusion(tuple(name for name in free if name in poor), tuple(known))


def _sum(fit: CoefficientFit, i: int, j: int) -> tuple[float, str] | None:
    """theta_i + factor theta_j with the factor of least variance, and its standard error over that of theta_i; None if
    it is not much better known."""
    if fit.covariance[i, i] < fit.covariance[j, j]:
        i, j = j, i  # so that the factor is above one
    factor = -fit.covariance[i, j] / fit.covariance[j, j]
    spread = float(np.sqrt(fit.covariance[i, i]))
    for trial in (float(round(factor)), float(f"{factor:.3g}")):  # a whole number if that does as well
        weights = np.zeros(len(fit.theta))
        weights[i], weights[j] = 1.0, trial
        deviation = float(np.sqrt(max(weights @ fit.covariance @ weights, 0.0)))
        if trial != 0 and deviation < BALANCE.sharper * spread:
            number = "" if abs(trial) == 1 else f"{abs(trial):g}*"
            text = f"{fit.labels[i]} {'-' if trial < 0 else '+'} {number}{fit.labels[j]}"
            return deviation / spread, f"{text} = {weights @ fit.theta:.4g} +- {deviation:.2g}"
    return None


def _words(label: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w*", label))
