"""Figures 8 and 9: the observer follows a stand-in for the experiment, and its parameters settle where they must."""

from __future__ import annotations

from identikit.progress import Progress
from identikit_published._base import FURUTA_PAPER, Item, Outcome, Scale
from identikit_published.furuta._case import EXPERIMENT, STAND_IN
from identikit_published.furuta._tracking import Claims, tracked

CLAIMS = Claims(
    threshold=0.05,
    gain="follows the error norm",
    spikes="intermittent spikes",
    parameters="settle and oscillate within some final range",
)


def run(scale: Scale, progress: Progress) -> Outcome:
    return tracked(EXPERIMENT, progress, CLAIMS, _REMARKS)


_REMARKS = (
    STAND_IN,
    "The paper says that the parameters oscillate within a final range. Under its equation 23 they cannot: each goes "
    "one way to its fixed point, the faster the larger the error is. If they did oscillate, they came from another law "
    "than the one that is printed.",
    "The printed advice to average the parameters once the error has fallen cannot move them: by then they stand at "
    "the point that the bounds and gamma set.",
)

ITEM = Item(
    "furuta-figures-8-9",
    FURUTA_PAPER,
    "Figures 8 and 9",
    "The observer's tracking and the trajectories of its parameters, experiment (a stand-in)",
    run,
)
