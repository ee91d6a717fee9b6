"""What a new method may use, from one place; docs/adding-a-method.md shows it in use.

The contract: `Method`, `Option`, `Need`, `Cost`; `too_few_samples`, the objection that every method has.
The record without integration: `smooth_curves`; `reconstruct`, which gives a `Reconstruction` of the states from what
is measured; `FilteredRegression` with `regression_objections` and `propagated_deviation`.
A variant, for one value of a method's option: `Variant`; an `ObjectionError` it may raise; `no_motion`, an objection.
Numbers: `bounded_least_squares`; `gauss_newton` and `trust_region`, which end in a `Minimum`;
`standard_errors`; points within bounds: `between`, `evenly`, `middle`.
The result: `judge` (the parameters are known and only the initial states are fitted; fit, bound, identifiability and
status follow; with an `Estimator`, what simulated twins of the record say of its bias and scatter too),
`conclude_from` (the method has residuals and information of its own, an `Evidence`), `MethodReport` (what it says of
itself; its verdict `SOLVED`, `STOPPED` or by `iterated`), `not_applicable`, `not_started`, `provenance`.

Whatever else a method needs is public in the other rooms: `identikit.model`, `identikit.problem`,
`identikit.measurement`, `identikit.simulation`, `identikit.result`, `identikit.progress`.
"""

from identikit.likelihood import Reconstruction, reconstruct, smooth_curves
from identikit.method._base import Cost, Method, Need, ObjectionError, no_motion, too_few_samples
from identikit.method._conclusion import conclude_from
from identikit.method._early_end import not_applicable, not_started, provenance
from identikit.method._judgement import judge
from identikit.method._option import Option
from identikit.method._report import Evidence, MethodReport
from identikit.method._status import SOLVED, STOPPED, iterated
from identikit.method._twin import Estimator
from identikit.method._variant import Variant
from identikit.method.regression._propagation import propagated_deviation
from identikit.method.regression._regression import FilteredRegression
from identikit.method.regression._regression import objections as regression_objections
from identikit.numerics import (
    Minimum,
    between,
    bounded_least_squares,
    evenly,
    gauss_newton,
    middle,
    standard_errors,
    trust_region,
)

__all__ = [
    "SOLVED",
    "STOPPED",
    "Cost",
    "Estimator",
    "Evidence",
    "FilteredRegression",
    "Method",
    "MethodReport",
    "Minimum",
    "Need",
    "ObjectionError",
    "Option",
    "Reconstruction",
    "Variant",
    "between",
    "bounded_least_squares",
    "conclude_from",
    "evenly",
    "gauss_newton",
    "iterated",
    "judge",
    "middle",
    "no_motion",
    "not_applicable",
    "not_started",
    "propagated_deviation",
    "provenance",
    "reconstruct",
    "regression_objections",
    "smooth_curves",
    "standard_errors",
    "too_few_samples",
    "trust_region",
]
