"""Pictures of results, drawn from what a saved result holds."""

from identikit.plot._fit_plot import plot_fit as plot_fit
from identikit.plot._restoring_force_plot import plot_restoring_force as plot_restoring_force
