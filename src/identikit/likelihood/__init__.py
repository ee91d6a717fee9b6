"""The likelihood of a record: trajectories cut into segments, nodes eliminated, states from what is measured."""

from identikit.likelihood._band import Curve as Curve
from identikit.likelihood._band import FittedMotion as FittedMotion
from identikit.likelihood._elimination import LinearProblem as LinearProblem
from identikit.likelihood._elimination import compress as compress
from identikit.likelihood._elimination import eliminate as eliminate
from identikit.likelihood._elimination import triangular as triangular
from identikit.likelihood._iteration import scale_like as scale_like
from identikit.likelihood._layout import Layout as Layout
from identikit.likelihood._layout import cut as cut
from identikit.likelihood._likelihood import Likelihood as Likelihood
from identikit.likelihood._point import Point as Point
from identikit.likelihood._point import Trace as Trace
from identikit.likelihood._point import log_likelihood as log_likelihood
from identikit.likelihood._preparation import Preparation as Preparation
from identikit.likelihood._reconstruction import Reconstruction as Reconstruction
from identikit.likelihood._reconstruction import curve_symbol as curve_symbol
from identikit.likelihood._reconstruction import curve_values as curve_values
from identikit.likelihood._reconstruction import reconstruct as reconstruct
from identikit.likelihood._reconstruction import smooth_curves as smooth_curves
from identikit.likelihood._reconstruction import time_derivative as time_derivative
from identikit.likelihood._scores import Scores as Scores
from identikit.likelihood._segments import Evaluation as Evaluation
from identikit.likelihood._segments import SegmentModel as SegmentModel
from identikit.likelihood._settings import LIKELIHOOD as LIKELIHOOD
from identikit.likelihood._solver import MultipleShootingSolver as MultipleShootingSolver
from identikit.likelihood._solver import Outcome as Outcome
