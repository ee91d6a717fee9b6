"""Problem: an experiment meets a model. The only place where data meet equations."""

from identikit.problem._initial import Initial as Initial
from identikit.problem._initial import InitialGiven as InitialGiven
from identikit.problem._observed import Observed as Observed
from identikit.problem._problem import Problem as Problem
from identikit.problem._read_columns import column_as_read as column_as_read
