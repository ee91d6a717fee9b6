"""Tables 1 to 5 and 10 to 12, Figures 1, 2 and 8 to 10: the decays themselves, and the methods compared on them."""

from __future__ import annotations

import time as clock
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import identikit as ik
from identikit.progress import Progress
from identikit.result import Panel, PublishedFigure, Series
from identikit_published import independent
from identikit_published._base import Outcome, Scale
from identikit_published.pendulum import procedures, swing
from identikit_published.pendulum.learning import hybrid_panel
from identikit_published.pendulum.swing import amplitudes

Array = NDArray[np.float64]


def by_pattern(case: str) -> float | None:
    """The parameter that the printed pattern A(t) has for the peaks of the motion; None where it leaves it open."""
    time, amplitude = amplitudes(swing.swing(case)[0])
    if case == "viscous":  # A0 exp(-zeta w t)
        return float(-np.polyfit(time, np.log(amplitude), 1)[0] / swing.FREQUENCY)
    if case == "Coulomb":  # A0 - 2 mu_c t/(pi w)
        return float(-np.polyfit(time, amplitude, 1)[0] * np.pi * swing.FREQUENCY / 2)
    return None


def table_1(scale: Scale, progress: Progress) -> Outcome:
    """The damping mechanisms, and what the decay patterns printed with them make of their parameters."""
    seeds = scale.seeds(10, 1)
    figures = []
    for place, case in enumerate(swing.SINGLE):
        progress(place / len(swing.SINGLE), f"{case} damping")
        ((name, true),) = swing.DAMPINGS[case].items()
        study = procedures.by_fits(case, range(seeds))
        unit = "1/s" if name == "zeta" else ""
        mean = float(np.mean(study.values[name]))
        figures.append(
            PublishedFigure(case, name, unit, true, by_pattern(case), mean, study.bounds[name], _TABLE_1_NOTES[case])
        )
    return Outcome(tuple(figures), (_panel(),), swing.SETTINGS, seeds)


def _panel() -> Panel:
    velocity = np.linspace(-2.2, 2.2, 400)
    laws = (2 * velocity, np.sign(velocity), velocity * np.abs(velocity))
    curves: list[Series] = []
    for case, name, law in zip(swing.SINGLE, swing.PARAMETERS, laws, strict=True):
        value = swing.DAMPINGS[case][name]
        curves.append(swing.curve(f"{case}, {name} = {value:g}", velocity, value * law))
    return Panel("The three mechanisms", "velocity [rad/s]", "torque over m g L [-]", tuple(curves))


_TABLE_1_NOTES = {
    "viscous": "as printed: the printed pattern A0 exp(-zeta w t), fitted to the swings of the motion without noise; "
    "the right one is A0 exp(-zeta t), and the printed one makes zeta too small by the factor w = 4.478",
    "Coulomb": "as printed: slope of the amplitude, 2 mu_c/(pi w), which is right",
    "quadratic": "A0/(1 + beta t) is printed without a relation of beta to mu_q: it is beta = 4 mu_q w A0/(3 pi)",
}


