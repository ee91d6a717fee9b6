"""Problem: an experiment meets a model. The only place where data meet equations."""

from identikit.problem._initial import Initial as Initial
from identikit.problem._initial import InitialGiven as InitialGiven
from identikit.problem._input_coverage import GAPS as GAPS
from identikit.problem._input_coverage import coverage as coverage
from identikit.problem._observed import Observed as Observed
from identikit.problem._problem import Problem as Problem
