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
    "galerkin-table-1": ("galerkin.table_1", "Table 1: eleven parameters of four coupled Chua circuits at 30 dB"),
    "galerkin-table-2": ("galerkin.table_2", "Table 2: three parameters of a tank reactor driven by steps"),
    "galerkin-table-4": (
        "galerkin.table_4",
        "Tables 3 and 4: five parameters of a stacked Miura-ori, shaken into chaos",
    ),
    "galerkin-figure-1": ("galerkin.figure_1", "Figure 1 (b): current of the diode over its voltage"),
    "galerkin-figure-3": ("galerkin.figure_3", "Figure 3: cubic B-splines and their slope"),
    "galerkin-figure-4": (
        "galerkin.figure_4",
        "Figure 4: circuits, every parameter step by step, and 90 to 10 dB of noise",
    ),
    "galerkin-figure-5": ("galerkin.figure_5", "Figure 5: reactor, steps of the inputs, outputs, and convergence"),
    "galerkin-figure-7": ("galerkin.figure_7", "Figure 7: origami, time histories and spectra at 6.6 Hz"),
    "galerkin-figure-8": ("galerkin.figure_8", "Figure 8: origami, convergence and force curves"),
    "galerkin-figure-9": ("galerkin.figure_9", "Figure 9: origami, simulated against measured, noisy acceleration"),
    "galerkin-figure-10": ("galerkin.figure_10", "Figure 10: origami, restoring force against the identified curve"),
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
