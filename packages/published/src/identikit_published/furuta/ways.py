"""Ways to friction: the paper's adaptive observer, the best method with its bound, and what people write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

from identikit import fit
from identikit.likelihood import Likelihood
from identikit.model import library_model
from identikit.result import Result
from identikit_published.furuta.runs import (
    CONFIDENCE_LOWER,
    CONFIDENCE_UPPER,
    FREE,
    GAMMA,
    LOWER,
    OUTPUTS,
    START,
    UPPER,
    Case,
    furuta_rate,
)

BOUNDS = {name: (LOWER, float(upper)) for name, upper in zip(FREE, UPPER, strict=True)}
ADAPTATION = "adaptation"  # the artifact that holds the observer's path
LAW = {"bounds": "table 2", "lambda_l": CONFIDENCE_LOWER, "lambda_u": CONFIDENCE_UPPER,
       "gamma": f"{GAMMA} (not printed: the one that gives table 4)", "k0": "7 (not printed)"}  # fmt: skip
OUTSIDE = (
    "The paper draws its starting values from normal distributions around the middle of the bounds of its table 2, so "
    "some may lie outside. Those of table 3 hardly come from there: all ten are 9.5 to 10.3 times the true value, but "
    "0.08 to 9.7 times the middle of the bounds. Parameters whose printed start lies outside their bounds start in the "
    "middle here. Nothing depends on it."
)


def observed(case: Case, seed: int) -> Result:
    """The adaptive observer with the bounds of table 2, from the printed guess where it lies within them."""
    start = {name: value for name, value in case.guess.items() if BOUNDS[name][0] <= value <= BOUNDS[name][1]}
    options = {"gamma": GAMMA, "lambda_l": CONFIDENCE_LOWER, "lambda_u": CONFIDENCE_UPPER}
    return fit(
        case.record(seed), "furuta", method="uas", free=FREE, bounds=BOUNDS, start=start, options=options, seed=seed
    )


def path_of(result: Result) -> dict[str, Any]:
    """t, error, gain, states and parameters of the observer, at some hundred times."""
    return dict(result.artifacts[ADAPTATION])


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


EVERY = 10  # samples: one is compared
LOG_LOW, LOG_HIGH = -30.0, 5.0  # logarithms beyond these are not tried
DIFFERENCE = (
    1e-3  # of a logarithm, by which derivatives are taken: SciPy's own 1.5e-8 is lost in the integration's error
)


@dataclass(frozen=True)
class PlainFit:
    """Where the optimiser stopped.

    Arguments:
        evaluations: of the residual, those of the differences not counted.
        converged: whether it stopped by itself, and not for want of steps.
    """

    values: Mapping[str, float]
    evaluations: int
    converged: bool


def plain_fit(
    time: NDArray[np.float64],
    measured: NDArray[np.float64],
    guess: Mapping[str, float],
    steps: int,
    start: Sequence[float] = START,
) -> PlainFit:
    """Logarithms of all ten from a guess, the initial state known, derivatives by differences.

    By LSODA, since friction near rest is stiff: a twentieth of the time of SciPy's default.

    Arguments:
        measured: [outputs, times]: all four states, or the two angles.
        steps: of the optimiser at most, each of up to eleven simulations.
    """

    def values(logarithms: NDArray[np.float64]) -> dict[str, float]:
        return dict(zip(FREE, np.exp(np.clip(logarithms, LOG_LOW, LOG_HIGH)).tolist(), strict=True))

    def residual(logarithms: NDArray[np.float64]) -> NDArray[np.float64]:
        rate = furuta_rate(values(logarithms))
        found = solve_ivp(rate, (time[0], time[-1]), start, "LSODA", time[::EVERY], rtol=1e-6, atol=1e-8)
        return np.asarray((found.y[: len(measured)] - measured[:, ::EVERY]).ravel())

    begun = np.log([guess[name] for name in FREE])
    found = least_squares(residual, begun, diff_step=DIFFERENCE, max_nfev=steps)
    return PlainFit(values(found.x), found.nfev, found.status > 0)
