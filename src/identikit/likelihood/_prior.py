"""What is known of parameters beforehand, as a function of them: added to log L where a posterior is climbed."""

from __future__ import annotations

import numpy as np

from identikit.problem import Problem


def prior_heights(problem: Problem, p: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Logarithm [n] of the normal priors at p [n, free] but for a constant, its gradient [n, free], and its information
    [free, free]."""
    mean, weight = np.zeros(p.shape[1]), np.zeros(p.shape[1])
    for name, (centre, std) in problem.priors.items():
        i = problem.free.index(name)
        mean[i], weight[i] = centre, 1 / std**2
    off = p - mean
    return -0.5 * np.sum(weight * off**2, axis=-1), -weight * off, np.diag(weight)