def table_2(scale: Scale, progress: Progress) -> Outcome:
    """The simulation's parameters, found again in its record, and how good the integrator has to be."""
    seeds = scale.seeds(10, 1)
    progress(0.1, "the settings, found again in the record")
    results = [procedures.fitted("viscous", swing.noisy("viscous", seed)) for seed in range(seeds)]
    case = "viscous record"
    figures = []
    k = [result.parameters["k"] for result in results]
    figures.append(
        PublishedFigure(case, "torsional stiffness k", "", 20.0, swing.STIFFNESS, _mean([one.value for one in k]),
                        _mean([one.crlb for one in k]))
    )  # fmt: skip
    for state, label, unit, printed in (
        ("theta", "first angle", "rad", swing.RELEASED),
        ("omega", "first velocity", "rad/s", 0.0),
    ):
        found = [result.initial_states[0][state] for result in results]
        figures.append(PublishedFigure(case, label, unit, printed, printed, _mean([one["value"] for one in found]),
                                       _mean([one["std"] for one in found])))  # fmt: skip
    sigma = _mean([result.noise["theta"].sigma for result in results])
    spread = swing.NOISE / np.sqrt(2 * len(swing.swing("viscous")[0]))
    figures.append(PublishedFigure(case, "noise", "rad", swing.NOISE, swing.NOISE, sigma, float(spread)))
    for one in swing.SINGLE:
        last = float(swing.peaks(swing.swing(one)[0])[1][-1] - swing.REST)
        for label, amplitude in (("at first", swing.FIRST), ("at the end", last)):
            if label == "at first" and one != "viscous":
                continue
            figures.append(
                PublishedFigure(one, f"noise over amplitude, {label}", "%", 0.2, 0.2, 100 * swing.NOISE / amplitude,
                                None, "printed relative to one radian; no estimate, so no bound")
            )  # fmt: skip
    curves = []
    for place, one in enumerate(swing.SINGLE):
        progress(0.6 + 0.1 * place, f"{one}: integrators")
        off = {
            way: np.abs(way(swing.DAMPINGS[one]) - swing.swing(one)[0])
            for way in (procedures.by_default_tolerance, procedures.exact)
        }
        figures.append(
            PublishedFigure(one, "largest error of the simulation", "rad", "not given",
                            float(off[procedures.by_default_tolerance].max()), float(off[procedures.exact].max()), None,
                            "as printed: RK45 of SciPy at its default tolerance; the noise is 0.002")
        )  # fmt: skip
        curves.append(
            swing.over_time(f"{one}, RK45 as it comes", np.maximum.accumulate(off[procedures.by_default_tolerance]))
        )
    curves.append(swing.over_time("noise", np.full_like(swing.swing("viscous")[0], swing.NOISE), "bound"))
    panel = Panel("Largest error so far of the simulation", "time [s]", "error of the angle [rad]", tuple(curves))
    return Outcome(tuple(figures), (panel,), swing.SETTINGS, seeds)


def _mean(values: list[float | None]) -> float:
    return float(np.mean([value for value in values if value is not None]))


SMALL = 0.01  # rad, a small amplitude
CYCLES = 20  # over which a frequency is taken


def frequency(amplitude: float) -> float:
    """Of the motion without damping, let go so far from the rest position [rad/s]."""
    time = swing.TIME[: int((CYCLES + 2) * 2 * np.pi / swing.FREQUENCY / swing.TIME[1])]
    angle = independent.horizontal_pendulum(time, (swing.REST + amplitude, 0.0), k=swing.STIFFNESS)[0][0]
    at = swing.peaks(angle, time)[0]
    return float(2 * np.pi * CYCLES / (at[CYCLES] - at[0]))


def printed_frequency(angle: float) -> float:
    """w(theta) = sqrt(k - sin theta/theta)."""
    return float(np.sqrt(swing.STIFFNESS - np.sin(angle) / angle))


