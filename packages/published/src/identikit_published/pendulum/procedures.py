"""The report's procedures as its text has them.

Direct regression, Eq. (24), the first stage of its PINN, neural ODE and symbolic procedures: least squares in
theta'' + k theta - cos theta = -2 zeta v - mu_c tanh(v/eps) - mu_q v|v|, with derivatives by Savitzky-Golay filtering.
SINDy, Eqs. (17)-(20): nine candidate terms, least squares, small coefficients removed, again.
Algorithm 1: J(p) = mean over t of (ln A_obs(t) - ln A_sim(t; p))^2 of Hilbert envelopes, minimised over one damping.
Topological formulas, Eqs. (3)-(5): from the first and the last lifespan of a record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.ndimage import uniform_filter1d
from scipy.optimize import minimize_scalar
from scipy.signal import hilbert, savgol_filter

import identikit as ik
from identikit.oscillation import DRAG, DRY, VISCOUS, decline_of
from identikit.simulation import simulate
from identikit_published.pendulum.swing import DAMPINGS, MODEL, PARAMETERS, RELEASED, STIFFNESS, TIME
from identikit_published.variants.topological import printed_estimate

DIRECT_REGRESSION_WINDOW, ORDER = (
    51,
    3,
)  # of the Savitzky-Golay filter; the text gives neither, the public source has these
ROUNDING = 0.1  # rad/s, the report's eps
REGRESSION_SETTINGS = {
    "Savitzky-Golay": f"{DIRECT_REGRESSION_WINDOW} samples, order {ORDER} (not in the text)",
    "eps [rad/s]": ROUNDING,
}


def derivatives(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    """Angle, velocity and acceleration from samples of the angle."""
    return tuple(filtered(values, order) for order in range(3))


def filtered(values: NDArray[np.float64], order: int) -> NDArray[np.float64]:
    """A derivative of samples at the spacing of TIME."""
    found: NDArray[np.float64] = savgol_filter(
        values, DIRECT_REGRESSION_WINDOW, ORDER, deriv=order, delta=TIME[1] - TIME[0]
    )
    return found


def regressed(
    case: str, angle: NDArray[np.float64], velocity: NDArray[np.float64], acceleration: NDArray[np.float64]
) -> Mapping[str, float]:
    """The dampings of a case whose kind is known, k known too."""
    columns = {"zeta": -2 * velocity, "mu_c": -np.tanh(velocity / ROUNDING), "mu_q": -velocity * np.abs(velocity)}
    names = [name for name in PARAMETERS if name in DAMPINGS[case]]
    table = np.stack([columns[name] for name in names], axis=1)
    found = np.linalg.lstsq(table, acceleration + STIFFNESS * angle - np.cos(angle))[0]
    return dict(zip(names, map(float, found), strict=True))


def direct_regression(case: str, values: NDArray[np.float64]) -> Mapping[str, float]:
    """The dampings of a case whose kind is known, from samples of the angle."""
    angle, velocity, acceleration = derivatives(values)
    return regressed(case, angle, velocity, acceleration)


THRESHOLD = 0.005  # the report gives none; its Eq. (21) keeps a coefficient of 0.006
TERMS = ("1", "theta", "v", "cos(theta)", "sin(theta)", "v|v|", "tanh(v/eps)", "theta^2", "theta v")
OF_DAMPING = {"zeta": ("v", -2.0), "mu_c": ("tanh(v/eps)", -1.0), "mu_q": ("v|v|", -1.0)}
"""The term that a damping stands with, and its factor in theta''."""


def candidates(angle: NDArray[np.float64], v: NDArray[np.float64], rounded: bool = True) -> NDArray[np.float64]:
    """The nine terms [samples, terms]. `rounded`: tanh(v/eps) stands for sign(v), as in the report; else sign(v)."""
    friction = np.tanh(v / ROUNDING) if rounded else np.sign(v)
    ones = np.ones_like(angle)
    columns = (ones, angle, v, np.cos(angle), np.sin(angle), v * np.abs(v), friction, angle**2, angle * v)
    return np.stack(columns, axis=1)


def thresholded(
    table: NDArray[np.float64], wanted: NDArray[np.float64], threshold: float, allowed: NDArray[np.bool_] | None = None
) -> NDArray[np.float64]:
    """Least squares over the `allowed` columns, small coefficients set to zero, until none is small."""
    kept = np.ones(table.shape[1], bool) if allowed is None else allowed.copy()
    while True:
        law = np.zeros(table.shape[1])
        law[kept] = np.linalg.lstsq(table[:, kept], wanted)[0]
        small = kept & (np.abs(law) < threshold)
        if not small.any():
            return law
        kept &= ~small


def found_law(values: NDArray[np.float64], rounded: bool = True) -> dict[str, float]:
    """Coefficient of each of the nine terms in theta'', zero where it was removed."""
    angle, v, acceleration = derivatives(values)
    return named_law(thresholded(candidates(angle, v, rounded), acceleration, THRESHOLD))


def named_law(law: NDArray[np.float64]) -> dict[str, float]:
    """{term: coefficient}."""
    return dict(zip(TERMS, map(float, law), strict=True))


def dampings_of(law: Mapping[str, float]) -> dict[str, float]:
    """zeta, mu_c and mu_q."""
    return {name: law[term] / factor for name, (term, factor) in OF_DAMPING.items()}


def _dampings(case: str, values: NDArray[np.float64], rounded: bool) -> Mapping[str, float]:
    return dampings_of(found_law(values, rounded))


sparse_regression = partial(_dampings, rounded=True)
sparse_regression_with_sign = partial(_dampings, rounded=False)

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


LIFESPAN_FORMULAS_WINDOW = 0.5  # periods: smoothing before lifespans are taken, as the method topological has it
LAWS = {"zeta": (VISCOUS, 2.0), "mu_c": (DRY, 1.0), "mu_q": (DRAG, 1.0)}  # and the factor in the equation of motion


def _by_formula(
    case: str,
    values: NDArray[np.float64],
    share: float,
    corrected: bool = False,
    window: float = LIFESPAN_FORMULAS_WINDOW,
) -> Mapping[str, float]:
    (name,) = DAMPINGS[case]
    law, factor = LAWS[name]
    decline = decline_of(TIME, values, 1.0, window)
    lengths = share * decline.lengths
    first, last = float(lengths[0]), float(lengths[-1])
    found = printed_estimate(law, factor, first, last, len(lengths) - 1, decline.frequency)
    lacking = decline.frequency / (1.0 if law == VISCOUS else np.pi)
    return {name: found * lacking if corrected else found}


by_amplitude = partial(_by_formula, share=0.5)
"""L is half the way from a peak to the valley: the reading that is nearest to the report's figures."""
by_whole_swing = partial(_by_formula, share=1.0)
"""L is all of that way, which is what persistence gives."""
by_right_formula = partial(_by_formula, share=0.5, corrected=True, window=0.0)
"""The same with the factor that each formula lacks, w, w/pi and w/pi, of records without noise, which need no
smoothing."""
