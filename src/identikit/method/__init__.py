"""Methods: each turns a problem into a result, or says why it does not apply."""

from identikit.method._base import Cost as Cost
from identikit.method._base import Method as Method
from identikit.method._base import Need as Need
from identikit.method._canonical import canonical as canonical
from identikit.method._curves import curve_artifacts as curve_artifacts
from identikit.method._discoverer import Discoverer as Discoverer
from identikit.method._early_end import not_applicable as not_applicable
from identikit.method._early_end import provenance as provenance
from identikit.method._misfit import Misfit as Misfit
from identikit.method._option import Option as Option
from identikit.method._option import resolved as resolved
from identikit.method._registry import DISCOVERERS as DISCOVERERS
from identikit.method._registry import METHODS as METHODS
from identikit.method._registry import discoverer_named as discoverer_named
from identikit.method._registry import method_named as method_named
from identikit.method._registry import method_names as method_names
from identikit.method._report import Evidence as Evidence
from identikit.method._residual_check import residual_tests as residual_tests
from identikit.method.missing import Disturbance as Disturbance
from identikit.method.missing import Explanation as Explanation
from identikit.method.missing import MissingTerm as MissingTerm
from identikit.method.missing import MissingTermReport as MissingTermReport
from identikit.method.missing import missing_terms as missing_terms
from identikit.method.reference._reference_plan import ReferencePlan as ReferencePlan
from identikit.method.reference._reference_plan import plan_reference_points as plan_reference_points
from identikit.method.sparse import first_order_suffices as first_order_suffices