def table_3(scale: Scale, progress: Progress) -> Outcome:
    """The pendulum against the straight spring: its frequency, and how much that depends on the amplitude."""
    seeds = scale.seeds(10, 1)
    progress(0.0, "frequencies by simulation")
    amplitudes = np.linspace(SMALL, swing.FIRST, 4 if scale.quick else 12)
    true = np.array([frequency(float(one)) for one in amplitudes])
    progress(0.3, "the same from noisy records")
    results = [procedures.fitted("viscous", swing.noisy("viscous", seed)) for seed in range(seeds)]
    k = np.array([result.value("k") for result in results])
    bound_k = procedures.mean_bound(results, "k")
    measured = float(np.mean([np.sqrt(one + np.sin(_rest(float(one)))) for one in k]))
    shift = 100 * (true[-1] / true[0] - 1)
    printed_shift = 100 * (printed_frequency(swing.FIRST) / printed_frequency(SMALL) - 1)
    at_rest = printed_frequency(swing.REST)
    figures = [PublishedFigure("pendulum", "frequency of small swings", "rad/s", "sqrt(k - sin(theta)/theta)", at_rest,
                               measured, bound_k / (2 * swing.FREQUENCY),
                               f"as printed: at theta_eq; simulated without damping: {true[0]:.5f}"),
               PublishedFigure("pendulum", "stiffness at the rest position", "", "k - 1", swing.STIFFNESS - 1,
                               measured**2, bound_k, "Eq. (7) turns the constant -1 of the series into -theta"),
               PublishedFigure("pendulum", "change of the frequency from 0.01 to 0.47 rad", "%", "amplitude-dependent",
                               printed_shift, shift, None, "simulated without noise, so no bound")]  # fmt: skip
    for place, system in enumerate(("straight spring", "pendulum")):
        progress(0.7 + 0.15 * place, f"lifespans, {system}")
        values = swing.linear_record("viscous", 0, 0.0) if place == 0 else swing.noisy("viscous", 0, 0.0)
        by_formula = procedures.by_amplitude("viscous", values)["zeta"]
        zeta = swing.DAMPINGS["viscous"]["zeta"]
        corrected = procedures.by_right_formula("viscous", values)["zeta"]
        figures.append(
            PublishedFigure(system, "error of zeta by lifespans, no noise", "%", "fails" if place else "works",
                            100 * (by_formula / zeta - 1), 100 * (corrected / zeta - 1), None,
                            "the printed formula lacks the factor w on either system; without noise there is no bound")
        )  # fmt: skip
    angles = np.linspace(SMALL, swing.FIRST, 100)
    panel = Panel(
        "Frequency over amplitude",
        "amplitude [rad]",
        "frequency [rad/s]",
        (swing.curve(
             "printed, sqrt(k - sin(theta)/theta)", angles, [printed_frequency(one) for one in angles], "printed"
         ), swing.curve("simulated", amplitudes, true, "model"),
         swing.curve("sqrt(k + sin(theta_eq))", angles, np.full_like(angles, swing.FREQUENCY), "bound")),
    )  # fmt: skip
    return Outcome(tuple(figures), (panel,), {"k": swing.STIFFNESS, "cycles": CYCLES}, seeds)


def _rest(k: float) -> float:
    angle = 1 / k
    for _ in range(20):
        angle = np.cos(angle) / k
    return angle


def figure_1(scale: Scale, progress: Progress) -> Outcome:
    """The swing under each damping, and the decay that the report states for it beside the true one."""
    figures, panels = [], []
    for place, case in enumerate(swing.SINGLE):
        progress(place / len(swing.SINGLE), f"{case} damping")
        angle = swing.swing(case)[0]
        time, amplitude = amplitudes(angle)
        at = round(float((time[-1] + swing.PERIOD / 4) / swing.TIME[1]))  # half way from the last peak to its valley
        by_pattern = None if case == "quadratic" else float(swing.decay(case, True)[at])
        figures.append(PublishedFigure(case, "amplitude of the last swing", "rad", _PATTERNS[case], by_pattern,
                                       float(amplitude[-1]), None, _FIGURE_1_NOTES[case]))  # fmt: skip
        curves = [swing.over_time("angle", angle, "measured"),
                  swing.over_time("true decay", swing.REST + swing.decay(case, False), "model")]  # fmt: skip
        if case == "viscous":
            curves.append(swing.over_time("printed decay", swing.REST + swing.decay(case, True), "printed"))
        panels.append(Panel(f"{case}, {_NAMES[case]}", "time [s]", "angle [rad]", tuple(curves)))
    return Outcome(tuple(figures), tuple(panels), swing.SETTINGS)


_NAMES = {"viscous": "zeta = 0.05", "Coulomb": "mu_c = 0.03", "quadratic": "mu_q = 0.05"}
_PATTERNS = {"viscous": "A0 exp(-zeta w t)", "Coulomb": "A0 - 2 mu_c t/(pi w)", "quadratic": "A0/(1 + beta t)"}
_FIGURE_1_NOTES = {
    "viscous": "the printed pattern has a factor w too many: the equation of motion has 2 zeta theta', without w",
    "Coulomb": "the printed pattern is right; the first swing is lopsided by 0.002 rad, which A0 leaves out",
    "quadratic": "the printed pattern leaves beta open: it is 4 mu_q w A0/(3 pi)",
}

MOTION_EVERY = 10  # samples: what is drawn
TURNS = (0, 20)  # after which the loss of a turn is told


