"""The report's procedures as its text has them.

Direct regression, Eq. (24), the first stage of its PINN, neural ODE and symbolic procedures: least squares in
theta'' + k theta - cos theta = -2 zeta v - mu_c tanh(v/eps) - mu_q v|v|, with derivatives by Savitzky-Golay filtering.
SINDy, Eqs. (17)-(20): nine candidate terms, least squares, small coefficients removed, again.
Algorithm 1: J(p) = mean over t of (ln A_obs(t) - ln A_sim(t; p))^2 of Hilbert envelopes, minimised over one damping.
Topological formulas, Eqs. (3)-(5): from the first and the last lifespan of a record.

And over noise draws: by these, by fits of identikit, and with the settings of the report's public source (PLACE), which
its text does not state. That code measures the velocity too, with noise of 0.001 on both, takes the acceleration from
the velocity by one filter, and thresholds coefficients of columns of unit norm, among which only the acting damping has
one. It is read here in code of our own; settings are all that was taken from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.ndimage import uniform_filter1d
from scipy.optimize import minimize_scalar
from scipy.signal import hilbert, savgol_filter

import identikit as ik
from identikit.oscillation import DRAG, DRY, VISCOUS, decline_of
from identikit.planning import with_sensors
from identikit.result import Panel, PublishedFigure
from identikit.simulation import simulate
from identikit_published import independent
from identikit_published.pendulum import swing
from identikit_published.variants.topological import printed_estimate

Array = NDArray[np.float64]

FILTER_WINDOW, ORDER = 51, 3  # of the Savitzky-Golay filter; the text gives neither, the public source has these
ROUNDING = 0.1  # rad/s, the report's eps
REGRESSION_SETTINGS = {"Savitzky-Golay": f"{FILTER_WINDOW} samples, order {ORDER} (not in the text)",
                       "eps [rad/s]": ROUNDING}  # fmt: skip


def derivatives(values: Array) -> tuple[Array, ...]:
    """Angle, velocity and acceleration from samples of the angle."""
    return tuple(filtered(values, order) for order in range(3))


def filtered(values: Array, order: int) -> Array:
    """A derivative of samples at the spacing of TIME."""
    found: Array = savgol_filter(values, FILTER_WINDOW, ORDER, deriv=order, delta=swing.TIME[1] - swing.TIME[0])
    return found


def regressed(case: str, angle: Array, velocity: Array, acceleration: Array) -> Mapping[str, float]:
    """The dampings of a case whose kind is known, k known too."""
    columns = {"zeta": -2 * velocity, "mu_c": -np.tanh(velocity / ROUNDING), "mu_q": -velocity * np.abs(velocity)}
    names = [name for name in swing.PARAMETERS if name in swing.DAMPINGS[case]]
    table = np.stack([columns[name] for name in names], axis=1)
    found = np.linalg.lstsq(table, acceleration + swing.STIFFNESS * angle - np.cos(angle))[0]
    return dict(zip(names, map(float, found), strict=True))


def direct_regression(case: str, values: Array) -> Mapping[str, float]:
    """The dampings of a case whose kind is known, from samples of the angle."""
    angle, velocity, acceleration = derivatives(values)
    return regressed(case, angle, velocity, acceleration)


THRESHOLD = 0.005  # the report gives none; its Eq. (21) keeps a coefficient of 0.006
TERMS = ("1", "theta", "v", "cos(theta)", "sin(theta)", "v|v|", "tanh(v/eps)", "theta^2", "theta v")
OF_DAMPING = {"zeta": ("v", -2.0), "mu_c": ("tanh(v/eps)", -1.0), "mu_q": ("v|v|", -1.0)}
"""The term that a damping stands with, and its factor in theta''."""


def candidates(angle: Array, v: Array, rounded: bool = True) -> Array:
    """The nine terms [samples, terms]. `rounded`: tanh(v/eps) stands for sign(v), as in the report; else sign(v)."""
    friction = np.tanh(v / ROUNDING) if rounded else np.sign(v)
    ones = np.ones_like(angle)
    columns = (ones, angle, v, np.cos(angle), np.sin(angle), v * np.abs(v), friction, angle**2, angle * v)
    return np.stack(columns, axis=1)


def thresholded(table: Array, wanted: Array, threshold: float, allowed: NDArray[np.bool_] | None = None) -> Array:
    """Least squares over the `allowed` columns, small coefficients set to zero, until none is small."""
    kept = np.ones(table.shape[1], bool) if allowed is None else allowed.copy()
    while True:
        law = np.zeros(table.shape[1])
        law[kept] = np.linalg.lstsq(table[:, kept], wanted)[0]
        small = kept & (np.abs(law) < threshold)
        if not small.any():
            return law
        kept &= ~small


def found_law(values: Array, rounded: bool = True) -> dict[str, float]:
    """Coefficient of each of the nine terms in theta'', zero where it was removed."""
    angle, v, acceleration = derivatives(values)
    return named_law(thresholded(candidates(angle, v, rounded), acceleration, THRESHOLD))


def named_law(law: Array) -> dict[str, float]:
    """{term: coefficient}."""
    return dict(zip(TERMS, map(float, law), strict=True))


def dampings_of(law: Mapping[str, float]) -> dict[str, float]:
    """zeta, mu_c and mu_q."""
    return {name: law[term] / factor for name, (term, factor) in OF_DAMPING.items()}


def _dampings(case: str, values: Array, rounded: bool) -> Mapping[str, float]:
    return dampings_of(found_law(values, rounded))


sparse_regression = partial(_dampings, rounded=True)
sparse_regression_with_sign = partial(_dampings, rounded=False)

BEGIN = 250  # samples: the first half second is left out
SMOOTHED = 250  # samples of the moving average; the report says only that there is one, of the observed envelope
LEAST = 0.05  # rad: envelope below is "too small"; the report does not say how small that is
LOWEST_DAMPING, HIGHEST_DAMPING = 1e-4, 0.5  # bounds of the damping; not given
ENVELOPE_SETTINGS = {
    "moving average of the envelope [s]": "0.5 (not given), of the model's envelope too (Algorithm 1 smooths only the "
    "observed one)",
    "envelope left out below [rad]": f"{LEAST} (not given)",
    "bounds": f"{LOWEST_DAMPING:g} to {HIGHEST_DAMPING:g} (not given)",
}
Simulator = Callable[[Mapping[str, float]], Array]


@dataclass(frozen=True)
class Search:
    """What the search came to: the damping, and how many simulations it took."""

    name: str
    value: float
    simulations: int


def envelope(angle: Array) -> Array:
    """Modulus of the analytic signal, smoothed; without the first half second."""
    return uniform_filter1d(np.abs(hilbert(angle[BEGIN:])), SMOOTHED)


def exact(damping: Mapping[str, float]) -> Array:
    """The angle over TIME, to all digits that matter."""
    values = {**dict.fromkeys(swing.PARAMETERS, 0.0), "k": swing.STIFFNESS, **damping}
    return simulate(ik.library_model(swing.MODEL), swing.TIME, values).outputs["theta"]


def by_default_tolerance(damping: Mapping[str, float]) -> Array:
    """The angle over TIME by SciPy's RK45 as it comes, relative tolerance 1e-3.

    Section 6.4.2 names RK45 and no tolerance; the public source has 1e-10, so this is a warning to readers of the
    text, not what its author ran.
    """
    zeta, mu_c, mu_q = (damping.get(name, 0.0) for name in swing.PARAMETERS)

    def rate(t: float, x: Array) -> tuple[float, float]:
        lost = 2 * zeta * x[1] + mu_c * np.sign(x[1]) + mu_q * x[1] * abs(x[1])
        return x[1], np.cos(x[0]) - swing.STIFFNESS * x[0] - lost

    found: Array = solve_ivp(rate, (swing.TIME[0], swing.TIME[-1]), (swing.RELEASED, 0.0), "RK45", swing.TIME).y[0]
    return found


def searched(
    case: str,
    values: Array,
    simulator: Simulator = exact,
    bounds: tuple[float, float] = (LOWEST_DAMPING, HIGHEST_DAMPING),
) -> Search:
    """Algorithm 1 on one record, whose only damping is known by kind; k and the start are known."""
    (name,) = swing.DAMPINGS[case]
    observed = envelope(values)
    shown = observed > LEAST

    def cost(value: float) -> float:
        modelled = envelope(simulator({name: float(value)}))
        return float(np.mean((np.log(observed[shown]) - np.log(modelled[shown])) ** 2))

    found = minimize_scalar(cost, bounds=bounds, method="bounded")
    return Search(name, float(found.x), int(found.nfev))


def envelope_search(case: str, values: Array) -> Mapping[str, float]:
    """The damping by Algorithm 1, with an exact integrator."""
    found = searched(case, values)
    return {found.name: found.value}


def envelope_search_by_default(case: str, values: Array) -> Mapping[str, float]:
    """The same with RK45 at its default tolerance, within a factor two of the truth: from a trial in which dry
    friction holds, RK45 does not return."""
    (true,) = swing.DAMPINGS[case].values()
    found = searched(case, values, by_default_tolerance, (true / 2, 2 * true))
    return {found.name: found.value}


LIFESPAN_WINDOW = 0.5  # periods: smoothing before lifespans are taken, as the method topological has it
LAWS = {"zeta": (VISCOUS, 2.0), "mu_c": (DRY, 1.0), "mu_q": (DRAG, 1.0)}  # and the factor in the equation of motion


def _by_formula(
    case: str, values: Array, share: float, corrected: bool = False, window: float = LIFESPAN_WINDOW
) -> Mapping[str, float]:
    (name,) = swing.DAMPINGS[case]
    law, factor = LAWS[name]
    decline = decline_of(swing.TIME, values, 1.0, window)
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

KNOWN_START = {"theta": swing.RELEASED, "omega": 0.0}
Procedure = Callable[[str, Array], Mapping[str, float]]
"""From a case, whose kind of damping is known, and its samples to the damping parameters."""


@dataclass(frozen=True)
class Study:
    """Estimates over noise draws.

    Arguments:
        values: {parameter: one estimate per draw}; bounds: {parameter: Cramer-Rao bound}, empty for a procedure, which
            has none of its own.
        last: the result of the last draw, where it was a fit.
    """

    case: str
    values: Mapping[str, Array]
    bounds: Mapping[str, float] = field(default_factory=dict)
    last: ik.Result | None = None

    def errors(self, name: str) -> Array:
        """In per cent of the true value, with sign."""
        return 100 * (self.values[name] / swing.DAMPINGS[self.case][name] - 1)

    def error(self, name: str) -> float:
        """Root of the mean square of them: for one draw, its size."""
        return relative_error(self.values[name], swing.DAMPINGS[self.case][name])

    def bound(self, name: str) -> float:
        """In per cent of the true value."""
        return 100 * self.bounds[name] / swing.DAMPINGS[self.case][name]

    @property
    def result(self) -> ik.Result:
        """The last draw's, of a study by fits."""
        if self.last is None:
            raise TypeError(f"{self.case}: this study was made by a procedure, which leaves no result")
        return self.last


