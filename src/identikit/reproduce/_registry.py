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
    "furuta-table-3": ("furuta.table_3", "Table 3: ten friction parameters from the simulation"),
    "furuta-figures-4-5": ("furuta.figures_4_5", "Figures 4 and 5: the observer's tracking, its parameters' way"),
    "furuta-figures-6-7": ("furuta.figures_6_7", "Figures 6 and 7: validation and frequency portrait, simulation"),
    "furuta-table-4": ("furuta.table_4", "Table 4: ten friction parameters from the experiment (a stand-in)"),
    "furuta-figures-8-9": ("furuta.figures_8_9", "Figures 8 and 9: tracking and parameters' way, experiment"),
    "furuta-figures-10-11": ("furuta.figures_10_11", "Figures 10 and 11: validation and portrait, experiment"),
    "furuta-table-5": ("furuta.table_5", "Table 5 and Figure 12: fit and computing time of all methods"),
    # the reference-point paper
    # the energy paper
    "energy-figure-1": ("energy.figure_1", "Figure 1: velocity from cubic and from smoothing splines"),
    "energy-figure-3": ("energy.figure_3", "Figure 3: error against start angle, energy and averaging"),
    "energy-table-1": ("energy.table_1", "Table 1: five parameters of the magnetic pendulum"),
    "energy-figure-4": ("energy.figure_4", "Figure 4: phase portraits from reference and estimated parameters"),
    "energy-figure-5": ("energy.figure_5", "Figure 5: two releases, measured and modelled"),
    "energy-figure-6": ("energy.figure_6", "Figure 6: basins of attraction and potential wells"),
    "energy-table-2": ("energy.table_2", "Table 2: four parameters of the chaotic Duffing oscillator"),
    "energy-figure-7": ("energy.figure_7", "Figure 7: phase portraits of the chaotic Duffing oscillator"),
    "energy-figure-8": ("energy.figure_8", "Figure 8: Poincare sections of 10,000 periods"),
}

ITEMS: Registry[Item] = Registry(
    "published item",
    {key: (f"identikit.reproduce.{module}:ITEM", title) for key, (module, title) in _ROWS.items()},
    advice="(see identikit reproduce --list)",
)