def figure_2(scale: Scale, progress: Progress) -> Outcome:
    """Phase portraits, and how the spirals shrink."""
    figures, panels = [], []
    for place, case in enumerate(swing.SINGLE):
        progress(place / len(swing.SINGLE), f"{case} damping")
        states = swing.swing(case)
        time, amplitude = amplitudes(states[0])
        for turn in TURNS:
            loss = 100 * (1 - amplitude[turn + 1] / amplitude[turn])
            at = np.searchsorted(swing.TIME, time[turn : turn + 2] + swing.PERIOD / 4)
            first, second = swing.decay(case, True)[at]
            figures.append(
                PublishedFigure(case, f"a turn's loss of radius, after {turn + 1}", "%", "not given",
                                None if case == "quadratic" else float(100 * (1 - second / first)), float(loss), None,
                                "as printed: by the report's decay pattern, if it has one")
            )  # fmt: skip
        centre = _centre(states[0])
        figures.append(
            PublishedFigure(case, "centre of the spiral", "rad", "k theta = cos theta", swing.REST, centre, None,
                            "best here: half way between peaks and valleys, at the limit of small swings")
        )  # fmt: skip
        curves = (swing.curve("", states[0, ::MOTION_EVERY], states[1, ::MOTION_EVERY], "model"),
                  Series("rest position", (swing.REST,), (0.0,), "points", emphasis="printed"))  # fmt: skip
        panels.append(Panel(f"{case} damping", "angle [rad]", "velocity [rad/s]", curves))
    return Outcome(tuple(figures), tuple(panels), swing.SETTINGS)


def _centre(angle: Array) -> float:
    """Half way between valleys and the mean of the peaks about each, carried on to a swing of no size.

    The half-way point moves with the square of the amplitude, since the swing is slightly lopsided.
    """
    peak, valley = (
        swing.peaks(angle)[1],
        -swing.peaks(-angle)[1][1:],
    )  # the motion begins with a valley, before the first peak
    count = min(len(peak) - 1, len(valley))
    upper, lower = (peak[:count] + peak[1 : count + 1]) / 2, valley[:count]
    return float(np.polyfit(((upper - lower) / 2) ** 2, (upper + lower) / 2, 1)[1])


def table_4(scale: Scale, progress: Progress) -> Outcome:
    """Damping by the lifespans of valleys, with the printed formulas and with the right ones."""
    seeds = range(scale.seeds(10, 1))
    figures: list[PublishedFigure] = []
    printed: list[procedures.Study] = []
    corrected: list[procedures.Study] = []
    for place, case in enumerate(swing.SINGLE):
        progress(place / len(swing.SINGLE), f"{case} damping")
        printed.append(procedures.by_procedure(case, seeds, procedures.by_amplitude))
        corrected.append(procedures.by_fits(case, seeds, "topological", **procedures.with_stiffness_known(case)))
        (name,) = swing.DAMPINGS[case]
        told = {name: swing.TOPOLOGICAL[case]}
        figures += procedures.error_rows(case, told, printed[-1], corrected[-1], {name: _NOTES[case]})
        whole = procedures.by_procedure(case, seeds, procedures.by_whole_swing)
        label = f"{case}, L from peak to valley"
        figures += procedures.error_rows(case, told, whole, corrected[-1], label=label)
        clean = procedures.by_procedure(case, [0], procedures.by_amplitude, 0.0)
        right = procedures.by_procedure(case, [0], procedures.by_right_formula, 0.0)
        figures.append(
            PublishedFigure(f"{case}, no noise", f"error of {name}", "%", swing.TOPOLOGICAL[case], clean.error(name),
                            right.error(name), None, _CLEAN)
        )  # fmt: skip
    names = [next(iter(swing.DAMPINGS[case])) for case in swing.SINGLE]
    panel = swing.errors_in_groups(
        "Error of damping by lifespans",
        [f"{case}, {name}" for case, name in zip(swing.SINGLE, names, strict=True)],
        (swing.bars("printed", [swing.TOPOLOGICAL[case] for case in swing.SINGLE], "faint"),
         swing.bars("printed formulas, here", [one.error(name) for one, name in zip(printed, names, strict=True)]),
         swing.bars("corrected", [one.error(name) for one, name in zip(corrected, names, strict=True)]),
         swing.bars("bound", [one.bound(name) for one, name in zip(corrected, names, strict=True)], "bound")),
    )  # fmt: skip
    return Outcome(tuple(figures), (panel,), swing.SETTINGS, len(seeds))


