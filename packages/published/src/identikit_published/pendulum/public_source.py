"""What the report's public source does and its text does not say; with it the printed figures come out.

The report's own code is public (PLACE). It measures the velocity too, with noise of 0.001 on both, takes the
acceleration from the velocity by one filter, and thresholds coefficients of columns of unit norm, among which only
the acting damping has one. This is that reading in code of our own; settings are all that was taken from there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.signal import hilbert

import identikit as ik
from identikit.planning import with_sensors
from identikit_published import independent
from identikit_published.pendulum.procedures import (
    OF_DAMPING,
    ROUNDING,
    TERMS,
    Search,
    candidates,
    dampings_of,
    exact,
    filtered,
    named_law,
    regressed,
    thresholded,
)
from identikit_published.pendulum.study import Study
from identikit_published.pendulum.swing import (
    DAMPINGS,
    FREQUENCY,
    MODEL,
    NOISE,
    PARAMETERS,
    RELEASED,
    SINGLE,
    STIFFNESS,
    TIME,
    swing,
)

PLACE = "Alqahtani921893/Damping-Parameter-Estimation on GitHub, commits b58c538 and 4699ec4"
SOURCE_NOISE = 0.001  # rad and rad/s
SOURCE_SEED = 42  # of NumPy's older generator
SAMPLES = len(TIME) - 1  # the last instant is left out
THRESHOLDS = {**dict.fromkeys(SINGLE, 0.03), "combined": 0.015}  # of coefficients of columns of unit norm
TRIMMED, MORE_TRIMMED = 50, 100  # samples at either end: SINDy and PINN; neural ODE and symbolic regression
LOWEST, HIGHEST = 1e-3, {"viscous": 0.3, "Coulomb": 0.2, "quadratic": 0.3}  # bounds of the envelope search
SHARE = 0.01  # of its largest value: an envelope below is left out
NEAREST = 1e-6  # to which the envelope search goes on
SOURCE_SETTINGS = {
    "public source": PLACE,
    "its settings": f"angle and velocity measured, noise {SOURCE_NOISE} on both, seed {SOURCE_SEED}, one filter on the "
    f"velocity, {TRIMMED} or {MORE_TRIMMED} samples trimmed, lambda 0.03 (combined 0.015) on columns of unit norm, no "
    "column of a damping that does not act",
}
SourceProcedure = Callable[[str, NDArray[np.float64]], Mapping[str, float]]
"""From a case and its angle and velocity [2, times] to the damping parameters."""


def measured(
    case: str, seed: int = SOURCE_SEED, noise: float = SOURCE_NOISE, rounded: bool = False, earlier: int = 0
) -> NDArray[np.float64]:
    """Angle and velocity [2, times] with noise.

    `rounded`: made with tanh(v/eps), as PINN, neural ODE and symbolic regression have it there; else with sign(v).
    `earlier`: how many cases have taken their noise from the generator before this one.
    """
    clean = rounded_swing(case) if rounded else swing(case)
    draws = np.random.RandomState(seed).standard_normal((2 * earlier + 2, SAMPLES))[-2:]
    found: NDArray[np.float64] = clean[:, :SAMPLES] + noise * draws
    return found


@cache
def rounded_swing(case: str) -> NDArray[np.float64]:
    """Angle and velocity [2, times] over TIME with tanh(v/eps) for sign(v), without noise."""
    zeta, mu_c, mu_q = (DAMPINGS[case].get(name, 0.0) for name in PARAMETERS)

    def rate(t: float, x: NDArray[np.float64]) -> tuple[float, float]:
        lost = 2 * zeta * x[1] + mu_c * np.tanh(x[1] / ROUNDING) + mu_q * x[1] * abs(x[1])
        return x[1], np.cos(x[0]) - STIFFNESS * x[0] - lost

    return independent.smooth(rate, (RELEASED, 0.0), TIME)


def source_law(case: str, states: NDArray[np.float64], rounded: bool = True) -> dict[str, float]:
    """Coefficient of each of the nine terms in theta''; `rounded`: tanh(v/eps) in the library, else sign(v)."""
    inside = slice(TRIMMED, -TRIMMED)
    angle, velocity = states
    table = candidates(angle, velocity, rounded)[inside]
    norms = np.linalg.norm(table, axis=0)
    allowed = np.array([_is_tried(case, term) for term in TERMS])
    return named_law(thresholded(table / norms, filtered(states[1], 1)[inside], THRESHOLDS[case], allowed) / norms)


def _is_tried(case: str, term: str) -> bool:
    """Terms of dry and quadratic damping only where these act; v is always there."""
    return all(name in DAMPINGS[case] for name in ("mu_c", "mu_q") if OF_DAMPING[name][0] == term)


def _sparse(case: str, states: NDArray[np.float64], rounded: bool) -> Mapping[str, float]:
    return dampings_of(source_law(case, states, rounded))


def _direct(case: str, states: NDArray[np.float64], trimmed: int) -> Mapping[str, float]:
    angle, velocity = states[:, trimmed:-trimmed]
    return regressed(case, angle, velocity, filtered(states[1], 1)[trimmed:-trimmed])


source_regression = partial(_sparse, rounded=True)
source_regression_with_sign = partial(_sparse, rounded=False)
source_first_stage = partial(_direct, trimmed=TRIMMED)
source_stage_trimmed_more = partial(_direct, trimmed=MORE_TRIMMED)


def by_source(
    case: str,
    seeds: Iterable[int],
    procedure: SourceProcedure,
    best: Study | None = None,
    noise: float = SOURCE_NOISE,
    rounded: bool = False,
) -> Study:
    """The case's dampings over noise draws; `rounded` records take their noise case after case, as there.

    `best`: a study by fits of the angle alone, from whose bounds those for angle and velocity follow.
    """
    earlier = SINGLE.index(case) if rounded else 0
    found = [procedure(case, measured(case, seed, noise, rounded, earlier)) for seed in seeds]
    values = {name: np.array([one[name] for one in found]) for name in DAMPINGS[case]}
    return Study(case, values, source_bounds(best, noise) if best else {})


def source_bounds(best: Study, noise: float = SOURCE_NOISE) -> Mapping[str, float]:
    """Cramer-Rao bounds where the velocity is measured too, from those of the angle alone.

    What a damping does to an oscillation it does to the velocity w times as much, so that the information grows by
    1 + w^2: true to half a per cent here (a test computes them).
    """
    return {name: noise / NOISE / np.hypot(1, FREQUENCY) * bound for name, bound in best.bounds.items()}


def fitted_to_both(case: str, best: Study) -> Study:
    """Ours on the very record of the printed SINDy figure: shooting, k and the first state unknown."""
    angle, velocity = measured(case)
    sensors = dict.fromkeys(("theta", "omega"), SOURCE_NOISE)
    model = with_sensors(ik.library_model(MODEL), sensors)
    others = {name: 0.0 for name in PARAMETERS if name not in DAMPINGS[case]}
    result = ik.fit(ik.Record.from_arrays(TIME[:-1], theta=angle, omega=velocity), model, method="shooting", fix=others)
    return Study(case, {name: np.array([result.value(name)]) for name in DAMPINGS[case]}, source_bounds(best), result)


def source_search(case: str) -> Search:
    """The envelope search that Table 11 is from: whole envelopes as they are, noise case after case as above.

    The integrator is ours; the source's RK45 at a tolerance of 1e-10 is as good as exact.
    """
    (name,) = DAMPINGS[case]
    noise = np.random.RandomState(SOURCE_SEED).standard_normal((SINGLE.index(case) + 1, SAMPLES))[-1]
    observed = np.abs(hilbert(swing(case)[0, :SAMPLES] + NOISE * noise))

    def cost(value: float) -> float:
        modelled = np.abs(hilbert(exact({name: float(value)})[:SAMPLES]))
        shown = (observed > SHARE * observed.max()) & (modelled > SHARE * modelled.max())
        return float(np.mean((np.log(observed[shown]) - np.log(modelled[shown])) ** 2))

    bounds = (LOWEST, HIGHEST[case])
    found = minimize_scalar(cost, bounds=bounds, method="bounded", options={"xatol": NEAREST})
    return Search(name, float(found.x), int(found.nfev))
