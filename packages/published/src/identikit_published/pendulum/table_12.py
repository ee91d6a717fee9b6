"""Table 12: the topological method against optimisation."""

from __future__ import annotations

from identikit.progress import Progress
from identikit_published._base import PENDULUM_REPORT, Item, Outcome, Scale
from identikit_published.pendulum._envelope_search import ENVELOPE_SETTINGS
from identikit_published.pendulum._swing import SETTINGS, SINGLE
from identikit_published.pendulum._ways import WAYS, compared, comparison_panels, comparison_rows

SHOWN = ("topological", "optimization")


def run(scale: Scale, progress: Progress) -> Outcome:
    seeds = range(scale.seeds(10, 1))
    found, figures = {}, []
    for place, title in enumerate(SHOWN):
        for step, case in enumerate(SINGLE):
            progress((3 * place + step) / 6, f"{title}, {case} damping")
            found[title, case] = compared(WAYS[title], case, seeds)
            figures += comparison_rows(WAYS[title], case, found[title, case])
    panels = comparison_panels(SHOWN, SINGLE, found)
    return Outcome(tuple(figures), panels, _REMARKS, {**SETTINGS, **ENVELOPE_SETTINGS}, len(seeds))


_REMARKS = (
    "Errors are roots of mean squares over the noise draws. As printed: Eqs. (3) to (5), and Algorithm 1, which knows "
    "k and the first state. Ours: topological with all lifespans and the right scales, and shooting; both without k "
    "and the first state, which the bound shares. Algorithm 1 can be below that bound, since it knows more: see Table "
    "11.",
    "The factor of a thousand between the printed lines is that of formulas with wrong constants, not of the methods.",
)

ITEM = Item("pendulum-table-12", PENDULUM_REPORT, "Table 12", "Topological and optimization-based errors", run)
