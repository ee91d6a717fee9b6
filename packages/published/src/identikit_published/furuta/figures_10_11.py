"""Figures 10 and 11: the motion with the estimates beside a stand-in for the experiment, in time and in frequency."""

from __future__ import annotations

from identikit.progress import Progress
from identikit_published._base import FURUTA_PAPER, Item, Outcome, Scale
from identikit_published.furuta._case import EXPERIMENT, ROUNDING_BOUND, STAND_IN
from identikit_published.furuta._validation import validated


def run(scale: Scale, progress: Progress) -> Outcome:
    return validated(EXPERIMENT, scale, progress, _REMARKS)


_REMARKS = (
    STAND_IN,
    "The printed estimates are the point that table 2's bounds and one gamma lead to on any record. That they repeat "
    "a motion roughly shows that the bounds were of the right size.",
    "On this stand-in the misfit of those estimates is no limit of the friction model: the same model, fitted to the "
    "same angles, repeats the motion as well as the bound allows. Encoders of 40,000 counts tell friction far better "
    "than 0.1 of noise does.",
    ROUNDING_BOUND,
)

ITEM = Item(
    "furuta-figures-10-11",
    FURUTA_PAPER,
    "Figures 10 and 11",
    "Validation of the estimates and their frequency portrait, experiment (a stand-in)",
    run,
)
