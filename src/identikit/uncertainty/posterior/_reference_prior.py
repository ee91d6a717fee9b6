"""The prior where nothing is known: flat over what could have been measured, however the unknowns are written.

    prior(u) ~ det(I(u))^(1/2)

I is the Fisher information of all unknowns without a prior of their own, initial states as well as parameters, at the
noise levels of the estimate. This is Jeffreys' prior of a nonlinear regression: the volume, among all motions that the
model has, of those that belong to du. Integrating over all unknowns but one leaves about

    posterior(u_i) ~ L_profile(u_i) / s_i(u_i)

s_i its standard error: det(I)^(1/2) makes up for the room that the others have, so that the posterior of a parameter
follows its profile likelihood, flat in the coordinate in which the record knows it as well everywhere. Half a period
knows 1/Q so; a quality factor and a damping ratio get the same posterior, which a flat prior on either does not give.

Not where the record cannot tell some unknowns apart at all: there I is singular, and the prior is flat.

References: H. Jeffreys, Proceedings of the Royal Society A 186 (1946) 453; D. M. Eaves, Biometrika 70 (1983) 367, of
nonlinear regression; B. L. Welch, H. W. Peers, Journal of the Royal Statistical Society B 25 (1963) 318, of intervals.
"""

from __future__ import annotations

import numpy as np


def log_volume(information: np.ndarray) -> float:
    """1/2 log det I; -inf where it is singular."""
    sizes = np.sqrt(np.maximum(np.diag(information), 0.0))
    if not (np.isfinite(sizes).all() and sizes.all()):
        return -np.inf
    sign, value = np.linalg.slogdet(information / np.outer(sizes, sizes))
    return float(value / 2 + np.log(sizes).sum()) if sign > 0 else -np.inf
