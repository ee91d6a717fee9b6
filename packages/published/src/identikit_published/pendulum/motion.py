"""Tables 1 to 3, Figures 1 and 2: the motions themselves, how they decay, and what they are simulated with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from identikit.progress import Progress
from identikit.result import Panel, PublishedFigure, Series
from identikit_published import independent
from identikit_published._base import Outcome, Scale
from identikit_published.pendulum.procedures import by_amplitude, by_default_tolerance, by_right_formula, exact
from identikit_published.pendulum.study import by_fits, fitted, mean_bound
from identikit_published.pendulum.swing import (
    DAMPINGS,
    FIRST,
    FREQUENCY,
    NOISE,
    PARAMETERS,
    PERIOD,
    RELEASED,
    REST,
    SETTINGS,
    SINGLE,
    STIFFNESS,
    TIME,
    amplitudes,
    curve,
    decay,
    linear_record,
    noisy,
    over_time,
    peaks,
    swing,
)


def by_pattern(case: str) -> float | None:
    """The parameter that the printed pattern A(t) has for the peaks of the motion; None where it leaves it open."""
    time, amplitude = amplitudes(swing(case)[0])
    if case == "viscous":  # A0 exp(-zeta w t)
        return float(-np.polyfit(time, np.log(amplitude), 1)[0] / FREQUENCY)
    if case == "Coulomb":  # A0 - 2 mu_c t/(pi w)
        return float(-np.polyfit(time, amplitude, 1)[0] * np.pi * FREQUENCY / 2)
    return None


def table_1(scale: Scale, progress: Progress) -> Outcome:
    """The damping mechanisms, and what the decay patterns printed with them make of their parameters."""
    seeds = scale.seeds(10, 1)
    figures = []
    for place, case in enumerate(SINGLE):
        progress(place / len(SINGLE), f"{case} damping")
        ((name, true),) = DAMPINGS[case].items()
        study = by_fits(case, range(seeds))
        unit = "1/s" if name == "zeta" else ""
        mean = float(np.mean(study.values[name]))
        figures.append(
            PublishedFigure(case, name, unit, true, by_pattern(case), mean, study.bounds[name], _TABLE_1_NOTES[case])
        )
    return Outcome(tuple(figures), (_panel(),), SETTINGS, seeds)


def _panel() -> Panel:
    velocity = np.linspace(-2.2, 2.2, 400)
    laws = (2 * velocity, np.sign(velocity), velocity * np.abs(velocity))
    curves: list[Series] = []
    for case, name, law in zip(SINGLE, PARAMETERS, laws, strict=True):
        value = DAMPINGS[case][name]
        curves.append(curve(f"{case}, {name} = {value:g}", velocity, value * law))
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
    results = [fitted("viscous", noisy("viscous", seed)) for seed in range(seeds)]
    case = "viscous record"
    figures = []
    k = [result.parameters["k"] for result in results]
    figures.append(
        PublishedFigure(case, "torsional stiffness k", "", 20.0, STIFFNESS, _mean([one.value for one in k]),
                        _mean([one.crlb for one in k]))
    )  # fmt: skip
    for state, label, unit, printed in (
        ("theta", "first angle", "rad", RELEASED),
        ("omega", "first velocity", "rad/s", 0.0),
    ):
        found = [result.initial_states[0][state] for result in results]
        figures.append(
            PublishedFigure(case, label, unit, printed, printed, _mean([one["value"] for one in found]),
                            _mean([one["std"] for one in found]))
        )  # fmt: skip
    sigma = _mean([result.noise["theta"].sigma for result in results])
    spread = NOISE / np.sqrt(2 * len(swing("viscous")[0]))
    figures.append(PublishedFigure(case, "noise", "rad", NOISE, NOISE, sigma, float(spread)))
    for one in SINGLE:
        last = float(peaks(swing(one)[0])[1][-1] - REST)
        for label, amplitude in (("at first", FIRST), ("at the end", last)):
            if label == "at first" and one != "viscous":
                continue
            figures.append(
                PublishedFigure(one, f"noise over amplitude, {label}", "%", 0.2, 0.2, 100 * NOISE / amplitude, None,
                                "printed relative to one radian; no estimate, so no bound")
            )  # fmt: skip
    curves = []
    for place, one in enumerate(SINGLE):
        progress(0.6 + 0.1 * place, f"{one}: integrators")
        off = {way: np.abs(way(DAMPINGS[one]) - swing(one)[0]) for way in (by_default_tolerance, exact)}
        figures.append(
            PublishedFigure(one, "largest error of the simulation", "rad", "not given",
                            float(off[by_default_tolerance].max()), float(off[exact].max()), None,
                            "as printed: RK45 of SciPy at its default tolerance; the noise is 0.002")
        )  # fmt: skip
        curves.append(over_time(f"{one}, RK45 as it comes", np.maximum.accumulate(off[by_default_tolerance])))
    curves.append(over_time("noise", np.full_like(swing("viscous")[0], NOISE), "bound"))
    panel = Panel("Largest error so far of the simulation", "time [s]", "error of the angle [rad]", tuple(curves))
    return Outcome(tuple(figures), (panel,), SETTINGS, seeds)


def _mean(values: list[float | None]) -> float:
    return float(np.mean([value for value in values if value is not None]))


SMALL = 0.01  # rad, a small amplitude
CYCLES = 20  # over which a frequency is taken


def frequency(amplitude: float) -> float:
    """Of the motion without damping, let go so far from the rest position [rad/s]."""
    time = TIME[: int((CYCLES + 2) * 2 * np.pi / FREQUENCY / TIME[1])]
    angle = independent.horizontal_pendulum(time, (REST + amplitude, 0.0), k=STIFFNESS)[0][0]
    at = peaks(angle, time)[0]
    return float(2 * np.pi * CYCLES / (at[CYCLES] - at[0]))


def printed_frequency(angle: float) -> float:
    """w(theta) = sqrt(k - sin theta/theta)."""
    return float(np.sqrt(STIFFNESS - np.sin(angle) / angle))


def table_3(scale: Scale, progress: Progress) -> Outcome:
    """The pendulum against the straight spring: its frequency, and how much that depends on the amplitude."""
    seeds = scale.seeds(10, 1)
    progress(0.0, "frequencies by simulation")
    amplitudes = np.linspace(SMALL, FIRST, 4 if scale.quick else 12)
    true = np.array([frequency(float(one)) for one in amplitudes])
    progress(0.3, "the same from noisy records")
    results = [fitted("viscous", noisy("viscous", seed)) for seed in range(seeds)]
    k = np.array([result.value("k") for result in results])
    bound_k = mean_bound(results, "k")
    measured = float(np.mean([np.sqrt(one + np.sin(_rest(float(one)))) for one in k]))
    shift = 100 * (true[-1] / true[0] - 1)
    printed_shift = 100 * (printed_frequency(FIRST) / printed_frequency(SMALL) - 1)
    at_rest = printed_frequency(REST)
    figures = [
        PublishedFigure("pendulum", "frequency of small swings", "rad/s", "sqrt(k - sin(theta)/theta)", at_rest,
                        measured, bound_k / (2 * FREQUENCY),
                        f"as printed: at theta_eq; simulated without damping: {true[0]:.5f}"),
        PublishedFigure("pendulum", "stiffness at the rest position", "", "k - 1", STIFFNESS - 1,
                        measured**2, bound_k, "Eq. (7) turns the constant -1 of the series into -theta"),
        PublishedFigure("pendulum", "change of the frequency from 0.01 to 0.47 rad", "%", "amplitude-dependent",
                        printed_shift, shift, None, "simulated without noise, so no bound"),
    ]  # fmt: skip
    for place, system in enumerate(("straight spring", "pendulum")):
        progress(0.7 + 0.15 * place, f"lifespans, {system}")
        values = linear_record("viscous", 0, 0.0) if place == 0 else noisy("viscous", 0, 0.0)
        by_formula = by_amplitude("viscous", values)["zeta"]
        zeta = DAMPINGS["viscous"]["zeta"]
        corrected = by_right_formula("viscous", values)["zeta"]
        figures.append(
            PublishedFigure(system, "error of zeta by lifespans, no noise", "%", "fails" if place else "works",
                            100 * (by_formula / zeta - 1), 100 * (corrected / zeta - 1), None,
                            "the printed formula lacks the factor w on either system; without noise there is no bound")
        )  # fmt: skip
    angles = np.linspace(SMALL, FIRST, 100)
    panel = Panel(
        "Frequency over amplitude",
        "amplitude [rad]",
        "frequency [rad/s]",
        (
            curve("printed, sqrt(k - sin(theta)/theta)", angles, [printed_frequency(one) for one in angles], "printed"),
            curve("simulated", amplitudes, true, "model"),
            curve("sqrt(k + sin(theta_eq))", angles, np.full_like(angles, FREQUENCY), "bound"),
        ),
    )
    return Outcome(tuple(figures), (panel,), {"k": STIFFNESS, "cycles": CYCLES}, seeds)


def _rest(k: float) -> float:
    angle = 1 / k
    for _ in range(20):
        angle = np.cos(angle) / k
    return angle


def figure_1(scale: Scale, progress: Progress) -> Outcome:
    """The swing under each damping, and the decay that the report states for it beside the true one."""
    figures, panels = [], []
    for place, case in enumerate(SINGLE):
        progress(place / len(SINGLE), f"{case} damping")
        angle = swing(case)[0]
        time, amplitude = amplitudes(angle)
        at = round(float((time[-1] + PERIOD / 4) / TIME[1]))  # half way from the last peak to its valley
        by_pattern = None if case == "quadratic" else float(decay(case, True)[at])
        figures.append(
            PublishedFigure(case, "amplitude of the last swing", "rad", _PATTERNS[case], by_pattern,
                            float(amplitude[-1]), None, _FIGURE_1_NOTES[case])
        )  # fmt: skip
        curves = [over_time("angle", angle, "measured"), over_time("true decay", REST + decay(case, False), "model")]
        if case == "viscous":
            curves.append(over_time("printed decay", REST + decay(case, True), "printed"))
        panels.append(Panel(f"{case}, {_NAMES[case]}", "time [s]", "angle [rad]", tuple(curves)))
    return Outcome(tuple(figures), tuple(panels), SETTINGS)


_NAMES = {"viscous": "zeta = 0.05", "Coulomb": "mu_c = 0.03", "quadratic": "mu_q = 0.05"}
_PATTERNS = {"viscous": "A0 exp(-zeta w t)", "Coulomb": "A0 - 2 mu_c t/(pi w)", "quadratic": "A0/(1 + beta t)"}
_FIGURE_1_NOTES = {
    "viscous": "the printed pattern has a factor w too many: the equation of motion has 2 zeta theta', without w",
    "Coulomb": "the printed pattern is right; the first swing is lopsided by 0.002 rad, which A0 leaves out",
    "quadratic": "the printed pattern leaves beta open: it is 4 mu_q w A0/(3 pi)",
}

EVERY = 10  # samples: what is drawn
TURNS = (0, 20)  # after which the loss of a turn is told


def figure_2(scale: Scale, progress: Progress) -> Outcome:
    """Phase portraits, and how the spirals shrink."""
    figures, panels = [], []
    for place, case in enumerate(SINGLE):
        progress(place / len(SINGLE), f"{case} damping")
        states = swing(case)
        time, amplitude = amplitudes(states[0])
        for turn in TURNS:
            loss = 100 * (1 - amplitude[turn + 1] / amplitude[turn])
            at = np.searchsorted(TIME, time[turn : turn + 2] + PERIOD / 4)
            first, second = decay(case, True)[at]
            figures.append(
                PublishedFigure(case, f"a turn's loss of radius, after {turn + 1}", "%", "not given",
                                None if case == "quadratic" else float(100 * (1 - second / first)), float(loss), None,
                                "as printed: by the report's decay pattern, if it has one")
            )  # fmt: skip
        centre = _centre(states[0])
        figures.append(
            PublishedFigure(case, "centre of the spiral", "rad", "k theta = cos theta", REST, centre, None,
                            "best here: half way between peaks and valleys, at the limit of small swings")
        )  # fmt: skip
        curves = (
            curve("", states[0, ::EVERY], states[1, ::EVERY], "model"),
            Series("rest position", (REST,), (0.0,), "points", emphasis="printed"),
        )
        panels.append(Panel(f"{case} damping", "angle [rad]", "velocity [rad/s]", curves))
    return Outcome(tuple(figures), tuple(panels), SETTINGS)


def _centre(angle: NDArray[np.float64]) -> float:
    """Half way between valleys and the mean of the peaks about each, carried on to a swing of no size.

    The half-way point moves with the square of the amplitude, since the swing is slightly lopsided.
    """
    peak, valley = peaks(angle)[1], -peaks(-angle)[1][1:]  # the motion begins with a valley, before the first peak
    count = min(len(peak) - 1, len(valley))
    upper, lower = (peak[:count] + peak[1 : count + 1]) / 2, valley[:count]
    return float(np.polyfit(((upper - lower) / 2) ** 2, (upper + lower) / 2, 1)[1])
