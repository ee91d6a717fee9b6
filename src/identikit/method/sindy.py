"""SINDy: the law itself from a record, as the few terms of a library that leave nothing but noise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from identikit.method._base import Cost, Method, Need
from identikit.method._option import Option
from identikit.method._settings import REGRESSION
from identikit.method.missing import MISSING
from identikit.method.multiple_shooting._settings import SHOOTING
from identikit.method.sparse._found_law import FoundLaw
from identikit.method.sparse._law_method import LawMethod
from identikit.method.sparse._law_report import NOTHING_SHOWN, no_law
from identikit.method.sparse._library import Library
from identikit.method.sparse._library_options import LIBRARY_OPTIONS, library_asked, of_worthwhile_degree, with_terms
from identikit.method.sparse._settings import SPARSE
from identikit.method.sparse._weak_engine import by_weak_form
from identikit.method.weak_form._settings import GALERKIN
from identikit.problem import Problem
from identikit.progress import Progress


class Sindy(LawMethod):
    """Sparse identification: which terms the record asks for, then their constants as parameters of the model.

    The engine chooses the best subset of a library in the weak form, with the noise's own covariance and without a
    threshold. Constants are refined by `shooting`, and a law with other terms than the model's gives no parameters but
    a model file. Assumes white noise, known inputs, and states that are measured or follow from what is. Not for terms
    that are not in the library, nor for a model you are sure of: `shooting` gives the same numbers sooner.
    """

    name = "sindy"
    title = "Sparse identification of the law (SINDy) in the weak form"
    needs = (Need.EQUATIONS, Need.ALL_STATES)
    costs = Cost.SECONDS
    settings = (SPARSE, GALERKIN, SHOOTING, REGRESSION, MISSING, *Method.settings)
    reference = "S. L. Brunton, J. L. Proctor, J. N. Kutz, PNAS 113 (2016) 3932-3937"
    options = (
        *LIBRARY_OPTIONS,
        Option("engine", "weak", "choice", "weak: best subset with the noise's covariance", choices=("weak",)),
    )

    def discovery_options(self, options: Mapping[str, Any], known: bool) -> dict[str, Any]:
        return with_terms(options, known)

    def law(
        self, problem: Problem, options: Mapping[str, Any], seed: int, progress: Progress, known: bool | None
    ) -> FoundLaw:
        progress(0.0, "choosing among terms")

        def by_best_subset(library: Library, strict: bool) -> FoundLaw:
            kept = library.own if known else ()
            return by_weak_form(problem, library, seed, progress, kept, SPARSE.rows_per_term if strict else 1.0)

        if variant := self.variant("engine", options):  # work(problem, library, options, seed) -> FoundLaw
            law: FoundLaw = variant.work(problem, library_asked(problem, options), options, seed)
        else:
            law = of_worthwhile_degree(problem, options, by_best_subset)
        if not law.chosen:
            raise no_law(law.library, NOTHING_SHOWN)
        return law
