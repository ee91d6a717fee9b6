"""Figure 1: the swing under each damping, and the decay that the report states for it beside the true one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from identikit.progress import Progress
from identikit.reproduce._base import PENDULUM_REPORT, Item, Outcome, Scale
from identikit.reproduce.pendulum._swing import DAMPINGS, SETTINGS, STIFFNESS, TIME, swing
from identikit.result import Panel, PublishedFigure, Series

EVERY = 20  # samples: what is drawn
REST = 0.0499377  # rad, where k theta = cos theta
FREQUENCY = float(np.sqrt(STIFFNESS + np.sin(REST)))  # rad/s
START = np.pi / 6 - REST  # rad, the first amplitude
SHOWN = ("viscous", "Coulomb", "quadratic")


def amplitude(case: str, as_printed: bool) -> NDArray[Any]:
    """The envelope over TIME: by the report's formula, or by averaging over a cycle."""
    value = next(iter(DAMPINGS[case].values()))
    if case == "viscous":
        return START * np.exp(-value * (FREQUENCY if as_printed else 1.0) * TIME)
    if case == "Coulomb":
        return START - 2 * value / (np.pi * FREQUENCY) * TIME
    return START / (1 + 4 * value * FREQUENCY * START / (3 * np.pi) * TIME)


def run(scale: Scale, progress: Progress) -> Outcome:
    figures, panels = [], []
    for place, case in enumerate(SHOWN):
        progress(place / len(SHOWN), f"{case} damping")
        angle = swing(case)[0]
        at = len(angle) - 750 + int(np.argmax(angle[-750:]))  # the last peak: 750 samples are a period and a little
        last, as_printed = float(angle[at] - REST), float(amplitude(case, True)[at])
        printed = as_printed if case != "quadratic" else "not given"
        figures.append(
            PublishedFigure(case, "amplitude of the last peak", "rad", printed, as_printed, last, None, _NOTES[case])
        )
        curves = [Series("angle", tuple(TIME[::EVERY]), tuple(angle[::EVERY]), emphasis="measured")]
        for told, label, emphasis in ((True, "printed decay", "printed"), (False, "true decay", "model")):
            if told and case != "viscous":
                continue
            curves.append(
                Series(label, tuple(TIME[::EVERY]), tuple(REST + amplitude(case, told)[::EVERY]), emphasis=emphasis)
            )
        panels.append(Panel(f"{case}, {_NAMES[case]}", "time [s]", "angle [rad]", tuple(curves)))
    return Outcome(tuple(figures), tuple(panels), _REMARKS, SETTINGS)


_NAMES = {"viscous": "zeta = 0.05", "Coulomb": "mu_c = 0.03", "quadratic": "mu_q = 0.05"}
_NOTES = {
    "viscous": "printed A0 exp(-zeta w t) has a factor w too many: the equation of motion has 2 zeta theta', without w",
    "Coulomb": "",
    "quadratic": "the report's A0/(1 + beta t) leaves beta open: it is 4 mu_q w A0/(3 pi)",
}
_REMARKS = ("Amplitudes are about the rest position, 0.0499 rad, and not about zero.",)

ITEM = Item(
    "pendulum-figure-1", PENDULUM_REPORT, "Figure 1", "Time response under viscous, dry and quadratic damping", run
)
