"""The prior where nothing is known: flat over what could have been measured, however the parameters are written.

    prior(p) ~ det(S(p))^(1/2),    S = I_pp - I_px I_xx^-1 I_xp

I is the Fisher information of the parameters p without a prior of their own and of all other unknowns x, at the noise
levels of the estimate. This is Jeffreys' prior of a nonlinear regression: the volume, among all motions that the model
has, of those that belong to dp. A quality factor and a damping ratio get the same posterior by it, which a flat prior
on either does not give; its intervals hold as often as they say to a higher order in the number of samples.

Not where the record cannot tell some parameters apart at all: there S is singular, and the prior is flat.

Reference: H. Jeffreys, Proceedings of the Royal Society A 186 (1946) 453; D. M. Eaves, Biometrika 70 (1983) 367, of
nonlinear regression; B. L. Welch, H. W. Peers, Journal of the Royal Statistical Society B 25 (1963) 318, of intervals.
"""

from __future__ import annotations

import numpy as np


def log_volume(information: np.ndarray, own: np.ndarray) -> float:
    """1/2 log det S of the unknowns `own` (a mask), the others taken at their best; -inf where it is singular."""
    others = information[np.ix_(~own, ~own)]
    return 0.5 * (_log_determinant(information) - _log_determinant(others))


def _log_determinant(matrix: np.ndarray) -> float:
    """Of a positive matrix, scaled to a unit diagonal before; -inf where it is none."""
    if not len(matrix):
        return 0.0
    sizes = np.sqrt(np.maximum(np.diag(matrix), 0.0))
    if not (np.isfinite(sizes).all() and sizes.all()):
        return -np.inf
    sign, value = np.linalg.slogdet(matrix / np.outer(sizes, sizes))
    return float(value + 2.0 * np.log(sizes).sum()) if sign > 0 else -np.inf
