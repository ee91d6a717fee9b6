"""A linear system seen through windows around reference points, as the paper has it, and what its samples can tell.

x' = A x, every state measured 2n + 1 times at spacing h = n^(-5/4) around t = 0, D, 2D, ..., with errors that are
uniform on [-1/8, 1/8]. The motion is the closed form that the paper prints, exp(A t) x(0), through the eigenvectors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from identikit.measurement import Record
from identikit.method.reference_points import ReferencePoints
from identikit.model import library_model
from identikit.problem import Problem

Array = NDArray[Any]

SAMPLES_TO_A_SIDE = 100_000  # samples on either side of a reference point
EXPONENT = 1.25  # of the spacing, h = n^-EXPONENT
LARGEST_ERROR = 1 / 8  # largest error of a sample
NOISE = LARGEST_ERROR / np.sqrt(3)  # its standard deviation
THIN = 400  # samples on either side that the bound is summed over: windows are dense, so a few stand for all
DIFFERENCE_STEP = 1e-6  # of numerical derivatives; what is moved is of order one

AS_PRINTED = {"connect": False, "degree": 1}  # and as many points as states
CONNECTED: dict[str, Any] = {}
CONSERVATIVE = {"structure": "conservative"}
BOUND_NOTE = (
    "The bound is that of Gaussian errors of the same variance. Uniform errors have sharp edges and no Cramer-Rao "
    "bound of their own; a method that knows the edges could go below, and none here does."
)


@dataclass(frozen=True)
class Experiment:
    """A system and its windows.

    Arguments:
        matrix, initial: of x' = A x. spacing: between reference points.
        half: n, samples to a side. exponent: alpha of the samples' spacing, h = n^-alpha.
    """

    matrix: Array
    initial: Array
    spacing: float
    half: int = SAMPLES_TO_A_SIDE
    exponent: float = EXPONENT

    @property
    def size(self) -> int:
        return len(self.initial)

    @property
    def width(self) -> float:
        """n h, half of a window's width."""
        return float(self.half ** (1 - self.exponent))

    @property
    def unknowns(self) -> Array:
        """All entries of A, then x(0)."""
        return np.concatenate([self.matrix.ravel(), self.initial])

    @property
    def settings(self) -> dict[str, Any]:
        """What the item says it was done with."""
        return {
            "A": self.matrix.tolist(),
            "x(0)": self.initial.tolist(),
            "step between reference points": self.spacing,
            "n": self.half,
            "h": self.half**-self.exponent,
            "noise": "uniform on [-1/8, 1/8]",
        }

    def times(self, half: int | None = None) -> Array:
        """Of all samples, or of `half` evenly over the same windows; the first window reaches before t = 0."""
        count = half or self.half
        offsets = np.linspace(-1, 1, 2 * count + 1) * self.width
        return np.concatenate([j * self.spacing + offsets for j in range(self.size)])

    def samples(self, seed: int) -> Array:
        """One noise draw, [states, times]."""
        values = motion(self.matrix, self.initial, self.times())
        return values + np.random.default_rng(seed).uniform(-LARGEST_ERROR, LARGEST_ERROR, values.shape)

    def estimate(self, samples: Array, options: Mapping[str, Any]) -> Array:
        """A by the method reference_points, without the judgement of a whole fit, which would take a minute."""
        names = [f"x_{i + 1}" for i in range(self.size)]
        record = Record.from_arrays(self.times(), dict(zip(names, samples, strict=True)))
        problem = Problem.pose(library_model("linear" if self.size == 2 else f"linear{self.size}"), record)
        method = ReferencePoints()
        asked = {"points": self.size, **options} if options == AS_PRINTED else options
        found = method.again(method.resolve_options(asked), 0, problem)
        if len(found) == self.size**2:
            return np.reshape(found, (self.size, self.size))
        return stacked(-np.reshape(found, (self.size // 2, self.size // 2)))

    def covariance(self, system: Callable[[Array], tuple[Array, Array]], at: Array) -> Array:
        """The Cramer-Rao bound of unknowns that `system` turns into A and x(0), at their true values."""
        time = self.times(THIN)
        slopes = derivative(lambda p: motion(*system(p), time).ravel(), at)
        each = NOISE**2 * (2 * THIN + 1) / (2 * self.half + 1)  # variance of a sample that stands for many
        found: Array = np.linalg.inv(slopes.T @ slopes / each)
        return found

    def full_covariance(self) -> Array:
        """The bound of `unknowns`."""
        split = self.size**2
        return self.covariance(lambda p: (p[:split].reshape(self.size, -1), p[split:]), self.unknowns)


def motion(matrix: Array, initial: Array, time: Array) -> Array:
    """exp(A t) x(0), [states, times]."""
    rates, vectors = np.linalg.eig(matrix)
    shares = np.linalg.solve(vectors, initial.astype(complex))
    return np.real(vectors @ (shares[:, None] * np.exp(np.outer(rates, time))))


def stacked(stiffness: Array) -> Array:
    """[0 I; -K 0]."""
    zero, one = np.zeros_like(stiffness), np.eye(len(stiffness))
    return np.block([[zero, one], [-stiffness, zero]])


def derivative(function: Callable[[Array], Array], at: Array) -> Array:
    """By central differences, [values, unknowns]."""
    columns = [
        (function(at + step) - function(at - step)) / (2 * DIFFERENCE_STEP)
        for step in DIFFERENCE_STEP * np.eye(len(at))
    ]
    return np.stack(columns, axis=-1)
