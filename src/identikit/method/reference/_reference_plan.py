"""Planning an experiment with reference points: spacing, window and samples for a wanted accuracy.

By slopes alone the estimate of A has a bias from the windows' width and a scatter from noise. With N samples in windows
of half-width w around n points,

    bias        D(Aw) V(Aw)^-1 - A            V, D: what the local polynomial makes of exp(A s), value and slope
    variance    (g_1 sigma^2/(N w^2) + g_0 sigma^2/N sum_c A_ic^2) [(Y Y')^-1]_jj      of the entry A_ij

(g_0, g_1 = 1, 3 for degree 1; the bias is of order w^2 for degrees 1 and 2, w^4 for 3 and 4). The plan takes the
spacing and the width that make the sum of both least. The Cramer-Rao bounds for the same samples in these windows, and
for as many spread evenly over the same span, say what is lost by the method and by the design.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from identikit.errors import OptionError
from identikit.method.reference._linear_matrix import Pattern
from identikit.method.reference._local_fits import fit_windows
from identikit.method.reference._reference_solve import exponential
from identikit.method.reference._settings import REFERENCE
from identikit.numerics import Information, standard_errors


@dataclass(frozen=True)
class ReferencePlan:
    """A design, and what to expect of it; errors are rms over the entries of A.

    `window` is the half-width; `samples` are those around each point; `bound` is the Cramer-Rao bound with these
    samples, `bound_spread` with as many spread evenly over the same span.
    """

    spacing: float
    window: float
    points: int
    samples: int
    degree: int
    error: float
    bias: float
    deviation: float
    condition: float
    bound: float
    bound_spread: float

    def __str__(self) -> str:
        return (
            f"{self.points} reference points {self.spacing:.4g} apart, {self.samples} samples within "
            f"{self.window:.4g} of each: rms error of the slopes {self.error:.2g} (noise {self.deviation:.2g}, width "
            f"{self.bias:.2g}), of connected points {self.bound:.2g}. The same {self.points * self.samples} samples "
            f"spread evenly over the same time: {self.bound_spread:.2g}."
        )


def plan_reference_points(
    A: Sequence[Sequence[float]] | np.ndarray | None = None,
    *,
    frequencies: Sequence[float] | None = None,
    initial: Sequence[float] | np.ndarray | None = None,
    sigma: float,
    accuracy: float | None = None,
    samples: int | None = None,
    degree: int = 1,
    longest: float | None = None,
) -> ReferencePlan:
    """Spacing, window and samples of an experiment for x' = A x with as many reference points as states.

    Arguments:
        A: the matrix, roughly; or
        frequencies: those of a conservative system, roughly (rad per time), positions first, then velocities.
        initial: the state at the first point; None = every mode excited alike.
        sigma: noise of one sample.
        accuracy: wanted rms error of the entries of A; or
        samples: how many can be taken around each point.
        degree: of the local polynomials; 1 = as published.
        longest: the longest spacing that is possible; None = up to half a period of the fastest mode.

    The numbers are for slopes alone (A = Y' Y^-1); connected points do better, see `bound`. Not for a matrix that is
    wrong by more than a factor of two or so: measure roughly first, then plan.
    """
    matrix = _matrix(A, frequencies)
    start = _excited(matrix) if initial is None else np.asarray(initial, float)
    if start.shape != (len(matrix),):
        raise OptionError(f"initial has {start.size} values for {len(matrix)} states")
    if not sigma > 0:
        raise OptionError(f"sigma is {sigma}: expected the noise of one sample, above zero")
    if (accuracy is None) == (samples is None):
        raise OptionError("give either the wanted accuracy or the samples around each point, not both or neither")
    if not 1 <= degree <= 5:
        raise OptionError(f"degree is {degree}: expected 1 to 5")
    designs = _Designs(matrix, start, sigma, degree, longest)
    if samples is not None:
        if samples < 4 * (degree + 1):
            raise OptionError(f"samples is {samples}: expected at least {4 * (degree + 1)} around each point")
        return designs.best(samples)
    assert accuracy is not None
    if not accuracy > 0:
        raise OptionError(f"accuracy is {accuracy}: expected an rms error above zero")
    low, high = 4 * (degree + 1), REFERENCE.most_samples
    if designs.error(high) > accuracy:
        raise OptionError(
            f"an rms error of {accuracy:g} needs more than {REFERENCE.most_samples:.0e} samples around each point: use "
            "a higher degree, a larger initial state, or spread the samples and use shooting"
        )
    while high > low + 1 and high > 1.01 * low:
        middle = int(np.sqrt(low * high))
        low, high = (middle, high) if designs.error(middle) > accuracy else (low, middle)
    return designs.best(high)


def _matrix(A: Sequence[Sequence[float]] | np.ndarray | None, frequencies: Sequence[float] | None) -> np.ndarray:
    if (A is None) == (frequencies is None):
        raise OptionError("give either the matrix A or the frequencies, roughly")
    if A is not None:
        matrix = np.asarray(A, float)
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not np.isfinite(matrix).all():
            raise OptionError(f"A has the shape {matrix.shape}: expected a square matrix of finite numbers")
        return matrix
    w = np.asarray(frequencies, float)
    if not (w > 0).all() or len(set(w.tolist())) < len(w):
        raise OptionError("frequencies must be above zero and distinct")
    zero, one = np.zeros((len(w), len(w))), np.eye(len(w))
    return np.block([[zero, one], [-np.diag(w**2), zero]])


def _excited(A: np.ndarray) -> np.ndarray:
    """A state that holds every mode alike, of length one."""
    vectors = np.linalg.eig(A)[1]
    state = np.real(vectors.sum(axis=1)) + np.imag(vectors).sum(axis=1)
    return np.asarray(state / np.linalg.norm(state))


class _Designs:
    """All spacings and widths, evaluated for any number of samples: bias once, variance in proportion to 1/N."""

    def __init__(self, A: np.ndarray, initial: np.ndarray, sigma: float, degree: int, longest: float | None) -> None:
        self.A, self.initial, self.sigma, self.degree = A, initial, sigma, degree
        values = np.linalg.eigvals(A)
        limits = [REFERENCE.turn * np.pi / float(np.abs(values.imag).max()) if np.any(values.imag) else np.inf]
        limits.append(
            REFERENCE.growth / float(np.abs(values.real).max()) if np.abs(values.real).max() > 1e-9 else np.inf
        )
        limits.append(longest if longest is not None else np.inf)
        top = min(limits)
        if not np.isfinite(top):
            raise OptionError("A has no time scale (all eigenvalues are zero): there is nothing to plan")
        self.spacings = top * np.linspace(1.0 / REFERENCE.spacings, 1.0, REFERENCE.spacings)
        self._widths = []
        for width in top / 2 * np.geomspace(REFERENCE.smallest_width, 1.0, REFERENCE.widths):
            V, D, g0, g1 = local_operators(A, float(width), degree)
            bias = D @ np.linalg.pinv(V) - A
            noise = sigma**2 * (g1 / width**2 + g0 * np.sum(A**2, axis=1))
            self._widths.append((float(width), float(np.mean(bias**2)), float(np.mean(noise))))
        self._states = [self._inverse(spacing) for spacing in self.spacings]

    def _inverse(self, spacing: float) -> tuple[float, float]:
        """Mean diagonal of (Y Y')^-1 and the condition of Y."""
        step, _ = exponential(self.A * spacing, np.zeros((1, *self.A.shape)))
        states = [self.initial]
        for _ in range(len(self.A) - 1):
            states.append(step @ states[-1])
        Y = np.array(states)
        with np.errstate(over="ignore", invalid="ignore"):  # states that nearly coincide have no inverse
            inverse = float(np.mean(np.diag(Information.of_rows(Y).covariance)))
        return inverse if np.isfinite(inverse) else np.inf, float(np.linalg.cond(Y))

    def _best(self, samples: int) -> tuple[float, float, float, float, float]:
        choices = [
            (squares + noise * inverse / samples, spacing, width, squares, cond)
            for spacing, (inverse, cond) in zip(self.spacings, self._states, strict=True)
            for width, squares, noise in self._widths
            if width <= spacing / 2 * (1 + 1e-9)
        ]
        return min(choices)

    def error(self, samples: int) -> float:
        return float(np.sqrt(self._best(samples)[0]))

    def best(self, samples: int) -> ReferencePlan:
        total, spacing, width, squares, cond = self._best(samples)
        points = len(self.A)
        centres = spacing * np.arange(points)
        inside = np.linspace(-width, width, REFERENCE.places)
        clustered = (centres[:, None] + inside).ravel()
        spread = np.linspace(clustered[0], clustered[-1], REFERENCE.places * points)
        each = samples / REFERENCE.places
        return ReferencePlan(
            float(spacing),
            width,
            points,
            samples,
            self.degree,
            float(np.sqrt(total)),
            float(np.sqrt(squares)),
            float(np.sqrt(total - squares)),
            cond,
            self.bound(clustered, each),
            self.bound(spread, each),
        )

    def bound(self, times: np.ndarray, repeats: float) -> float:
        """rms over the entries of A of the Cramer-Rao bound, all of A and the state unknown."""
        size = len(self.A)
        pattern = Pattern.full(size)
        _, slopes = pattern.matrix(self.A.ravel())
        rows = []
        M, dM = exponential(self.A * times[0], slopes * times[0])
        state, towards, carried = M @ self.initial, (dM @ self.initial).T, M
        known: dict[float, tuple[np.ndarray, np.ndarray]] = {}
        for index in range(len(times)):
            if index:
                step = float(f"{times[index] - times[index - 1]:.9g}")
                if step not in known:
                    known[step] = exponential(self.A * step, slopes * step)
                M, dM = known[step]
                towards = (dM @ state).T + M @ towards
                state, carried = M @ state, M @ carried
            rows.append(np.concatenate([towards, carried], axis=1) * np.sqrt(repeats) / self.sigma)
        if not np.isfinite(rows).all():
            return float("inf")  # the motion has no bound
        return float(np.sqrt(np.mean(standard_errors(np.concatenate(rows))[: size * size] ** 2)))


def local_operators(A: np.ndarray, width: float, degree: int) -> tuple[np.ndarray, np.ndarray, float, float]:
    """What a local polynomial over [-width, width] makes of exp(A s): value V and slope D, with their variances g_0 and
    g_1 / width^2 per sample and unit noise variance."""
    places = np.linspace(-width, width, REFERENCE.places)
    fit = fit_windows(places, [np.zeros(REFERENCE.places)], np.zeros(1), np.array([width]), degree, 30)
    moments, recover = fit.moments[0, 0], fit.recover[0, 0]
    weights = recover @ moments
    powers = [np.eye(len(A))]
    for _ in range(1, moments.shape[1]):
        powers.append(A @ powers[-1])
    V, D = np.einsum("vk,kab->vab", weights, np.array(powers))
    g0, g1 = REFERENCE.places * np.sum(recover**2, axis=1)
    return V, D, float(g0), float(g1 * width**2)