_NOTES = {
    "viscous": "Eq. (3) gives the damping ratio: 1 - 1/w = 77.7 % follows from the missing factor w alone",
    "Coulomb": "Eq. (4) is off by pi/w where L is an amplitude: 29.8 %",
    "quadratic": "Eq. (5) is off by pi/w as well: no reading of it gives the printed 20 %. The public source seeks "
    "mu_q on a grid of step 0.0050 instead, on which 0.0400 is a point: probably that (inferred)",
}
_CLEAN = "best here: the formula with the factor that it lacks, on samples as they are; without noise there is no bound"

SYSTEMS = ("straight spring", "pendulum")
PRINTED = {("straight spring", "topological"): "high accuracy", ("straight spring", "optimization"): "high accuracy",
           ("pendulum", "topological"): "poor (20-78%)", ("pendulum", "optimization"): "excellent (<0.1%)"}  # fmt: skip


def table_5(scale: Scale, progress: Progress) -> Outcome:
    """Topological and optimisation-based estimation compared, on a straight spring and on the pendulum."""
    seeds = range(scale.seeds(5, 1))
    figures, heights = [], dict[str, list[float]]()
    simulations: list[int] = []
    seconds = [0.0, 0.0]  # of all searches, and of all fits
    cases = scale.some(swing.SINGLE)
    for place, system in enumerate(SYSTEMS):
        for step, case in enumerate(cases):
            progress((place + step / len(cases)) / 2, f"{system}, {case} damping")
            ((name, true),) = swing.DAMPINGS[case].items()
            records = [_record(system, case, seed) for seed in seeds]
            formula = [procedures.by_amplitude(case, one)[name] for one in records]
            lifespans = [_fit(system, case, one, "topological") for one in records]
            begun = clock.perf_counter()
            found = [_search(system, case, one) for one in records]
            seconds[0] += clock.perf_counter() - begun
            simulations += [one.simulations for one in found]
            begun = clock.perf_counter()
            best = [_fit(system, case, one, "shooting") for one in records]
            seconds[1] += clock.perf_counter() - begun
            bound = procedures.mean_bound(best, name)
            pairs: dict[str, tuple[Sequence[float], Sequence[ik.Result]]] = {
                "topological": (formula, lifespans),
                "optimization": ([one.value for one in found], best),
            }
            for way, (as_printed, ours) in pairs.items():
                errors = (procedures.relative_error(as_printed, true),
                          procedures.relative_error([one.value(name) for one in ours], true))  # fmt: skip
                figures.append(
                    PublishedFigure(f"{system}, {way}", f"error of {name}", "%", PRINTED[system, way], *errors,
                                    100 * bound / true)
                )  # fmt: skip
                heights.setdefault(f"{way} as printed", []).append(errors[0])
                heights.setdefault(f"{way}, ours", []).append(errors[1])
    figures.append(
        PublishedFigure("cost", "simulations per estimate", "", "10-20", float(np.mean(simulations)), None, None,
                        "Section 9.2; a count, so no bound")
    )  # fmt: skip
    each = [spent / len(simulations) for spent in seconds]
    figures += [
        PublishedFigure("cost", "time of an evaluation", "s", "0.1", seconds[0] / sum(simulations), None, None, _TIME),
        PublishedFigure("cost", "time of an estimate", "s", "1-2", each[0], each[1], None, _TIME),
    ]
    ticks = [f"{system.split()[0]}, {case}" for system in SYSTEMS for case in cases]
    panel = swing.errors_in_groups("Error by system and way", ticks, [swing.bars(*item) for item in heights.items()])
    return Outcome(tuple(figures), (panel,), {**swing.SETTINGS, **procedures.ENVELOPE_SETTINGS}, len(seeds))


def _record(system: str, case: str, seed: int) -> Array:
    return swing.linear_record(case, seed) if system == SYSTEMS[0] else swing.noisy(case, seed)


