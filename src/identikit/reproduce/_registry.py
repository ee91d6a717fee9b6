"""All published items, document by document. A new one is a file with an `Item`, and a row here.

A row is the key, where the item lives, and the line that the list shows: it can be listed without importing anything.
"""

from __future__ import annotations

from identikit.registry import Registry
from identikit.reproduce._base import Item

_ROWS = {
    # the pendulum report
    "pendulum-figure-1": ("pendulum.figure_1", "Figure 1: time response under viscous, dry and quadratic damping"),
    # the Galerkin paper
    # the Furuta paper
    # the reference-point paper
    "reference-points-experiment-1": (
        "reference_points.experiment_1",
        "Experiment 1: a 2 x 2 matrix from two reference points",
    ),
    "reference-points-experiment-2": (
        "reference_points.experiment_2",
        "Experiment 2: a 3 x 3 matrix from three reference points",
    ),
    "reference-points-experiment-3": (
        "reference_points.experiment_3",
        "Experiment 3: coupled pendulums, their matrix, stiffness, frequencies and amplitudes",
    ),
    "reference-points-design": (
        "reference_points.design",
        "Abstract and section 4: accuracy against the number of samples and the step between points",
    ),
    # the energy paper
}

ITEMS: Registry[Item] = Registry(
    "published item",
    {key: (f"identikit.reproduce.{module}:ITEM", title) for key, (module, title) in _ROWS.items()},
    advice="(see identikit reproduce --list)",
)
