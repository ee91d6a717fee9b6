"""The report's optimisation, Algorithm 1: the logarithm of a Hilbert envelope, matched by simulation.

J(p) = mean over t of (ln A_obs(t) - ln A_sim(t; p))^2, minimised over one damping within bounds
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.ndimage import uniform_filter1d
from scipy.optimize import minimize_scalar
from scipy.signal import hilbert

import identikit as ik
from identikit_published.pendulum._swing import DAMPINGS, MODEL, PARAMETERS, RELEASED, STIFFNESS, TIME
from identikit.simulation import simulate

BEGIN = 250  # samples: the first half second is left out
SMOOTHED = 250  # samples of the moving average; the report says only that there is one, of the observed envelope
LEAST = 0.05  # rad: envelope below is "too small"; the report does not say how small that is
LOWEST, HIGHEST = 1e-4, 0.5  # bounds of the damping; not given
ENVELOPE_SETTINGS = {
    "moving average of the envelope [s]": "0.5 (not given), of the model's envelope too (Algorithm 1 smooths only the "
    "observed one)",
    "envelope left out below [rad]": f"{LEAST} (not given)",
    "bounds": f"{LOWEST:g} to {HIGHEST:g} (not given)",
}
Simulator = Callable[[Mapping[str, float]], NDArray[np.float64]]


@dataclass(frozen=True)
class Search:
    """What the search came to: the damping, and how many simulations it took."""

    name: str
    value: float
    simulations: int


def envelope(angle: NDArray[np.float64]) -> NDArray[np.float64]:
    """Modulus of the analytic signal, smoothed; without the first half second."""
    return uniform_filter1d(np.abs(hilbert(angle[BEGIN:])), SMOOTHED)


def exact(damping: Mapping[str, float]) -> NDArray[np.float64]:
    """The angle over TIME, to all digits that matter."""
    values = {**dict.fromkeys(PARAMETERS, 0.0), "k": STIFFNESS, **damping}
    return simulate(ik.library_model(MODEL), TIME, values).outputs["theta"]


def by_default_tolerance(damping: Mapping[str, float]) -> NDArray[np.float64]:
    """The angle over TIME by SciPy's RK45 as it comes, relative tolerance 1e-3.

    Section 6.4.2 names RK45 and no tolerance; the public source has 1e-10, so this is a warning to readers of the
    text, not what its author ran.
    """
    zeta, mu_c, mu_q = (damping.get(name, 0.0) for name in PARAMETERS)

    def rate(t: float, x: NDArray[np.float64]) -> tuple[float, float]:
        lost = 2 * zeta * x[1] + mu_c * np.sign(x[1]) + mu_q * x[1] * abs(x[1])
        return x[1], np.cos(x[0]) - STIFFNESS * x[0] - lost

    found: NDArray[np.float64] = solve_ivp(rate, (TIME[0], TIME[-1]), (RELEASED, 0.0), "RK45", TIME).y[0]
    return found


def searched(
    case: str,
    values: NDArray[np.float64],
    simulator: Simulator = exact,
    bounds: tuple[float, float] = (LOWEST, HIGHEST),
) -> Search:
    """Algorithm 1 on one record, whose only damping is known by kind; k and the start are known."""
    (name,) = DAMPINGS[case]
    observed = envelope(values)
    shown = observed > LEAST

    def cost(value: float) -> float:
        modelled = envelope(simulator({name: float(value)}))
        return float(np.mean((np.log(observed[shown]) - np.log(modelled[shown])) ** 2))

    found = minimize_scalar(cost, bounds=bounds, method="bounded")
    return Search(name, float(found.x), int(found.nfev))


def envelope_search(case: str, values: NDArray[np.float64]) -> Mapping[str, float]:
    """The damping by Algorithm 1, with an exact integrator."""
    found = searched(case, values)
    return {found.name: found.value}


def envelope_search_by_default(case: str, values: NDArray[np.float64]) -> Mapping[str, float]:
    """The same with RK45 at its default tolerance, within a factor two of the truth: from a trial in which dry
    friction holds, RK45 does not return."""
    (true,) = DAMPINGS[case].values()
    found = searched(case, values, by_default_tolerance, (true / 2, 2 * true))
    return {found.name: found.value}