def fitted(case: str, values: Array, method: str = "shooting", **asked: Any) -> ik.Result:
    """One fit of the case's damping and the stiffness, the first state unknown, unless more is said."""
    others = {name: 0.0 for name in swing.PARAMETERS if name not in swing.DAMPINGS[case]}
    return ik.fit(
        ik.Record.from_arrays(swing.TIME, theta=values), swing.MODEL, method=method, **{"fix": others, **asked}
    )


def with_stiffness_known(case: str) -> dict[str, Any]:
    """What a fit is told where the report tells its procedure k and the kind of damping."""
    return {
        "fix": {"k": swing.STIFFNESS, **{name: 0.0 for name in swing.PARAMETERS if name not in swing.DAMPINGS[case]}}
    }


def by_fits(
    case: str, seeds: Iterable[int], method: str = "shooting", noise: float = swing.NOISE, **asked: Any
) -> Study:
    """The case's dampings by a method of identikit, over noise draws."""
    results = [fitted(case, swing.noisy(case, seed, noise), method, **asked) for seed in seeds]
    names = swing.DAMPINGS[case]
    values = {name: np.array([result.value(name) for result in results]) for name in names}
    return Study(case, values, {name: mean_bound(results, name) for name in names}, results[-1])


def mean_bound(results: Sequence[ik.Result], name: str) -> float:
    """The Cramer-Rao bound of a parameter, mean over draws; NaN where a fit has none."""
    found = [result.parameters[name].crlb for result in results]
    return float(np.mean([np.nan if one is None else one for one in found]))