def _fit(system: str, case: str, values: Array, method: str) -> ik.Result:
    known: dict[str, Any] = procedures.with_stiffness_known(case)
    if system == SYSTEMS[0]:
        return ik.fit(ik.Record.from_arrays(swing.TIME, x=values), swing.linear_model(), method=method, **known)
    return procedures.fitted(case, values, method, **known)


def _search(system: str, case: str, values: Array) -> procedures.Search:
    return procedures.searched(case, values, swing.linear_motion if system == SYSTEMS[0] else procedures.exact)


_TIME = "Section 9.2; of this computer, with our integrator, which differs from run to run; a time has no bound"


def _ways_compared(
    titles: Sequence[str], cases: Sequence[str], seeds: range, settings: Mapping[str, Any], progress: Progress
) -> Outcome:
    """Ways of the report by the names of its tables, and ours beside each, case by case."""
    found, figures = {}, []
    for place, title in enumerate(titles):
        for step, case in enumerate(cases):
            progress((place + step / len(cases)) / len(titles), f"{title}, {case} damping")
            found[title, case] = procedures.compared(procedures.WAYS[title], case, seeds)
            figures += procedures.comparison_rows(procedures.WAYS[title], case, found[title, case])
    panels = procedures.comparison_panels(titles, cases, found)
    return Outcome(tuple(figures), panels, {**swing.SETTINGS, **settings}, len(seeds))


def table_10(scale: Scale, progress: Progress) -> Outcome:
    """All methods of the report on the three records."""
    settings = {**procedures.REGRESSION_SETTINGS, **procedures.ENVELOPE_SETTINGS, "steps of Adam": 100}
    return _ways_compared(list(procedures.WAYS), scale.some(swing.SINGLE), range(scale.seeds(5, 1)), settings, progress)


def table_12(scale: Scale, progress: Progress) -> Outcome:
    """The topological method against optimisation."""
    two = ("topological", "optimization")
    return _ways_compared(two, swing.SINGLE, range(scale.seeds(10, 1)), procedures.ENVELOPE_SETTINGS, progress)


def figure_8(scale: Scale, progress: Progress) -> Outcome:
    """Topological, SINDy, PINN and optimisation side by side; Table 10 has all six."""
    four, settings = (("topological", "SINDy", "PINN", "optimization"),
                      {**procedures.REGRESSION_SETTINGS, **procedures.ENVELOPE_SETTINGS})  # fmt: skip
    return _ways_compared(four, scale.some(swing.SINGLE), range(scale.seeds(3, 1)), settings, progress)


def table_11(scale: Scale, progress: Progress) -> Outcome:
    """Optimisation by envelopes, as printed, beside the best that the same knowledge allows."""
    seeds = range(scale.seeds(10, 1))
    figures: list[PublishedFigure] = []
    shown = []
    for place, case in enumerate(swing.SINGLE):
        progress(place / len(swing.SINGLE), f"{case} damping")
        ((name, true),) = swing.DAMPINGS[case].items()
        search = procedures.by_procedure(case, seeds, procedures.envelope_search)
        best = procedures.by_fits(case, seeds, initial=procedures.KNOWN_START, **procedures.with_stiffness_known(case))
        figures += procedures.value_rows(case, swing.ESTIMATES["optimization"], search, best)
        figures += procedures.error_rows(case, {name: swing.OPTIMIZATION[case]}, search, best)
        source = procedures.source_search(case)
        figures.append(
            PublishedFigure(f"{case}, settings of its source, seed {procedures.SOURCE_SEED}", f"error of {name}", "%",
                            swing.OPTIMIZATION[case], 100 * abs(source.value / true - 1), None, best.bound(name),
                            "no smoothing, nothing left out at the beginning; below 1 % of the largest left out")
        )  # fmt: skip
        trap = procedures.by_procedure(case, [0], procedures.envelope_search_by_default)
        figures.append(PublishedFigure(f"{case}, RK45 as it comes", f"error of {name}", "%", swing.OPTIMIZATION[case],
                                       trap.error(name), None, best.bound(name), _TRAP))  # fmt: skip
        shown.append((case, search, best))
    panel = hybrid_panel("Error of the envelope search", swing.OPTIMIZATION, shown)
    return Outcome(tuple(figures), (panel,),
                   {**swing.SETTINGS, **procedures.ENVELOPE_SETTINGS, "public source": procedures.PLACE},
                   len(seeds))  # fmt: skip


