"""Table 1: the damping mechanisms, and what the decay patterns printed with them make of their parameters."""

from __future__ import annotations

import numpy as np

from identikit.progress import Progress
from identikit_published._base import PENDULUM_REPORT, Item, Outcome, Scale
from identikit_published.pendulum._pictures import curve
from identikit_published.pendulum._study import by_fits
from identikit_published.pendulum._swing import DAMPINGS, FREQUENCY, PARAMETERS, SETTINGS, SINGLE, amplitudes, swing
from identikit.result import Panel, PublishedFigure, Series


def by_pattern(case: str) -> float | None:
    """The parameter that the printed pattern A(t) has for the peaks of the motion; None where it leaves it open."""
    time, amplitude = amplitudes(swing(case)[0])
    if case == "viscous":  # A0 exp(-zeta w t)
        return float(-np.polyfit(time, np.log(amplitude), 1)[0] / FREQUENCY)
    if case == "Coulomb":  # A0 - 2 mu_c t/(pi w)
        return float(-np.polyfit(time, amplitude, 1)[0] * np.pi * FREQUENCY / 2)
    return None


def run(scale: Scale, progress: Progress) -> Outcome:
    seeds = scale.seeds(10, 1)
    figures = []
    for place, case in enumerate(SINGLE):
        progress(place / len(SINGLE), f"{case} damping")
        ((name, true),) = DAMPINGS[case].items()
        study = by_fits(case, range(seeds))
        unit = "1/s" if name == "zeta" else ""
        mean = float(np.mean(study.values[name]))
        figures.append(
            PublishedFigure(case, name, unit, true, by_pattern(case), mean, study.bounds[name], _NOTES[case])
        )
    return Outcome(tuple(figures), (_panel(),), _REMARKS, SETTINGS, seeds)


def _panel() -> Panel:
    velocity = np.linspace(-2.2, 2.2, 400)
    laws = (2 * velocity, np.sign(velocity), velocity * np.abs(velocity))
    curves: list[Series] = []
    for case, name, law in zip(SINGLE, PARAMETERS, laws, strict=True):
        value = DAMPINGS[case][name]
        curves.append(curve(f"{case}, {name} = {value:g}", velocity, value * law))
    return Panel("The three mechanisms", "velocity [rad/s]", "torque over m g L [-]", tuple(curves))


_NOTES = {
    "viscous": "as printed: the printed pattern A0 exp(-zeta w t), fitted to the swings of the motion without noise; "
    "the right one is A0 exp(-zeta t), and the printed one makes zeta too small by the factor w = 4.478",
    "Coulomb": "as printed: slope of the amplitude, 2 mu_c/(pi w), which is right",
    "quadratic": "A0/(1 + beta t) is printed without a relation of beta to mu_q: it is beta = 4 mu_q w A0/(3 pi)",
}
_REMARKS = (
    "Best here: mean over the noise draws of the trajectory fit (shooting), with k and the first state unknown; bound: "
    "the standard deviation of one draw that no unbiased estimate can go below.",
    "The table calls zeta viscous damping and the text treats it like a damping ratio. With the term 2 zeta theta' of "
    "Eq. (1) it is a rate; the ratio is zeta/w = 0.0112.",
)

ITEM = Item("pendulum-table-1", PENDULUM_REPORT, "Table 1", "Damping mechanisms and their parameters", run)