def relative_error(values: Sequence[float] | Array, true: float) -> float:
    """Root of the mean square of estimates about the true value, in per cent of it."""
    return float(100 * np.sqrt(np.mean((np.asarray(values) / true - 1) ** 2)))


def by_procedure(case: str, seeds: Iterable[int], procedure: Procedure, noise: float = swing.NOISE) -> Study:
    """The case's dampings by a procedure as printed, over the same noise draws."""
    found = [procedure(case, swing.noisy(case, seed, noise)) for seed in seeds]
    return Study(case, {name: np.array([one[name] for one in found]) for name in swing.DAMPINGS[case]})


def error_rows(
    case: str, printed: Mapping[str, float | str], as_printed: Study, best: Study | None,
    notes: Mapping[str, str] | None = None, label: str = "",
) -> list[PublishedFigure]:  # fmt: skip
    """A row per damping parameter of the case: the error in per cent, printed and here, and the bound.

    Without `best` the bound is that of the procedure's own records.
    """
    bounds = best or as_printed
    return [
        PublishedFigure(label or case, f"error of {name}", "%", printed[name], as_printed.error(name),
                        None if best is None else best.error(name), bounds.bound(name) if bounds.bounds else None,
                        (notes or {}).get(name, ""))
        for name in swing.DAMPINGS[case]
    ]  # fmt: skip


