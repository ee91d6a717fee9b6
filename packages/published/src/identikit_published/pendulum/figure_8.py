"""Figure 8: topological, SINDy, PINN and optimisation side by side."""

from __future__ import annotations

from identikit.progress import Progress
from identikit_published._base import PENDULUM_REPORT, Item, Outcome, Scale
from identikit_published.pendulum._direct_regression import REGRESSION_SETTINGS
from identikit_published.pendulum._envelope_search import ENVELOPE_SETTINGS
from identikit_published.pendulum._swing import SETTINGS, SINGLE
from identikit_published.pendulum._ways import COMPARISON_REMARKS, WAYS, compared, comparison_panels, comparison_rows

SHOWN = ("topological", "SINDy", "PINN", "optimization")  # the four of the figure; Table 10 has all six


def run(scale: Scale, progress: Progress) -> Outcome:
    seeds = range(scale.seeds(3, 1))
    found, figures = {}, []
    cases = scale.some(SINGLE)
    for place, title in enumerate(SHOWN):
        for step, case in enumerate(cases):
            progress((place + step / len(cases)) / len(SHOWN), f"{title}, {case} damping")
            found[title, case] = compared(WAYS[title], case, seeds)
            figures += comparison_rows(WAYS[title], case, found[title, case])
    panels = comparison_panels(SHOWN, cases, found)
    settings = {**SETTINGS, **REGRESSION_SETTINGS, **ENVELOPE_SETTINGS}
    return Outcome(tuple(figures), panels, COMPARISON_REMARKS, settings, len(seeds))


ITEM = Item("pendulum-figure-8", PENDULUM_REPORT, "Figure 8", "Comparison of estimation methods", run)
