"""Table 10: all methods of the report on the three records."""

from __future__ import annotations

from identikit.progress import Progress
from identikit_published._base import PENDULUM_REPORT, Item, Outcome, Scale
from identikit_published.pendulum._direct_regression import REGRESSION_SETTINGS
from identikit_published.pendulum._envelope_search import ENVELOPE_SETTINGS
from identikit_published.pendulum._swing import SETTINGS, SINGLE
from identikit_published.pendulum._ways import COMPARISON_REMARKS, WAYS, compared, comparison_panels, comparison_rows


def run(scale: Scale, progress: Progress) -> Outcome:
    seeds = range(scale.seeds(5, 1))
    found, figures = {}, []
    cases = scale.some(SINGLE)
    for place, (title, way) in enumerate(WAYS.items()):
        for step, case in enumerate(cases):
            progress((place + step / len(cases)) / len(WAYS), f"{title}, {case} damping")
            found[title, case] = compared(way, case, seeds)
            figures += comparison_rows(way, case, found[title, case])
    settings = {**SETTINGS, **REGRESSION_SETTINGS, **ENVELOPE_SETTINGS, "steps of Adam": 100}
    panels = comparison_panels(list(WAYS), cases, found)
    return Outcome(tuple(figures), panels, COMPARISON_REMARKS, settings, len(seeds))


ITEM = Item("pendulum-table-10", PENDULUM_REPORT, "Table 10", "All estimation methods compared", run)