def value_rows(
    case: str, printed: Mapping[str, float], as_printed: Study, best: Study | None,
    notes: Mapping[str, str] | None = None, label: str = "",
) -> list[PublishedFigure]:  # fmt: skip
    """A row per damping parameter of the case: the estimate itself, mean over the draws; `best` None if there is none.

    The bound is the standard deviation of one draw that no unbiased estimate from the same record can go below.
    """
    bounds = (best or as_printed).bounds
    return [
        PublishedFigure(label or case, name, "1/s" if name == "zeta" else "", printed[name],
                        float(as_printed.values[name].mean()),
                        None if best is None else float(best.values[name].mean()), bounds.get(name),
                        (notes or {}).get(name, ""))
        for name in swing.DAMPINGS[case]
    ]  # fmt: skip


LAW_UNKNOWN: dict[str, Any] = {"fix": None, "free": [*swing.PARAMETERS, "k"]}


@dataclass(frozen=True)
class Way:
    """One line of Table 10.

    Arguments:
        printed: errors in per cent by case. procedure: the way as printed.
        method, asked: ours, and what it is told.
    """

    title: str
    printed: Mapping[str, float]
    procedure: Procedure
    method: str
    asked: Mapping[str, Any] = field(default_factory=dict)


def by_adam(case: str, values: Array, steps: int) -> Mapping[str, float]:
    """The report's neural ODE: whole trajectories, Adam."""
    options = {"settings": "report", "steps": steps}
    found = fitted(case, values, "neural_ode", options=options, **with_stiffness_known(case))
    return {name: found.value(name) for name in swing.DAMPINGS[case]}


WAYS = {
    way.title: way
    for way in (Way("topological", swing.TOPOLOGICAL, by_amplitude, "topological"),
                Way("SINDy", swing.SINDY, sparse_regression, "sindy", {"options": {"terms": "report"}, **LAW_UNKNOWN}),
                Way("PINN", swing.PINN, direct_regression, "pinn"),
                Way("neural ODE", swing.NEURAL_ODE, partial(by_adam, steps=100), "neural_ode"),
                Way("symbolic", swing.SYMBOLIC, direct_regression, "symbolic", LAW_UNKNOWN),
                Way("optimization", swing.OPTIMIZATION, envelope_search, "shooting"))
}  # fmt: skip


def compared(way: Way, case: str, seeds: Iterable[int]) -> tuple[Study, Study]:
    """As printed, and ours."""
    draws = list(seeds)
    return by_procedure(case, draws, way.procedure), by_fits(case, draws, way.method, **way.asked)


