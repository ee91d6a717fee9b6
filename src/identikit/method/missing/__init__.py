"""Terms that a model may lack: candidates, screening by exact sensitivities, refits, words."""

from identikit.method.missing._explained import explained as explained
from identikit.method.missing._explained import term_for_memory as term_for_memory
from identikit.method.missing._report import Disturbance as Disturbance
from identikit.method.missing._report import Explanation as Explanation
from identikit.method.missing._report import MissingTerm as MissingTerm
from identikit.method.missing._report import MissingTermReport as MissingTermReport
from identikit.method.missing._search import missing_terms as missing_terms
from identikit.method.missing._settings import MISSING as MISSING
