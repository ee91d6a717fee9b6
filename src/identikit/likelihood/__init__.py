"""The likelihood of a record: trajectories cut into segments, their elimination, states from what is measured."""

from identikit.likelihood._elimination import Compressed as Compressed
from identikit.likelihood._elimination import LinearProblem as LinearProblem
from identikit.likelihood._elimination import compress as compress
from identikit.likelihood._elimination import eliminate as eliminate
from identikit.likelihood._elimination import triangular as triangular
from identikit.likelihood._reconstruction import Reconstruction as Reconstruction
from identikit.likelihood._reconstruction import curve_symbol as curve_symbol
from identikit.likelihood._reconstruction import curve_values as curve_values
from identikit.likelihood._reconstruction import reconstruct as reconstruct
from identikit.likelihood._reconstruction import smooth_curves as smooth_curves
from identikit.likelihood._reconstruction import time_derivative as time_derivative
from identikit.likelihood._segments import Evaluation as Evaluation
from identikit.likelihood._segments import Layout as Layout
from identikit.likelihood._segments import SegmentModel as SegmentModel
from identikit.likelihood._segments import cut as cut
