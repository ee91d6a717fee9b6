"""Figure 7: symbolic regression on the viscous record."""

from __future__ import annotations

import numpy as np

from identikit.progress import Progress
from identikit_published._base import PENDULUM_REPORT, Item, Outcome, Scale
from identikit_published.pendulum._direct_regression import REGRESSION_SETTINGS, derivatives, direct_regression
from identikit_published.pendulum._discovered import motion_of
from identikit_published.pendulum._pictures import phase_portrait, time_response, true_and_estimated
from identikit_published.pendulum._printed import ESTIMATES, SYMBOLIC
from identikit_published.pendulum._study import fitted
from identikit_published.pendulum._swing import DAMPINGS, SETTINGS, noisy
from identikit_published.pendulum._ways import LAW_UNKNOWN
from identikit.result import PublishedFigure

CASE, NAME = "viscous", "zeta"


def run(scale: Scale, progress: Progress) -> Outcome:
    measured = noisy(CASE, 0)
    hybrid = direct_regression(CASE, measured)[NAME]
    progress(0.1, "the law is searched for")
    best = fitted(CASE, measured, "symbolic", **LAW_UNKNOWN)
    true, printed = DAMPINGS[CASE][NAME], ESTIMATES["symbolic"][NAME]
    bound = best.parameters[NAME].crlb or float("nan")
    law = best.artifacts["law"]["equations"]["omega"]
    figures = (
        PublishedFigure(CASE, NAME, "1/s", printed, hybrid, best.value(NAME), bound, f"law found: theta'' = {law}"),
        PublishedFigure(CASE, f"error of {NAME}", "%", SYMBOLIC[CASE], 100 * abs(hybrid / true - 1),
                        100 * abs(best.value(NAME) / true - 1), 100 * bound / true),
    )  # fmt: skip
    states = motion_of(best)
    panels = (
        time_response("time response", measured, states[0], "law that was found"),
        phase_portrait("phase portrait", np.stack(derivatives(measured)[:2]), states, "law that was found"),
        true_and_estimated(
            "estimates",
            [CASE],
            {"printed": {NAME: printed}, "as printed, here": {NAME: hybrid}, "ours": {NAME: best.value(NAME)}},
        ),
    )
    return Outcome(figures, panels, _REMARKS, {**SETTINGS, **REGRESSION_SETTINGS}, 1)


_REMARKS = (
    "As printed: the structure is known and its constant comes from the direct regression of Eq. (24); nothing is "
    "searched for. Best here: method symbolic, which is told neither the kind of damping nor k.",
)

ITEM = Item("pendulum-figure-7", PENDULUM_REPORT, "Figure 7", "Symbolic regression on the viscous record", run)
