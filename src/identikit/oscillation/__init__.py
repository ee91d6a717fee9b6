"""Free decays of one oscillation: what they are in a record and in an equation.

In a record: turning points, amplitude, envelope, lifespans of valleys, logarithmic decrement and half-power width, and
whether it is a free decay at all. In an equation: which parameters damp and which restore, where it rests, and the
exact map from one turning point to the next. Which law of damping made a decay is asked above, by `identikit.damping`.

Names are loaded on first use: reading a record needs no equations, and so not the algebra that the rest imports.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what `_HOMES` does at run time, for type checkers and editors
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

_HOMES = {
    "AmplitudeCurve": "identikit.oscillation._amplitude_law",
    "AmplitudeLoss": "identikit.oscillation._amplitude_law",
    "amplitude_curve": "identikit.oscillation._amplitude_law",
    "amplitude_rates": "identikit.oscillation._amplitude_law",
    "AnalyticSignal": "identikit.oscillation._analytic_signal",
    "DampingEstimate": "identikit.oscillation._decrement",
    "half_power": "identikit.oscillation._decrement",
    "log_decrement": "identikit.oscillation._decrement",
    "end_of_motion": "identikit.oscillation._free_decay",
    "free_decay_objections": "identikit.oscillation._free_decay",
    "HalfCycles": "identikit.oscillation._half_cycle",
    "smoothing_bias": "identikit.oscillation._half_cycle",
    "Decline": "identikit.oscillation._lifespans",
    "decline_of": "identikit.oscillation._lifespans",
    "DRAG": "identikit.oscillation._mechanisms",
    "DRY": "identikit.oscillation._mechanisms",
    "MECHANISMS": "identikit.oscillation._mechanisms",
    "OTHER": "identikit.oscillation._mechanisms",
    "VISCOUS": "identikit.oscillation._mechanisms",
    "DampedModel": "identikit.oscillation._mechanisms",
    "damped_model": "identikit.oscillation._mechanisms",
    "damping_parameters": "identikit.oscillation._mechanisms",
    "Oscillator": "identikit.oscillation._oscillator",
    "input_changes": "identikit.oscillation._oscillator",
    "oscillator_of": "identikit.oscillation._oscillator",
    "KAPPA": "identikit.oscillation._oscillator_model",
    "OUTPUT": "identikit.oscillation._oscillator_model",
    "STIFFNESS": "identikit.oscillation._oscillator_model",
    "oscillator_model": "identikit.oscillation._oscillator_model",
    "oscillator_values": "identikit.oscillation._oscillator_model",
    "loop_persistence": "identikit.oscillation._persistence",
    "sublevel_lifespans": "identikit.oscillation._persistence",
    "rest_position": "identikit.oscillation._rest_position",
    "MotionSample": "identikit.oscillation._restoring_shape",
    "RestoringShape": "identikit.oscillation._restoring_shape",
    "restoring_shapes": "identikit.oscillation._restoring_shape",
    "OSCILLATION": "identikit.oscillation._settings",
    "TurningPoints": "identikit.oscillation._turning_points",
    "turning_points": "identikit.oscillation._turning_points",
}

__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_HOMES)