def comparison_rows(way: Way, case: str, studies: tuple[Study, Study]) -> list[PublishedFigure]:
    """The row of a way and a case."""
    (name,) = swing.DAMPINGS[case]
    return error_rows(case, {name: way.printed[case]}, *studies, label=f"{way.title}, {case}")


def comparison_panels(
    ways: Sequence[str], cases: Sequence[str], found: Mapping[tuple[str, str], tuple[Study, Study]]
) -> tuple[Panel, ...]:
    """A panel per case, with a group of bars per way."""
    panels = []
    for case in cases:
        (name,) = swing.DAMPINGS[case]
        studies = [found[way, case] for way in ways]
        panels.append(swing.errors_in_groups(f"{case} damping, error of {name}", ways,
                                             (swing.bars("printed", [WAYS[way].printed[case] for way in ways], "faint"),
                                              swing.bars("as printed, here", [one.error(name) for one, _ in studies]),
                                              swing.bars("ours", [one.error(name) for _, one in studies]),
                                              swing.bars("bound", [one.bound(name) for _, one in studies], "bound")))
        )  # fmt: skip
    return tuple(panels)


PLACE = "Alqahtani921893/Damping-Parameter-Estimation on GitHub, commits b58c538 and 4699ec4"
SOURCE_NOISE = 0.001  # rad and rad/s
SOURCE_SEED = 42  # of NumPy's older generator
SAMPLES = len(swing.TIME) - 1  # the last instant is left out
THRESHOLDS = {**dict.fromkeys(swing.SINGLE, 0.03), "combined": 0.015}  # of coefficients of columns of unit norm
TRIMMED, MORE_TRIMMED = 50, 100  # samples at either end: SINDy and PINN; neural ODE and symbolic regression
SOURCE_LOWEST, SOURCE_HIGHEST = (
    1e-3,
    {"viscous": 0.3, "Coulomb": 0.2, "quadratic": 0.3},
)  # of the envelope search
SHARE = 0.01  # of its largest value: an envelope below is left out
NEAREST = 1e-6  # to which the envelope search goes on
SOURCE_SETTINGS = {
    "public source": PLACE,
    "its settings": f"angle and velocity measured, noise {SOURCE_NOISE} on both, seed {SOURCE_SEED}, one filter on the "
    f"velocity, {TRIMMED} or {MORE_TRIMMED} samples trimmed, lambda 0.03 (combined 0.015) on columns of unit norm, no "
    "column of a damping that does not act",
}
SourceProcedure = Callable[[str, Array], Mapping[str, float]]
"""From a case and its angle and velocity [2, times] to the damping parameters."""


def measured(
    case: str, seed: int = SOURCE_SEED, noise: float = SOURCE_NOISE, rounded: bool = False, earlier: int = 0
) -> Array:
    """Angle and velocity [2, times] with noise.

    `rounded`: made with tanh(v/eps), as PINN, neural ODE and symbolic regression have it there; else with sign(v).
    `earlier`: how many cases have taken their noise from the generator before this one.
    """
    clean = rounded_swing(case) if rounded else swing.swing(case)
    draws = np.random.RandomState(seed).standard_normal((2 * earlier + 2, SAMPLES))[-2:]
    found: Array = clean[:, :SAMPLES] + noise * draws
    return found


@cache
def rounded_swing(case: str) -> Array:
    """Angle and velocity [2, times] over TIME with tanh(v/eps) for sign(v), without noise."""
    zeta, mu_c, mu_q = (swing.DAMPINGS[case].get(name, 0.0) for name in swing.PARAMETERS)

    def rate(t: float, x: Array) -> tuple[float, float]:
        lost = 2 * zeta * x[1] + mu_c * np.tanh(x[1] / ROUNDING) + mu_q * x[1] * abs(x[1])
        return x[1], np.cos(x[0]) - swing.STIFFNESS * x[0] - lost

    return independent.smooth(rate, (swing.RELEASED, 0.0), swing.TIME)


def source_law(case: str, states: Array, rounded: bool = True) -> dict[str, float]:
    """Coefficient of each of the nine terms in theta''; `rounded`: tanh(v/eps) in the library, else sign(v)."""
    inside = slice(TRIMMED, -TRIMMED)
    angle, velocity = states
    table = candidates(angle, velocity, rounded)[inside]
    norms = np.linalg.norm(table, axis=0)
    allowed = np.array([_is_tried(case, term) for term in TERMS])
    return named_law(thresholded(table / norms, filtered(states[1], 1)[inside], THRESHOLDS[case], allowed) / norms)


