"""Measurements: records, experiments, loading, cleaning and noise."""

from identikit.measurement._clean import detrend as detrend
from identikit.measurement._clean import drop_outliers as drop_outliers
from identikit.measurement._clean import rename as rename
from identikit.measurement._clean import resample as resample
from identikit.measurement._clean import select as select
from identikit.measurement._clean import trim as trim
from identikit.measurement._clipping import Clipping as Clipping
from identikit.measurement._clipping import clipping as clipping
from identikit.measurement._clock import Clock as Clock
from identikit.measurement._clock import Gap as Gap
from identikit.measurement._clock import clock_of as clock_of
from identikit.measurement._experiment import Experiment as Experiment
from identikit.measurement._formats import FORMATS as FORMATS
from identikit.measurement._load import load as load
from identikit.measurement._noise import NoiseEstimate as NoiseEstimate
from identikit.measurement._noise import noise_level as noise_level
from identikit.measurement._noise_colour import NoiseColour as NoiseColour
from identikit.measurement._noise_colour import noise_colour as noise_colour
from identikit.measurement._outliers import Outliers as Outliers
from identikit.measurement._outliers import outliers as outliers
from identikit.measurement._quantisation import Quantisation as Quantisation
from identikit.measurement._quantisation import quantisation as quantisation
from identikit.measurement._reading import DECIMAL_MARKS as DECIMAL_MARKS
from identikit.measurement._reading import Reading as Reading
from identikit.measurement._record import Channel as Channel
from identikit.measurement._record import Record as Record
from identikit.measurement._remark import Remark as Remark
from identikit.measurement._settings import SERIES as SERIES
from identikit.measurement._smooth import HIGHEST_DERIVATIVE as HIGHEST_DERIVATIVE
from identikit.measurement._smooth import RestingCurve as RestingCurve
from identikit.measurement._smooth import SmoothCurve as SmoothCurve
from identikit.measurement._smoothing_spline import SmoothingSpline as SmoothingSpline
from identikit.measurement._spectral_lines import SpectralLine as SpectralLine
from identikit.measurement._spectral_lines import Spectrum as Spectrum
from identikit.measurement._spectral_lines import spectrum_of as spectrum_of
from identikit.measurement._spline_fit import SplineFit as SplineFit
from identikit.measurement._steps import Steps as Steps
from identikit.measurement._steps import steps_of as steps_of
from identikit.measurement._table import Table as Table
from identikit.measurement._unit_suffix import possible_unit as possible_unit
from identikit.measurement._unit_suffix import unit_remark as unit_remark
from identikit.measurement._unwrap import full_turn as full_turn
from identikit.measurement._unwrap import jumps as jumps
from identikit.measurement._unwrap import unwrap as unwrap
from identikit.measurement._whiteness import Whiteness as Whiteness
from identikit.measurement._whiteness import chi_squared_tail as chi_squared_tail
from identikit.measurement._whiteness import whiteness as whiteness
from identikit.measurement._wrapped_angle import WrappedAngle as WrappedAngle
from identikit.measurement._wrapped_angle import wrapped_angle as wrapped_angle

__all__ = [
    "DECIMAL_MARKS",
    "FORMATS",
    "HIGHEST_DERIVATIVE",
    "SERIES",
    "Channel",
    "Clipping",
    "Clock",
    "Experiment",
    "Gap",
    "NoiseColour",
    "NoiseEstimate",
    "Outliers",
    "Quantisation",
    "Reading",
    "Record",
    "Remark",
    "RestingCurve",
    "SmoothCurve",
    "SmoothingSpline",
    "SpectralLine",
    "Spectrum",
    "SplineFit",
    "Steps",
    "Table",
    "Whiteness",
    "WrappedAngle",
    "clipping",
    "clock_of",
    "detrend",
    "drop_outliers",
    "full_turn",
    "jumps",
    "load",
    "noise_colour",
    "noise_level",
    "outliers",
    "possible_unit",
    "quantisation",
    "rename",
    "resample",
    "select",
    "spectrum_of",
    "steps_of",
    "trim",
    "unit_remark",
    "unwrap",
    "whiteness",
    "wrapped_angle",
]