_TRAP = (
    "one draw, sought between half and twice the truth; relative tolerance 1e-3 in the model, exact data; not what the "
    "author ran"
)


def figure_9(scale: Scale, progress: Progress) -> Outcome:
    """The envelope of each record, and that of the model at the estimate."""
    figures, panels = [], []
    for place, case in enumerate(swing.SINGLE):
        progress(place / len(swing.SINGLE), f"{case} damping")
        ((name, true),) = swing.DAMPINGS[case].items()
        measured = swing.noisy(case, 0)
        found = procedures.searched(case, measured)
        best = procedures.by_fits(case, [0], initial=procedures.KNOWN_START, **procedures.with_stiffness_known(case))
        observed = procedures.envelope(measured)
        estimates = {"printed": found.value, "ours": float(best.values[name][0])}
        ways = {way: procedures.envelope(procedures.exact({name: value})) for way, value in estimates.items()}
        misfit = {way: float(np.sqrt(np.mean((observed - one) ** 2))) for way, one in ways.items()}
        figures.append(PublishedFigure(case, "misfit of the envelope, rms", "rad", "excellent match", misfit["printed"],
                                       misfit["ours"], None,
                                       f"the noise of a sample is {swing.NOISE} rad; a misfit has no bound")
        )  # fmt: skip
        figures.append(PublishedFigure(case, f"error of {name}", "%", "not given", 100 * abs(found.value / true - 1),
                                       best.error(name), best.bound(name)))  # fmt: skip
        time = swing.TIME[procedures.BEGIN :: swing.EVERY]
        panels.append(Panel(f"{case}: record and envelope", "time [s]", "angle [rad]",
                            (swing.over_time("measured", measured, "measured"),
                             swing.curve("envelope", time, observed[:: swing.EVERY], "printed"))))  # fmt: skip
        panels.append(
            Panel(f"{case}: envelopes", "time [s]", "envelope [rad]",
                  (swing.curve("observed", time, observed[:: swing.EVERY], "measured"),
                   swing.curve("simulated at the estimate", time, ways["printed"][:: swing.EVERY], "printed")),
                  y_scale="log")
        )  # fmt: skip
    return Outcome(tuple(figures), tuple(panels), {**swing.SETTINGS, **procedures.ENVELOPE_SETTINGS}, 1)


def figure_10(scale: Scale, progress: Progress) -> Outcome:
    """True and estimated dampings as bars."""
    seeds = range(scale.seeds(5, 1))
    figures = []
    search, best, errors, bounds = dict[str, float](), dict[str, float](), list[float](), list[float]()
    for place, case in enumerate(swing.SINGLE):
        progress(place / len(swing.SINGLE), f"{case} damping")
        (name,) = swing.DAMPINGS[case]
        printed = procedures.by_procedure(case, seeds, procedures.envelope_search)
        ours = procedures.by_fits(case, seeds, initial=procedures.KNOWN_START, **procedures.with_stiffness_known(case))
        search[name], best[name] = float(printed.values[name].mean()), float(ours.values[name].mean())
        errors.append(printed.error(name))
        bounds.append(ours.bound(name))
        figures.append(
            PublishedFigure(case, name, "1/s" if name == "zeta" else "", swing.ESTIMATES["optimization"][name],
                            search[name], best[name], ours.bounds[name])
        )  # fmt: skip
    names = [f"{case}, {next(iter(swing.DAMPINGS[case]))}" for case in swing.SINGLE]
    panels = (swing.true_and_estimated("true and estimated", swing.SINGLE, {"as printed, here": search, "ours": best}),
              swing.errors_in_groups("the same, by their errors", names,
                               (swing.bars("as printed, here", errors), swing.bars("bound", bounds, "bound")))
    )  # fmt: skip
    return Outcome(tuple(figures), panels, {**swing.SETTINGS, **procedures.ENVELOPE_SETTINGS}, len(seeds))
