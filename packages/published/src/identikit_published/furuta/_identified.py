"""What does identify friction, and how well any unbiased method could: from the same records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from identikit._fit import fit
from identikit.likelihood import Likelihood
from identikit.model import library_model
from identikit_published.furuta._case import Case
from identikit_published.furuta.rig import FREE, OUTPUTS
from identikit.result import Result

UNTOLD = ("F_t0", "F_t1")  # tanh(4 F_n/F_t) is 1: no record depends on them
TOLD = [name for name in FREE if name not in UNTOLD]
SPACING = 0.01  # s between the samples of the bound, each as much more precise as they are rarer: the same information
MOVED = 1e-2  # of its standard deviation or value, the smaller: by which a parameter is moved for a derivative
RARER = 20  # of the samples one is taken for the mean over the run


def identified(case: Case, seed: int, method: str = "kalman") -> Result:
    """Eight parameters free, from the guess that the paper prints; F_t stays at its guess."""
    fix = {name: case.guess[name] for name in UNTOLD}
    start = {name: case.guess[name] for name in TOLD}
    return fit(case.record(seed, case.fitted), "furuta", method=method, free=TOLD, fix=fix, start=start, seed=seed)


def estimate_of(result: Result, case: Case) -> dict[str, float]:
    """The ten values; where a fit came to none, and for F_t, the guess."""
    return {name: case.guess[name] if (v := result.parameters[name].value) is None else v for name in FREE}


@dataclass(frozen=True)
class Bound:
    """Cramer-Rao bounds of a run: standard deviations of the parameters, and of the motion that they give.

    Arguments:
        std: of the parameters that the record depends on. covariance: of the same, in their order.
        motion: of the outputs [times, outputs], over what is fitted.
    """

    std: Mapping[str, float]
    covariance: NDArray[np.float64]
    motion: NDArray[np.float64]


def bound_of(case: Case) -> Bound:
    """From the information at the truth, initial states unknown; F_t left out, of which no record tells anything."""
    fitted = case.time[case.fitted]
    rarer = round(SPACING / (fitted[1] - fitted[0]))
    time = fitted[::rarer]
    planned = Likelihood.planned(
        library_model("furuta"),
        time,
        dict.fromkeys(case.outputs, case.noise / np.sqrt(rarer)),
        parameters=case.friction,
        initial=dict(zip(OUTPUTS, case.start, strict=True)),
        free=TOLD,
    )
    p = np.array([case.friction[name] for name in TOLD])
    relative = np.linalg.inv(planned.information(p) * np.outer(p, p))
    std = p * np.sqrt(np.diag(relative))
    named = dict(zip(TOLD, std.tolist(), strict=True))
    return Bound(named, relative * np.outer(p, p), planned.curve(p, time).std)


def goodness_bound(case: Case, bound: Bound) -> NDArray[np.float64]:
    """R^2 of both angles over the whole run, per cent, that an efficient estimate of friction has on average.

    Of the motion from the true start, as the paper's figures have it, to first order in the parameters' errors.
    """
    slopes = []
    for name in TOLD:
        true, step = case.friction[name], MOVED * min(bound.std[name], case.friction[name])
        ahead, behind = (case.free_motion({**case.friction, name: true + s}, RARER)[:2] for s in (step, -step))
        slopes.append((ahead - behind) / (2 * step))
    variance = np.einsum("pjt,pq,qjt->jt", slopes, bound.covariance, slopes, optimize=True)
    return np.asarray(100 * (1 - np.mean(variance, axis=1) / np.var(case.clean[:2], axis=1)))
