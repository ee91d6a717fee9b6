"""Which of several models describes a record: every one fitted, compared by evidence, prediction and residuals."""

from identikit.selection._candidate import Candidate as Candidate
from identikit.selection._candidate import predicted_errors as predicted_errors
from identikit.selection._judge import Judgement as Judgement
from identikit.selection._judge import judged as judged
from identikit.selection._nesting import extra_parameters as extra_parameters
from identikit.selection._settings import SELECTION as SELECTION
