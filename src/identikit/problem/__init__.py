"""Problem: an experiment meets a model. The only place where data meet equations."""

from identikit.problem._initial import Initial as Initial
from identikit.problem._initial import InitialGiven as InitialGiven
from identikit.problem._input_coverage import GAPS as GAPS
from identikit.problem._input_coverage import coverage as coverage
from identikit.problem._noise import EVERY as EVERY
from identikit.problem._noise import NOISE_KINDS as NOISE_KINDS
from identikit.problem._noise import Noise as Noise
from identikit.problem._noise import NoiseGiven as NoiseGiven
from identikit.problem._noise import NoiseKind as NoiseKind
from identikit.problem._noise import noise_of_outputs as noise_of_outputs
from identikit.problem._observed import Observed as Observed
from identikit.problem._problem import Problem as Problem
from identikit.problem._process import PRIME as PRIME
from identikit.problem._process import ProcessNoise as ProcessNoise
from identikit.problem._read_columns import column_as_read as column_as_read
