"""Pictures of results, drawn from what a saved result holds."""

from identikit.plotting._comparison_plot import plot_comparison as plot_comparison
from identikit.plotting._damping_plot import plot_damping as plot_damping
from identikit.plotting._design_plot import plot_design as plot_design
from identikit.plotting._envelope_plot import plot_envelope as plot_envelope
from identikit.plotting._explore_plot import plot_basins as plot_basins
from identikit.plotting._explore_plot import plot_energy as plot_energy
from identikit.plotting._explore_plot import plot_exponent as plot_exponent
from identikit.plotting._explore_plot import plot_finding as plot_finding
from identikit.plotting._explore_plot import plot_portrait as plot_portrait
from identikit.plotting._explore_plot import plot_section as plot_section
from identikit.plotting._explore_plot import plot_wells as plot_wells
from identikit.plotting._fit_plot import plot_fit as plot_fit
from identikit.plotting._friction_plot import plot_friction as plot_friction
from identikit.plotting._identifiability_plot import plot_identifiability as plot_identifiability
from identikit.plotting._look_plot import plot_look as plot_look
from identikit.plotting._painters import PAINTERS as PAINTERS
from identikit.plotting._persistence_plot import plot_persistence as plot_persistence
from identikit.plotting._posterior_plot import plot_posterior as plot_posterior
from identikit.plotting._record_plot import plot_record as plot_record
from identikit.plotting._reproduction_plot import plot_reproduction as plot_reproduction
from identikit.plotting._response_plot import plot_response as plot_response
from identikit.plotting._restoring_force_plot import plot_restoring_force as plot_restoring_force
from identikit.plotting._selection_plot import plot_selection as plot_selection
from identikit.plotting._style import FORMATS as FORMATS
from identikit.plotting._uncertainty_plot import plot_uncertainty as plot_uncertainty
