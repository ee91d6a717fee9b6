"""log L as a function of the parameters alone, to second order: from linear problems whose nodes have been removed.

The value counts what the last linear step of the nodes would gain, so that gaps and initial states that are right to
first order leave an error of second order. What is known of parameters beforehand is counted in.
"""

from __future__ import annotations

import numpy as np

from identikit.likelihood._elimination import LinearProblem
from identikit.likelihood._noise_model import NoiseModel
from identikit.numerics import Heights
from identikit.problem import Problem


def linear_heights(
    problem: Problem,
    noise: NoiseModel,
    p: np.ndarray,
    residual: np.ndarray,
    sigma: np.ndarray,
    linear: LinearProblem,
    squares: np.ndarray,
) -> Heights:
    """Value, gradient and information of n sets.

    Arguments:
        p: [n, free]; residual: [n, samples, outputs] before the linear step; sigma: [n, outputs].
        squares: sum of squares [n] of the weighted residuals.
    """
    rows, right = linear.information_rows, linear.right_side
    gain = 0.5 * (squares - np.sum(right**2, axis=-1))
    return with_priors(
        problem,
        p,
        Heights(
            noise.log_likelihood(residual, sigma) + gain,
            np.einsum("nij,ni->nj", rows, right),
            np.einsum("nij,nik->njk", rows, rows),
        ),
    )


def with_priors(problem: Problem, p: np.ndarray, found: Heights) -> Heights:
    """The same with the normal priors on parameters at p [n, free], but for a constant."""
    mean, weight = np.zeros(p.shape[1]), np.zeros(p.shape[1])
    for name, (centre, std) in problem.priors.items():
        i = problem.free.index(name)
        mean[i], weight[i] = centre, 1 / std**2
    off = p - mean
    return Heights(
        found.value - 0.5 * np.sum(weight * off**2, axis=-1),
        found.gradient - weight * off,
        found.information + np.diag(weight),
    )
