"""Free decays of one oscillation: what they are in a record and in an equation.

In a record: turning points, amplitude, envelope, lifespans of valleys, logarithmic decrement and half-power width, and
whether it is a free decay at all. In an equation: which parameters damp and which restore, where it rests, and the
exact map from one turning point to the next. Which law of damping made a decay is asked above, by `identikit.damping`.
"""

from identikit.oscillation._amplitude_law import AmplitudeCurve as AmplitudeCurve
from identikit.oscillation._amplitude_law import AmplitudeLoss as AmplitudeLoss
from identikit.oscillation._amplitude_law import amplitude_curve as amplitude_curve
from identikit.oscillation._amplitude_law import amplitude_rates as amplitude_rates
from identikit.oscillation._analytic_signal import AnalyticSignal as AnalyticSignal
from identikit.oscillation._decrement import DampingEstimate as DampingEstimate
from identikit.oscillation._decrement import half_power as half_power
from identikit.oscillation._decrement import log_decrement as log_decrement
from identikit.oscillation._free_decay import end_of_motion as end_of_motion
from identikit.oscillation._free_decay import free_decay_objections as free_decay_objections
from identikit.oscillation._half_cycle import HalfCycles as HalfCycles
from identikit.oscillation._half_cycle import smoothing_bias as smoothing_bias
from identikit.oscillation._lifespans import Decline as Decline
from identikit.oscillation._lifespans import decline_of as decline_of
from identikit.oscillation._mechanisms import DRAG as DRAG
from identikit.oscillation._mechanisms import DRY as DRY
from identikit.oscillation._mechanisms import MECHANISMS as MECHANISMS
from identikit.oscillation._mechanisms import OTHER as OTHER
from identikit.oscillation._mechanisms import VISCOUS as VISCOUS
from identikit.oscillation._mechanisms import DampedModel as DampedModel
from identikit.oscillation._mechanisms import damped_model as damped_model
from identikit.oscillation._mechanisms import damping_parameters as damping_parameters
from identikit.oscillation._oscillator import Oscillator as Oscillator
from identikit.oscillation._oscillator import input_changes as input_changes
from identikit.oscillation._oscillator import oscillator_of as oscillator_of
from identikit.oscillation._oscillator_model import KAPPA as KAPPA
from identikit.oscillation._oscillator_model import OUTPUT as OUTPUT
from identikit.oscillation._oscillator_model import STIFFNESS as STIFFNESS
from identikit.oscillation._oscillator_model import oscillator_model as oscillator_model
from identikit.oscillation._oscillator_model import oscillator_values as oscillator_values
from identikit.oscillation._persistence import loop_persistence as loop_persistence
from identikit.oscillation._persistence import sublevel_lifespans as sublevel_lifespans
from identikit.oscillation._rest_position import rest_position as rest_position
from identikit.oscillation._restoring_shape import MotionSample as MotionSample
from identikit.oscillation._restoring_shape import RestoringShape as RestoringShape
from identikit.oscillation._restoring_shape import restoring_shapes as restoring_shapes
from identikit.oscillation._settings import OSCILLATION as OSCILLATION
from identikit.oscillation._turning_points import TurningPoints as TurningPoints
from identikit.oscillation._turning_points import turning_points as turning_points
