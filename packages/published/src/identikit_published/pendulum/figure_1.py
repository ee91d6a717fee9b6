"""Figure 1: the swing under each damping, and the decay that the report states for it beside the true one."""

from __future__ import annotations

from identikit.progress import Progress
from identikit_published._base import PENDULUM_REPORT, Item, Outcome, Scale
from identikit_published.pendulum._pictures import over_time
from identikit_published.pendulum._swing import (
    PERIOD,
    REST,
    SETTINGS,
    SINGLE,
    TIME,
    amplitudes,
    decay,
    swing,
)
from identikit.result import Panel, PublishedFigure


def run(scale: Scale, progress: Progress) -> Outcome:
    figures, panels = [], []
    for place, case in enumerate(SINGLE):
        progress(place / len(SINGLE), f"{case} damping")
        angle = swing(case)[0]
        time, amplitude = amplitudes(angle)
        at = round(float((time[-1] + PERIOD / 4) / TIME[1]))  # half way from the last peak to its valley
        by_pattern = None if case == "quadratic" else float(decay(case, True)[at])
        figures.append(
            PublishedFigure(case, "amplitude of the last swing", "rad", _PATTERNS[case], by_pattern,
                            float(amplitude[-1]), None, _NOTES[case])
        )  # fmt: skip
        curves = [over_time("angle", angle, "measured"), over_time("true decay", REST + decay(case, False), "model")]
        if case == "viscous":
            curves.append(over_time("printed decay", REST + decay(case, True), "printed"))
        panels.append(Panel(f"{case}, {_NAMES[case]}", "time [s]", "angle [rad]", tuple(curves)))
    return Outcome(tuple(figures), tuple(panels), _REMARKS, SETTINGS)


_NAMES = {"viscous": "zeta = 0.05", "Coulomb": "mu_c = 0.03", "quadratic": "mu_q = 0.05"}
_PATTERNS = {"viscous": "A0 exp(-zeta w t)", "Coulomb": "A0 - 2 mu_c t/(pi w)", "quadratic": "A0/(1 + beta t)"}
_NOTES = {
    "viscous": "the printed pattern has a factor w too many: the equation of motion has 2 zeta theta', without w",
    "Coulomb": "the printed pattern is right; the first swing is lopsided by 0.002 rad, which A0 leaves out",
    "quadratic": "the printed pattern leaves beta open: it is 4 mu_q w A0/(3 pi)",
}
_REMARKS = (
    "Amplitudes are about the rest position, 0.0499 rad, and not about zero. The motion has no noise, so nothing is "
    "estimated and there is no bound. As printed: the pattern of Section 2.2 at the time of that swing.",
)

ITEM = Item(
    "pendulum-figure-1", PENDULUM_REPORT, "Figure 1", "Time response under viscous, dry and quadratic damping", run
)
