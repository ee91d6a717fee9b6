"""All published items, document by document. A new one is a file with an `Item`, and a row here.

A row is the key, where the item lives, and the line that the list shows: it can be listed without importing anything.
"""

from __future__ import annotations

from identikit.registry import Registry
from identikit_published._base import Item

_ROWS = {
    # the pendulum report
    "pendulum-table-1": (
        "pendulum.table_1",
        "Table 1: damping mechanisms and what their decay patterns make of the parameters",
    ),
    "pendulum-table-2": ("pendulum.table_2", "Table 2: simulation parameters, found again in the record"),
    "pendulum-table-3": ("pendulum.table_3", "Table 3: the pendulum and a linear oscillator: frequency over amplitude"),
    "pendulum-table-4": (
        "pendulum.table_4",
        "Table 4: topological damping estimation, formulas as printed and corrected",
    ),
    "pendulum-table-5": ("pendulum.table_5", "Table 5: topological and optimization-based estimation compared"),
    "pendulum-table-6": ("pendulum.table_6", "Table 6: SINDy, as printed and by the weak form"),
    "pendulum-table-7": ("pendulum.table_7", "Table 7: PINN, hybrid as printed and in windows"),
    "pendulum-table-8": ("pendulum.table_8", "Table 8: neural ODE, hybrid as printed and by segments"),
    "pendulum-table-9": ("pendulum.table_9", "Table 9: symbolic regression, hybrid as printed and by search"),
    "pendulum-table-10": ("pendulum.table_10", "Table 10: all methods compared"),
    "pendulum-table-11": ("pendulum.table_11", "Table 11: optimization by envelopes"),
    "pendulum-table-12": ("pendulum.table_12", "Table 12: topological against optimization"),
    "pendulum-figure-1": ("pendulum.figure_1", "Figure 1: time response under viscous, dry and quadratic damping"),
    "pendulum-figure-2": ("pendulum.figure_2", "Figure 2: phase portraits"),
    "pendulum-figure-3": ("pendulum.figure_3", "Figure 3: SINDy, viscous damping, and Eq. (21)"),
    "pendulum-figure-4": ("pendulum.figure_4", "Figure 4: SINDy, combined damping"),
    "pendulum-figure-5": ("pendulum.figure_5", "Figure 5: PINN, viscous damping: training and estimate"),
    "pendulum-figure-6": ("pendulum.figure_6", "Figure 6: neural ODE, viscous damping: training and estimate"),
    "pendulum-figure-7": ("pendulum.figure_7", "Figure 7: symbolic regression, viscous damping"),
    "pendulum-figure-8": ("pendulum.figure_8", "Figure 8: comparison of methods"),
    "pendulum-figure-9": ("pendulum.figure_9", "Figure 9: envelopes, observed and simulated"),
    "pendulum-figure-10": ("pendulum.figure_10", "Figure 10: true and estimated dampings"),
    "pendulum-extension-1": ("pendulum.extension_1", "Extension 1: several dampings at once"),
    "pendulum-extension-2": ("pendulum.extension_2", "Extension 2: combined damping by every method"),
    "pendulum-extension-3": ("pendulum.extension_3", "Extension 3: forced response, amplitude and phase"),
    "pendulum-extension-4": ("pendulum.extension_4", "Extension 4: uncertainty: kinds of intervals"),
    "pendulum-extension-5": (
        "pendulum.extension_5",
        "Extension 5: data as a sensor gives them: rounded, coloured noise",
    ),
    # the Galerkin paper
    "galerkin-table-1": ("galerkin.table_1", "Table 1: eleven parameters of four coupled Chua circuits at 30 dB"),
    "galerkin-table-2": ("galerkin.table_2", "Table 2: three parameters of a tank reactor driven by steps"),
    "galerkin-table-4": (
        "galerkin.table_4",
        "Tables 3 and 4: geometry, mass and excitation of a stacked Miura-ori (settings), and its five parameters",
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
    "furuta-table-3": ("furuta.table_3", "Table 3: ten friction parameters from the simulation"),
    "furuta-figures-4-5": ("furuta.figures_4_5", "Figures 4 and 5: the observer's tracking, its parameters' way"),
    "furuta-figures-6-7": ("furuta.figures_6_7", "Figures 6 and 7: validation and frequency portrait, simulation"),
    "furuta-table-4": ("furuta.table_4", "Table 4: ten friction parameters from the experiment (a stand-in)"),
    "furuta-figures-8-9": ("furuta.figures_8_9", "Figures 8 and 9: tracking and parameters' way, experiment"),
    "furuta-figures-10-11": ("furuta.figures_10_11", "Figures 10 and 11: validation and portrait, experiment"),
    "furuta-table-5": ("furuta.table_5", "Table 5 and Figure 12: fit and computing time of all methods"),
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
        "Abstract, sections 2 to 4: accuracy against the number of samples and the step between points",
    ),
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
    {key: (f"identikit_published.{module}:ITEM", title) for key, (module, title) in _ROWS.items()},
    remedy="list_items",
)
