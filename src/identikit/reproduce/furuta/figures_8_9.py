"""Figures 8 and 9: the observer follows a stand-in for the experiment, and its parameters settle where they must."""

from __future__ import annotations

from identikit.progress import Progress
from identikit.reproduce._base import FURUTA_PAPER, Item, Outcome, Scale
from identikit.reproduce.furuta._case import EXPERIMENT, STAND_IN
from identikit.reproduce.furuta._tracking import tracked

THRESHOLD = 0.05  # rad/s, as printed


def run(scale: Scale, progress: Progress) -> Outcome:
    return tracked(EXPERIMENT, progress, THRESHOLD, _REMARKS)


_REMARKS = (
    STAND_IN,
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