def _is_tried(case: str, term: str) -> bool:
    """Terms of dry and quadratic damping only where these act; v is always there."""
    return all(name in swing.DAMPINGS[case] for name in ("mu_c", "mu_q") if OF_DAMPING[name][0] == term)


def _sparse(case: str, states: Array, rounded: bool) -> Mapping[str, float]:
    return dampings_of(source_law(case, states, rounded))


def _direct(case: str, states: Array, trimmed: int) -> Mapping[str, float]:
    angle, velocity = states[:, trimmed:-trimmed]
    return regressed(case, angle, velocity, filtered(states[1], 1)[trimmed:-trimmed])


source_regression = partial(_sparse, rounded=True)
source_regression_with_sign = partial(_sparse, rounded=False)
source_first_stage = partial(_direct, trimmed=TRIMMED)
source_stage_trimmed_more = partial(_direct, trimmed=MORE_TRIMMED)


def by_source(
    case: str, seeds: Iterable[int], procedure: SourceProcedure, best: Study | None = None,
    noise: float = SOURCE_NOISE, rounded: bool = False,
) -> Study:  # fmt: skip
    """The case's dampings over noise draws; `rounded` records take their noise case after case, as there.

    `best`: a study by fits of the angle alone, from whose bounds those for angle and velocity follow.
    """
    earlier = swing.SINGLE.index(case) if rounded else 0
    found = [procedure(case, measured(case, seed, noise, rounded, earlier)) for seed in seeds]
    values = {name: np.array([one[name] for one in found]) for name in swing.DAMPINGS[case]}
    return Study(case, values, source_bounds(best, noise) if best else {})


def source_bounds(best: Study, noise: float = SOURCE_NOISE) -> Mapping[str, float]:
    """Cramer-Rao bounds where the velocity is measured too, from those of the angle alone.

    What a damping does to an oscillation it does to the velocity w times as much, so that the information grows by
    1 + w^2: true to half a per cent here (a test computes them).
    """
    return {name: noise / swing.NOISE / np.hypot(1, swing.FREQUENCY) * bound for name, bound in best.bounds.items()}


def fitted_to_both(case: str, best: Study) -> Study:
    """Ours on the very record of the printed SINDy figure: shooting, k and the first state unknown."""
    angle, velocity = measured(case)
    sensors = dict.fromkeys(("theta", "omega"), SOURCE_NOISE)
    model = with_sensors(ik.library_model(swing.MODEL), sensors)
    others = {name: 0.0 for name in swing.PARAMETERS if name not in swing.DAMPINGS[case]}
    result = ik.fit(
        ik.Record.from_arrays(swing.TIME[:-1], theta=angle, omega=velocity), model, method="shooting", fix=others
    )
    return Study(
        case, {name: np.array([result.value(name)]) for name in swing.DAMPINGS[case]}, source_bounds(best), result
    )


def source_search(case: str) -> Search:
    """The envelope search that Table 11 is from: whole envelopes as they are, noise case after case as above.

    The integrator is ours; the source's RK45 at a tolerance of 1e-10 is as good as exact.
    """
    (name,) = swing.DAMPINGS[case]
    noise = np.random.RandomState(SOURCE_SEED).standard_normal((swing.SINGLE.index(case) + 1, SAMPLES))[-1]
    observed = np.abs(hilbert(swing.swing(case)[0, :SAMPLES] + swing.NOISE * noise))

    def cost(value: float) -> float:
        modelled = np.abs(hilbert(exact({name: float(value)})[:SAMPLES]))
        shown = (observed > SHARE * observed.max()) & (modelled > SHARE * modelled.max())
        return float(np.mean((np.log(observed[shown]) - np.log(modelled[shown])) ** 2))

    bounds = (SOURCE_LOWEST, SOURCE_HIGHEST[case])
    found = minimize_scalar(cost, bounds=bounds, method="bounded", options={"xatol": NEAREST})
    return Search(name, float(found.x), int(found.nfev))
