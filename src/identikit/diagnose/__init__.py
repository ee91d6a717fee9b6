"""What an estimate is worth: residual tests, identifiability, bounds."""

from identikit.diagnose._combinations import Combination as Combination
from identikit.diagnose._combinations import identified_combinations as identified_combinations
from identikit.diagnose._combinations import still_determined as still_determined
from identikit.diagnose._correlation import Correlation as Correlation
from identikit.diagnose._correlation import autocorrelation as autocorrelation
from identikit.diagnose._correlation import cross_correlation as cross_correlation
from identikit.diagnose._degenerate import degenerate_end as degenerate_end
from identikit.diagnose._identifiability import STRONG as STRONG
from identikit.diagnose._identifiability import UNKNOWN as UNKNOWN
from identikit.diagnose._identifiability import Identifiability as Identifiability
from identikit.diagnose._identifiability import identifiability as identifiability
from identikit.diagnose._identifiability import not_told_apart as not_told_apart
from identikit.diagnose._identifiability import usual_size as usual_size
from identikit.diagnose._interval import Interval as Interval
from identikit.diagnose._interval import interval as interval
from identikit.diagnose._residuals import fit_quality as fit_quality
from identikit.diagnose._residuals import residual_colour as residual_colour
