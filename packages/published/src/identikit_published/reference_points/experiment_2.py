"""The second experiment: a 3 x 3 matrix from three reference points, which nearly lie in a plane."""

from __future__ import annotations

import numpy as np

from identikit.progress import Progress
from identikit_published._base import REFERENCE_POINT_PAPER, Item, Outcome, Scale
from identikit_published.reference_points._experiment import BOUND_NOTE, Experiment, motion
from identikit_published.reference_points._runs import entry_errors, matrix_figures, matrix_panel, sample_panel

EXPERIMENT = Experiment(
    np.array([[1.0, -3.0, 1.0], [3.0, -3.0, -1.0], [3.0, -5.0, 1.0]]), np.array([0.0, -4.0, 2.0]), 0.5
)
PRINTED = np.array([[1.0638, -3.0157, 0.9650], [2.9178, -2.9764, -0.9569], [2.8818, -4.9635, 1.0605]])


def run(scale: Scale, progress: Progress) -> Outcome:
    seeds = scale.seeds(40, 5)
    errors = entry_errors(EXPERIMENT, PRINTED, seeds, progress)
    states = motion(EXPERIMENT.matrix, EXPERIMENT.initial, EXPERIMENT.spacing * np.arange(3.0))
    crowded = (
        f"The states at the three points have a condition number of {np.linalg.cond(states):.0f}: the growing mode "
        "outgrows the others, and the inverse of Y multiplies the noise. That, not n, limits this experiment."
    )
    panels = (matrix_panel(errors), sample_panel(EXPERIMENT, ("x_1", "x_2", "x_3")))
    return Outcome(
        tuple(matrix_figures(errors)),
        panels,
        (crowded, BOUND_NOTE),
        dict(EXPERIMENT.settings),
        seeds,
    )


ITEM = Item(
    "reference-points-experiment-2",
    REFERENCE_POINT_PAPER,
    "Experiment 2",
    "A 3 x 3 matrix from three reference points",
    run,
)
