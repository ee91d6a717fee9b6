"""What makes one experiment better than another: criteria on the covariance C of the parameters.

    determinant    the geometric mean of the axes of the joint confidence region, |C|^(1/2n)        (D-optimal)
    average        root mean square of the relative standard errors                                  (A-optimal)
    largest        the largest relative standard error                                               (E, in parameters)
    goal           the largest ratio of a standard error to the one that is wanted
    a parameter    its own relative standard error                                                   (c-optimal)

Each is taken as a logarithm, so that a difference of 0.1 is a tenth in standard errors for all of them, and an
experiment that tells nothing of some combination is bad by a finite amount, the less so the less it lacks.

References: V. V. Fedorov, Theory of Optimal Experiments, Academic Press 1972; A. C. Atkinson, A. N. Donev, Optimum
Experimental Designs, Oxford 1992; G. Franceschini, S. Macchietto, Chemical Engineering Science 63 (2008) 4846.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

DETERMINANT, AVERAGE, LARGEST, GOAL = "determinant", "average", "largest", "goal"
CRITERIA = (DETERMINANT, AVERAGE, LARGEST, GOAL)
INVERSE_FLOOR = (
    1e-13  # of the largest eigenvalue of a scaled information: below is the rounding of the products that made it
)
NOTHING = 1e-60  # information in units of a parameter's size: an error of 1e30 sizes, whose square is still a number


@dataclass(frozen=True)
class Criterion:
    """A criterion and all that it needs.

    Arguments:
        kind: one of CRITERIA, or the name of a free parameter.
        names: free parameters.
        sizes: what a standard error is relative to [names].
        wanted: standard errors that are wanted [names], infinite where none is; for "goal".
        worst: judge uncertain values by the worst of their draws, not by the mean.
    """

    kind: str
    names: tuple[str, ...]
    sizes: np.ndarray
    wanted: np.ndarray
    worst: bool = False

    def scores(self, information: np.ndarray) -> np.ndarray:
        """Logarithm of the criterion [...], the smaller the better, for information [..., n, n]."""
        covariance = covariances(information * self.sizes[:, None] * self.sizes)
        if self.kind == DETERMINANT:
            _, log = np.linalg.slogdet(covariance)
            return np.asarray(log / (2 * len(self.names)))
        relative = np.sqrt(np.maximum(np.diagonal(covariance, axis1=-2, axis2=-1), 1e-300))
        return self.of_relative(relative)

    def of_relative(self, relative: np.ndarray) -> np.ndarray:
        """The same from relative standard errors [..., n]; for the determinant, which they do not tell, their
        geometric mean."""
        if self.kind == GOAL:
            return np.asarray(np.log((relative * self.sizes / self.wanted).max(axis=-1)))
        if self.kind == LARGEST:
            return np.asarray(np.log(relative.max(axis=-1)))
        if self.kind == AVERAGE:
            return np.asarray(0.5 * np.log(np.mean(relative**2, axis=-1)))
        if self.kind == DETERMINANT:
            return np.asarray(np.mean(np.log(relative), axis=-1))
        return np.asarray(np.log(relative[..., self.names.index(self.kind)]))

    def over_draws(self, scores: np.ndarray) -> np.ndarray:
        """Scores [..., draws] as one."""
        return np.asarray(scores.max(axis=-1) if self.worst else scores.mean(axis=-1))

    def judged(self, information: np.ndarray) -> np.ndarray:
        """Scores [...] for information [..., draws, n, n]."""
        return self.over_draws(self.scores(information))

    def slope(self, information: np.ndarray) -> np.ndarray:
        """Minus the derivative of a score with respect to the information [n, n], positive semidefinite.

        Where a maximum is taken it is that of the parameter which is worst.
        """
        unit = covariances(information * self.sizes[:, None] * self.sizes)
        count = len(self.names)
        if self.kind == DETERMINANT:
            inner = unit / (2 * count)
        else:
            variance = np.diagonal(unit)
            if self.kind == AVERAGE:
                weights = np.ones(count) / variance.sum()
            else:
                ratio = variance * (self.sizes / self.wanted) ** 2 if self.kind == GOAL else variance
                chosen = self.names.index(self.kind) if self.kind in self.names else int(np.argmax(ratio))
                weights = np.where(np.arange(count) == chosen, 1.0 / variance[chosen], 0.0)
            inner = unit @ (weights[:, None] * unit) / 2
        return np.asarray(inner * self.sizes[:, None] * self.sizes)


def covariances(information: np.ndarray) -> np.ndarray:
    """Inverses of many symmetric matrices [..., n, n]; a direction without information has a huge, finite variance."""
    size = np.sqrt(np.maximum(np.diagonal(information, axis1=-2, axis2=-1), NOTHING))
    scales = size[..., :, None] * size[..., None, :]
    values, vectors = np.linalg.eigh(information / scales)
    safe = np.maximum(values, INVERSE_FLOOR * np.maximum(values[..., -1:], NOTHING))
    return np.asarray((vectors / safe[..., None, :]) @ np.swapaxes(vectors, -1, -2) / scales)
