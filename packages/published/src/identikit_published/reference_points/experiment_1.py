"""The first experiment: a 2 x 2 matrix from two reference points."""

from __future__ import annotations

import numpy as np

from identikit.progress import Progress
from identikit_published._base import REFERENCE_POINT_PAPER, Item, Outcome, Scale
from identikit_published.reference_points._experiment import BOUND_NOTE, Experiment
from identikit_published.reference_points._runs import entry_errors, matrix_figures, matrix_panel, sample_panel

EXPERIMENT = Experiment(np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1.0, 0.0]), 0.5)
PRINTED = np.array([[1.99517, 1.00781], [1.00025, 1.99168]])


def run(scale: Scale, progress: Progress) -> Outcome:
    seeds = scale.seeds(40, 5)
    errors = entry_errors(EXPERIMENT, PRINTED, seeds, progress)
    panels = (matrix_panel(errors), sample_panel(EXPERIMENT, ("x_1", "x_2")))
    return Outcome(tuple(matrix_figures(errors)), panels, _NOTES, dict(EXPERIMENT.settings), seeds)


_NOTES = (
    "The printed estimate is an ordinary draw of the printed procedure. It uses the slope at each point; that one "
    "trajectory joins the points is left out, and makes its errors about 1.5 times as large.",
    "The sums of equation 8 run from -n to n, not from 0 as the text says: the slope's formula holds for a "
    "symmetric window only. The window around t = 0 needs samples before t = 0.",
    BOUND_NOTE,
)

ITEM = Item(
    "reference-points-experiment-1",
    REFERENCE_POINT_PAPER,
    "Experiment 1",
    "A 2 x 2 matrix from two reference points",
    run,
)
