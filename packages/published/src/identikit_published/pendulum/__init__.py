"""The pendulum report: tables, figures and the extensions that it proposes."""

from identikit_published._base import Document

DOCUMENT = Document(
    "the pendulum report",
    "Inverse parameter estimation for nonlinear pendulum using optimization-based system identification, report, 2026; "
    "its code: Alqahtani921893/Damping-Parameter-Estimation on GitHub.",
    __name__,
    {  # key: where its work is, where it stands in the document, what it shows
        "pendulum-table-1": ("motion:table_1", "Table 1", "Damping mechanisms and their parameters"),
        "pendulum-table-2": ("motion:table_2", "Table 2", "Simulation parameters"),
        "pendulum-table-3": ("motion:table_3", "Table 3", "The pendulum and a linear oscillator compared"),
        "pendulum-table-4": ("comparison:table_4", "Table 4", "Errors of topological damping estimation"),
        "pendulum-table-5": ("comparison:table_5", "Table 5", "Topological and optimization-based estimation"),
        "pendulum-table-6": ("discovery:table_6", "Table 6", "SINDy estimates with rounded dry friction"),
        "pendulum-table-7": ("training:table_7", "Table 7", "PINN estimates by the hybrid approach"),
        "pendulum-table-8": ("training:table_8", "Table 8", "Neural ODE estimates by the hybrid approach"),
        "pendulum-table-9": ("training:table_9", "Table 9", "Symbolic regression estimates"),
        "pendulum-table-10": ("comparison:table_10", "Table 10", "All estimation methods compared"),
        "pendulum-table-11": ("comparison:table_11", "Table 11", "Optimization-based estimates"),
        "pendulum-table-12": ("comparison:table_12", "Table 12", "Topological and optimization-based errors"),
        "pendulum-figure-1": ("motion:figure_1", "Figure 1", "Time response under viscous, dry and quadratic damping"),
        "pendulum-figure-2": ("motion:figure_2", "Figure 2", "Phase portraits"),
        "pendulum-figure-3": ("discovery:figure_3", "Figure 3", "SINDy on the viscous record, and Eq. (21)"),
        "pendulum-figure-4": ("discovery:figure_4", "Figure 4", "SINDy on the combined record"),
        "pendulum-figure-5": ("training:figure_5", "Figure 5", "PINN on the viscous record"),
        "pendulum-figure-6": ("training:figure_6", "Figure 6", "Neural ODE on the viscous record"),
        "pendulum-figure-7": ("discovery:figure_7", "Figure 7", "Symbolic regression on the viscous record"),
        "pendulum-figure-8": ("comparison:figure_8", "Figure 8", "Comparison of estimation methods"),
        "pendulum-figure-9": ("comparison:figure_9", "Figure 9", "Envelopes, observed and simulated"),
        "pendulum-figure-10": ("comparison:figure_10", "Figure 10", "True and estimated dampings"),
        "pendulum-extension-1": ("extensions:extension_1", "Extension 1", "Several dampings at once"),
        "pendulum-extension-2": ("extensions:extension_2", "Extension 2", "Combined damping by every method"),
        "pendulum-extension-3": ("extensions:extension_3", "Extension 3", "Forced response"),
        "pendulum-extension-4": ("extensions:extension_4", "Extension 4", "Uncertainty of the estimates"),
        "pendulum-extension-5": ("extensions:extension_5", "Extension 5", "Data as a sensor gives them"),
    },
)
